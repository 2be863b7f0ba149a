// The head above the pictures of instructions: which instruction is shown, the player of its wavefronts,
// and what the colours mean.
#include "app/panels/picture_panel.h"
#include "app/panels/widgets.h"
#include "app/window/keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace warplens {
namespace {

std::string step_text(const PlayedSteps& steps, int now) {
    if (now >= 0) return fmt::format("{} {} of {}", steps.name, now + 1, steps.count);
    return steps.count == 1 ? fmt::format("1 {}", steps.name)
                            : fmt::format("all {} {}s", steps.count, steps.name);
}

constexpr float kPlayGap = 6, kStepGap = 2;  // between the player's buttons [points]

/// The player's width in its widest state, so that it does not move to another line while it plays [pixels].
float player_width(const PanelStyle& style, const PlayedSteps& steps) {
    const float text = std::max(ImGui::CalcTextSize(step_text(steps, -1).c_str()).x,
                                ImGui::CalcTextSize(step_text(steps, steps.count - 1).c_str()).x);
    float width = ui::pill_width(style, "pause") + style.px(kPlayGap) + text + style.px(3 * kStepGap);
    for (const char* label : {"←", "→", "all"}) width += ui::pill_width(style, label);
    return width;
}

/// The player: which wavefront or sector is shown. It stays on one line.
void show_player(const PanelStyle& style, const Frame& frame, const PlayedSteps& steps, bool banks,
                 Actions& actions) {
    const int count = steps.count, now = frame.state->player_step;
    const auto step_to = [&](const char* label, const char* name, int target, const char* tooltip,
                             bool enabled, float gap) {
        ImGui::SameLine(0, gap);
        ImGui::BeginDisabled(!enabled);
        if (ui::pill(style, label, false)) {
            action::Change change = action::changed(*frame.state, &State::player_step, target);
            change.to.player_percent = -1;
            actions.add(std::move(change));
        }
        ImGui::EndDisabled();
        ui::mark(style, name, tooltip);
    };
    const bool playing = frame.playing && frame.state->player_percent >= 0;
    if (ui::chip(style, playing ? "pause" : "play", playing)) actions.add(action::Do::play_or_pause);
    ui::mark(style, "player.play",
             fmt::format("Send one {} after the other and watch the bytes travel {}.", steps.name,
                         key_hint(action::Do::play_or_pause)));
    // The next button keeps its place, whichever word this one has.
    const float wider = playing ? 0 : ui::pill_width(style, "pause") - ui::pill_width(style, "play");
    step_to("←", "player.back", now - 1, "The one before (key ,)", now > -1, style.px(kPlayGap) + wider);
    ImGui::SameLine(0, style.px(kStepGap));
    ImGui::AlignTextToFramePadding();
    ui::text(step_text(steps, now));
    ui::mark(style, "player.text",
             banks
                 ? "A wavefront is one trip through the banks: each bank gives one word, to every lane that "
                   "requests it."
                 : "What travels between memory and the SM, each drawn by itself in the order of addresses.");
    step_to("→", "player.next", now + 1, "The next one (key .)", now < count - 1, style.px(kStepGap));
    step_to("all", "player.all", -1, "All at once", now >= 0, style.px(kStepGap));
}

constexpr std::pair<const char*, ColorBy> kLabelAndNextColor[] = {
    {"colour: wavefront", ColorBy::words},
    {"colour: words in the bank", ColorBy::lane},
    {"colour: lane", ColorBy::wavefront}};

const char* rows_label(const Frame& frame) { return frame.state->by_tile ? "rows: tile" : "rows: banks"; }

/// The width of show_bank_look [pixels].
float bank_look_width(const PanelStyle& style, const Frame& frame, bool has_tile) {
    const float rows = has_tile ? style.px(2) + ui::pill_width(style, rows_label(frame)) : 0;
    return ui::pill_width(style, kLabelAndNextColor[int(frame.state->color_by)].first) + rows;
}

/// Buttons for the meaning of the banks' colours, and for rows as banks or as a tile.
void show_bank_look(const PanelStyle& style, const Frame& frame, bool has_tile, Actions& actions) {
    const auto& [label, next] = kLabelAndNextColor[int(frame.state->color_by)];
    if (ui::pill(style, label, false)) actions.add(action::changed(*frame.state, &State::color_by, next));
    ui::mark(
        style, "color_by",
        "What a cell's colour says: in which wavefront it is served, how many distinct words its bank has to "
        "give, or which lane requests it.");
    if (!has_tile) return;
    const char* rows = rows_label(frame);
    ui::beside_if_room(style, 2, ui::pill_width(style, rows));
    if (ui::pill(style, rows, frame.state->by_tile))
        actions.add(action::changed(*frame.state, &State::by_tile, !frame.state->by_tile));
    ui::mark(
        style, "by_tile",
        "Draw the tile as the code sees it, row by row and column by column, with the bank of each element; "
        "or memory as the banks see it.");
}

/// The width of show_bits_switch [pixels].
float bits_switch_width(const PanelStyle& style, bool both) {
    return ui::pill_width(style, "bits") + (both ? ui::pill_width(style, "memory") + style.px(2) : 0);
}

/// Memory, or the bits of the addresses.
/// @param both  whether there is room for both words; else there is one button for the bits
void show_bits_switch(const PanelStyle& style, const Frame& frame, bool both, Actions& actions) {
    for (const bool bits : {false, true}) {
        if (!bits && !both) continue;
        if (bits && both) ImGui::SameLine(0, style.px(2));
        const bool chosen = frame.state->bits == bits;
        if (ui::pill(style, bits ? "bits" : "memory", chosen))
            actions.add(action::changed(*frame.state, &State::bits, both ? bits : !chosen));
        ui::mark(
            style, bits ? "draw.bits" : "draw.memory",
            fmt::format(
                "{} {}.",
                bits
                    ? "The lanes' addresses in binary: which bits choose bank, sector and line, and which differ"
                    : "Memory as it is laid out, and which lane requests what",
                key_hint(action::Do::toggle_bits)));
    }
}

/// Switch, player and look of one instruction's picture. They share a line where it has room; else each stays
/// together, and the player has the second line.
void show_picture_controls(const PanelStyle& style, const Frame& frame, bool has_switch,
                           const PlayedSteps& steps, std::size_t instruction, Actions& actions) {
    constexpr float kGap = 10;  // [points]
    const bool banks = frame.evidence->report.instructions[instruction].instruction.space == Space::shared;
    const bool has_tile = frame.evidence->tiles[instruction].width > 0;
    const float room = ImGui::GetContentRegionAvail().x;
    const float player = player_width(style, steps);
    const float look = banks ? style.px(kGap) + bank_look_width(style, frame, has_tile) : 0;
    const auto switch_width = [&](bool both) {
        return has_switch ? bits_switch_width(style, both) + style.px(kGap) : 0;
    };
    const bool one_line = switch_width(true) + player + look <= room;
    // Else what goes together on the first line, so that there are two.
    const bool look_first = banks && has_switch && !one_line &&
                            (switch_width(true) + look <= room || switch_width(false) + player > room);
    const bool both = one_line || look_first || switch_width(true) + player <= room;
    if (has_switch) show_bits_switch(style, frame, both, actions);
    if (look_first) {
        ui::beside_if_room(style, kGap, look - style.px(kGap));
        show_bank_look(style, frame, has_tile, actions);
    } else if (has_switch) {
        ui::beside_if_room(style, kGap, player);
    }
    show_player(style, frame, steps, banks, actions);
    if (!banks || look_first) return;
    ui::beside_if_room(style, kGap, look - style.px(kGap));
    show_bank_look(style, frame, has_tile, actions);
}

/// Whether the title of a single instruction's picture would push its controls to a third line.
bool title_costs_a_line(const PanelStyle& style, const Frame& frame, const View& view) {
    const InstructionReport& row = frame.evidence->report.instructions.front();
    const InstructionView shown = view_of(*frame.evidence, 0);
    const PlayedSteps steps = played_steps(shown);
    if (view.projector || frame.counts_hidden || row.instruction.space != Space::shared || steps.count == 0 ||
        !has_bits(shown) || frame.state->bits)
        return false;
    float title = style.px(12);
    {
        const ui::FontScope strong(style, FontRole::strong);
        const std::string text(picture_title(row.instruction.space, frame.evidence->report.sector_rules));
        title += ImGui::CalcTextSize(text.c_str()).x;
    }
    const float room = ImGui::GetContentRegionAvail().x, gap = style.px(10),
                player = player_width(style, steps),
                look = bank_look_width(style, frame, frame.evidence->tiles.front().width > 0);
    const auto in_two_lines = [&](float left) {
        return bits_switch_width(style, true) + gap + look <= left ||
               bits_switch_width(style, false) + gap + player <= left;
    };
    return !in_two_lines(room - title) && in_two_lines(room);
}

/// How the instructions are named on their tabs.
enum class TabNames { whole, short_ones, numbers };

/// Short: "2 load tile" of "2 load tile, by columns".
std::string tab_label(const Instruction& instruction, int k, TabNames names) {
    if (names == TabNames::numbers) return fmt::format(" {} ", k + 1);
    const std::string whole = instruction_name(instruction, k);
    return names == TabNames::whole ? whole : whole.substr(0, whole.find(','));
}

constexpr float kBetweenTabs = 2;  // [points]

/// The width of all tabs on one line [pixels]. @param chosen  the name on the tab of the shown instruction
float tabs_width(const PanelStyle& style, const Frame& frame, int focus, TabNames names, TabNames chosen) {
    float width = ui::pill_width(style, "All");
    int k = 0;
    for (const InstructionReport& row : frame.evidence->report.instructions) {
        const std::string label = tab_label(row.instruction, k, k == focus ? chosen : names);
        width += ui::pill_width(style, label) + style.px(kBetweenTabs);
        ++k;
    }
    return width;
}

/// The longest names with which all tabs have room on one line.
TabNames names_that_fit(const PanelStyle& style, const Frame& frame) {
    for (const TabNames names : {TabNames::whole, TabNames::short_ones})
        if (tabs_width(style, frame, -1, names, names) <= ImGui::GetContentRegionAvail().x) return names;
    return TabNames::numbers;
}

/// @param chosen  the name on the tab of the instruction that is shown
void show_tabs(const PanelStyle& style, const Frame& frame, const View& view, TabNames names, TabNames chosen,
               Actions& actions) {
    int k = 0;
    for (const InstructionReport& row : frame.evidence->report.instructions) {
        const std::string label = tab_label(row.instruction, k, view.focus == k ? chosen : names);
        ui::beside_if_room(style, kBetweenTabs, ui::pill_width(style, label));
        if (ui::pill(style, label.c_str(), view.focus == k)) actions.add(action::Focus{k});
        ui::mark(style, fmt::format("focus.{}", k),
                 fmt::format("{}\n{}", row.instruction.label, row.instruction.code));
        ++k;
    }
}

/// For a class, to whom numbers on tabs say nothing: which instruction of how many it is, and the others in a
/// list.
void show_instruction_list(const PanelStyle& style, const Frame& frame, const View& view, Actions& actions) {
    const auto& rows = frame.evidence->report.instructions;
    const auto count = int(rows.size());
    const std::string face = view.focus < 0
                                 ? fmt::format("{} of {} shown", std::min(count, kMostForClass), count)
                                 : fmt::format("{} of {}: {}", view.focus + 1, count,
                                               rows[std::min(view.focus, count - 1)].instruction.label);
    ImGui::SameLine(0, style.px(6));
    constexpr float kAround = 46;  // of the text in the list's face [points]
    ImGui::SetNextItemWidth(
        std::min(ImGui::GetContentRegionAvail().x, ImGui::CalcTextSize(face.c_str()).x + style.px(kAround)));
    const bool open = ImGui::BeginCombo("##instruction", face.c_str(), ImGuiComboFlags_HeightLarge);
    ui::mark("focus.list");
    if (!open) return;
    for (int k = 0; k < count; ++k) {
        const Instruction& instruction = rows[k].instruction;
        if (ImGui::Selectable(instruction_name(instruction, k).c_str(), view.focus == k))
            actions.add(action::Focus{k});
        ui::mark(fmt::format("focus.{}", k));
    }
    ImGui::EndCombo();
}

}  // namespace

void show_picture_head(const PanelStyle& style, const Frame& frame, const View& view, Actions& actions) {
    const auto& rows = frame.evidence->report.instructions;
    const int count = int(rows.size());
    if (count > 1) {
        const TabNames names = names_that_fit(style, frame);
        // Beside numbers the chosen one has as much of its name as the line has room for.
        TabNames chosen = names;
        if (names == TabNames::numbers)
            for (const TabNames longer : {TabNames::short_ones, TabNames::whole})
                if (tabs_width(style, frame, view.focus, names, longer) <= ImGui::GetContentRegionAvail().x)
                    chosen = longer;
        if (ui::pill(style, "All", view.focus < 0)) actions.add(action::Focus{-1});
        ui::mark(style, "focus.all", "Every instruction of the kernel side by side.");
        if (view.projector && names == TabNames::numbers)
            show_instruction_list(style, frame, view, actions);
        else
            show_tabs(style, frame, view, names, chosen, actions);
    }
    if (view.focus < 0) return;
    const std::size_t k = view.focus;
    if (count == 1 && !title_costs_a_line(style, frame, view)) {
        const ui::FontScope heading(style, FontRole::strong);
        ImGui::AlignTextToFramePadding();
        const std::string_view title =
            picture_title(rows[k].instruction.space, frame.evidence->report.sector_rules);
        ui::text(title);
        ui::terms_tip(style, title);
        ImGui::SameLine(0, style.px(12));
    }
    if (view.projector) return;  // the keys do as well, and the picture needs the room
    const bool has_switch = has_bits(view_of(*frame.evidence, view.focus)) && !frame.counts_hidden;
    if (has_switch && frame.state->bits) return show_bits_switch(style, frame, true, actions);
    const PlayedSteps steps = played_steps(view_of(*frame.evidence, view.focus));
    if (steps.count > 0 && !frame.counts_hidden)
        return show_picture_controls(style, frame, has_switch, steps, k, actions);
    if (has_switch) {
        show_bits_switch(style, frame, true, actions);
        ImGui::SameLine(0, style.px(10));
    }
    if (count == 1) {
        ImGui::AlignTextToFramePadding();
        for (const std::string& about : {fmt::format("one warp, {}", rows[k].instruction.label),
                                         std::string(rows[k].instruction.label), std::string("one warp")}) {
            if (ImGui::CalcTextSize(about.c_str()).x > ImGui::GetContentRegionAvail().x) continue;
            ui::text_weak(style, about);
            ui::terms_tip(style, about);
            return;
        }
        ImGui::NewLine();
    } else if (has_switch) {
        ImGui::NewLine();  // which the switch has left open
    }
}

}  // namespace warplens
