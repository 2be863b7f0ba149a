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
                            : fmt::format("{} {}s", steps.count, steps.name);
}

constexpr float kLook = 100;  ///< width of the list of looks [points]

/// Which wavefront or sector is shown, and the button that plays them; the steps' own buttons only while one
/// is shown.
void show_player(const PanelStyle& style, const Frame& frame, const PlayedSteps& steps, bool banks,
                 Actions& actions) {
    const int count = steps.count, now = frame.state->player_step;
    const auto step_to = [&](const char* label, const char* name, int target, const char* tooltip,
                             bool enabled) {
        ImGui::SameLine(0, style.px(2));
        ImGui::BeginDisabled(!enabled);
        if (ui::pill(style, label, false, 7)) {
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
    const bool stepping = now >= 0;
    if (stepping) {
        // The next button keeps its place, whichever word this one has.
        const float wider = playing ? 0 : ui::pill_width(style, "pause") - ui::pill_width(style, "play");
        ImGui::SameLine(0, wider);
        ImGui::Dummy(ImVec2(0, 0));
        step_to("←", "player.back", now - 1, "The one before (key ,)", true);
    }
    const std::string text = step_text(steps, now);
    const float end = ImGui::GetWindowPos().x + ImGui::GetWindowContentRegionMax().x;
    const float left = end - ImGui::GetItemRectMax().x - style.px(kLook + 16);
    if (!stepping && ImGui::CalcTextSize(text.c_str()).x > left) return;
    ImGui::SameLine(0, style.px(stepping ? 2 : 8));
    ImGui::AlignTextToFramePadding();
    ui::text(text);
    ui::mark(style, "player.text",
             banks
                 ? "A wavefront is one trip through the banks: each bank gives one word, to every lane that "
                   "requests it."
                 : "What travels between memory and the SM, each drawn by itself in the order of addresses.");
    if (!stepping) return;
    step_to("→", "player.next", now + 1, "The next one (key .)", now < count - 1);
    step_to("all", "player.all", -1, "All at once", true);
}

/// How the picture is drawn: memory or bits, what colours and rows stand for.
void show_look(const PanelStyle& style, const Frame& frame, std::size_t k, Actions& actions) {
    const State& state = *frame.state;
    const bool banks = frame.evidence->report.instructions[k].instruction.space == Space::shared;
    const bool bits = has_bits(view_of(*frame.evidence, int(k)));
    if (!bits && !banks) return;
    ui::end_of_line(style.px(kLook));
    ImGui::SetNextItemWidth(style.px(kLook));
    const bool open =
        ImGui::BeginCombo("##look", state.bits ? "bits" : "memory", ImGuiComboFlags_HeightLargest);
    ui::mark("look");
    if (!open) return ui::tip(style, "What the picture shows, and what its colours and rows stand for.");
    const auto choice = [&](const char* label, const char* name, bool chosen, action::Change change,
                            const std::string& tooltip) {
        if (ImGui::MenuItem(label, nullptr, chosen)) actions.add(std::move(change));
        ui::mark(style, name, tooltip);
    };
    const std::string key = key_hint(action::Do::toggle_bits);
    choice("memory", "draw.memory", !state.bits, action::changed(state, &State::bits, false),
           fmt::format("Memory as it is laid out, and which lane requests what {}.", key));
    if (bits)
        choice(
            "bits", "draw.bits", state.bits, action::changed(state, &State::bits, true),
            fmt::format("The lanes' addresses in binary: which bits choose bank, sector and line, and which "
                        "differ {}.",
                        key));
    if (banks && !state.bits) {
        constexpr struct {
            const char *label, *name, *meaning;
            ColorBy by;
        } kColors[] = {{"colour: wavefront", "color_by.wavefront", "In which wavefront a cell is served.",
                        ColorBy::wavefront},
                       {"colour: words in the bank", "color_by.words",
                        "How many distinct words its bank has to give.", ColorBy::words},
                       {"colour: lane", "color_by.lane", "Which lane requests it.", ColorBy::lane}};
        ImGui::Separator();
        for (const auto& color : kColors)
            choice(color.label, color.name, state.color_by == color.by,
                   action::changed(state, &State::color_by, color.by), color.meaning);
        if (frame.evidence->tiles[k].width > 0) {
            ImGui::Separator();
            choice("rows: banks", "rows.banks", !state.by_tile,
                   action::changed(state, &State::by_tile, false), "Memory as the banks see it.");
            choice("rows: tile", "rows.tile", state.by_tile, action::changed(state, &State::by_tile, true),
                   "The tile as the code sees it, row by row and column by column, with the bank of each "
                   "element.");
        }
    }
    ImGui::EndCombo();
}

/// Which instruction of how many it is, and the others in a list.
void show_instruction_list(const PanelStyle& style, const Frame& frame, const View& view, Actions& actions) {
    const auto& rows = frame.evidence->report.instructions;
    const auto count = int(rows.size());
    const bool compared = frame.other != nullptr || frame.is_other;
    const int in_class = most_for_class(frame);
    const std::string all = view.projector && !compared && count > in_class
                                ? fmt::format("{} of {} accesses, the costliest", in_class, count)
                                : fmt::format("all {} accesses", count);
    const std::string face = view.focus < 0
                                 ? all
                                 : instruction_name(rows[std::min(view.focus, count - 1)].instruction,
                                                    std::min(view.focus, count - 1));
    constexpr float kAround = 46;        // of the text in the list's face [points]
    constexpr float kForPlayer = 0.45f;  // share of the line
    const float most = ImGui::GetContentRegionAvail().x * (view.projector ? 1 : 1 - kForPlayer);
    ImGui::SetNextItemWidth(std::min(most, ImGui::CalcTextSize(face.c_str()).x + style.px(kAround)));
    const bool open = ImGui::BeginCombo("##instruction", face.c_str(), ImGuiComboFlags_HeightLarge);
    ui::mark("focus.list");
    if (!open) return ui::tip(style, face);
    if (ui::entry(all.c_str(), view.focus < 0)) actions.add(action::Focus{-1});
    ui::mark(style, "focus.all", "Every instruction of the kernel side by side.");
    for (int k = 0; k < count; ++k) {
        const Instruction& instruction = rows[k].instruction;
        if (ui::entry(instruction_name(instruction, k).c_str(), view.focus == k))
            actions.add(action::Focus{k});
        ui::mark(style, fmt::format("focus.{}", k), std::string(instruction.code));
    }
    ImGui::EndCombo();
}

}  // namespace

void show_picture_head(const PanelStyle& style, const Frame& frame, const View& view, Actions& actions) {
    const bool choice = frame.evidence->report.instructions.size() > 1;
    if (choice) show_instruction_list(style, frame, view, actions);
    if (view.focus < 0 || view.projector || frame.counts_hidden) return;  // where the keys do as well
    const int last = int(frame.evidence->report.instructions.size()) - 1, k = std::min(view.focus, last);
    const PlayedSteps steps = played_steps(view_of(*frame.evidence, k));
    const bool plays = steps.count > 0 && !frame.state->bits;
    if (choice && plays) ImGui::SameLine(0, style.px(8));
    const bool banks = frame.evidence->report.instructions[k].instruction.space == Space::shared;
    if (plays) show_player(style, frame, steps, banks, actions);
    if (!choice && !plays) ImGui::Dummy(ImVec2(0, ImGui::GetFrameHeight()));
    show_look(style, frame, std::size_t(k), actions);
}

}  // namespace warplens
