#include "app/boards/journey/journey_picture.h"
#include "app/boards/journey/knobs.h"
#include "app/boards/list.h"

#include <fmt/format.h>

namespace warplens {
namespace {

JourneyView journey_view(const BoardInput& input) {
    const BoardValues& values = input.state.boards;
    const JourneySetting setting = journey_setting(values);
    return {setting, journey_step(setting, values[kJourneyStep]), input.device()};
}

void add_latency(std::vector<Quantity>& rows, const DeviceFacts& device, Station station, std::string name,
                 double Latencies::*field) {
    const double cycles = cycles_from(station, device.latencies);
    const LatencyOrigin* origin = origin_of(device.latencies, field);
    Quantity row{.name = std::move(name),
                 .text = latency_words(cycles),
                 .provenance = Provenance::recorded,
                 .source = origin == nullptr
                               ? "No measurement of this is in the table."
                               : fmt::format("{}, measured by {}.", origin->gpu, origin->source),
                 .better = Better::less,
                 .unit = "cycles"};
    if (cycles > 0) row.amount = cycles;
    rows.push_back(std::move(row));
}

void add_costs(std::vector<Quantity>& rows, const JourneyView& view) {
    for (const bool tiled : {false, true}) {
        const JourneyCost cost = journey_cost({tiled, view.setting.tile}, view.device.latencies);
        Quantity row{
            .name = tiled ? "multiply-add, tiled" : "multiply-add, no tile",
            .text = latency_words(cost.known ? cost.all() : 0),
            .provenance = Provenance::approximate,
            .source =
                tiled ? "DRAM's latency, divided by the tile's width, and those of shared memory and of a "
                        "multiply-add: one warp that waits for everything in turn. The store into shared "
                        "memory and the barrier are not counted."
                      : "DRAM's latency and that of a multiply-add: one warp that waits for everything in "
                        "turn. Both factors are requested at once.",
            .better = Better::less,
            .unit = "cycles"};
        if (cost.known) row.amount = cost.all();
        rows.push_back(std::move(row));
    }
}

std::vector<Quantity> journey_numbers(const BoardInput& input) {
    std::vector<Quantity> rows;
    const JourneyView view = journey_view(input);
    const double loads = loads_per_multiply_add(view.setting);
    rows.push_back(
        {"loads per multiply-add", fmt::format("{:g}", loads), Provenance::exact,
         "Loads of a thread from global memory: 2 without a tile; with one, 2 divided by its width.", loads,
         Better::less});
    const int uses = view.setting.tiled ? view.setting.tile : 1;
    rows.push_back({"uses of an element", std::to_string(uses), Provenance::exact,
                    "Multiply-adds of the block that each loaded element serves.", double(uses),
                    Better::more});
    add_costs(rows, view);
    const DeviceFacts& device = view.device;
    add_latency(rows, device, Station::dram, "from DRAM", &Latencies::dram);
    add_latency(rows, device, Station::l2, "from the L2", &Latencies::l2);
    add_latency(rows, device, Station::l1, "from the L1", &Latencies::l1);
    add_latency(rows, device, Station::shared, "from shared memory", &Latencies::shared);
    const double bytes = bytes_under_way(device);
    if (bytes <= 0) return rows;
    const int warps = warps_that_hide_dram(device);
    rows.push_back(
        {.name = "bytes under way",
         .text = format_bytes(bytes),
         .provenance = Provenance::approximate,
         .source = "What each SM must have requested for DRAM to be busy all the time: its rate times its "
                   "latency, divided among the SMs (Little's law).",
         .amount = bytes,
         .unit = "bytes"});
    const int fit = warps_that_fit(device);
    rows.push_back(
        {"warps that hide DRAM",
         fit > 0 && warps > fit ? fmt::format("{}, {} fit", warps, fit) : std::to_string(warps),
         Provenance::approximate,
         "So many warps of an SM, each with one coalesced request of 128 bytes under way, keep DRAM busy. "
         "Where an SM has room for fewer, each needs several requests under way, or wider ones.",
         double(warps)});
    return rows;
}

std::vector<std::string> journey_caption(const BoardInput& input) {
    const JourneyView view = journey_view(input);
    return {fmt::format("{}: {}, step {} of {}: {}", view.device.name,
                        view.setting.tiled
                            ? fmt::format("with a tile of {0} x {0} in shared memory", view.setting.tile)
                            : std::string("factors straight from global memory"),
                        input.state.boards[kJourneyStep] + 1, journey_steps(view.setting).size(),
                        journey_step_name(view.step)),
            fmt::format("{} latencies: recorded (sources: warplens spaces)",
                        provenance_mark(Provenance::recorded)),
            fmt::format("{} cycles of a multiply-add: their sum for one warp that waits in turn",
                        provenance_mark(Provenance::approximate))};
}

/// "If it is there, it is in a register 39.7 cycles after the request."
std::string found_there(const JourneyView& view, Station station) {
    const double cycles = cycles_from(station, view.device.latencies);
    if (cycles <= 0) return "How long that takes on this GPU is not known.";
    return fmt::format("Had it been found here, it would be in a register {} cycles after the request.",
                       latency_digits(cycles));
}

Explanation explain_trip(const JourneyView& view) {
    const double dram = view.device.latencies.dram;
    switch (view.step) {
        case JourneyStep::ask:
            return {
                .verdict = "The warp requests a and b: the arithmetic can only use values in registers.",
                .why =
                    view.setting.tiled
                        ? fmt::format("With a tile this happens once for {} multiply-adds.",
                                      view.setting.tile)
                        : "Without a tile this happens for every multiply-add. Other warps compute meanwhile."};
        case JourneyStep::in_l1:
            return {
                .verdict =
                    l1_keeps_global(view.device)
                        ? "First the L1 of the SM is asked. Neighbouring threads want almost the same row."
                        : "On this GPU global loads are not kept in an L1: the request goes on.",
                .why = l1_keeps_global(view.device) ? found_there(view, Station::l1)
                                                    : "So every load of every thread leaves the SM."};
        case JourneyStep::in_l2:
            return {
                .verdict = has_l2(view.device) ? "Then the L2 is asked, which all SMs share."
                                               : "This GPU has no L2 for global memory.",
                .why = has_l2(view.device) ? found_there(view, Station::l2) : "The request goes on to DRAM."};
        case JourneyStep::in_dram:
            return {
                .verdict = dram > 0
                               ? fmt::format("DRAM answers: the values arrive {} cycles after the request.",
                                             latency_digits(dram))
                               : "DRAM answers, after some hundreds of cycles.",
                .why =
                    "It sends whole sectors of 32 bytes, and they stay in the caches for whoever asks next."};
        default:
            return {.verdict = "Both values are in registers of the thread.",
                    .why = view.setting.tiled
                               ? "But only of this thread; the others of its block need them, too."
                               : "The thread next to it has made the same trip for almost the same row."};
    }
}

/// "661 cycles without a tile, 54 with one". Empty if that is not known.
std::string both_costs(const JourneyView& view) {
    const JourneyCost straight = journey_cost({false, view.setting.tile}, view.device.latencies),
                      tiled = journey_cost({true, view.setting.tile}, view.device.latencies);
    if (!straight.known || !tiled.known) return {};
    return fmt::format("{} cycles without a tile, {} with one of {} x {}", latency_digits(straight.all()),
                       latency_digits(tiled.all()), view.setting.tile, view.setting.tile);
}

Explanation explain_step(const JourneyView& view) {
    const JourneySetting& setting = view.setting;
    const std::string costs = both_costs(view);
    switch (view.step) {
        case JourneyStep::store:
            return {
                .verdict = "The thread stores what it has brought into shared memory, for the whole block.",
                .why =
                    fmt::format("A tile has {} elements of each matrix, and each thread brings one of them.",
                                setting.tile * setting.tile)};
        case JourneyStep::wait:
            return {.verdict = "All threads of the block wait until the tile is complete: __syncthreads().",
                    .why = "Else a thread could read what another one has not yet stored."};
        case JourneyStep::read:
            return {
                .verdict = view.device.latencies.shared > 0
                               ? fmt::format("From now on the factors come from shared memory, in {} cycles.",
                                             latency_digits(view.device.latencies.shared))
                               : "From now on the factors come from shared memory.",
                .why =
                    "As[ty][k] is one word for the whole warp, a broadcast, and Bs[k][tx] lies in 32 banks."};
        case JourneyStep::multiply:
            return {.verdict =
                        "sum += a * b: one instruction, two operations. The sum never leaves its register.",
                    .why = costs.empty()
                               ? std::string("The same operations either way; only where a and b came from "
                                             "differs.")
                               : fmt::format("The same operations either way: {}, if a warp waits in turn.",
                                             costs)};
        case JourneyStep::next_k:
            return setting.tiled
                       ? Explanation{.verdict = fmt::format(
                                         "The next k: {} times the factors wait in shared memory.",
                                         setting.tile),
                                     .why = fmt::format(
                                         "Each of the {0} elements of a row of the tile serves {0} "
                                         "multiply-adds. Then comes the next tile.",
                                         setting.tile)}
                       : Explanation{
                             .verdict = "The next k: the whole trip begins again.",
                             .why = "Caches shorten it for those who ask for the same lines soon enough."};
        case JourneyStep::finish:
            return {
                .verdict = "After the last k the sum goes to global memory, once.",
                .why =
                    "Many warps hide what one has to wait for: while this one waits, the others compute. How "
                    "many that takes stands beside the picture."};
        default:
            return explain_trip(view);
    }
}

}  // namespace

Explanation explain_journey(const JourneyView& view) {
    Explanation e = explain_step(view);
    // Most steps only tell; what a tile would spare is that the trip begins again.
    e.good = view.setting.tiled || view.step != JourneyStep::next_k;
    return e;
}

constinit const Board kJourneyBoard{
    {.key = "journey",
     .label = "Journey",
     .tooltip = "The path of one multiply-add's operands from DRAM into registers, step by step.",
     .knobs = kJourneyKnobs,
     .lesson = "board-journey",
     .least_height = 262},
    [](const BoardInput& input, const Style& style) { return draw_journey(journey_view(input), style); },
    journey_numbers,
    [](const BoardInput& input) { return explain_journey(journey_view(input)); },
    journey_caption};

}  // namespace warplens
