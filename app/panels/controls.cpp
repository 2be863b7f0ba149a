#include "app/panels/controls.h"

#include "app/base/format.h"
#include "app/learn/fixes.h"
#include "app/learn/presenting.h"
#include "app/model/access/counts.h"
#include "app/panels/board_panel.h"
#include "app/panels/compare_panel.h"
#include "app/panels/widgets.h"
#include "app/pictures/kit/axes.h"
#include "app/pictures/kit/canvas.h"
#include "app/window/keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

namespace warplens {
namespace {

constexpr const char* kIdle = "no effect";

/// The button that opens the list of fixes. Where every access is ideal it does not ask for one.
struct FixesButton {
    const char* label;
    bool enabled;
    std::string tooltip;
};

FixesButton fixes_button(const Frame& frame) {
    const std::string key = key_hint(action::Toggle{&View::fixes});
    if (!frame.fix_choice->also.empty() || !is_ideal(frame.evidence->report))
        return {"What would fix it?", true,
                fmt::format(
                    "All smallest changes after which the accesses are ideal, with what they cost {}.", key)};
    const bool others = !knobs_of(*frame.state->scenario, KnobRole::access).empty();
    return {"Accesses are ideal", false,
            fmt::format("Every access is at its ideal.{}",
                        others ? fmt::format(" {} also counts other accesses to the same data.", key) : "")};
}

std::string shown_value(const Knob& knob, const Params& params) {
    if (!why_idle(knob, params).empty()) return kIdle;
    const int value = params.*knob.field;
    if (knob.kind == KnobKind::power && knob.unit == "bytes")
        return format_size(double(std::int64_t{1} << value));
    if (knob.kind == KnobKind::power) {
        return fmt::format("2^{} = {}", value, format_count(std::int64_t{1} << value));
    }
    std::string text = format_count(value);
    if (knob.picture_only) return fmt::format("{} of {}", text, format_count(knob_limit(knob, params) + 1));
    std::string_view unit = knob.unit;
    if (value == 1 && unit.ends_with('s')) unit.remove_suffix(1);
    if (!unit.empty()) text += fmt::format(" {}", unit);
    return text;
}

/// The knob's name; beside it, where it is not at its default, a button that brings it back there.
/// @return  whether that was asked for: by the button or a double click on the name.
bool show_label(const PanelStyle& style, const Knob& knob, const Params& params, int usual) {
    const bool changed = params.*knob.field != usual;
    ui::text(knob.label);
    ui::mark(fmt::format("label.{}", knob.key));
    bool back = ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left);
    ui::tip(style, fmt::format("{}\n{} = {}.{}", knob.tooltip, knob.key, describe_range(knob, params),
                               changed ? "\nDouble click: back to its default." : ""));
    if (!changed) return false;
    ImGui::SameLine(0, style.px(3));
    back |= ui::reset_button(style, fmt::format("##reset.{}", knob.key).c_str());
    ui::mark(fmt::format("reset.{}", knob.key));
    Params there = params;
    there.*knob.field = usual;
    ui::tip(style, fmt::format("Back to {} {}.", format_knob(knob, there), key_hint(action::Do::reset_knob)));
    return back;
}

/// Gives the keyboard to the last item, a knob's control, if that is asked for.
/// @return  whether the key that brings back the knob with the focus, or under the mouse, was pressed.
bool wants_back(const Frame& frame, const Knob& knob) {
    if (frame.focus_knob == &knob) ui::take_keyboard(-1);
    return frame.reset_knob &&
           (ImGui::IsItemHovered() || (ImGui::IsItemFocused() && ImGui::GetIO().NavVisible));
}

bool set_knob(const Knob& knob, Params& params, int value) {
    return std::exchange(params.*knob.field, value) != value;
}

bool show_slider(const PanelStyle& style, const Frame& frame, const Knob& knob, Params& params, int usual) {
    bool back = show_label(style, knob, params, usual);
    const std::string a = value_of_a(frame, knob);
    show_knob_value(style, shown_value(knob, params), a);
    ui::tip(style, knob.tooltip);
    const int limit = std::max(knob.min, knob_limit(knob, params));
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(style.px(4), -style.px(1)));
    ImGui::PushStyleVar(ImGuiStyleVar_GrabMinSize, style.px(14));
    ui::fill_width();
    const std::string id = fmt::format("##{}", knob.key);
    int value = params.*knob.field;
    ImGui::BeginDisabled(limit == knob.min);
    const bool changed =
        ImGui::SliderInt(id.c_str(), &value, knob.min, limit, "", ImGuiSliderFlags_AlwaysClamp);
    ImGui::EndDisabled();
    ui::mark(fmt::format("knob.{}", knob.key));
    if (!a.empty()) mark_slider(style, frame.other->state->params.*knob.field, knob.min, limit);
    ui::tip(style, fmt::format("{}\n{}. Ctrl+click to type {}.", knob.tooltip, describe_range(knob, params),
                               knob.kind == KnobKind::power ? "the exponent" : "a number"));
    back |= wants_back(frame, knob);
    ImGui::PopStyleVar(2);
    if (back) return set_knob(knob, params, usual);
    if (changed) params.*knob.field = value;
    return changed;
}

bool show_choice(const PanelStyle& style, const Frame& frame, const Knob& knob, Params& params, int usual) {
    ImGui::AlignTextToFramePadding();
    bool back = show_label(style, knob, params, usual);
    mark_choice(style, value_of_a(frame, knob));
    ImGui::SameLine(style.px(112));
    ui::fill_width();
    bool changed = false;
    const std::string id = fmt::format("##{}", knob.key);
    const std::string value =
        why_idle(knob, params).empty() ? std::string(choice_name(knob.choices, params.*knob.field)) : kIdle;
    const bool open = ImGui::BeginCombo(id.c_str(), value.c_str(), ImGuiComboFlags_HeightLarge);
    ui::mark(fmt::format("knob.{}", knob.key));
    if (!open) {
        back |= wants_back(frame, knob);
        ui::tip(style, knob.tooltip);
        return back && set_knob(knob, params, usual);
    }
    for (const Choice& choice : knob.choices) {
        if (choice.value > knob_limit(knob, params)) continue;
        const bool chosen = choice.value == params.*knob.field;
        if (ImGui::Selectable(std::string(choice.name).c_str(), chosen) && !chosen) {
            params.*knob.field = choice.value;
            changed = true;
        }
        ui::mark(fmt::format("knob.{}.{}", knob.key, choice.name));
    }
    ImGui::EndCombo();
    return changed;
}

/// Two rows of sixteen lanes; a press switches one, dragging goes on with the same value.
bool show_mask(const PanelStyle& style, const Frame& frame, const Knob& knob, Params& params, int usual,
               int hovered_lane, Actions& actions) {
    auto mask = static_cast<std::uint32_t>(params.*knob.field);
    const std::uint32_t before = mask;
    if (show_label(style, knob, params, usual)) mask = static_cast<std::uint32_t>(usual);
    show_knob_value(style,
                    mask == kAllLanes ? std::string("all 32") : fmt::format("{} of 32", std::popcount(mask)),
                    value_of_a(frame, knob));
    const ImVec2 start = ImGui::GetCursorScreenPos();
    const float pitch = ImGui::GetContentRegionAvail().x / 16, size = pitch - style.px(2);
    ui::press_area("##lanes", ImVec2(pitch * 16, pitch * 2));
    ui::mark(fmt::format("knob.{}", knob.key));
    if (wants_back(frame, knob)) mask = static_cast<std::uint32_t>(usual);
    // What the press does to its lane, dragging does to the others.
    ImGuiStorage& storage = *ImGui::GetStateStorage();
    const ImGuiID switching_on = ImGui::GetID("switching on");
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const float across = (mouse.x - start.x) / pitch, down = (mouse.y - start.y) / pitch;
    const bool inside =
        across >= 0 && across < 16 && down >= 0 && down < 2;  // without a mouse it is far away
    const int column = inside ? int(across) : 0, row = inside ? int(down) : 0;
    if (ImGui::IsItemActive() && inside) {
        const std::uint32_t bit = 1u << (row * 16 + column);
        if (ImGui::IsItemActivated()) storage.SetBool(switching_on, (mask & bit) == 0);
        mask = storage.GetBool(switching_on) ? mask | bit : mask & ~bit;
    }
    if (ImGui::IsItemHovered() && inside) {
        actions.hover.lane = row * 16 + column;
        ImGui::SetTooltip("lane %d: press to switch it %s", row * 16 + column,
                          (mask >> (row * 16 + column) & 1u) != 0 ? "off" : "on");
    }
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const bool print = style.colors.name == ThemeName::print;  // which has no colours
    for (int lane = 0; lane < kWarpLanes; ++lane) {
        const ImVec2 min(start.x + pitch * float(lane % 16), start.y + pitch * float(lane / 16));
        const ImVec2 max(min.x + size, min.y + size);
        if ((mask >> lane & 1u) != 0)
            draw->AddRectFilled(
                min, max,
                ui::color(print ? grey_of(lane_color(style.colors, lane)) : lane_color(style.colors, lane)),
                style.px(2));
        ui::add_rect(draw, min, max,
                     ui::color(lane == hovered_lane ? style.colors.highlight : style.colors.outline),
                     style.px(2), 1);
    }
    const struct {
        const char* label;
        std::uint32_t lanes;
    } quick[] = {{"all", kAllLanes}, {"first half", 0xffffu}, {"even", 0x5555'5555u}, {"one", 1u}};
    for (const auto& choice : quick) {
        if (ui::pill(style, choice.label, mask == choice.lanes)) mask = choice.lanes;
        ui::mark(fmt::format("mask.{}", choice.label));
        ImGui::SameLine(0, style.px(2));
    }
    ImGui::NewLine();
    params.*knob.field = int(mask);
    return mask != before;
}

bool show_any_knob(const PanelStyle& style, const Frame& frame, const Knob& knob, State& state,
                   int hovered_lane, Actions& actions) {
    const int usual = state.scenario->info->defaults.*knob.field;
    Params& params = state.params;
    if (knob.kind == KnobKind::choice) return show_choice(style, frame, knob, params, usual);
    if (knob.kind == KnobKind::mask)
        return show_mask(style, frame, knob, params, usual, hovered_lane, actions);
    return show_slider(style, frame, knob, params, usual);
}

/// Greyed where it has no effect, with the reason in its tooltip.
bool show_knob(const PanelStyle& style, const Frame& frame, const Knob& knob, State& state, int hovered_lane,
               Actions& actions) {
    const std::string_view idle = why_idle(knob, state.params);
    if (idle.empty()) return show_any_knob(style, frame, knob, state, hovered_lane, actions);
    ImGui::BeginGroup();
    ImGui::BeginDisabled();
    show_any_knob(style, frame, knob, state, hovered_lane, actions);
    ImGui::EndDisabled();
    ImGui::EndGroup();
    ui::tip(style, fmt::format("{} has no effect. {}", knob.label, idle));
    return false;
}

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

/// What a board that is about no scenario is and shows, where else the scenario's name stands.
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

bool show_controls(const PanelStyle& style, const Frame& frame, State& state, View& view, Actions& actions) {
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

namespace {

/// What the button can say, the longest first, each without a cut: "Try Padding 1: 32 to 1 wavefronts a
/// request", "Try Padding 1: 32 to 1 wavefronts", "Try Padding 1".
std::vector<std::string> texts_of_next(const Fixes& fixes) {
    const std::string whole = next_text(fixes);
    std::vector<std::string> texts{whole};
    for (const std::string_view end : {" on average", " a request", " an instruction", ": "})
        if (const std::size_t at = whole.rfind(end); at != std::string::npos)
            texts.push_back(whole.substr(0, at));
    return texts;
}

/// The longest text that has this room [pixels]; if none has, the shortest one, cut.
std::string text_of_next(const PanelStyle& style, const Fixes& fixes, float room) {
    const std::vector<std::string> texts = texts_of_next(fixes);
    for (const std::string& text : texts)
        if (ui::pill_width(style, text) <= room) return text;
    return elide(texts.back(), FontRole::body, room / style.scale - 24, style.fonts);
}

}  // namespace

void show_what_to_try(const PanelStyle& style, const Frame& frame, Actions& actions, bool in_one_line) {
    if (frame.counts_hidden || !frame.state->board->instructions) return;
    const float gap = 6;
    const FixesButton button = fixes_button(frame);
    if (frame.fixes != nullptr && frame.fixes->next >= 0) {
        const FixAnswer& next = frame.fixes->answers[frame.fixes->next];
        const std::string text = next_text(*frame.fixes);
        const std::string label = text_of_next(style, *frame.fixes, ImGui::GetContentRegionAvail().x);
        if (label.empty()) return;  // there is no room
        if (ui::chip(style, label.c_str(), false))
            actions.add(action::TakeFix{static_cast<std::size_t>(frame.fixes->next), false});
        ui::mark(style, "next",
                 fmt::format("{}. {} {}", text,
                             next.ideal ? "It is the smallest change that makes every access ideal."
                                        : "No change comes nearer to the ideal.",
                             key_hint(action::Do::undo)));
        const float width = ui::pill_width(style, button.label);
        if (in_one_line && ImGui::GetItemRectMax().x + style.px(gap) + width >
                               ImGui::GetWindowPos().x + ImGui::GetWindowContentRegionMax().x)
            return;
        ui::beside_if_room(style, gap, width);
    }
    if (ImGui::GetContentRegionAvail().x < ui::pill_width(style, button.label)) return;  // its key is left
    ImGui::BeginDisabled(!button.enabled);
    if (ui::chip(style, button.label, false)) actions.add(action::Show{&View::fixes});
    ImGui::EndDisabled();
    ui::mark(style, "fixes.open", button.tooltip);
}

float what_to_try_width(const PanelStyle& style, const Frame& frame, float room) {
    const float button = ui::pill_width(style, fixes_button(frame).label);
    if (frame.fixes == nullptr || frame.fixes->next < 0) return button;
    const std::vector<std::string> texts = texts_of_next(*frame.fixes);
    const float whole = ui::pill_width(style, texts.front()) + style.px(6) + button;
    if (whole <= room) return whole;
    const auto fits = std::ranges::find_if(
        texts, [&](const std::string& text) { return ui::pill_width(style, text) <= room; });
    return ui::pill_width(style, fits == texts.end() ? texts.back() : *fits);
}

bool show_main_knobs(const PanelStyle& style, const Frame& frame, State& state, const View& view,
                     Actions& actions) {
    const std::vector<const Knob*> knobs = main_knobs(*state.scenario);
    constexpr float kRoom = 230;  // [points] for one of them
    const auto fit = std::size_t(ImGui::GetContentRegionAvail().x / style.px(kRoom));
    const std::size_t count = std::min({knobs.size(), std::max<std::size_t>(fit, 1), std::size_t{3}});
    if (count == 0) return false;
    ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, ImVec2(style.px(14), style.px(2)));
    const bool open = ImGui::BeginTable("knobs", int(count), ImGuiTableFlags_SizingStretchSame);
    ImGui::PopStyleVar();
    if (!open) return false;
    bool changed = false;
    for (std::size_t i = 0; i < count; ++i) {
        ImGui::TableNextColumn();
        changed |= show_knob(style, frame, *knobs[i], state, view.hovered_lane, actions);
    }
    ImGui::EndTable();
    if (changed) clamp_knobs(*state.scenario, state.params);
    return changed;
}

}  // namespace warplens
