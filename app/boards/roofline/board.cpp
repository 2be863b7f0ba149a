#include "app/boards/list.h"
#include "app/boards/roofline/roofline_picture.h"
#include "app/boards/traffic/traffic_picture.h"
#include "app/model/time/roofline.h"

#include <fmt/format.h>

#include <cmath>

namespace warplens {
namespace {

constexpr std::string_view kProduct = "matrix-multiply";

/// The speed that a GPU reached, as the mark in the picture and as a row.
Quantity seen_speed(const Observation& seen) {
    return {.name = std::string(provenance_name(seen.provenance)),
            .text = flop_text(seen.point.value),
            .provenance = seen.provenance,
            .source = seen.where,
            .amount = seen.point.value,
            .better = Better::more,
            .unit = "GFLOP/s"};
}

/// The launch with its roof, kept together with the view of both.
struct UnderRoof {
    FlowReport flows;
    FlowReport cold;
    Roofline roofline;
    RooflineView view;
    explicit UnderRoof(const BoardInput& input)
        : flows(follow_bytes(*input.state.scenario, input.state.params, input.device(), input.evidence.report,
                             input.evidence.prediction, input.state.cold)),
          cold(follow_bytes(*input.state.scenario, input.state.params, input.device(), input.evidence.report,
                            input.evidence.prediction, true)),
          roofline(make_roofline(*input.state.scenario, input.state.params, input.device(),
                                 input.evidence.prediction, flows, cold)) {
        count_wavefronts();
        view.roofline = &roofline;
        view.device = &input.device();
        view.flows = &cold;
        view.speed_unit = input.evidence.prediction.speed_unit;
        view.does_not_fit = input.evidence.report.does_not_fit;
        if (view.speed_unit != SpeedUnit::gflop_per_s) return;
        if (const Observation* seen = input.evidence.observed.best()) view.seen = seen_speed(*seen);
    }
    UnderRoof(const UnderRoof&) = delete;
    UnderRoof& operator=(const UnderRoof&) = delete;

private:
    /// A launch that is limited by wavefronts has to lie at the roof, so what counts in shared memory is the
    /// time that its requests take, as on the board of traffic, and not the bytes that lanes request.
    void count_wavefronts() {
        const double speed = roofline.speed_of(Memory::shared), busy = flows.utilization(Memory::shared);
        if (speed <= 0 || busy <= 0) return;
        for (RooflinePoint& point : roofline.points) {
            const double intensity = point.gflop_per_s / (busy * speed);
            if (point.memory != Memory::shared || intensity >= point.intensity) continue;
            point.intensity = intensity;
            view.shared_room = roofline.flop / intensity;
            view.shared_busy = busy;
        }
        for (Roof& moved : roofline.moved) {
            if (moved.memory != Memory::shared || busy * speed <= moved.gb_per_s) continue;
            moved.gb_per_s = busy * speed;
            view.shared_busy = busy;
        }
    }
};

bool is_product(const State& state) { return state.scenario->info->id == kProduct; }

/// The size of the product whose ladder is drawn: the present one, or the scenario's usual one.
int ladder_matrix(const State& state) {
    return is_product(state) ? state.params.matrix : find_scenario(kProduct)->info->defaults.matrix;
}

Quantity point_number(const RooflinePoint& point, const RooflineView& view) {
    const bool wavefronts = point.memory == Memory::shared && view.shared_room > 0;
    return {wavefronts ? "FLOP / wavefront byte" : fmt::format("FLOP / {} byte", short_name(point.memory)),
            intensity_text(point.intensity),
            Provenance::approximate,
            point_tooltip(point, view),
            point.intensity,
            Better::more,
            {},
            "FLOP/byte"};
}

Picture roofline_picture(const BoardInput& input, const Style& style) {
    UnderRoof under(input);
    const int matrix = ladder_matrix(input.state);
    under.view.textbook = textbook_ladder(under.roofline, input.device(), matrix);
    if (is_product(input.state))
        under.view.variants =
            predicted_ladder(under.roofline, input.state.params, input.device(), input.state.cold);
    return draw_roofline(under.view, style);
}

std::vector<std::string> roofline_caption(const BoardInput& input) {
    std::vector<std::string> caption;
    const std::string settings = describe_settings(*input.state.scenario, input.state.params);
    if (!settings.empty()) caption.push_back(settings);
    const DeviceFacts& device = input.device();
    caption.push_back(fmt::format("{}: {} SMs × {} lanes × 2 × {:.0f} MHz, datasheet", device.name,
                                  device.sm_count, device.fp32_lanes_per_sm, device.clock_mhz));
    caption.emplace_back("points ○ approximate");
    if (input.evidence.prediction.speed_unit == SpeedUnit::gflop_per_s && input.evidence.observed.recorded)
        caption.push_back(fmt::format("▲ {}", input.evidence.observed.recorded->where));
    return caption;
}

std::vector<Quantity> roofline_numbers(const BoardInput& input) {
    const UnderRoof under(input);
    const Roofline& roofline = under.roofline;
    const DeviceFacts& device = input.device();
    std::vector<Quantity> rows;
    const auto add = [&rows](std::string name, std::string text, Provenance kind, std::string source,
                             double amount, Better better, std::string unit) {
        rows.push_back(
            {std::move(name), std::move(text), kind, std::move(source), amount, better, {}, std::move(unit)});
    };
    if (roofline.peak > 0)
        add("peak FP32", flop_text(roofline.peak), Provenance::exact,
            fmt::format("SMs × lanes × 2 × clock: {} × {} × 2 × {:.0f} MHz.\n{}", device.sm_count,
                        device.fp32_lanes_per_sm, device.clock_mhz, device.source),
            roofline.peak, Better::more, "GFLOP/s");
    for (Quantity& row : rows) row.main = true;
    for (const Roof& roof : roofline.roofs)
        add(std::string(memory_name(roof.memory, device)), speed_text(roof.gb_per_s),
            roof.memory == Memory::l2 ? Provenance::approximate : Provenance::exact,
            memory_tooltip(roof.memory, {&under.flows, &device, input.state.cold, false, {}}), roof.gb_per_s,
            Better::more, "GB/s");
    if (roofline.ridge() > 0)
        add("ridge", fmt::format("{} FLOP/B", intensity_text(roofline.ridge())), Provenance::exact,
            "Peak / DRAM bandwidth: from so many FLOP for each DRAM byte on, arithmetic is the limit.",
            roofline.ridge(), Better::neither, "FLOP/byte");
    if (roofline.flop > 0)
        rows.push_back({"FLOP, grid", format_count(std::llround(roofline.flop)), Provenance::exact,
                        "Floating-point operations of the launch; a multiply-add counts as two.",
                        roofline.flop});
    for (const RooflinePoint& point : roofline.points) rows.push_back(point_number(point, under.view));
    if (roofline.requested > 0)
        add("FLOP / requested byte", intensity_text(roofline.requested), Provenance::exact,
            "For each byte that lanes load from global memory, as if there were no caches: what "
            "Kirk and Hwu call the compute to global memory access ratio, by bytes.",
            roofline.requested, Better::more, "FLOP/byte");
    const std::size_t outcome = rows.size();
    if (roofline.gflop_per_s > 0)
        add("predicted", flop_text(roofline.gflop_per_s), Provenance::approximate,
            fmt::format("Limited by {}.", limiter_name(input.evidence.prediction.limiter)),
            roofline.gflop_per_s, Better::more, "GFLOP/s");
    if (under.view.seen) rows.push_back(*under.view.seen);
    for (const Roof& moved : roofline.moved) {
        if (roofline.flop > 0) break;
        if (is_busy_with_wavefronts(moved.memory, under.view)) {
            add("shared: utilization", format_percent(under.view.shared_busy, 1), Provenance::approximate,
                "The share of the launch's time that its wavefronts take.", under.view.shared_busy,
                Better::neither, {});
            continue;
        }
        add(fmt::format("{} moves", memory_name(moved.memory, device)), speed_text(moved.gb_per_s),
            Provenance::approximate, "Bytes that pass it, over the predicted time of the launch.",
            moved.gb_per_s, Better::neither, "GB/s");
    }
    for (std::size_t i = outcome; i < rows.size(); ++i) rows[i].main = true;
    return rows;
}

Explanation roofline_explanation(const BoardInput& input) { return explain_roofline(UnderRoof(input).view); }

/// The point that the sentences are about: DRAM's if the launch takes bytes from there, else the next one.
const RooflinePoint* main_point(const Roofline& roofline) {
    return roofline.points.empty() ? nullptr : &roofline.points.front();
}

std::string bytes_of(Memory memory, const DeviceFacts& device) {
    return fmt::format("{} byte", memory_name(memory, device));
}

/// The limit of the prediction. A kernel is compute bound only if the arithmetic units limit it and are busy
/// for most of the time: a point right of the ridge can still wait for a cache or for the start of its
/// blocks.
std::string limit_text(const RooflineView& view) {
    constexpr double kBusy = 0.5;
    const Limiter limiter = view.flows->limiter;
    const Roofline& roofline = *view.roofline;
    if (limiter == Limiter::multiply_adds && roofline.gflop_per_s >= kBusy * roofline.peak)
        return "Compute bound";
    return limiter == Limiter::none ? "Limit not known" : fmt::format("Limited by {}", limiter_name(limiter));
}

constexpr double kNearRoof = 0.7;

/// Says how near the roof of shared memory the launch is, if that limits it. Empty otherwise.
std::string wavefronts_text(const RooflineView& view) {
    const RooflinePoint* shared = view.roofline->point(Memory::shared);
    if (view.flows->limiting != Memory::shared || view.shared_room <= 0 || shared == nullptr) return {};
    return fmt::format(
        "Shared memory utilization is {}: with {} FLOP for each byte that its wavefronts have room for, its roof "
        "allows {}. ",
        format_percent(view.shared_busy, 1), intensity_text(shared->intensity),
        flop_text(view.roofline->attainable(Memory::shared, shared->intensity)));
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
        explanation.verdict = fmt::format(
            "{}: {} predicted, {} of the peak of {}.", limit_text(view), flop_text(roofline.gflop_per_s),
            format_percent(roofline.gflop_per_s, roofline.peak), flop_text(roofline.peak));
        explanation.why = "It uses no memory with a known roof.";
        return explanation;
    }
    const double roof = roofline.attainable(point->memory, point->intensity);
    const double ridge = roofline.peak / roofline.speed_of(point->memory);
    explanation.say(
        fmt::format("{}: {} predicted, {} of the peak", limit_text(view), flop_text(point->gflop_per_s),
                    format_percent(point->gflop_per_s, roofline.peak)),
        fmt::format(". With {} FLOP for each {} the roof allows {}; the ridge is at {}.",
                    intensity_text(point->intensity), bytes_of(point->memory, *view.device), flop_text(roof),
                    intensity_text(ridge)));
    explanation.good = point->gflop_per_s >= kNearRoof * roof;
    explanation.why = wavefronts_text(view);
    if (roofline.in_l2)
        explanation.why += "DRAM's roof is not above it: the launch before has left everything in the L2.";
    else if (roofline.requested > 0)
        explanation.why += fmt::format(
            "Lanes get {} FLOP out of each byte that they load: if all of these came from DRAM, {} would be the most.",
            intensity_text(roofline.requested),
            flop_text(roofline.attainable(Memory::dram, roofline.requested)));
    else
        explanation.why += "None of these bytes belongs to a load from global memory.";
    return explanation;
}

Explanation explain_no_arithmetic(const RooflineView& view) {
    const Roofline& roofline = *view.roofline;
    Explanation explanation{
        .verdict = fmt::format(
            "{}: no FLOP are counted for this kernel, so {}.", limit_text(view),
            roofline.moved.empty() ? "it has no place under the roof" : "it stands at the roof's left edge"),
        .why = {}};
    for (const Roof& moved : roofline.moved) {
        if (is_busy_with_wavefronts(moved.memory, view)) {
            explanation.why +=
                fmt::format("{}hared memory utilization is {}", explanation.why.empty() ? "S" : "; s",
                            format_percent(view.shared_busy, 1));
            continue;
        }
        explanation.good = explanation.good || moved.gb_per_s >= kNearRoof * roofline.speed_of(moved.memory);
        explanation.why += fmt::format(
            "{}{}, which is {} of {}'s {}", explanation.why.empty() ? "It moves " : "; ",
            speed_text(moved.gb_per_s), format_percent(moved.gb_per_s, roofline.speed_of(moved.memory)),
            memory_name(moved.memory, *view.device), speed_text(roofline.speed_of(moved.memory)));
    }
    if (!explanation.why.empty())
        explanation.why += ".";
    else if (view.speed_unit == SpeedUnit::cycles) {
        explanation.good = true;  // no fault of the roof: the tone is that of the accesses
        explanation.why =
            "Its requests wait for each other: what counts is latency, which a roof does not show.";
    } else
        explanation.why =
            view.flows->limiter == Limiter::none
                ? fmt::format("Too little is known of {} to predict its speed.", view.device->name)
                : "It moves no bytes between memories.";
    return explanation;
}

}  // namespace

constinit const Board kRooflineBoard{
    {.key = "roofline",
     .label = "Roofline",
     .tooltip = "Arithmetic against bytes: what the GPU can reach at best, and where this kernel lies.",
     .lesson = "board-roofline",
     .about_scenario = true,
     .least_height = 180,
     .class_height = 205},
    roofline_picture,
    roofline_numbers,
    roofline_explanation,
    roofline_caption};

std::string flop_text(double gflop_per_s) {
    const double tera = gflop_per_s / 1000;
    if (tera < 0.9995) return fmt::format("{:.3g} TFLOP/s", tera);
    return fmt::format("{:.{}f} TFLOP/s", tera, tera < 9.995 ? 2 : 1);
}

bool is_busy_with_wavefronts(Memory memory, const RooflineView& view) {
    return memory == Memory::shared && view.shared_busy > 0;
}

std::string intensity_text(double intensity) {
    if (intensity >= 99.95) return format_count(std::llround(intensity));
    return fmt::format("{:.3g}", intensity);
}

std::string point_tooltip(const RooflinePoint& point, const RooflineView& view) {
    const Roofline& roofline = *view.roofline;
    const double roof = roofline.attainable(point.memory, point.intensity);
    if (point.memory == Memory::shared && view.shared_room > 0)
        return fmt::format(
            "○ predicted {}, approximate\n{} FLOP for each byte that its wavefronts have room for\n"
            "shared memory utilization is {}: in that time it could move {}; lanes request {} of that\nthe roof allows "
            "{} there: {} of it",
            flop_text(point.gflop_per_s), intensity_text(point.intensity),
            format_percent(view.shared_busy, 1), format_bytes(view.shared_room),
            format_bytes(view.flows->through(point.memory)), flop_text(roof),
            format_percent(point.gflop_per_s, roof));
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
