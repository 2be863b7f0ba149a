#include "app/panels/controls.h"

#include "app/learn/presenting.h"
#include "app/panels/board_panel.h"
#include "app/panels/widgets.h"
#include "app/window/keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace warplens {
namespace {

void show_devices(const PanelStyle& style, const Frame& frame, State& state) {
    ImGui::AlignTextToFramePadding();
    ui::text("Device");
    ui::tip(
        style,
        "The GPU by whose rules requests are counted and by whose data speeds are predicted: banks, sectors, SMs, "
        "clock, memory bandwidth.");
    ImGui::SameLine(style.px(68));
    ui::fill_width();
    const std::vector<DeviceFacts>& devices = *frame.devices;
    const auto name = [](const DeviceFacts& d) { return d.here ? d.name + " (here)" : d.name; };
    const std::size_t before = state.device;
    const bool open =
        ImGui::BeginCombo("##device", name(devices[before]).c_str(), ImGuiComboFlags_HeightLarge);
    ui::mark("device");
    if (!open) {
        const DeviceFacts& d = devices[before];
        ui::tip(style, fmt::format("{}: compute capability {}, {} SMs, {:.0f} MHz, {} GB/s, L2 {}.", d.name,
                                   d.cc.text(), d.sm_count, d.clock_mhz, d.peak_gb_per_s,
                                   format_bytes(double(d.l2_bytes))));
        return;
    }
    ComputeCapability above;
    for (std::size_t i = devices.size(); i-- > 0;) {  // newest first
        if (const ComputeCapability cc = devices[i].cc; cc != above) {
            const std::optional<CapabilityFacts> rules = rules_of(cc);
            ui::text_weak(style, fmt::format("{} {}", cc.text(), rules ? rules->architecture : ""));
            above = cc;
        }
        const std::string label = fmt::format("  {}##{}", name(devices[i]), i);
        if (ui::entry(label.c_str(), i == state.device)) state.device = i;
        ui::mark(fmt::format("device.{}", devices[i].name));
        if (i == before && ImGui::IsWindowAppearing()) ImGui::SetScrollHereY();
    }
    ImGui::EndCombo();
}

/// CC 3.x alone: how words lie in the banks of shared memory.
void show_bank_mode(const PanelStyle& style, const Frame& frame, State& state) {
    if (!has_bank_modes((*frame.devices)[state.device].cc)) return;
    ImGui::AlignTextToFramePadding();
    ui::text("Bank mode");
    constexpr const char* kTip =
        "Banks of this GPU give 8 bytes at a time. In 4-byte mode, the default, successive 4-byte words lie in "
        "successive banks; in 8-byte mode successive 8-byte words (cudaDeviceSetSharedMemConfig).";
    ui::tip(style, kTip);
    for (const auto& [mode, label] :
         {std::pair{BankMode::four_bytes, "4 B"}, {BankMode::eight_bytes, "8 B"}}) {
        ImGui::SameLine(0, style.px(mode == BankMode::four_bytes ? 12 : 2));
        if (ui::chip(style, label, state.bank_mode == mode)) state.bank_mode = mode;
        ui::mark(style, fmt::format("bank-mode.{}", label), kTip);
    }
}

/// Settings worth looking at, side by side as they fit.
/// @param first     the others stand elsewhere
/// @param one_line  only those that have room in one line
/// @return  how many were shown
std::size_t show_presets(const PanelStyle& style, State& state, std::size_t first, bool one_line) {
    const auto presets = state.scenario->info->presets.subspan(first);
    const float right = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
    std::size_t shown = 0;
    for (const Preset& preset : presets) {
        const std::string label(preset.name);
        const Params there = preset_params(*state.scenario, preset);
        const bool beside =
            shown > 0 && ImGui::GetItemRectMax().x + style.px(4) + ui::pill_width(style, label) <= right;
        if (shown > 0 && one_line && !beside) break;
        if (beside) ImGui::SameLine(0, style.px(4));
        if (ui::chip(style, label.c_str(), state.params == there)) state.params = there;
        ui::mark(style, fmt::format("preset.{}", preset.name),
                 fmt::format("Sets {}; all other parameters at their defaults.", preset.settings));
        ++shown;
    }
    return shown;
}

/// Buttons that bring all parameters back, take the last change back, or do it again.
void show_history(const PanelStyle& style, const Frame& frame, Actions& actions) {
    const auto button = [&](const char* label, const char* name, bool enabled, const char* tooltip) {
        const float width = ImGui::CalcTextSize(label).x + 2 * ImGui::GetStyle().FramePadding.x;
        ui::beside_if_room(style, 4, width);
        ImGui::BeginDisabled(!enabled);
        const bool pressed = ImGui::Button(label);
        ImGui::EndDisabled();
        ui::mark(style, name, tooltip);
        return pressed;
    };
    if (button("Reset", "reset", frame.state->params != frame.state->scenario->info->defaults,
               fmt::format("Bring all parameters of this scenario back to their defaults {}.",
                           key_hint(action::Do::reset_all))
                   .c_str()))
        actions.add(action::Do::reset_all);
    if (button("Undo", "undo", frame.can_undo, "Take the last change back (Ctrl+Z)."))
        actions.add(action::Do::undo);
    if (button("Redo", "redo", frame.can_redo, "Do again what was taken back (Ctrl+Shift+Z or Ctrl+Y)."))
        actions.add(action::Do::redo);
}

/// A board that is about no scenario says here what it shows, in place of the scenario's name.
void show_about_board(const PanelStyle& style, const BoardInfo& board) {
    ui::text(style, FontRole::strong, board.label);
    ui::terms_tip(style, board.label);
    ImGui::PushTextWrapPos(0);
    ui::text_weak(style, board.tooltip);
    ui::terms_tip(style, board.tooltip);
    ImGui::PopTextWrapPos();
    ImGui::Dummy(ImVec2(0, style.px(4)));
}

/// The numbers that a board which has all of the window does not picture: only that of the memories has some.
void show_main_numbers(const PanelStyle& style, const BoardWords& words) {
    bool first = true;
    for (const Quantity& row : words.numbers) {
        if (!row.main) continue;
        if (std::exchange(first, false)) {
            const std::string_view heading = "What loads ask of the caches";
            ui::text(style, FontRole::strong, heading);
            ui::terms_tip(style, heading);
        }
        ui::wrapped(row.name);
        ui::mark(style, fmt::format("number.{}", row.name), row.source);
        ui::wrapped(style.colors.text_weak, row.text);
        ui::tip(style, row.source);
    }
}

/// The knobs that are not shown at first, and the button that shows them.
void show_folded(const PanelStyle& style, const Frame& frame, State& state, const View& view,
                 const std::vector<const Knob*>& main, std::size_t presets, Actions& actions) {
    std::vector<const Knob*> others;
    for (const Knob& knob : state.scenario->info->knobs)
        if (std::ranges::find(main, &knob) == main.end()) others.push_back(&knob);
    const auto changed = std::ranges::count_if(others, [&](const Knob* knob) {
        return state.params.*knob->field != state.scenario->info->defaults.*knob->field;
    });
    std::string label =
        view.more_knobs ? "▾ fewer parameters" : "▸ " + counted(int(others.size()), "more parameter");
    if (!view.more_knobs && changed > 0) label += fmt::format(", {} set", changed);
    if (ui::pill(style, label.c_str(), false, 0)) actions.add(action::Toggle{&View::more_knobs});
    ui::mark(style, "knobs.more",
             "All other parameters, and the buttons that bring them back, undo and redo.");
    if (!view.more_knobs) return;
    if (presets < state.scenario->info->presets.size()) show_presets(style, state, presets, false);
    for (const Knob* knob : others) show_knob(style, frame, *knob, state, view.hovered_lane, actions);
    ImGui::Dummy(ImVec2(0, style.px(2)));
    show_history(style, frame, actions);
    ImGui::Dummy(ImVec2(0, style.px(2)));
}

}  // namespace

bool show_controls(const PanelStyle& style, const Frame& frame, State& state, const View& view,
                   Actions& actions) {
    const State before = state;
    const BoardInfo& board = *state.board;
    if (!board.about_scenario) {  // its own knobs alone count
        show_about_board(style, board);
        if (!board.knobs.empty()) show_board_controls(style, frame, state, actions);
        ImGui::Dummy(ImVec2(0, style.px(2)));
        show_devices(style, frame, state);
        if (board.wide) show_main_numbers(style, *frame.board_words);
        return state != before;
    }
    ImGui::PushTextWrapPos(0);
    ui::text_weak(style, state.scenario->info->summary);
    ui::terms_tip(style, state.scenario->info->summary);
    ImGui::PopTextWrapPos();
    {
        const ui::FontScope mono(style, FontRole::mono);
        ImGui::PushTextWrapPos(0);
        ui::text(state.scenario->info->formula);
        ui::terms_tip(style, state.scenario->info->formula);
        ImGui::PopTextWrapPos();
    }
    ImGui::Dummy(ImVec2(0, style.px(2)));
    const std::size_t presets = show_presets(style, state, 0, true);
    ImGui::Dummy(ImVec2(0, style.px(2)));
    const std::vector<const Knob*> main = main_knobs(*state.scenario);
    for (const Knob* knob : main) show_knob(style, frame, *knob, state, view.hovered_lane, actions);
    ImGui::Dummy(ImVec2(0, style.px(2)));
    show_folded(style, frame, state, view, main, presets, actions);
    show_devices(style, frame, state);
    show_bank_mode(style, frame, state);
    if (state.params != before.params) clamp_knobs(*state.scenario, state.params);
    return state != before;
}

}  // namespace warplens
