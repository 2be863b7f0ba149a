#include "app/panels/picture_panel.h"

#include "app/boards/access/kernel_verdict.h"
#include "app/gl/painter.h"
#include "app/panels/widgets.h"
#include "app/pictures/kit/palette.h"
#include "app/window/keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

namespace warplens {
namespace {

std::uint64_t mix_key(std::uint64_t seed, std::uint64_t value) {
    return (seed ^ value) * 0x9e37'79b9'7f4a'7c15ull + (seed << 7);
}

/// Of a picture [points]; a panel that is lower scrolls.
constexpr float kLeastHeight = 150;

}  // namespace

void show_instruction(const PanelStyle& style, const Frame& frame, const View& view, PictureCache& cache,
                      int k, Vec2 room, bool compact, Actions& actions) {
    const std::size_t index = k;
    if (cache.instructions.size() <= index) cache.instructions.resize(index + 1);
    CachedPicture& cached = cache.instructions[index];
    const int least_words = index < cache.least_words.size() ? cache.least_words[index] : 0;
    const std::uint64_t key =
        mix_key(picture_key(style, frame, view, room, compact), static_cast<std::uint64_t>(least_words));
    const Picture& picture = shown_picture(cached, key, frame, view, actions, [&] {
        const Style look{.theme = &style.colors,
                         .measure = &style.fonts,
                         .size = room,
                         .hovered_lane = lit_lane(view),
                         .embedded = true,
                         .compact = compact,
                         .counts_hidden = frame.counts_hidden,
                         .silent = view.projector || judged_as_a_whole(*frame.state->scenario),
                         .slow_kernel = is_slow_kernel(frame, view),
                         .least_words = least_words};
        return for_view(view, draw_instruction(*frame.evidence, k, *frame.state, look));
    });
    const std::string id = fmt::format("{}picture.{}", frame.is_other ? "a." : "", k);
    const Hit* hit = paint(style, frame, picture, id.c_str());
    ui::mark(id);
    if (hit != nullptr && hit->lane >= 0) {
        actions.hover.lane = hit->lane;
        actions.hover.instruction = k;
    }
    if (compact && view.hovered_instruction == k)  // its line of code is under the mouse, or it is
        ui::add_rect(ImGui::GetWindowDrawList(), ImGui::GetItemRectMin(), ImGui::GetItemRectMax(),
                     ui::color(style.colors.accent), style.px(4), style.px(1.5f));
    if (compact && ImGui::IsItemHovered() && ImGui::IsMouseReleased(ImGuiMouseButton_Left))
        actions.add(action::Focus{k});
}

namespace {

std::string step_text(const PlayedSteps& steps, int now) {
    if (now >= 0) return fmt::format("{} {} of {}", steps.name, now + 1, steps.count);
    return steps.count == 1 ? fmt::format("1 {}", steps.name)
                            : fmt::format("all {} {}s", steps.count, steps.name);
}

constexpr float kPlayGap = 6, kStepGap = 2;  // between the player's buttons [points]

/// Of the player in its widest state, so that it does not move to another line while it plays [pixels].
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
    // What follows keeps its place, whichever word the button has.
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

/// Of show_bank_look [pixels].
float bank_look_width(const PanelStyle& style, const Frame& frame, bool has_tile) {
    const float rows = has_tile ? style.px(2) + ui::pill_width(style, rows_label(frame)) : 0;
    return ui::pill_width(style, kLabelAndNextColor[int(frame.state->color_by)].first) + rows;
}

/// What the colours of banks mean, and whether rows are those of a tile.
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

/// Of show_bits_switch [pixels].
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

/// Of all tabs on one line [pixels]. @param chosen  the name on the tab of the instruction that is shown
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

void show_pictures(const PanelStyle& style, const Frame& frame, const View& view, PictureCache& cache,
                   Actions& actions) {
    const bool has_choice = frame.evidence->report.instructions.size() > 1;
    cache.least_words.clear();  // nothing is compared
    if (!view.projector || has_choice) show_picture_head(style, frame, view, actions);
    show_instructions(style, frame, view, cache, actions);
}

void show_instructions(const PanelStyle& style, const Frame& frame, const View& view, PictureCache& cache,
                       Actions& actions) {
    const int count = int(frame.evidence->report.instructions.size());
    // One side of a comparison is rather small than cut.
    const bool compared = frame.other != nullptr || frame.is_other;
    const float least = !compared ? kLeastHeight : view.projector ? kLeastOfSide : kLeastSmall;
    if (view.focus >= 0) {
        const Explanation& whole = frame.board_words->explanation;
        const bool below = judged_as_a_whole(*frame.state->scenario) && !view.projector &&
                           !frame.counts_hidden && frame.state->board->instructions;
        Vec2 room = room_here(style, least);
        if (below) room.y = std::max(kLeastRoom.y, room.y - verdict_height(style, whole) / style.scale);
        show_instruction(style, frame, view, cache, std::min(view.focus, count - 1), room, false, actions);
        if (below) show_verdict(style, whole);
        return;
    }
    show_all_instructions(style, frame, view, cache, least, actions);
}

std::string instruction_name(const Instruction& instruction, int k) {
    return fmt::format("{} {}", k + 1, instruction.label);
}

const Picture& shown_picture(CachedPicture& cached, std::uint64_t key, const Frame& frame, const View& view,
                             Actions& actions, const std::function<Picture()>& draw) {
    const double now = ImGui::GetTime();
    const State& state = *frame.state;
    if (cached.key != key) {
        const bool other_setting = cached.params != state.params || cached.boards != state.boards;
        const bool glide = frame.motion && view.motion && cached.scenario == state.scenario &&
                           (other_setting || cached.motion.is_moving());
        cached.motion.show(draw(), now, glide);
        cached.key = key;
        cached.scenario = state.scenario;
        cached.params = state.params;
        cached.boards = state.boards;
    }
    const Picture& picture = cached.motion.at(now);
    if (cached.motion.is_moving()) actions.redraw(0);
    return picture;
}

bool is_slow_kernel(const Frame& frame, const View& view) {
    if (!frame.state->board->instructions || frame.board_words->explanation.good) return false;
    return view.focus >= 0 || slow_without_fault(*frame.evidence, frame.devices->at(frame.state->device));
}

int lit_lane(const View& view) {
    return view.projector && !ImGui::IsMouseDown(ImGuiMouseButton_Left) ? -1 : view.hovered_lane;
}

float verdict_height(const PanelStyle& style, const Explanation& explanation) {
    if (explanation.verdict.empty()) return 0;
    const ui::FontScope strong(style, FontRole::strong);
    const ImVec2 size =
        ImGui::CalcTextSize(explanation.verdict.c_str(), nullptr, false, ImGui::GetContentRegionAvail().x);
    return size.y + ImGui::GetStyle().ItemSpacing.y + style.px(4);
}

void show_verdict(const PanelStyle& style, const Explanation& explanation) {
    const ui::FontScope strong(style, FontRole::strong);
    ui::wrapped(explanation.good ? style.colors.good : style.colors.bad, explanation.verdict);
    ui::terms_tip(style, explanation.verdict);
}

std::uint64_t picture_key(const PanelStyle& style, const Frame& frame, const View& view, Vec2 size,
                          bool compact) {
    std::uint64_t key = mix_key(frame.generation, static_cast<std::uint64_t>(view.look.theme));
    key = mix_key(key, static_cast<std::uint64_t>(view.look.palette));
    key = mix_key(key, view.projector);
    key = mix_key(key, std::bit_cast<std::uint32_t>(size.x));
    key = mix_key(key, std::bit_cast<std::uint32_t>(size.y));
    key = mix_key(key, static_cast<std::uint64_t>(lit_lane(view) + 1));
    key = mix_key(key, static_cast<std::uint64_t>(frame.state->player_step + 1));
    key = mix_key(key, static_cast<std::uint64_t>(frame.state->player_percent + 1));
    key = mix_key(key,
                  static_cast<std::uint64_t>(frame.state->color_by) * 4 + 2 * frame.state->by_tile + compact);
    key = mix_key(key, frame.state->bits);
    key = mix_key(key, frame.counts_hidden);
    key = mix_key(key, std::bit_cast<std::uint64_t>(frame.state->board));
    return mix_key(key, std::bit_cast<std::uint32_t>(style.scale));
}

const Hit* paint(const PanelStyle& style, const Frame& frame, const Picture& picture, const char* id) {
    const ImVec2 origin = ImGui::GetCursorScreenPos();
    const ImVec2 size(style.px(picture.size.x), style.px(picture.size.y));
    ui::press_area(id, size);
    style.painter.paint(picture, ImGui::GetWindowDrawList(), origin.x, origin.y, style.scale, style.fonts,
                        frame.trace_texture, frame.image_texture);
    if (!ImGui::IsItemHovered()) return nullptr;
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const Hit* hit = picture.hit_at({(mouse.x - origin.x) / style.scale, (mouse.y - origin.y) / style.scale});
    if (hit != nullptr && !hit->tooltip.empty()) ui::tip(style, hit->tooltip);
    return hit;
}

Picture for_view(const View& view, Picture picture) {
    constexpr float kThicker = 1.6f;
    if (!view.projector) return picture;
    for (Hit& hit : picture.hits) hit.tooltip.clear();
    return with_thick_lines(std::move(picture), kThicker);
}

Vec2 room_here(const PanelStyle& style, float least) {
    const ImVec2 room = ImGui::GetContentRegionAvail();
    return {std::max(room.x / style.scale, kLeastRoom.x),
            std::max({room.y / style.scale, kLeastRoom.y, least})};
}

}  // namespace warplens
