#include "app/boards/roofline/roofline_picture.h"
#include "app/boards/traffic/traffic_picture.h"

#include <fmt/format.h>

#include <cmath>

namespace warplens {
namespace {

/// The point that the sentences are about: DRAM's if the launch takes bytes from there, else the next one.
const RooflinePoint* main_point(const Roofline& roofline) {
    return roofline.points.empty() ? nullptr : &roofline.points.front();
}

std::string bytes_of(Memory memory, const DeviceFacts& device) {
    return fmt::format("{} byte", memory_name(memory, device));
}

/// What limits the prediction. A kernel is compute bound only if the arithmetic units limit it and are busy
/// for most of the time: a point right of the ridge can still wait for a cache or for the start of its
/// blocks.
std::string limit_text(const RooflineView& view) {
    constexpr double kBusy = 0.5;
    const std::string_view limiter = view.flows->limiter_name;
    const Roofline& roofline = *view.roofline;
    if (limiter == "multiply-adds" && roofline.gflop_per_s >= kBusy * roofline.peak) return "Compute bound";
    return limiter.empty() ? "Limit not known" : fmt::format("Limited by {}", limiter);
}

Explanation explain_arithmetic(const RooflineView& view) {
    const Roofline& roofline = *view.roofline;
    const RooflinePoint* point = main_point(roofline);
    Explanation explanation;
    if (roofline.gflop_per_s <= 0) {
        explanation.verdict =
            fmt::format("Too little is known of {} to predict its speed.", view.device->name);
        return explanation;
    }
    if (point == nullptr) {
        explanation.verdict =
            fmt::format("{}: {} predicted, {} of the peak of {}. No memory with a known roof is used.",
                        limit_text(view), flop_text(roofline.gflop_per_s),
                        format_percent(roofline.gflop_per_s, roofline.peak), flop_text(roofline.peak));
        return explanation;
    }
    const double roof = roofline.attainable(point->memory, point->intensity);
    const double ridge = roofline.peak / roofline.speed_of(point->memory);
    explanation.verdict = fmt::format(
        "{}: {} predicted, {} of the peak. With {} FLOP for each {} the roof allows {}; the ridge is at {}.",
        limit_text(view), flop_text(point->gflop_per_s), format_percent(point->gflop_per_s, roofline.peak),
        intensity_text(point->intensity), bytes_of(point->memory, *view.device), flop_text(roof),
        intensity_text(ridge));
    explanation.good = point->gflop_per_s >= 0.7 * roof;
    if (roofline.in_l2)
        explanation.why = "DRAM's roof is not above it: the launch before has left everything in the L2.";
    else if (roofline.requested > 0)
        explanation.why = fmt::format(
            "Lanes get {} FLOP out of each byte that they load: if all of these came from DRAM, {} would be the most.",
            intensity_text(roofline.requested),
            flop_text(roofline.attainable(Memory::dram, roofline.requested)));
    return explanation;
}

Explanation explain_no_arithmetic(const RooflineView& view) {
    const Roofline& roofline = *view.roofline;
    Explanation explanation{
        .verdict = fmt::format("{}: it computes nothing (0 FLOP), so the roof has no point for it.",
                               limit_text(view)),
        .why = {},
        .good = true};
    for (const Roof& moved : roofline.moved) {
        explanation.why += fmt::format(
            "{}{} {} of {}'s {}", explanation.why.empty() ? "It moves " : ", ", speed_text(moved.gb_per_s),
            format_percent(moved.gb_per_s, roofline.speed_of(moved.memory)),
            memory_name(moved.memory, *view.device), speed_text(roofline.speed_of(moved.memory)));
    }
    if (!explanation.why.empty())
        explanation.why += ".";
    else if (view.speed_unit == SpeedUnit::cycles)
        explanation.why =
            "Its requests wait for each other: what counts is latency, which a roof does not show.";
    return explanation;
}

}  // namespace

std::string flop_text(double gflop_per_s) {
    if (gflop_per_s < 1000)
        return fmt::format("{:.{}f} GFLOP/s", gflop_per_s,
                           gflop_per_s < 9.995   ? 2
                           : gflop_per_s < 999.5 ? 1
                                                 : 0);
    const double tera = gflop_per_s / 1000;
    return fmt::format("{:.{}f} TFLOP/s", tera, tera < 9.995 ? 2 : 1);
}

std::string intensity_text(double intensity) {
    if (intensity >= 99.95) return format_count(std::llround(intensity));
    return fmt::format("{:.3g}", intensity);
}

std::string point_tooltip(const RooflinePoint& point, const RooflineView& view) {
    const Roofline& roofline = *view.roofline;
    const double roof = roofline.attainable(point.memory, point.intensity);
    return fmt::format(
        "○ predicted {}, approximate\n{} FLOP for each {}: {} FLOP, {} through {}\nthe roof allows {} there: {} of it",
        flop_text(point.gflop_per_s), intensity_text(point.intensity), bytes_of(point.memory, *view.device),
        format_count(std::llround(roofline.flop)), format_bytes(view.flows->through(point.memory)),
        memory_name(point.memory, *view.device), flop_text(roof), format_percent(point.gflop_per_s, roof));
}

Explanation explain_roofline(const RooflineView& view) {
    if (!view.does_not_fit.empty()) return {.verdict = view.does_not_fit};
    if (view.roofline->peak <= 0)
        return {.verdict = fmt::format("The clock and the lanes of {} are not known: it has no roof here.",
                                       view.device->name)};
    return view.roofline->flop > 0 ? explain_arithmetic(view) : explain_no_arithmetic(view);
}

}  // namespace warplens
