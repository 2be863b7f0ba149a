#include "app/base/format.h"
#include "app/boards/occupancy/knobs.h"
#include "app/boards/occupancy/occupancy_picture.h"
#include "app/panels/board_panel.h"
#include "app/panels/compare_panel.h"
#include "app/panels/widgets.h"
#include "app/pictures/kit/axes.h"
#include "app/pictures/plot/bandwidth.h"
#include "app/window/keys.h"

#include <fmt/format.h>

#include <algorithm>

namespace warplens {
namespace {

/// The value with its unit, or without it where both do not fit beside the name.
std::string value_text(const PanelStyle& style, const BoardKnob& knob, int value) {
    const std::string number = format_count(value);
    if (knob.unit.empty()) return number;
    const std::string text = fmt::format("{} {}", number, knob.unit);
    const ui::FontScope mono(style, FontRole::mono);
    const float name = ImGui::GetItemRectSize().x;
    const bool fits =
        name + style.px(30) + ImGui::CalcTextSize(text.c_str()).x < ImGui::GetContentRegionAvail().x;
    return fits ? text : number;
}

/// @return  whether that is another value than before
bool put_value(const BoardKnob& knob, BoardValues& values, int value) {
    if (values[knob] == value) return false;
    values.set(knob, value);
    return true;
}

/// The possible values side by side, for a knob that does not take all.
bool show_board_values(const PanelStyle& style, const Frame& frame, const BoardKnob& knob,
                       BoardValues& values) {
    ImGui::AlignTextToFramePadding();
    ui::text(knob.label);
    ui::tip(style, knob.tooltip);
    mark_choice(style, value_of_a(frame, knob), style.px(104) - ImGui::GetItemRectSize().x);
    int chosen = values[knob];
    bool first = true;
    const int limit = board_limit(knob, values), last = limit == knob.min ? knob.max : limit;
    for (int value = knob.min; value <= last; ++value) {
        if (!knob.allows(values, value)) continue;
        const bool is_switch = knob.min == 0 && knob.max == 1;
        const std::string label = is_switch ? (value == 0 ? "off" : "on") : std::to_string(value);
        ui::beside_if_room(style, first ? 12 : 2, ui::pill_width(style, label));
        first = false;
        // Several switches have the same words.
        if (ui::chip(style, fmt::format("{}##{}", label, knob.key).c_str(), value == values[knob]))
            chosen = value;
        ui::mark(style, fmt::format("knob.{}.{}", knob.key, value),
                 fmt::format("{}\n{} = {}", knob.tooltip, knob.key, value));
    }
    return put_value(knob, values, chosen);
}

/// How far a compute capability lets a knob of the board be set.
struct Limits {
    const BoardKnob* knob;
    int most;
};

/// A name and a list to choose from, on one line. @return  whether the list is open.
bool begin_list(const PanelStyle& style, const BoardKnob& knob, const std::string& chosen,
                const std::string& tip) {
    ImGui::AlignTextToFramePadding();
    ui::text(knob.label);
    ui::tip(style, tip);
    ImGui::SameLine(style.px(96));
    ui::fill_width();
    const std::string id = fmt::format("##{}", knob.key);
    const bool open = ImGui::BeginCombo(id.c_str(), chosen.c_str(), ImGuiComboFlags_HeightLarge);
    ui::mark(fmt::format("knob.{}", knob.key));
    if (!open) ui::tip(style, tip);
    return open;
}

bool choose(const BoardKnob& knob, BoardValues& values, const std::string& label, int value) {
    const bool now = values[knob] == value;
    const bool picked = ui::entry(label.c_str(), now);
    ui::mark(fmt::format("knob.{}.{}", knob.key, value));
    if (!picked || now) return false;
    values.set(knob, value);
    return true;
}

bool show_capabilities(const PanelStyle& style, const Frame& frame, State& state) {
    const BoardKnob& knob = kOccupancyCapability;
    const DeviceFacts& device = frame.devices->at(state.device);
    const std::string of_device = fmt::format("{}  of {}", device.cc.text(), device.name);
    const int now = state.boards[knob];
    const std::string chosen = now == 0 ? fmt::format("{} (device)", device.cc.text())
                                        : ComputeCapability{now / 10, now % 10}.text();
    const std::string tip =
        "By which rules: those of the chosen device, or of any compute capability from 1.0 to 12.1.";
    if (!begin_list(style, knob, chosen, tip)) return false;
    bool changed = choose(knob, state.boards, of_device, 0);
    const std::span<const CapabilityFacts> rows = known_capabilities();
    for (std::size_t i = rows.size(); i-- > 0;) {  // newest first, as devices
        const CapabilityFacts& row = rows[i];
        changed |= choose(knob, state.boards, fmt::format("{}  {}", row.cc.text(), row.architecture),
                          capability_number(row.cc));
    }
    ImGui::EndCombo();
    return changed;
}

std::string carveout_text(const CapabilityFacts& facts, int percent) {
    if (percent < 0) return "driver chooses";
    return fmt::format("{} %: {}", percent, format_size(shared_of_carveout(facts, percent)));
}

bool show_carveout(const PanelStyle& style, const CapabilityFacts& facts, BoardValues& values) {
    const BoardKnob& knob = kOccupancyCarveout;
    const bool has = facts.has_carveout();
    const std::string tip =
        has ? std::string(
                  "How much of the SM's memory a kernel asks for as shared memory; the rest is L1. Percentages are "
                  "rounded up to a size that there is, and a block gets what it needs in any case.")
            : fmt::format(
                  "At compute capability {} a kernel cannot ask for a share in percent: from 7.0 on it can.",
                  facts.cc.text());
    ImGui::BeginDisabled(!has);
    bool changed = false;
    if (begin_list(style, knob, has ? carveout_text(facts, values[knob]) : "no choice", tip)) {
        changed = choose(knob, values, "driver chooses", -1);
        for (const int size : facts.shared_sizes) {
            const std::optional<int> percent = carveout_for(facts, size);
            if (percent) changed |= choose(knob, values, carveout_text(facts, *percent), *percent);
        }
        ImGui::EndCombo();
    }
    ImGui::EndDisabled();
    return changed;
}

/// The value without what the name of the knob says already.
std::string short_text(const BoardKnob& knob, const BoardValues& values) {
    return format_count(values[knob]) + (knob.unit == "bytes" ? " B" : "");
}

bool show_arguments(const PanelStyle& style, const Frame& frame, const CapabilityFacts& facts,
                    BoardValues& values) {
    const BoardKnob& knob = kOccupancyArguments;
    const bool counts = facts.most_arguments > 0;
    const std::string text = !counts                          ? std::string("elsewhere")
                             : values[knob] == kNothingHidden ? std::string("not counted")
                                                              : short_text(knob, values);
    ImGui::BeginDisabled(!counts);
    const bool changed = show_board_slider(style, frame, knob, values, knob.max, text);
    ImGui::EndDisabled();
    return changed;
}

/// The largest value of a slider: what can run, or what is set.
int slider_limit(const BoardKnob& knob, const CapabilityFacts& facts, const BoardValues& values) {
    const Limits all[] = {{&kOccupancyThreads, facts.max_threads_per_block},
                          {&kOccupancyRegisters, facts.registers_per_thread},
                          {&kOccupancyStatic, facts.shared_per_block},
                          {&kOccupancyDynamic, facts.shared_per_block_most}};
    const auto found = std::ranges::find(all, &knob, &Limits::knob);
    return found == std::end(all) ? knob.max : std::min(knob.max, std::max(found->most, values[knob]));
}

/// The button that leads back to the present scenario's launch.
bool show_launch_button(const PanelStyle& style, State& state) {
    const LaunchOnBoard launch = launch_on_board(state);
    const std::string title(state.scenario->info->title);
    const float width = ImGui::GetContentRegionAvail().x;
    std::string label = fmt::format("As {} is launched", title);
    if (ImGui::CalcTextSize(label.c_str()).x + style.px(16) > width) label = "As the scenario is launched";
    BoardValues start = state.boards;
    reset_board(start, *state.board);
    ImGui::BeginDisabled(start == state.boards);
    const bool pressed = ImGui::Button(label.c_str(), ImVec2(width, 0));
    ImGui::EndDisabled();
    if (pressed) state.boards = start;
    ui::mark(
        style, "occupancy.launch",
        fmt::format(
            "{}, as its parameters are set: {} threads per block, {} bytes of shared memory, {} registers "
            "per thread.\n{}",
            title, launch.boards[kOccupancyThreads], format_count(launch.boards[kOccupancyDynamic]),
            launch.boards[kOccupancyRegisters], launch.registers_from));
    return pressed;
}

}  // namespace

bool show_board_slider(const PanelStyle& style, const Frame& frame, const BoardKnob& knob,
                       BoardValues& values, int limit, const std::string& text) {
    const std::string unit = knob.unit.empty() ? "" : fmt::format(" {}", knob.unit);
    const std::string range =
        fmt::format("{}\n{} = {} to {}{}.", knob.tooltip, knob.key, knob.min, format_count(limit), unit);
    const int usual = knob.usual;
    ui::text(knob.label);
    ui::mark(fmt::format("label.{}", knob.key));
    bool back = ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left);
    ui::tip(style, range);
    int value = values[knob];
    const std::string a = value_of_a(frame, knob);
    show_knob_value(style, text.empty() ? value_text(style, knob, value) : text, a);
    ui::fill_width();
    ImGui::BeginDisabled(limit == knob.min);
    const std::string id = fmt::format("##{}", knob.key);
    const bool changed = ui::slider(style, id.c_str(), value, knob.min, limit, knob.step);
    ImGui::EndDisabled();
    ui::mark(fmt::format("knob.{}", knob.key));
    back |=
        frame.reset_knob && (ImGui::IsItemHovered() || (ImGui::IsItemFocused() && ImGui::GetIO().NavVisible));
    if (!a.empty())
        ui::mark_slider(style, frame.other->state->boards[knob], knob.min, limit,
                        side_color(style.colors, 'A'));
    ui::tip(style, range + " Ctrl+click to type a number.");
    if (back && usual <= limit) value = usual;
    if (!changed && !back) return false;
    const bool exact = back || ImGui::GetIO().WantTextInput || value == limit;
    return put_value(knob, values, exact ? value : value / knob.step * knob.step) || changed;
}

namespace {

/// A list of values or a slider. Greyed where only one value is possible, with the reason in its tooltip.
bool show_board_knob(const PanelStyle& style, const Frame& frame, const BoardKnob& knob,
                     BoardValues& values) {
    const bool idle = has_one_value(knob, values);
    ImGui::BeginGroup();
    ImGui::BeginDisabled(idle);
    const bool changed = knob.allows != nullptr
                             ? show_board_values(style, frame, knob, values)
                             : show_board_slider(style, frame, knob, values, board_limit(knob, values));
    ImGui::EndDisabled();
    ImGui::EndGroup();
    if (idle && !knob.idle.empty())
        ui::tip(style, fmt::format("{} has no effect. {}", knob.label, knob.idle));
    return changed;
}

}  // namespace

bool show_board_controls(const PanelStyle& style, const Frame& frame, State& state, Actions&) {
    bool changed = false;
    if (const auto controls = panel_of(*state.board).controls; controls != nullptr) {
        changed = controls(style, frame, state);
    } else {
        for (const BoardKnob* knob : state.board->knobs) {
            if (knob->on_board) continue;
            changed |= show_board_knob(style, frame, *knob, state.boards);
        }
    }
    if (changed) clamp_board(state.boards);
    return changed;
}

bool show_occupancy_controls(const PanelStyle& style, const Frame& frame, State& state) {
    const auto setting = occupancy_setting(state, *frame.devices);
    const CapabilityFacts facts = setting ? setting->facts : known_capabilities().back();
    bool changed = false;
    for (const BoardKnob* knob : kOccupancyKnobs) {
        if (knob == &kOccupancyCapability)
            changed |= show_capabilities(style, frame, state);
        else if (knob == &kOccupancyCarveout)
            changed |= show_carveout(style, facts, state.boards);
        else if (knob == &kOccupancyArguments)
            changed |= show_arguments(style, frame, facts, state.boards);
        else if (BoardValues values = counted_values(state);
                 show_board_slider(style, frame, *knob, values, slider_limit(*knob, facts, values),
                                   short_text(*knob, values))) {
            state.boards = std::move(values);
            changed = true;
        }
    }
    ImGui::Dummy(ImVec2(0, style.px(2)));
    return show_launch_button(style, state) || changed;
}

}  // namespace warplens
