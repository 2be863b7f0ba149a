#include "app/panels/controls.h"

#include "app/panels/board_panel.h"
#include "app/panels/widgets.h"
#include "app/window/keys.h"

#include <fmt/format.h>

#include <algorithm>

namespace warplens {
namespace {

/// A list to choose from whose title is wrapped where it is too long for a line.
bool begin_titled_combo(const char* id, const std::string& title) {
    const ImVec2 padding = ImGui::GetStyle().FramePadding, at = ImGui::GetCursorScreenPos();
    const float line = ImGui::GetTextLineHeight();
    const auto room = [&](float height) {
        const float left = ImGui::GetContentRegionAvail().x - height - 2 * padding.x;  // beside the arrow
        return std::max(left, 5 * line);
    };
    const bool one_line = ImGui::CalcTextSize(title.c_str()).x <= room(ImGui::GetFrameHeight());
    const float wrap = one_line ? 0 : room(ImGui::GetFrameHeight() + line);
    const float high = one_line ? line : ImGui::CalcTextSize(title.c_str(), nullptr, false, wrap).y;
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const ImU32 ink = ImGui::GetColorU32(ImGuiCol_Text);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(padding.x, padding.y + (high - line) / 2));
    const bool open = ImGui::BeginCombo(id, "", ImGuiComboFlags_HeightLarge);
    ImGui::PopStyleVar();
    draw->AddText(ImGui::GetFont(), ImGui::GetFontSize(), ImVec2(at.x + padding.x, at.y + padding.y), ink,
                  title.c_str(), nullptr, wrap);
    return open;
}

bool show_scenarios(const PanelStyle& style, State& state, const View& view) {
    const Scenario* chosen = state.scenario;
    ui::fill_width();
    const ui::FontScope strong(style, FontRole::strong);
    const bool open = begin_titled_combo("##scenario", std::string(state.scenario->info->title));
    ui::mark("scenario");
    if (open) {
        for (const Scenario& scenario : all_scenarios()) {
            if (!scenario.in(view.space)) continue;
            if (ImGui::Selectable(std::string(scenario.info->title).c_str(), &scenario == chosen))
                chosen = &scenario;
            ui::mark(style, fmt::format("scenario.{}", scenario.info->id), scenario.info->summary);
        }
        ImGui::EndCombo();
    }
    if (chosen == state.scenario) return false;
    state.scenario = chosen;
    return true;
}

bool show_devices(const PanelStyle& style, const Frame& frame, State& state) {
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
        return false;
    }
    for (std::size_t i = devices.size(); i-- > 0;) {  // newest first
        const std::string label = fmt::format("{}  CC {}##{}", name(devices[i]), devices[i].cc.text(), i);
        if (ImGui::Selectable(label.c_str(), i == state.device)) state.device = i;
        ui::mark(fmt::format("device.{}", devices[i].name));
        if (i == before && ImGui::IsWindowAppearing()) ImGui::SetScrollHereY();
    }
    ImGui::EndCombo();
    return state.device != before;
}

/// CC 3.x alone: how words lie in the banks of shared memory.
bool show_bank_mode(const PanelStyle& style, const Frame& frame, State& state) {
    if (!has_bank_modes((*frame.devices)[state.device].cc)) return false;
    const BankMode before = state.bank_mode;
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
    return state.bank_mode != before;
}

/// Settings worth looking at, as many in a row as fit.
bool show_presets(const PanelStyle& style, State& state) {
    const float right = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
    bool changed = false;
    if (state.scenario->info->presets.empty()) return false;
    ui::text_weak(style, "Presets");
    for (const Preset& preset : state.scenario->info->presets) {
        const std::string label(preset.name);
        const Params there = preset_params(*state.scenario, preset);
        const float width = ImGui::CalcTextSize(label.c_str()).x + style.px(20);
        if (ImGui::GetItemRectMax().x + style.px(4) + width < right &&
            &preset != state.scenario->info->presets.data()) {
            ImGui::SameLine(0, style.px(4));
        }
        if (ui::chip(style, label.c_str(), state.params == there)) {
            state.params = there;
            changed = true;
        }
        ui::mark(style, fmt::format("preset.{}", preset.name),
                 fmt::format("Sets {}; all other parameters at their defaults.", preset.settings));
    }
    return changed;
}

/// Buttons that take the last change back, or do it again.
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

}  // namespace

bool show_controls(const PanelStyle& style, const Frame& frame, State& state, const View& view,
                   Actions& actions) {
    if (!state.board->knobs.empty() && !state.board->about_scenario) {  // its knobs alone count
        show_about_board(style, *state.board);
        bool changed = show_board_controls(style, frame, state, actions);
        ImGui::Dummy(ImVec2(0, style.px(2)));
        changed |= show_devices(style, frame, state);
        return changed;
    }
    if (show_scenarios(style, state, view)) return true;  // the window brings that scenario's own knobs
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
    bool changed = show_presets(style, state);
    ImGui::Dummy(ImVec2(0, style.px(2)));
    for (const Knob& knob : state.scenario->info->knobs) {
        changed |= show_knob(style, frame, knob, state, view.hovered_lane, actions);
    }
    ImGui::Dummy(ImVec2(0, style.px(2)));
    changed |= show_devices(style, frame, state);
    changed |= show_bank_mode(style, frame, state);
    ImGui::Dummy(ImVec2(0, style.px(2)));
    const bool untouched = state.params == state.scenario->info->defaults;
    ImGui::BeginDisabled(untouched);
    if (ImGui::Button("Reset")) {
        state.params = state.scenario->info->defaults;
        changed = true;
    }
    ImGui::EndDisabled();
    ui::mark(style, "reset",
             fmt::format("Bring all parameters of this scenario back to their defaults {}.",
                         key_hint(action::Do::reset_all)));
    show_history(style, frame, actions);
    if (changed) clamp_knobs(*state.scenario, state.params);
    return changed;
}

}  // namespace warplens
