#include "app/experiment/quantities.h"
#include "app/panels/picture_panel.h"
#include "app/panels/speed.h"
#include "app/panels/widgets.h"
#include "app/pictures/kit/canvas.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <functional>
#include <utility>

namespace warplens {
namespace {

/// The scenario's knobs that can be an axis: the telling ones, a line, the others.
/// @return  the one that was picked, or null
const Knob* show_knobs(const PanelStyle& style, const Frame& frame, const Knob* chosen, const Knob* other,
                       const char* name) {
    const Scenario& scenario = *frame.state->scenario;
    const Knob* picked = nullptr;
    bool any = false, line = false;
    for (const bool telling : {true, false}) {
        for (const Knob& knob : scenario.info->knobs) {
            if (knob.axis != telling || &knob == other || !can_be_axis(scenario, knob)) continue;
            if (!telling && any && !line) {
                ImGui::Separator();
                line = true;
            }
            any = any || telling;
            if (ImGui::Selectable(std::string(knob.label).c_str(), &knob == chosen)) picked = &knob;
            ui::mark(style, fmt::format("{}.{}", name, knob.key), knob.tooltip);
        }
    }
    return picked;
}

/// The width of a list that shows this name in full [pixels].
float list_width(const PanelStyle& style, const std::string& name) {
    return std::max(style.px(100), ImGui::CalcTextSize(name.c_str()).x + style.px(48));
}

void show_axis(const PanelStyle& style, const Frame& frame, const Curve& curve, Actions& actions) {
    const std::string label(curve.knob == nullptr ? "" : curve.knob->label);
    ImGui::SetNextItemWidth(list_width(style, label));
    const bool open = ImGui::BeginCombo("##axis", label.c_str(), ImGuiComboFlags_HeightLarge);
    ui::mark("axis");
    if (!open) return;
    if (const Knob* knob = show_knobs(style, frame, curve.knob, frame.state->second_axis, "axis"))
        actions.add(action::changed(*frame.state, &State::axis, knob));
    ImGui::EndCombo();
}

bool has_second_axis(const Scenario& scenario, const Knob* first) {
    return first != nullptr && std::ranges::any_of(scenario.info->knobs, [&](const Knob& knob) {
               return &knob != first && can_be_axis(scenario, knob);
           });
}

void show_second_axis(const PanelStyle& style, const Frame& frame, Actions& actions) {
    const Knob* second = frame.state->second_axis;
    const std::string label(second == nullptr ? "none" : second->label);
    ui::beside_if_room(style, 6, style.px(6) + ImGui::CalcTextSize("and").x + list_width(style, label));
    ImGui::AlignTextToFramePadding();
    ui::text_weak(style, "and");
    ImGui::SameLine(0, style.px(6));
    ImGui::SetNextItemWidth(list_width(style, label));
    const bool open = ImGui::BeginCombo("##second", label.c_str(), ImGuiComboFlags_HeightLarge);
    ui::mark("second");
    if (!open) {
        ui::tip(
            style,
            "A second parameter makes the plot a heatmap: every setting of the one with every setting of the other.");
        return;
    }
    if (ImGui::Selectable("none", second == nullptr))
        actions.add(action::changed(*frame.state, &State::second_axis, nullptr));
    ui::mark("second.none");
    if (const Knob* knob = show_knobs(style, frame, second, frame.state->axis, "second"))
        actions.add(action::changed(*frame.state, &State::second_axis, knob));
    ImGui::EndCombo();
}

/// Model, measured, or how far they are apart.
void show_toggle(const PanelStyle& style, const Frame& frame, Actions& actions) {
    constexpr struct {
        HeatmapShow show;
        const char* label;
        const char* tooltip;
    } kShows[] = {{HeatmapShow::model, "model", "What the model predicts for each setting."},
                  {HeatmapShow::measured, "measured", "What has been measured so far."},
                  {HeatmapShow::difference, "difference",
                   "Measured / predicted: 1 where the model is right, below where the GPU is slower."}};
    const bool data = !frame.gpu.empty() || frame.heatmap->measured_cells() > 0;
    for (const auto& [show, label, tooltip] : kShows) {
        const bool enabled = data || show == HeatmapShow::model;
        ImGui::BeginDisabled(!enabled);
        if (ui::pill(style, label, frame.state->heatmap_show == show))
            actions.add(action::changed(*frame.state, &State::heatmap_show, show));
        ImGui::EndDisabled();
        ui::mark(style, fmt::format("show.{}", label),
                 enabled ? tooltip : "Nothing is measured here: " + frame.no_gpu);
        ImGui::SameLine(0, style.px(2));
    }
    ImGui::NewLine();
}

void show_title(const PanelStyle& style, const Frame& frame, const Curve& curve) {
    const SpeedWords& words =
        speed_words(frame.heatmap != nullptr ? frame.heatmap->speed_unit : curve.speed_unit);
    ImGui::AlignTextToFramePadding();
    ui::text(style, FontRole::strong,
             frame.fit != nullptr ? "Cycles against wavefronts" : fmt::format("{} against", words.title));
    ui::tip(style,
            frame.fit != nullptr
                ? "Every setting measured so far: cycles of one request, and the wavefronts predicted for it."
                : words.meaning);
}

/// The choice whether launches find the L2 empty, if whole launches are timed.
void show_cold(const PanelStyle& style, const Frame& frame, const Curve& curve, Actions& actions) {
    const Prediction& here = frame.evidence->prediction;
    if (curve.speed_unit == SpeedUnit::cycles || here.shared_memory) return;
    ui::beside_if_room(style, 2, ui::pill_width(style, "cold L2"));
    if (ui::pill(style, "cold L2", frame.state->cold))
        actions.add(action::changed(*frame.state, &State::cold, !frame.state->cold));
    ui::mark(
        style, kColdKey,
        "Each launch finds an empty L2. Otherwise launches follow each other, and each finds in the L2 what the "
        "one before has left there: what fits in the L2 (here it does" +
            std::string(here.fits_l2 ? "" : " not") + ") is not fetched from DRAM again.");
}

/// The choice between sectors and speed, where the speed says little.
void show_speed_switch(const PanelStyle& style, const Frame& frame, Actions& actions) {
    if (!frame.state->scenario->info->plots_sectors || frame.heatmap != nullptr) return;
    const char* label = "speed";
    ui::beside_if_room(style, 2, ui::pill_width(style, label));
    if (ui::pill(style, label, frame.state->plots_speed))
        actions.add(action::changed(*frame.state, &State::plots_speed, !frame.state->plots_speed));
    ui::mark(
        style, "plots_speed",
        "The bandwidth in place of the sectors. It is the same at every setting, because another limit than "
        "the texture unit comes first.");
}

/// The speed of the present setting, and what limits it where there is room for that. A line of its own would
/// cost the plot.
/// @param gap  to what stands before it on its line [points]
/// @param end  room to leave at the end of that line [pixels]
void show_prediction(const PanelStyle& style, const Frame& frame, const Curve& curve, float gap, float end) {
    if (curve.knob == nullptr || curve.model.empty()) return;
    const float right = ImGui::GetWindowPos().x + ImGui::GetWindowContentRegionMax().x;
    const float room = right - ImGui::GetItemRectMax().x - style.px(gap) - end;
    const std::string prediction = speed_words_of(*frame.evidence);
    const std::string number = speed_of(frame).short_text();
    const bool whole = ImGui::CalcTextSize(prediction.c_str()).x <= room;
    if (!whole && ImGui::CalcTextSize(number.c_str()).x > room) return;
    ImGui::SameLine(0, style.px(gap));
    ImGui::AlignTextToFramePadding();
    ui::text_weak(style, whole ? prediction : number);
    const Limiter limiter = frame.evidence->prediction.limiter;
    const std::string_view meaning = limiter_meaning(limiter);
    ui::tip(style,
            fmt::format(
                "{}{}{}\n{}", prediction, meaning.empty() ? "" : fmt::format("\n{}: ", limiter_name(limiter)),
                meaning,
                curve.speed_unit == SpeedUnit::cycles
                    ? "Approximate: the device's published or measured latencies, by which memory answers."
                    : "Approximate: a formula with a stated source; the limit is what takes longest."));
}

/// Makes the plot a strip again. One over two parameters, or of the fit, has none, and is left.
void close_plot(const Frame& frame, Actions& actions) {
    actions.add(action::set(&View::plot_open, false));
    action::Change change{*frame.state};
    change.to.second_axis = nullptr;
    change.to.fit = false;
    if (frame.heatmap != nullptr || frame.fit != nullptr) actions.add(std::move(change));
}

void show_plot_head(const PanelStyle& style, const Frame& frame, const Curve& curve, Actions& actions) {
    show_title(style, frame, curve);
    if (frame.fit == nullptr) {
        ui::beside_if_room(style, 8, style.px(150));
        show_axis(style, frame, curve, actions);
        if (has_second_axis(*frame.state->scenario, curve.knob)) show_second_axis(style, frame, actions);
        ui::beside_if_room(style, 8, ui::pill_width(style, "log"));
        const bool map = frame.heatmap != nullptr;
        const bool log = map ? has_log_colors(*frame.heatmap) : frame.state->log_axes;
        if (ui::pill(style, "log", log))
            actions.add(map ? action::changed(*frame.state, &State::log_colors, !log)
                            : action::changed(*frame.state, &State::log_axes, !log));
        ui::mark(style, "log_axes", map ? "Logarithmic colours." : "Logarithmic axes.");
        show_cold(style, frame, curve, actions);
        show_speed_switch(style, frame, actions);
    }
    if (frame.has_fit) {
        ui::beside_if_room(style, 2, ui::pill_width(style, "fit"));
        if (ui::pill(style, "fit", frame.fit != nullptr))
            actions.add(action::changed(*frame.state, &State::fit, frame.fit == nullptr));
        ui::mark(style, "fit",
                 "Measured cycles of a request against its predicted wavefronts, with the line of least "
                 "squares: are the banks as fast as one wavefront a cycle?");
    }
    const float close = frame.mode == LayoutMode::one ? 0 : ui::pill_width(style, "close") + style.px(12);
    if (close > 0) {
        ui::beside_if_room(style, 2, ui::pill_width(style, "close"));
        if (ui::pill(style, "close", false)) close_plot(frame, actions);
        ui::mark(style, "plot.close", "Leaves the height to the picture: the plot is a strip below it.");
    }
    if (frame.fit != nullptr || curve.knob == nullptr || curve.model.empty()) return;
    if (frame.heatmap != nullptr) {
        ImGui::SameLine(0, style.px(12));
        if (ImGui::GetContentRegionAvail().x < style.px(250)) ImGui::NewLine();
        show_toggle(style, frame, actions);
        return;
    }
    show_prediction(style, frame, curve, 10, 0);
}

Picture draw_plot(const Frame& frame, const Curve& curve, const Style& look) {
    if (frame.fit != nullptr) return draw_fit(*frame.fit, look);
    if (frame.heatmap != nullptr) return draw_heatmap(*frame.heatmap, look);
    return draw_bandwidth(curve, look);
}

/// So low a plot may be before its panel scrolls: a heatmap names all columns that are words [points].
float least_height(const Frame& frame) {
    constexpr float kLeast = 130, kMoreLines = 40;
    if (frame.heatmap == nullptr || frame.heatmap->x_knob == nullptr) return kLeast;
    const Knob& knob = *frame.heatmap->x_knob;
    const bool words = knob.kind == KnobKind::choice && knob.choices.size() > 3 &&
                       std::ranges::none_of(knob.choices, [](const Choice& choice) {
                           return std::isdigit(static_cast<unsigned char>(choice.name.front())) != 0;
                       });
    return kLeast + (words ? kMoreLines : 0);
}

/// The plot in the room that is left; a click or a drag in it chooses a setting.
/// @param least  the height that it needs [points]; 0 for what there is
void show_plot_picture(const PanelStyle& style, const Frame& frame, const View& view, PictureCache& cache,
                       float least, Actions& actions, const std::function<Picture(const Style&)>& draw) {
    Vec2 room = room_here(style, least);
    if (least == 0) room.y = std::max(1.0f, ImGui::GetContentRegionAvail().y / style.scale);
    const PictureKey key = picture_key(style, frame, view, {.size = room, .embedded = true});
    const Picture& picture = shown_picture(cache.plot, key, frame, view, actions,
                                           [&](const Style& look) { return for_view(view, draw(look)); });
    const ImVec2 origin = ImGui::GetCursorScreenPos();
    const Hit* hit = paint(style, frame, picture, "plot.picture");  // the strip has a button "plot"
    ui::mark("plot");
    const std::optional<PlotArea>& area = picture.plot;
    if (!area && hit != nullptr && hit->item >= 0) {  // a heatmap or a fit
        ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
        const std::size_t item = hit->item;
        if (!ImGui::IsItemActive()) return;
        if (frame.fit != nullptr)
            actions.add(action::SetAsPoint{item});
        else
            actions.add(action::SetAsCell{item});
    }
    if (!area || area->x_stops.empty()) return;
    const Vec2 mouse{(ImGui::GetIO().MousePos.x - origin.x) / style.scale,
                     (ImGui::GetIO().MousePos.y - origin.y) / style.scale};
    if (ImGui::IsItemActive())
        actions.add(action::SetAxisKnob{area->nearest_stop(mouse.x)});  // click, or drag the present setting
    if (ImGui::IsItemHovered() && area->rect.contains(mouse)) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
}

}  // namespace

float readable_plot_height(const PanelStyle& style, const Frame& frame, PictureCache& cache, float width) {
    constexpr float kData = 160, kUsual = 368, kPadding = 8, kHead = 72;  // [points]
    if (frame.fit != nullptr || frame.heatmap != nullptr || frame.curve->knob == nullptr)
        return style.px(kUsual);
    const float wide = width / style.scale - 2 * kPadding;
    Style look{.theme = &style.colors, .measure = &style.fonts, .size = {wide, kData}, .embedded = true};
    const PictureKey key{frame.answers, *frame.state, look, style.scale};
    if (cache.plot_needs_key != key) {
        cache.plot_needs_key = key;
        // The axes have more lines in a higher plot, so the height is found by trying.
        constexpr int kMostTries = 8;
        for (int i = 0; i < kMostTries; ++i) {
            const Picture tried = draw_bandwidth(*frame.curve, look);
            const float missing = tried.plot ? kData - tried.plot->rect.h : 0;
            if (missing <= 0) break;
            look.size.y += missing;
        }
        cache.plot_needs = look.size.y;
    }
    const float head = cache.plot_head > 0 ? cache.plot_head : style.px(kHead);
    return head + style.px(cache.plot_needs + kPadding) + 1;
}

void show_plot(const PanelStyle& style, const Frame& frame, const View& view, PictureCache& cache,
               Actions& actions) {
    const Curve& curve = *frame.curve;
    show_plot_head(style, frame, curve, actions);
    if (const float head = ImGui::GetCursorPosY() + ImGui::GetScrollY(); head != cache.plot_head) {
        cache.plot_head = head;
        actions.redraw(0);
    }
    show_plot_picture(style, frame, view, cache, least_height(frame), actions,
                      [&](const Style& look) { return draw_plot(frame, curve, look); });
}

void show_plot_strip(const PanelStyle& style, const Frame& frame, const View& view, PictureCache& cache,
                     Actions& actions) {
    const Curve& curve = *frame.curve;
    const std::string_view title = speed_words(curve.speed_unit).title;
    ImGui::AlignTextToFramePadding();
    const auto [least, most] = std::ranges::minmax_element(curve.model, {}, &Prediction::value);
    if (least != curve.model.end() && are_alike(least->value, most->value))
        ui::text_weak(
            style, every_setting(fmt::format("{}: the same for ", title), *curve.knob, most->limiter).text);
    else
        ui::text_weak(style, std::string(title) + (curve.knob == nullptr
                                                       ? std::string()  // the picture says that there is none
                                                       : " against " + lower_first(curve.knob->label)));
    ui::tip(style, speed_words(curve.speed_unit).meaning);
    const float open = ui::pill_width(style, "plot");
    show_prediction(style, frame, curve, 12, open + style.px(12));
    ui::end_of_line(open);
    if (ui::chip(style, "plot", false)) actions.add(action::set(&View::plot_open, true));
    ui::mark(
        style, "plot.open",
        "Gives the plot its axes, a second parameter and more height. A drag of the bar above it does, too.");
    show_plot_picture(style, frame, view, cache, 0, actions,
                      [&](const Style& look) { return draw_plot_strip(curve, look); });
}

}  // namespace warplens
