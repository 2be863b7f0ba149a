#include "app/boards/roofline/roofline_picture.h"

#include "app/boards/roofline/roofline_canvas.h"
#include "app/boards/traffic/traffic_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace warplens {
namespace {

constexpr std::string_view kIntensity = "arithmetic intensity, FLOP for each byte";

/// Both axes: all points, the ridge, and room round them.
PlotArea plan_axes(const RooflineView& view) {
    const Roofline& roofline = *view.roofline;
    double least = 0.1, most = std::max(100.0, 4 * roofline.ridge()), low = roofline.peak;
    const auto see = [&](const RooflinePoint& point) {
        least = std::min(least, point.intensity / 2);
        most = std::max(most, point.intensity * 3);
        low = std::min(low, point.gflop_per_s);
    };
    for (const auto* points : {&roofline.points, &view.textbook, &view.variants}) {
        for (const RooflinePoint& point : *points) see(point);
    }
    PlotArea plot;
    plot.x_log = plot.y_log = true;
    plot.x_min = std::pow(10.0, std::floor(std::log10(least) * 2 + 1e-9) / 2);
    plot.x_max = std::min(most, plot.x_min * 1e6);
    plot.y_max = roofline.peak * 2.4;
    const double edge = roofline.attainable(Memory::dram, plot.x_min);
    plot.y_min = std::max(std::min(low, edge > 0 ? edge : low) / 1.8, plot.y_max * 1e-6);
    for (const Roof& moved : roofline.moved) {
        if (roofline.flop <= 0)
            plot.y_min = std::clamp(moved.gb_per_s * plot.x_min / 1.5, plot.y_max * 1e-6, plot.y_min);
    }
    return plot;
}

void draw_grounds(RooflineCanvas& d) {
    const Rect& r = d.plot.rect;
    const float x = d.ridge_x();
    d.canvas.fill({r.x, r.y, x - r.x, r.h}, d.ground(true));
    d.canvas.fill({x, r.y, d.right() - x, r.h}, d.ground(false));
    d.canvas.hit({r.x, r.y, x - r.x, r.h}, -1,
                 "Memory bound: DRAM cannot deliver the bytes as fast as the lanes could use them.");
    d.canvas.hit({x, r.y, d.right() - x, r.h}, -1,
                 "Compute bound: a byte brings so much work that the lanes are what runs out first.");
}

/// In TFLOP/s, as all texts are.
std::vector<Tick> speed_ticks(const PlotArea& plot, float points) {
    constexpr double kTera = 1000;
    std::vector<Tick> ticks = log_ticks(plot.y_min / kTera, plot.y_max / kTera, points, 22);
    for (Tick& tick : ticks) tick.value *= kTera;
    return ticks;
}

void draw_axes(RooflineCanvas& d) {
    Canvas& canvas = d.canvas;
    const Theme& theme = d.theme();
    const Rect& r = d.plot.rect;
    draw_y_ticks(canvas, d.plot, speed_ticks(d.plot, r.h));
    const std::vector<Tick> x_ticks = log_ticks(d.plot.x_min, d.plot.x_max, r.w, 52);
    for (const Tick& tick : x_ticks) {
        const float x = d.plot.x_of(tick.value);
        canvas.line({x, r.y}, {x, d.bottom()}, theme.grid, 1);
    }
    draw_x_ticks(canvas, d.plot, x_ticks);
    canvas.frame(r, theme.outline, 1, 0);
    canvas.label({r.x - 8, r.y - 9}, "TFLOP/s", FontRole::body, theme.text, Anchor::end);
    const float room = canvas.inner_width();
    const bool fits = canvas.width(kIntensity, FontRole::body) < room;
    canvas.label(
        {fits ? std::max(r.x + r.w / 2, canvas.margin() + canvas.width(kIntensity, FontRole::body) / 2)
              : r.x + r.w / 2,
         d.bottom() + 24 + ascent(FontRole::body)},
        std::string(fits ? kIntensity : "FLOP for each byte"), FontRole::body, theme.text, Anchor::middle);
}

/// From the left edge up to the peak, then level.
void draw_roof(RooflineCanvas& d, const Roof& roof) {
    const bool first = roof.memory == Memory::dram;
    const double ridge = d.roofline().peak / roof.gb_per_s;
    const double begin = std::max(d.plot.x_min, d.plot.y_min / roof.gb_per_s);
    Path path{{},
              first ? d.theme().text : d.theme().text_weak,
              first ? 2.5f : 1.5f,
              first ? Dash::solid : Dash::dashed};
    if (ridge > begin) path.points.push_back(d.at(begin, begin * roof.gb_per_s));
    path.points.push_back(d.at(std::max(ridge, d.plot.x_min), d.roofline().peak));
    if (first) path.points.push_back(d.at(d.plot.x_max, d.roofline().peak));
    d.lines.push_back(path);
    d.canvas.add(std::move(path));
}

/// Whether a roof runs through a name that stands on another one.
bool is_off_other_roofs(const RooflineCanvas& d, const Rect& rect, const Roof& own) {
    return std::ranges::all_of(d.roofline().roofs, [&](const Roof& roof) {
        const double left = d.plot.x_at(rect.x) * roof.gb_per_s;
        const double right = d.plot.x_at(rect.x + rect.w) * roof.gb_per_s;
        return roof.memory == own.memory || left > d.roofline().peak ||
               !line_crosses({rect.x, d.plot.y_of(left)}, {rect.x + rect.w, d.plot.y_of(right)}, rect);
    });
}

/// On the line, where nothing else is.
/// @param beside_others  only where no other roof runs through the name
/// @return  whether there was room
bool name_roof(RooflineCanvas& d, const Roof& roof, bool beside_others = true) {
    const FontRole font = roof.memory == Memory::dram ? FontRole::strong : FontRole::body;
    const float end = d.plot.x_of(d.roofline().peak / roof.gb_per_s);
    for (const std::string& text :
         {fmt::format("{} {}", memory_name(roof.memory, *d.view.device), speed_text(roof.gb_per_s)),
          fmt::format("{} {}", short_name(roof.memory), speed_text(roof.gb_per_s)),
          short_name(roof.memory)}) {
        const float w = d.canvas.width(text, font) + 8;
        // Or beside the lowest roof, where no other one is.
        const float first = d.plot.rect.x + 6 + w / 2, last = std::max(end, d.plot.rect.x + w + 12) - w / 2;
        const int places = std::max(0, int((last - first) / 8));
        const bool lowest = roof.memory == Memory::dram;
        for (int i = 0; i < (lowest ? 2 : 1) * places; ++i) {
            const float x = first + 8 * float(i % places);
            const bool beside = i >= places;
            const double intensity = d.plot.x_at(x);
            const float y = d.plot.y_of(intensity * roof.gb_per_s);
            const Rect rect{beside ? x + 10 : x - w / 2, beside ? y + 2 : y - 9, w, 18};
            if (beside && !is_off_the_roofs(d, rect)) continue;
            if ((beside_others && !is_off_other_roofs(d, rect, roof)) ||
                !place_text(d, rect, text, font,
                            roof.memory == Memory::dram ? d.theme().text : d.theme().text_weak))
                continue;
            d.canvas.hit(rect, -1,
                         memory_tooltip(roof.memory, {d.view.flows, d.view.device, false, false, {}}));
            return true;
        }
    }
    return beside_others && name_roof(d, roof, false);
}

void name_peak(RooflineCanvas& d) {
    const DeviceFacts& device = *d.view.device;
    const std::string text = fmt::format("peak {}", flop_text(d.roofline().peak));
    const float w = d.canvas.width(text, FontRole::strong) + 6;
    const float y = d.plot.y_of(d.roofline().peak);
    // A place without a mark, preferably above the line at its end.
    for (const float top : {y - 21, y + 4, y - 46}) {
        for (float x = d.right() - w - 4; x + w > d.ridge_x(); x -= 16) {
            const Rect rect{x, top, w, 18};
            if (!is_off_the_roofs(d, rect) || !place_text(d, rect, text, FontRole::strong, d.theme().text))
                continue;
            d.canvas.hit(
                rect, -1,
                fmt::format("FP32: {} SMs × {} lanes × 2 × {:.0f} MHz; a multiply-add counts as two\n{}",
                            device.sm_count, device.fp32_lanes_per_sm, device.clock_mhz, device.source));
            return;
        }
    }
}

void draw_ridge(RooflineCanvas& d) {
    const double ridge = d.roofline().ridge();
    if (ridge <= d.plot.x_min || ridge >= d.plot.x_max) return;
    const Vec2 top = d.at(ridge, d.roofline().peak);
    d.canvas.line(top, {top.x, d.bottom()}, d.theme().text_weak, 1, Dash::dashed);
    d.canvas.mark(top, MarkShape::circle, 4, d.theme().text);
    take_mark(d, top);
    const std::string text = fmt::format("ridge {}", intensity_text(ridge));
    const float w = d.canvas.width(text, FontRole::strong) + 6;
    place_text(d, {top.x - w / 2, top.y - 26, w, 18}, text, FontRole::strong, d.theme().text);
    add_hit(d, top,
            fmt::format("The ridge: {} / {} = {} FLOP for each DRAM byte. Left of it memory is the limit, "
                        "right of it arithmetic.",
                        flop_text(d.roofline().peak), speed_text(d.roofline().speed_of(Memory::dram)),
                        intensity_text(ridge)));
}

/// Names for both sides of the ridge.
void name_grounds(RooflineCanvas& d) {
    const float ridge = d.ridge_x(), y = d.bottom() - 24;
    for (const bool left : {true, false}) {
        const std::string side = left ? "memory bound" : "compute bound";
        const float wide = d.canvas.width(side, FontRole::body) + 6;
        place_text(d, {left ? ridge - wide - 8 : ridge + 8, y, wide, 18}, side, FontRole::body,
                   d.theme().text_weak);
    }
}

/// The words of the legend, longer or shorter.
struct LegendWords {
    const char *launch, *variants, *tiles;
};

Legend legend_of(const RooflineCanvas& d, const LegendWords& words) {
    Legend legend;
    if (!d.roofline().points.empty() || (d.roofline().flop <= 0 && !d.roofline().moved.empty()))
        legend.add_mark(words.launch, MarkShape::ring, 5, d.model());
    if (d.view.seen) {
        const bool recorded = d.view.seen->provenance == Provenance::recorded;
        legend.add_mark(d.view.seen->name, recorded ? MarkShape::triangle : MarkShape::diamond, 5,
                        d.theme().series[kSeriesMeasured]);
    }
    if (!d.is_product()) return legend;
    legend.add_mark(words.variants, MarkShape::circle, 4, d.variant());
    legend.add_mark(words.tiles, MarkShape::square, 4.5f, d.theme().accent);
    return legend;
}

/// With as many words as have room in so many rows.
Legend legend_that_fits(const RooflineCanvas& d, int rows) {
    constexpr const char *kLaunch = "this launch, predicted", *kVariants = "other variants, predicted";
    constexpr LegendWords kWords[] = {
        {kLaunch, kVariants, "tiles of a matrix product, if each byte asked for came from DRAM"},
        {kLaunch, kVariants, "matrix product, each byte from DRAM"},
        {kLaunch, kVariants, "matrix product"},
        {"this one", "others", "from DRAM"}};
    for (const LegendWords& words : kWords) {
        Legend legend = legend_of(d, words);
        if (legend.fits(d.canvas, d.canvas.inner_width(), rows)) return legend;
    }
    return legend_of(d, kWords[2]);
}

}  // namespace

Picture draw_roofline(const RooflineView& view, const Style& style) {
    Canvas canvas(style, view.device->name, "what it can compute in FP32, and what its memories allow");
    const float top = canvas.draw_title();
    const float width = canvas.inner_width();
    const Explanation explanation = explain_roofline(view);
    if (view.roofline->peak <= 0 || view.roofline->roofs.empty()) {
        draw_sentences(canvas, fit_sentences(explanation, style, width, style.size.y - top), canvas.margin(),
                       top);
        return canvas.take();
    }
    const bool roomy = style.size.y - top > 380;
    const Sentences sentences = fit_sentences(explanation, style, width, roomy ? 88.0f : 44.0f);
    const float words = style.size.y - top > 330 ? sentences.height() : 0;
    RooflineCanvas d{canvas, view, plan_axes(view), {}, {}};
    const int legend_rows = !roomy ? 1 : style.size.x > 760 ? 1 : 3;
    const Legend names = legend_that_fits(d, legend_rows);
    const float legend =
        style.size.y - top > (style.silent ? 170 : 260) ? names.height(canvas, width, legend_rows) : 0;
    float left = canvas.width("TFLOP/s", FontRole::body);
    for (const Tick& tick : speed_ticks(d.plot, style.size.y))
        left = std::max(left, canvas.width(tick.text, FontRole::body));
    const float head = legend + 24;
    d.plot.rect = {canvas.margin() + left + 10, top + head, width - left - 16,
                   std::max(60.0f, style.size.y - top - head - 46 - (words > 0 ? words + 8 : 0))};
    if (legend > 0) names.draw(canvas, canvas.margin(), top, width, legend_rows);
    draw_grounds(d);
    draw_axes(d);
    for (auto roof = view.roofline->roofs.rbegin(); roof != view.roofline->roofs.rend(); ++roof)
        draw_roof(d, *roof);
    draw_ridge(d);
    draw_textbook(d);
    draw_variants(d);
    draw_launch(d);
    name_peak(d);
    name_grounds(d);
    if (view.roofline->flop <= 0) draw_moved(d);
    name_launch(d);
    for (const Roof& roof : view.roofline->roofs) name_roof(d, roof);
    if (legend > 0 && d.plot.rect.h >= 140) name_textbook(d);  // else what its marks are is not said
    if (d.is_product()) {
        for (const RooflinePoint& point : view.variants)
            name_point(d, d.at(point.intensity, point.gflop_per_s), point.name, FontRole::body,
                       d.theme().text_weak);
    }
    if (words > 0) draw_sentences(canvas, sentences, canvas.margin(), style.size.y - words - 4);
    return canvas.take();
}

}  // namespace warplens
