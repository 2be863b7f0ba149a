#include "app/boards/roofline/roofline_canvas.h"

#include "app/boards/traffic/traffic_picture.h"

#include <fmt/format.h>

namespace warplens {
namespace {

bool is_free(const RooflineCanvas& d, const Rect& rect) {
    return rect.x >= d.plot.rect.x + 2 && rect.x + rect.w <= d.right() - 2 && rect.y >= d.plot.rect.y &&
           rect.y + rect.h <= d.bottom() && d.taken.is_free(rect);
}

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

}  // namespace

bool is_off_the_roofs(const RooflineCanvas& d, const Rect& rect) {
    return std::ranges::none_of(d.lines, [&](const Path& path) {
        for (std::size_t i = 1; i < path.points.size(); ++i)
            if (line_crosses(path.points[i - 1], path.points[i], rect)) return true;
        return false;
    });
}

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

bool name_point(RooflineCanvas& d, Vec2 at, const std::string& text, FontRole font, Color color,
                bool may_cross_roofs) {
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

void add_hit(RooflineCanvas& d, Vec2 at, std::string tooltip, std::string link) {
    d.canvas.hit(
        {.rect = {at.x - 9, at.y - 9, 18, 18}, .tooltip = std::move(tooltip), .link = std::move(link)});
}

/// Tiles of a matrix product say nothing about another kernel.
void draw_textbook(RooflineCanvas& d) {
    if (!d.is_product() || d.roofline().speed_of(Memory::dram) <= 0) return;
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
    if (!d.is_product() || d.roofline().speed_of(Memory::dram) <= 0) return;
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

void draw_moved(RooflineCanvas& d) {
    for (const Roof& moved : d.roofline().moved) {
        const double roof = d.roofline().speed_of(moved.memory);
        const Vec2 at{d.plot.rect.x, d.plot.y_of(moved.gb_per_s * d.plot.x_min)};
        d.canvas.mark(at, MarkShape::circle, 7, d.theme().panel);
        d.canvas.mark(at, MarkShape::ring, 7, d.model());
        take_mark(d, at);
        add_hit(
            d, at,
            fmt::format("○ {} {} {}, approximate: {} of what it can\nno FLOP counted: shown at the left edge "
                        "against the roof there",
                        memory_name(moved.memory, *d.view.device),
                        is_busy_with_wavefronts(moved.memory, d.view) ? "is as busy as if it moved" : "moves",
                        speed_text(moved.gb_per_s), format_percent(moved.gb_per_s, roof)));
    }
    for (const Roof& moved : d.roofline().moved) {
        const Vec2 at{d.plot.rect.x, d.plot.y_of(moved.gb_per_s * d.plot.x_min)};
        name_point(d, at,
                   is_busy_with_wavefronts(moved.memory, d.view)
                       ? fmt::format("no FLOP counted; shared memory utilization {}",
                                     format_percent(d.view.shared_busy, 1))
                       : fmt::format("no FLOP counted; {} {}, {} of its roof",
                                     memory_name(moved.memory, *d.view.device), speed_text(moved.gb_per_s),
                                     format_percent(moved.gb_per_s, d.roofline().speed_of(moved.memory))),
                   FontRole::strong, d.theme().text);
    }
}

}  // namespace warplens
