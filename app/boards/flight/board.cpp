#include "app/base/format.h"
#include "app/boards/access/kernel_verdict.h"
#include "app/boards/flight/flight_picture.h"
#include "app/boards/list.h"
#include "app/boards/occupancy/occupancy_picture.h"
#include "app/model/time/flow.h"
#include "kernels/launch_setting.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace warplens {
namespace {

/// For a launch that keeps no bytes of DRAM on their way.
void explain_nothing(FlightView& view, const Evidence& evidence) {
    const Prediction& prediction = evidence.prediction;
    const bool leaves = std::ranges::any_of(evidence.report.instructions, [](const InstructionReport& row) {
        return leaves_sm(row.instruction.space);
    });
    if (!evidence.report.does_not_fit.empty()) {
        view.runs = false;
        view.nothing = evidence.report.does_not_fit;
        view.because = "What cannot be launched has nothing on its way.";
        return;
    }
    if (prediction.speed_unit == SpeedUnit::cycles) {
        view.nothing = "One request waits for the one before: a latency, with nothing to hide it.";
        view.because =
            "Latency is hidden by other warps, or by loads that do not need the value of the one before.";
        return;
    }
    view.nothing = "Next to nothing is on its way from DRAM.";
    if (!leaves)
        view.because = "The kernel accesses nothing beyond the SM.";
    else if (prediction.fits_l2 && !prediction.cold)
        view.because = fmt::format(
            "The footprint of {} fits in the L2, and the launch before left it there. With a cold L2, it would come "
            "from DRAM.",
            format_bytes(prediction.footprint_bytes));
    else
        view.because = "Caches answer its loads.";
}

/// The bytes that pass the L2, where they limit the launch while they are on their way and most of them come
/// from no further. Else 0.
double bytes_past_l2(const BoardInput& input) {
    const Evidence& evidence = input.evidence;
    if (evidence.prediction.limiter != Limiter::bytes_in_flight || !has_l2(input.device())) return 0;
    const FlowReport flow = follow_bytes(*input.state.scenario, input.state.params, input.device(),
                                         evidence.report, evidence.prediction, input.state.cold);
    const double bytes = flow.through(Memory::l2);
    return bytes > 2 * evidence.prediction.dram_bytes ? bytes : 0;
}

/// The rounds of the blocks of one SM, where their threads wait for each other.
void tell_rounds(FlightView& view, const BoardInput& input) {
    constexpr int kMostBlocks = 8;  // that have room
    const Scenario& scenario = *input.state.scenario;
    const Params& p = input.state.params;
    const Streaming streaming = scenario.info->streaming(p);
    const InFlight& flight = view.flight;
    if (!streaming.barriers || flight.latency_cycles <= 0) return;
    TimelineMeans& tile = view.tile;
    const bool early = streaming.in_registers;  // the next loads are begun before the tile is read
    tile.period = cycles_of_tile(flight, input.evidence.prediction, scenario, p, input.device());
    tile.wait = std::max(0.0, tile.period - flight.own_cycles);
    tile.test = flight.barrier_cycles;
    tile.issue = early ? 0 : flight.issue_cycles;
    tile.multiply = flight.own_cycles - tile.test - tile.issue;
    tile.latency = flight.latency_cycles;
    // If the other stages cover the latency, a small rest is what a round of the block takes, too.
    constexpr double kSmall = 0.2;
    if (flight.latency_cycles <= (streaming.stages - 1) * flight.own_cycles &&
        tile.wait <= kSmall * flight.own_cycles)
        tile.test += std::exchange(tile.wait, 0);
    const int blocks = std::clamp(int(std::lround(flight.blocks)), 1, kMostBlocks);
    view.sm =
        expected_timelines(tile, streaming.stages, streaming.rounds, blocks, early, TimelineView::kShown);
    view.timeline = {.blocks = blocks, .tile = "tile", .wait = streaming.waits_at, .in_registers = early};
}

/// Tells what is on its way where that is counted.
void tell_parts(FlightView& view, const Scenario& scenario, const Params& p) {
    const Streaming streaming = scenario.info->streaming(p);
    const InFlight& flight = view.flight;
    if (scenario.launch(p).shared_bytes > 0) view.stages = streaming.stages;
    view.made_of = view.stages == 0
                       ? fmt::format("{:.3g} warps × {} lanes × {} × {} B", flight.warps, kWarpLanes,
                                     counted(streaming.loads, "load"), p.element_bytes)
                       : fmt::format("{:.3g} {} × {} × {}, each for {:.0f} of {:.0f} cycles", flight.blocks,
                                     flight.blocks == 1 ? "block" : "blocks", counted(view.stages, "stage"),
                                     format_size(double(streaming.warp_bytes) * flight.warps / flight.blocks),
                                     flight.latency_cycles, flight.stage_cycles);
}

FlightView flight_view(const BoardInput& input) {
    const DeviceFacts& device = input.device();
    const Prediction& prediction = input.evidence.prediction;
    const Params& p = input.state.params;
    FlightView view{.device = &device};
    if (!input.evidence.report.does_not_fit.empty()) {
        explain_nothing(view, input.evidence);
    } else if (input.state.scenario->info->time == TimeModel::in_flight) {
        view.flight = bytes_in_flight(*input.state.scenario, p, device, input.state.cold);
        view.gb_per_s = prediction.value;
        tell_parts(view, *input.state.scenario, p);
        tell_rounds(view, input);
        if (const Observation* seen = input.evidence.observed.best())
            view.seen =
                Quantity{.name = std::string(provenance_name(seen->provenance)),
                         .text = fmt::format("{} GB/s", format_count(std::llround(seen->point.value))),
                         .provenance = seen->provenance,
                         .source = seen->where,
                         .amount = seen->point.value,
                         .better = Better::more,
                         .unit = "GB/s"};
    } else if (const double past_l2 = bytes_past_l2(input);
               prediction.time_us > 0 && (prediction.dram_bytes > 0 || past_l2 > 0)) {
        view.gb_per_s = (past_l2 > 0 ? past_l2 : prediction.dram_bytes) / prediction.time_us * 1e-3;
        view.flight = average_in_flight(view.gb_per_s, device, past_l2 > 0);
    } else {
        explain_nothing(view, input.evidence);
    }
    view.more = more_warps(input);
    view.more_words = more_warps_words(input);
    view.room = room_for_warps(input);
    view.by_rounds = prediction.limiter == Limiter::rounds;
    if (view.nothing.empty())
        view.tone = tone_of_board(view.more == MoreWarps::not_the_limit, input.evidence, device);
    if (view.nothing.empty() && view.flight.latency_cycles <= 0) {
        view.nothing =
            fmt::format("The latencies of {} are not known: what it needs cannot be said.", device.name);
        view.because = "The bytes that are needed are the bandwidth times the latency.";
    }
    return view;
}

/// Room in an SM for each value of the knob of stages: the more tiles are on their way, the fewer blocks.
std::vector<Quantity> room_by_stages(const BoardInput& input) {
    std::vector<Quantity> rows;
    State state = input.state;
    const Scenario& scenario = *state.scenario;
    const Knob& knob = *find_knob(scenario, scenario.info->first_axis);
    for (int stages = knob.min; stages <= knob.max; ++stages) {
        state.params.*knob.field = stages;
        const std::int64_t room = resident_blocks(state, input.devices) / input.device().sm_count;
        const double speed = predict(scenario, state.params, input.device(), state.cold).value;
        rows.push_back(
            {fmt::format("room, {}", counted(stages, "stage")), counted(room, "block"),
             Provenance::approximate,
             fmt::format("An SM holds so many at once: each takes {} of shared memory, and a thread {} "
                         "registers.\nPredicted with {} on each SM: {} GB/s.",
                         format_size(double(scenario.launch(state.params).shared_bytes)),
                         scenario.info->registers(state.params), counted(state.params.blocks_per_sm, "block"),
                         format_count(std::llround(speed))),
             double(room), Better::more});
    }
    return rows;
}

/// What is on its way in registers, or would be.
Quantity registers_on_the_way(const Streaming& streaming) {
    const int registers = streaming.warp_bytes * streaming.stages / (kWarpLanes * 4);
    return {streaming.in_registers ? "registers on the way" : "registers saved",
            std::to_string(registers),
            Provenance::exact,
            streaming.in_registers
                ? "Of each thread: they hold what is on its way."
                : "Of each thread: what is on its way would take them, if it passed registers.",
            double(registers),
            streaming.in_registers ? Better::less : Better::more};
}

std::vector<Quantity> flight_numbers(const BoardInput& input) {
    const FlightView view = flight_view(input);
    if (!view.nothing.empty())
        return {{.name = "in flight",
                 .text = "nothing",
                 .provenance = Provenance::approximate,
                 .source = view.nothing}};
    const InFlight& flight = view.flight;
    const bool counted_here = !view.made_of.empty();
    std::vector<Quantity> rows;
    const auto add = [&rows](std::string name, std::string text, std::string source, double amount,
                             Better better, std::string unit) {
        rows.push_back({std::move(name),
                        std::move(text),
                        Provenance::approximate,
                        std::move(source),
                        amount,
                        better,
                        {},
                        std::move(unit)});
    };
    const std::size_t demand = counted_here ? 1 : 0;
    if (counted_here)
        add("warps per SM", fmt::format("{:.3g}", flight.warps), "Resident for the whole launch.",
            flight.warps, Better::neither, "");
    add("in flight", format_bytes(flight.now),
        counted_here ? view.made_of + ", on each SM."
                     : "On average on each SM, from the predicted speed: speed × latency.",
        flight.now, Better::more, "bytes");
    add("needed", format_bytes(flight.needed),
        fmt::format("Little's law: what {} delivers to an SM in a cycle × the latency.", view.memory()),
        flight.needed, Better::neither, "bytes");
    add("share", format_percent(std::round(100 * flight.now / flight.needed), 100),
        "Of the bytes that are needed.", 100 * flight.now / flight.needed, Better::more, "%");
    for (std::size_t i = demand; i < rows.size(); ++i) rows[i].main = true;
    add("latency", fmt::format("{:.0f} cycles", flight.latency_cycles),
        "Of a round of loads while memory is not busy: it waits for the slowest of them.",
        flight.latency_cycles, Better::less, "cycles");
    const double use = view.sm.empty() ? flight.own_cycles : view.tile.period - view.tile.wait;
    if (use > 0)
        add("use of a tile", fmt::format("{:.0f} cycles", use),
            "A block waits for its threads, reads the tile and begins the next copies.", use, Better::less,
            "cycles");
    if (!view.sm.empty()) {
        add("in the stages", format_bytes(flight.places),
            "Tiles that come, that are there, or that are used.", flight.places, Better::neither, "bytes");
        add("tile", fmt::format("{:.0f} cycles", view.tile.period), "Of a block, from one tile to the next.",
            view.tile.period, Better::less, "cycles");
        add("waited", fmt::format("{:.0f} cycles", view.tile.wait),
            fmt::format("Of these, its threads have nothing to do, at {}.", view.timeline.wait),
            view.tile.wait, Better::less, "cycles");
        rows.push_back(registers_on_the_way(input.state.scenario->info->streaming(input.state.params)));
        std::ranges::move(room_by_stages(input), std::back_inserter(rows));
    }
    rows.push_back(more_warps_quantity(input));
    const std::size_t outcome = rows.size() - 1;
    add("predicted", fmt::format("{} GB/s", format_count(std::llround(view.gb_per_s))),
        fmt::format("Limited by {}.", limiter_name(input.evidence.prediction.limiter)), view.gb_per_s,
        Better::more, "GB/s");
    if (view.seen) rows.push_back(*view.seen);
    for (std::size_t i = outcome; i < rows.size(); ++i) rows[i].main = true;
    return rows;
}

std::vector<std::string> flight_caption(const BoardInput& input) {
    std::vector<std::string> caption;
    const std::string settings = describe_settings(*input.state.scenario, input.state.params);
    if (!settings.empty()) caption.push_back(settings);
    caption.push_back(input.device().name);
    caption.push_back(fmt::format("{} SMs, {:.0f} MHz", input.device().sm_count, input.device().clock_mhz));
    caption.emplace_back("bytes and latencies ○ approximate");
    if (input.state.scenario->info->time == TimeModel::in_flight && input.evidence.observed.recorded)
        caption.push_back(fmt::format("▲ {}", input.evidence.observed.recorded->where));
    return caption;
}

}  // namespace

constinit const Board kFlightBoard{
    {.key = "flight",
     .label = "In flight",
     .tooltip =
         "Little's law: how many bytes are on their way, how many are needed, whether more warps help.",
     .about_scenario = true,
     .least_height = 180,
     .class_height = 205},
    [](const BoardInput& input, const Style& style) { return draw_flight(flight_view(input), style); },
    flight_numbers,
    [](const BoardInput& input) { return explain_flight(flight_view(input)); },
    flight_caption,
    [](const BoardInput& input) -> std::optional<BoardExample> {
        if (flight_view(input).nothing.empty()) return std::nullopt;
        return BoardExample{"Show loads on their way", "latency-hiding?board=flight"};
    }};

}  // namespace warplens
