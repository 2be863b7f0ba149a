// The controls of a scenario's parameters: sliders, lists, and the mask of lanes.
#include "app/base/format.h"
#include "app/learn/presenting.h"
#include "app/panels/compare_panel.h"
#include "app/panels/controls.h"
#include "app/panels/widgets.h"
#include "app/pictures/plot/bandwidth.h"
#include "app/window/keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

namespace warplens {
namespace {

constexpr const char* kIdle = "no effect";

std::string shown_value(const Knob& knob, const Params& params) {
    if (!why_idle(knob, params).empty()) return kIdle;
    const int value = params.*knob.field;
    if (knob.kind == KnobKind::power && knob.unit == "bytes")
        return format_size(double(std::int64_t{1} << value));
    if (knob.kind == KnobKind::power) {
        return fmt::format("2^{} = {}", value, format_count(std::int64_t{1} << value));
    }
    std::string text = format_count(value);
    if (knob.picture_only) return fmt::format("{} of 0 to {}", text, format_count(knob_limit(knob, params)));
    std::string_view unit = knob.unit;
    if (value == 1 && unit.ends_with('s')) unit.remove_suffix(1);
    if (!unit.empty()) text += fmt::format(" {}", unit);
    return text;
}

/// The knob's name, stronger where it is not at its default.
/// @return  whether a double click on it asked for that default.
bool show_label(const PanelStyle& style, const Knob& knob, const Params& params, int usual) {
    const bool changed = params.*knob.field != usual;
    {
        const ui::FontScope font(style, changed ? FontRole::strong : FontRole::body);
        ui::text(knob.label);
    }
    ui::mark(fmt::format("label.{}", knob.key));
    const bool back = changed && ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left);
    Params there = params;
    there.*knob.field = usual;
    ui::tip(style,
            fmt::format("{}\n{} = {}.{}", knob.tooltip, knob.key, describe_range(knob, params),
                        changed ? fmt::format("\nDouble click: back to {} {}.", format_knob(knob, there),
                                              key_hint(action::Do::reset_knob))
                                : ""));
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
    ui::fill_width();
    const std::string id = fmt::format("##{}", knob.key);
    int value = params.*knob.field;
    ImGui::BeginDisabled(limit == knob.min);
    const bool changed = ui::slider(style, id.c_str(), value, knob.min, limit);
    ImGui::EndDisabled();
    ui::mark(fmt::format("knob.{}", knob.key));
    if (!a.empty())
        ui::mark_slider(style, frame.other->state->params.*knob.field, knob.min, limit,
                        side_color(style.colors, 'A'));
    ui::tip(style, fmt::format("{}\n{}. Ctrl+click to type {}.", knob.tooltip, describe_range(knob, params),
                               knob.kind == KnobKind::power ? "the exponent" : "a number"));
    back |= wants_back(frame, knob);
    if (back) return set_knob(knob, params, usual);
    if (changed) params.*knob.field = value;
    return changed;
}

bool show_choice(const PanelStyle& style, const Frame& frame, const Knob& knob, Params& params, int usual) {
    // None of the list's words is cut: it begins further left, or below its name, where one is long.
    const float start = ImGui::GetCursorPosX(), line = ImGui::GetCursorPosY(),
                room = ImGui::GetContentRegionAvail().x;
    float widest = ImGui::CalcTextSize(kIdle).x;
    for (const Choice& choice : knob.choices)
        widest = std::max(widest, ImGui::CalcTextSize(std::string(choice.name).c_str()).x);
    widest += ImGui::GetFrameHeight() + 2 * ImGui::GetStyle().FramePadding.x;
    ImGui::AlignTextToFramePadding();
    bool back = show_label(style, knob, params, usual);
    const float gap = style.px(6);
    mark_choice(style, value_of_a(frame, knob), room - ImGui::GetItemRectSize().x - widest - 2 * gap);
    ImGui::SameLine(0, gap);
    const float here = ImGui::GetCursorPosX();
    if (here - start + widest > room)
        ImGui::NewLine();
    else
        ImGui::SetCursorPos(ImVec2(std::max(here, start + std::min(style.px(100), room - widest)), line));
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
        if (ui::entry(std::string(choice.name).c_str(), chosen) && !chosen) {
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
    // Dragging does to the other lanes what the press did to its own.
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

}  // namespace

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

int fit_main_knobs(const PanelStyle& style, const Frame& frame, float room) {
    constexpr float kRoom = 230, kMargins = 34;  // [points] for one of them that has room for its slider, too
    const std::vector<const Knob*> knobs = main_knobs(*frame.state->scenario, frame.learning->step());
    const auto fit =
        std::min({knobs.size(), std::size_t(std::max(room, 0.0f) / style.px(kRoom)), std::size_t{3}});
    if (fit > 0 || knobs.empty()) return int(fit);
    const Knob& first = *knobs.front();
    Params longest = frame.state->params;
    longest.*first.field = knob_limit(first, longest);
    const std::string value = shown_value(first, longest);
    float wide = style.fonts.width(first.label, FontRole::strong) + style.fonts.width(value, FontRole::mono);
    if (first.kind == KnobKind::choice) wide += kRoom / 2;
    return style.px(wide + kMargins) <= room ? 1 : 0;
}

bool show_main_knobs(const PanelStyle& style, const Frame& frame, State& state, const View& view,
                     Actions& actions) {
    const std::vector<const Knob*> knobs = main_knobs(*state.scenario, frame.learning->step());
    const int count = fit_main_knobs(style, frame, ImGui::GetContentRegionAvail().x);
    if (count == 0) return false;
    ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, ImVec2(style.px(14), style.px(2)));
    const bool open = ImGui::BeginTable("knobs", count, ImGuiTableFlags_SizingStretchSame);
    ImGui::PopStyleVar();
    if (!open) return false;
    bool changed = false;
    for (int i = 0; i < count; ++i) {
        ImGui::TableNextColumn();
        // A list has no line with its name above it: both stand in the middle, as the buttons beside them.
        if (knobs[i]->kind == KnobKind::choice)
            ImGui::SetCursorPosY(ImGui::GetCursorPosY() + ImGui::GetTextLineHeightWithSpacing() / 2);
        changed |= show_knob(style, frame, *knobs[i], state, view.hovered_lane, actions);
    }
    ImGui::EndTable();
    if (changed) clamp_knobs(*state.scenario, state.params);
    return changed;
}

}  // namespace warplens
