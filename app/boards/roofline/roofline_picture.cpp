#include "app/boards/roofline/roofline_picture.h"

#include "app/boards/traffic/traffic_picture.h"
#include "app/pictures/kit/axes.h"
#include "app/pictures/kit/canvas.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace warplens {
namespace {

constexpr std::string_view kIntensity = "arithmetic intensity, FLOP for each byte";

struct RooflineCanvas {
    Canvas& canvas;
    const RooflineView& view;
    PlotArea plot;
    TakenPlaces taken;        ///< marks and labels
    std::vector<Path> lines;  ///< the roofs

    const Theme& theme() const { return canvas.theme; }
    const Roofline& roofline() const { return *view.roofline; }
    Color model() const { return theme().series[kSeriesModel]; }
    Color variant() const { return theme().series[2]; }
    /// Behind what is memory bound, and what is compute bound.
    Color ground(bool memory) const { return mix(theme().panel, theme().series[memory ? 1 : 3], 0.09f); }
    float ridge_x() const {
        const double ridge = roofline().ridge();
        return ridge > 0 ? std::clamp(plot.x_of(ridge), plot.rect.x, right()) : plot.rect.x;
    }
    float bottom() const { return plot.rect.y + plot.rect.h; }
    float right() const { return plot.rect.x + plot.rect.w; }
    Vec2 at(double intensity, double gflop_per_s) const {
        return {plot.x_of(intensity), plot.y_of(gflop_per_s)};
    }
};

bool is_product(const RooflineCanvas& d) { return !d.view.variants.empty(); }

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

bool is_free(const RooflineCanvas& d, const Rect& rect) {
    return rect.x >= d.plot.rect.x + 2 && rect.x + rect.w <= d.right() - 2 && rect.y >= d.plot.rect.y &&
           rect.y + rect.h <= d.bottom() && d.taken.is_free(rect);
}

bool is_off_the_roofs(const RooflineCanvas& d, const Rect& rect) {
    return std::ranges::none_of(d.lines, [&](const Path& path) {
        for (std::size_t i = 1; i < path.points.size(); ++i)
            if (line_crosses(path.points[i - 1], path.points[i], rect)) return true;
        return false;
    });
}

/// On a plate of its own, which interrupts what runs through it. @return  whether there was room.
bool place_text(RooflineCanvas& d, Rect rect, const std::string& text, FontRole font, Color color) {
    if (!is_free(d, rect)) return false;
    d.taken.take(rect);
    // On both sides of the ridge the plate has the colour that is behind it.
    const float left = std::clamp(d.ridge_x() - rect.x, 0.0f, rect.w);
    d.canvas.fill(rect, with_alpha(d.ground(left > 0), 0.92f), 3);
    if (left > 0 && left < rect.w)
        d.canvas.fill({rect.x + left, rect.y, rect.w - left, rect.h}, with_alpha(d.ground(false), 0.92f));
    d.canvas.label_middle({rect.x + 3, rect.y + rect.h / 2}, text, font, color);
    return true;
}

/// Beside a mark: right, below right, left, above, wherever there is room; over a roof only if nowhere else.
/// @return  whether there was room
bool name_point(RooflineCanvas& d, Vec2 at, const std::string& text, FontRole font, Color color,
                bool may_cross_roofs = true) {
    const float w = d.canvas.width(text, font) + 6, h = 18;
    const Vec2 corners[] = {
        {at.x + 10, at.y - h / 2},     {at.x + 8, at.y + 6},       {at.x - 10 - w, at.y - h / 2},
        {at.x - 10 - w, at.y - h - 1}, {at.x + 8, at.y - h - 5},   {at.x - w / 2, at.y + 11},
        {at.x - w / 2, at.y - h - 11}, {at.x - w / 2, at.y + 22},  {at.x + 10, at.y + 18},
        {at.x + 10, at.y - h - 16},    {at.x - w + 12, at.y + 22}, {at.x - w + 12, at.y - h - 14},
        {at.x - 10 - w, at.y + 18},    {at.x - w + 12, at.y + 40}};
    for (const bool over_roofs : {false, true}) {
        if (over_roofs && !may_cross_roofs) break;
        for (const Vec2 corner : corners) {
            const Rect rect{corner.x, corner.y, w, h};
            if (!over_roofs && !is_off_the_roofs(d, rect)) continue;
            if (place_text(d, rect, text, font, color)) return true;
        }
    }
    return false;
}

void take_mark(RooflineCanvas& d, Vec2 at) { d.taken.take({at.x - 7, at.y - 7, 14, 14}); }

void add_hit(RooflineCanvas& d, Vec2 at, std::string tooltip, std::string link = {}) {
    d.canvas.hit(
        {.rect = {at.x - 9, at.y - 9, 18, 18}, .tooltip = std::move(tooltip), .link = std::move(link)});
}

// --- what does not move -----------------------------------------------------------------------------------

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

// --- points -----------------------------------------------------------------------------------------------

std::string ladder_link(const RooflinePoint& point) {
    return "matrix-multiply?" + point.settings + "&board=roofline";
}

std::string textbook_tooltip(const RooflineCanvas& d, const RooflinePoint& point) {
    const double dram = d.roofline().speed_of(Memory::dram);
    std::string text = fmt::format(
        "matrix product, {}\n● {} FLOP for each byte that lanes load\n○ if every one of these bytes came from DRAM: "
        "{} × {:.4g} GB/s = {}",
        point.name, intensity_text(point.intensity), intensity_text(point.intensity), dram,
        flop_text(point.intensity * dram));
    if (point.intensity * dram > d.roofline().peak)
        text += fmt::format(", above the peak: {}", flop_text(d.roofline().peak));
    text += "\n(Kirk and Hwu's way to count: caches are left out)";
    if (!point.refused.empty()) text += "\n" + point.refused;
    return text + "\nclick: set this variant";
}

/// Tiles of a matrix product say nothing about another kernel.
void draw_textbook(RooflineCanvas& d) {
    if (!is_product(d) || d.roofline().speed_of(Memory::dram) <= 0) return;
    const Color color = d.theme().accent;
    for (const RooflinePoint& point : d.view.textbook) {
        const Vec2 at = d.at(point.intensity, point.gflop_per_s);
        d.canvas.mark(at, MarkShape::square, 5.5f, d.theme().panel);
        d.canvas.mark(at, MarkShape::square, 4.5f, color);
        take_mark(d, at);
        add_hit(d, at, textbook_tooltip(d, point), ladder_link(point));
    }
}

void name_textbook(RooflineCanvas& d) {
    if (!is_product(d) || d.roofline().speed_of(Memory::dram) <= 0) return;
    for (const RooflinePoint& point : d.view.textbook) {
        const Vec2 at = d.at(point.intensity, point.gflop_per_s);
        const float w = d.canvas.width(point.name, FontRole::body) + 6;
        // Below the roof, where it does not run through the name.
        for (const Vec2 corner :
             {Vec2{at.x + 8, at.y + 3}, Vec2{at.x - 2, at.y + 9}, Vec2{at.x - w / 2, at.y + 9},
              Vec2{at.x + 4, at.y + 26}, Vec2{at.x + 10, at.y + 20}, Vec2{at.x - 8 - w, at.y - 21},
              Vec2{at.x - w / 2, at.y - 28}}) {
            const Rect rect{corner.x, corner.y, w, 18};
            if (is_off_the_roofs(d, rect) && place_text(d, rect, point.name, FontRole::body, d.theme().text))
                break;
        }
    }
}

void draw_variants(RooflineCanvas& d) {
    for (const RooflinePoint& point : d.view.variants) {
        const Vec2 at = d.at(point.intensity, point.gflop_per_s);
        d.canvas.mark(at, MarkShape::circle, 4, d.variant());
        take_mark(d, at);
        add_hit(d, at,
                fmt::format(
                    "matrix product, {}\n○ predicted {}, approximate\n{} FLOP for each DRAM byte\nclick: set "
                    "this variant",
                    point.name, flop_text(point.gflop_per_s), intensity_text(point.intensity)),
                ladder_link(point));
    }
}

void draw_launch(RooflineCanvas& d) {
    const Roofline& roofline = d.roofline();
    if (roofline.points.empty()) return;
    const auto [least, most] = std::ranges::minmax_element(roofline.points, {}, &RooflinePoint::intensity);
    d.canvas.line(d.at(least->intensity, least->gflop_per_s), d.at(most->intensity, most->gflop_per_s),
                  d.model(), 1.5f);
    for (const RooflinePoint& point : roofline.points) {
        const Vec2 at = d.at(point.intensity, point.gflop_per_s);
        const Vec2 roof = d.at(point.intensity, roofline.attainable(point.memory, point.intensity));
        d.canvas.line(at, roof, d.model(), 1.5f, Dash::dotted);
        const bool first = &point == &roofline.points.front();
        d.canvas.mark(at, MarkShape::circle, first ? 8.0f : 6.0f, d.theme().panel);
        d.canvas.mark(at, MarkShape::ring, first ? 8.0f : 6.0f, d.model());
        take_mark(d, at);
        add_hit(d, at, point_tooltip(point, d.view));
    }
    if (!d.view.seen) return;
    const Quantity& seen = *d.view.seen;
    const Vec2 at = d.at(roofline.points.front().intensity, seen.amount.value_or(0));
    const bool recorded = seen.provenance == Provenance::recorded;
    d.canvas.mark(at, recorded ? MarkShape::triangle : MarkShape::diamond, 6.5f,
                  d.theme().series[kSeriesMeasured]);
    take_mark(d, at);
    add_hit(d, at,
            fmt::format("{} {} {}\n{}", provenance_mark(seen.provenance), seen.name, seen.text, seen.source));
}

void name_launch(RooflineCanvas& d) {
    const Roofline& roofline = d.roofline();
    for (const RooflinePoint& point : roofline.points) {
        const double roof = roofline.attainable(point.memory, point.intensity);
        const bool first = &point == &roofline.points.front();
        const Vec2 at = d.at(point.intensity, point.gflop_per_s);
        const FontRole font = first ? FontRole::strong : FontRole::body;
        const std::string name = first ? fmt::format("{}, {} of the roof", flop_text(point.gflop_per_s),
                                                     format_percent(point.gflop_per_s, roof))
                                 : is_busy_with_wavefronts(point.memory, d.view)
                                     ? "by wavefronts"
                                     : fmt::format("by {} bytes", short_name(point.memory));
        // Rather a few words than many across a roof.
        const std::string brief = first ? flop_text(point.gflop_per_s) : name;
        if (name_point(d, at, name, font, d.theme().text, false)) continue;
        if (first && name_point(d, at, brief, font, d.theme().text, false)) continue;
        name_point(d, at, brief, font, d.theme().text);
    }
}

/// A launch without arithmetic has no place on the x axis: its bytes per second stand at the left edge.
void draw_moved(RooflineCanvas& d) {
    for (const Roof& moved : d.roofline().moved) {
        const double roof = d.roofline().speed_of(moved.memory);
        const Vec2 at{d.plot.rect.x, d.plot.y_of(moved.gb_per_s * d.plot.x_min)};
        d.canvas.mark(at, MarkShape::circle, 7, d.theme().panel);
        d.canvas.mark(at, MarkShape::ring, 7, d.model());
        take_mark(d, at);
        add_hit(
            d, at,
            fmt::format("○ {} {} {}, approximate: {} of what it can\nno arithmetic: shown at the left edge "
                        "against the roof there",
                        memory_name(moved.memory, *d.view.device),
                        is_busy_with_wavefronts(moved.memory, d.view) ? "is as busy as if it moved" : "moves",
                        speed_text(moved.gb_per_s), format_percent(moved.gb_per_s, roof)));
    }
    for (const Roof& moved : d.roofline().moved) {
        const Vec2 at{d.plot.rect.x, d.plot.y_of(moved.gb_per_s * d.plot.x_min)};
        name_point(d, at,
                   is_busy_with_wavefronts(moved.memory, d.view)
                       ? fmt::format("no arithmetic; shared memory utilization {}",
                                     format_percent(d.view.shared_busy, 1))
                       : fmt::format("no arithmetic; {} {}, {} of its roof",
                                     memory_name(moved.memory, *d.view.device), speed_text(moved.gb_per_s),
                                     format_percent(moved.gb_per_s, d.roofline().speed_of(moved.memory))),
                   FontRole::strong, d.theme().text);
    }
}

Legend legend_of(const RooflineCanvas& d, const char* tiles) {
    Legend legend;
    if (!d.roofline().points.empty() || d.roofline().flop <= 0)
        legend.add_mark("this launch, predicted", MarkShape::ring, 5, d.model());
    if (d.view.seen) {
        const bool recorded = d.view.seen->provenance == Provenance::recorded;
        legend.add_mark(d.view.seen->name, recorded ? MarkShape::triangle : MarkShape::diamond, 5,
                        d.theme().series[kSeriesMeasured]);
    }
    if (!is_product(d)) return legend;
    legend.add_mark("other variants, predicted", MarkShape::circle, 4, d.variant());
    legend.add_mark(tiles, MarkShape::square, 4.5f, d.theme().accent);
    return legend;
}

/// With as many words as have room in so many rows.
Legend legend_that_fits(const RooflineCanvas& d, int rows) {
    for (const char* tiles : {"tiles of a matrix product, if each byte asked for came from DRAM",
                              "matrix product, each byte from DRAM", "matrix product"}) {
        Legend legend = legend_of(d, tiles);
        if (legend.fits(d.canvas, d.canvas.inner_width(), rows)) return legend;
    }
    return legend_of(d, "matrix product");
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
    const float legend = style.size.y - top > 260 ? names.height(canvas, width, legend_rows) : 0;
    float left = canvas.width("TFLOP/s", FontRole::body);
    for (const Tick& tick : speed_ticks(d.plot, style.size.y))
        left = std::max(left, canvas.width(tick.text, FontRole::body));
    const float head = legend + 24;
    d.plot.rect = {canvas.margin() + left + 10, top + head, width - left - 16,
                   std::max(60.0f, style.size.y - top - head - 46 - words - 8)};
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
    name_textbook(d);
    if (is_product(d)) {
        for (const RooflinePoint& point : view.variants)
            name_point(d, d.at(point.intensity, point.gflop_per_s), point.name, FontRole::body,
                       d.theme().text_weak);
    }
    if (words > 0) draw_sentences(canvas, sentences, canvas.margin(), style.size.y - words - 4);
    return canvas.take();
}

}  // namespace warplens
