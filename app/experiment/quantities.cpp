#include "app/experiment/quantities.h"

#include "app/experiment/accuracy.h"
#include "app/model/access/counts.h"
#include "app/pictures/access/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

namespace warplens {
namespace {

std::string whole_text(double value) { return format_count(std::llround(value)); }

/// A number with its words. Without text if it is not known.
Quantity quantity_of(std::string_view key, std::string_view name, std::optional<double> amount,
                     std::string (*text)(double), std::string_view unit, std::string_view source,
                     Better better = Better::neither, Provenance provenance = Provenance::approximate) {
    return {.name = std::string(name),
            .text = amount ? text(*amount) : std::string(),
            .provenance = provenance,
            .source = std::string(source),
            .amount = amount,
            .better = better,
            .key = std::string(key),
            .unit = std::string(unit)};
}

/// The word for the operation in the name of a counter.
std::string_view metric_word(const Instruction& instruction) {
    if (is_atomic(instruction.op))
        return has_banks(instruction.space) || instruction.op == Op::atomic ? "atom" : "red";
    return is_load(instruction.op) ? "ld" : "st";
}

/// All counts of one instruction that mean something in its memory space.
/// @param old  Nsight Compute knows no such GPU: CC below 7.0
std::vector<Quantity> count_quantities(const InstructionReport& row, const Totals& totals,
                                       const SectorRules& rules, bool old) {
    std::vector<Quantity> rows;
    const CostWords cost = cost_of(row.instruction.space, rules);
    const std::string basis = row.source.empty() ? ""
                                                 : fmt::format("\n{} {}: {}", provenance_mark(row.kind),
                                                               provenance_name(row.kind), row.source);
    for (const CountWords& count : counts_of(row.instruction.space, rules)) {
        std::string meaning(count.meaning);
        if (!count.metric.empty() && !old) {
            meaning +=
                "\nNsight Compute: " + fmt::format(fmt::runtime(count.metric), metric_word(row.instruction));
        }
        rows.push_back(quantity_of(count.key, count.name, double(count.value(totals)),
                                   count.bytes ? format_bytes : whole_text, count.bytes ? "bytes" : "",
                                   meaning + basis, count.better, row.kind));
        rows.back().main = count.main || count.key == cost.key;
    }
    if (!has_sectors(row.instruction.space) && row.instruction.space != Space::texture) return rows;
    const double share =
        totals.bytes_moved > 0 ? 100.0 * double(totals.bytes_used) / double(totals.bytes_moved) : 0;
    rows.push_back(quantity_of(
        "sector_efficiency", "sector efficiency", share,
        [](double percent) { return format_percent(percent, 100); }, "%",
        "Bytes used, as a share of the bytes fetched." + basis, Better::more, row.kind));
    rows.back().main = true;
    return rows;
}

Quantity bytes_quantity(std::string_view key, std::string_view name, std::optional<double> bytes,
                        std::string_view source, Better better = Better::neither) {
    Quantity quantity = quantity_of(key, name, bytes, format_bytes, "bytes", source, better);
    if (!bytes) quantity.text = "not known";
    return quantity;
}

/// The speed that the plot shows.
Quantity speed_quantity(const Prediction& prediction, const KnownError& error) {
    const SpeedWords& words = speed_words(prediction.speed_unit);
    std::string meaning(words.meaning);
    if (prediction.shared_memory && prediction.speed_unit == SpeedUnit::gb_per_s)
        meaning += " All SMs together; a word that several lanes share counts once.";
    if (prediction.follows_from_data)
        meaning += "\nNot predicted: where its atomic operations meet follows from data.";
    else
        meaning +=
            error.of.empty()
                ? "\nThe model was not compared with any measurement like this."
                : fmt::format(
                      "\nThe model's error: at most {:.0f} % in half of what was compared, {:.0f} % in {} "
                      "(warplens accuracy).",
                      100 * error.median, 100 * error.tenth, error.of);
    const auto known = prediction.value > 0 ? std::optional(prediction.value) : std::nullopt;
    Quantity speed = quantity_of(words.key, words.row, known, format_speed, words.unit, meaning,
                                 better_of(prediction.speed_unit));
    speed.main = true;
    speed.brief = speed.text;
    speed.text += known ? error_text(error) : "not known";
    return speed;
}

Quantity cycles_quantity(const Totals& warp) {
    const auto known = warp.requests > 0 ? std::optional(double(warp.wavefronts)) : std::nullopt;
    Quantity cycles = quantity_of(
        "cycles_per_request", "cycles/request", known, format_speed, "cycles",
        "Cycles of one SM per pictured request when several warps ask at once: as many as wavefronts, if nothing "
        "else limits.",
        known ? Better::less : Better::neither);
    cycles.main = true;
    return cycles;
}

std::vector<Quantity> predicted_quantities(const Evidence& evidence) {
    const Prediction& prediction = evidence.prediction;
    const Report& report = evidence.report;
    std::vector<Quantity> rows{speed_quantity(prediction, *evidence.error)};
    const bool waits = prediction.speed_unit == SpeedUnit::cycles;
    if (!waits && prediction.intensity > 0)
        rows.push_back(quantity_of(
            "flop_per_byte", "flop/byte loaded", prediction.intensity, format_speed, "FLOP/byte",
            "Floating-point operations for each byte that lanes load from global memory.", Better::more));
    if (!waits && prediction.l2_bytes > 0)
        rows.push_back(bytes_quantity("l2_bytes", "L2, grid", prediction.l2_bytes,
                                      "Between the SMs and the L2, if each block fetches each sector once.\n"
                                      "Nsight Compute: lts__t_sectors_srcunit_tex.sum * 32",
                                      Better::less));
    if (const Transfer& transfer = prediction.transfer; transfer.carrier != Carrier::none) {
        rows.push_back(bytes_quantity("link_bytes", "link, grid", transfer.bytes,
                                      "Bytes between the host and the GPU.", Better::less));
        const auto text = [](double us) { return us > 0 ? format_duration(us) : "not known"; };
        rows.push_back(quantity_of("transfer_us", "transfer", transfer.seconds * 1e6, text, "us",
                                   transfer_sentence(transfer, prediction.time_us), Better::less));
        rows.back().main = true;
    }
    const InstructionReport& first = report.instructions.front();
    if (!waits && prediction.shared_memory && has_banks(first.instruction.space))
        rows.push_back(cycles_quantity(first.warp));
    if (prediction.dram_bytes > 0 || !(waits || prediction.shared_memory))
        rows.push_back(bytes_quantity(
            "dram_bytes", "DRAM, grid",
            prediction.knows_bytes() ? std::optional(prediction.dram_bytes) : std::nullopt,
            "Whole pieces that DRAM delivers, and sectors that are read first because they are written in part.\n"
            "Nsight Compute: dram__bytes_read.sum + dram__bytes_write.sum",
            Better::less));
    return rows;
}

std::vector<Quantity> launch_quantities(const Prediction& prediction) {
    std::vector<Quantity> rows;
    const SpeedWords& words = speed_words(prediction.speed_unit);
    if (prediction.peak > 0)
        rows.push_back(
            quantity_of(prediction.speed_unit == SpeedUnit::gb_per_s ? "peak_gb_per_s" : "peak",
                        fmt::format("peak {}", words.unit), prediction.peak, format_speed, words.unit,
                        prediction.below_peak() ? "The most that this GPU could reach: the line in the plot."
                        : prediction.transfer.carrier != Carrier::none
                            ? "The most that the link could deliver: what is read again is on the GPU."
                            : "The most that DRAM could deliver: caches deliver more."));
    if (prediction.limiter == Limiter::dram && prediction.cached_share() > 0)
        rows.push_back(quantity_of(
            "cached_percent", "from caches", 100 * prediction.cached_share(),
            [](double percent) { return format_percent(percent, 100); }, "%",
            "Of the bytes that lanes request: with them the launch gets more than DRAM, which limits it, delivers."));
    if (prediction.useful_bytes > 0)
        rows.push_back(bytes_quantity("useful_bytes", "useful, grid", prediction.useful_bytes,
                                      "Bytes that all active lanes of the grid request."));
    if (prediction.footprint_bytes > 0)
        rows.push_back(bytes_quantity("footprint_bytes", "footprint, grid", prediction.footprint_bytes,
                                      "Distinct bytes of DRAM that the grid reads or writes."));
    if (prediction.flop > 0)
        rows.push_back(quantity_of("flop", "FLOP, grid", prediction.flop, whole_text, "",
                                   "Floating-point operations of the launch; a multiply-add counts as two."));
    return rows;
}

std::string spread(double median, double lower, double upper) {
    const double half = (upper - lower) / 2;
    const std::string value = format_speed(median);
    if (half >= 10) return fmt::format("{} ±{}", value, format_speed(std::round(half)));
    // A spread that is no digit of the value says nothing.
    return half < 0.005 * std::max(median, 1.0) ? value : fmt::format("{} ±{:.2g}", value, half);
}

/// The number that a GPU gave for a predicted one.
Quantity seen_quantity(const Quantity& predicted, Provenance provenance, double median, double lower,
                       double upper) {
    Quantity seen = predicted;
    seen.text = spread(median, lower, upper);
    seen.brief = format_speed(median);
    seen.amount = median;
    seen.provenance = provenance;
    return seen;
}

Quantity seen_speed(const Quantity& predicted, const Observation& observation) {
    const MeasuredPoint& point = observation.point;
    Quantity speed = seen_quantity(predicted, observation.provenance, point.value, point.lower, point.upper);
    const bool recorded = observation.provenance == Provenance::recorded;
    speed.source += fmt::format("\n{}{}: median of {} and half the distance of its quartiles. {}",
                                recorded ? fmt::format("{} ", provenance_mark(Provenance::recorded)) : "",
                                observation.where, observation.timing.repeats, observation.timing.method);
    if (observation.timing.fits_l2)
        speed.source += "\nIts footprint fits in the L2: this measured the cache, not DRAM.";
    return speed;
}

/// NVIDIA's own library on the same GPU.
Quantity library_quantity(const Timing& timing, Provenance provenance) {
    const bool computes = timing.flop > 0;
    Quantity library = quantity_of(
        computes ? "library_gflop_per_s" : "library_gb_per_s", timing.library,
        (computes ? timing.flop : timing.useful_bytes) / timing.library_us * 1e-3, format_speed,
        computes ? "GFLOP/s" : "GB/s",
        computes
            ? "The same product by NVIDIA's library, in plain FP32, on the same GPU."
            : "As many bytes copied by NVIDIA's own copy on the same GPU, read and written. A kernel that "
              "stays below it at stride 1 keeps too few bytes in flight: let each thread move 16 bytes.",
        Better::more, provenance);
    library.main = true;
    return library;
}

std::vector<Quantity> seen_quantities(const Evidence& evidence) {
    std::vector<Quantity> rows;
    const Observation* observation = evidence.observed.best();
    if (observation == nullptr) return rows;
    const Timing& timing = observation->timing;
    rows.push_back(seen_speed(evidence.predicted.front(), *observation));
    if (timing.library_us > 0) rows.push_back(library_quantity(timing, observation->provenance));
    const Quantity* cycles = find_quantity(evidence.predicted, "cycles_per_request");
    if (cycles != nullptr && cycles != &evidence.predicted.front() && timing.cycles_per_request > 0)
        rows.push_back(seen_quantity(*cycles, observation->provenance, timing.cycles_per_request,
                                     timing.cycles_lower, timing.cycles_upper));
    return rows;
}

/// The value that was read for a metric. Empty if it was not read, or if this GPU has no such counter.
std::optional<double> counted_value(const Observed& observed, std::string_view metric) {
    if (!observed.counted) return std::nullopt;
    const CountResult& counted = *observed.counted;
    const auto* reading = std::get_if<CounterReading>(&counted.outcome);
    if (reading == nullptr) return std::nullopt;
    for (std::size_t i = 0; i < counted.job.metrics.size() && i < reading->values.size(); ++i) {
        if (counted.job.metrics[i] == metric) return reading->values[i];
    }
    return std::nullopt;
}

QuantityPair counter_quantities(const Evidence& evidence, const ExpectedCounter& counter) {
    QuantityPair pair;
    pair.a = quantity_of(counter.words->metric, counter.words->name(), counter.expected, whole_text, "",
                         fmt::format("{}\nNsight Compute: {}", counter.words->meaning, counter.words->metric),
                         Better::neither, counter.kind);
    const std::optional<double> value = counted_value(evidence.observed, counter.words->metric);
    if (!value) return pair;
    const Judgement judgement = judge_counter(evidence.expected, counter, *value);
    pair.b = pair.a;
    pair.b.text = whole_text(*value);
    pair.b.amount = *value;
    pair.b.provenance = Provenance::measured;
    pair.b.source += judgement.verdict == Verdict::equal
                         ? std::string("\nEqual to the last digit.")
                         : fmt::format("\n{:+.2f} %: {}.",
                                       100 * (*value - counter.expected) / std::max(1.0, counter.expected),
                                       judgement.reason);
    return pair;
}

/// The ideal cost of an instruction, and its cost: "4 of 32".
Quantity cost_quantity(const InstructionReport& row, std::size_t index, const Totals& totals,
                       const SectorRules& rules, bool by_label) {
    const CostWords cost = cost_of(row.instruction.space, rules);
    const std::int64_t takes = cost.cost(totals);
    return {.name = by_label ? fmt::format("{}: {}", short_name(row.instruction), cost.name)
                             : fmt::format("{}: {}", index + 1, cost.name),
            .text = fmt::format("{} (ideal {})", format_count(takes), format_count(cost.ideal(totals))),
            .provenance = row.kind,
            .source = fmt::format("{}: what it takes, and the least that it could.", row.instruction.label),
            .amount = double(takes),
            .better = cost.better,
            .key = std::string(cost.key),
            .main = true,
            .brief = format_count(takes)};
}

}  // namespace

std::string transfer_sentence(const Transfer& transfer, double launch_us) {
    constexpr std::string_view kWords[] = {"",
                                           "by way of pinned memory of the driver",
                                           "as one copy",
                                           "sector by sector",
                                           "page by page, each after a fault",
                                           "page by page, in every read again",
                                           "in large pages before the kernel"};
    if (transfer.carrier == Carrier::none) return {};
    const std::string how =
        fmt::format("{} come over the link {}", format_bytes(transfer.bytes), kWords[int(transfer.carrier)]);
    if (transfer.seconds <= 0) return how + "; how fast it is depends on the machine.";
    return fmt::format("{}, {} of {}.", how, format_duration(transfer.seconds * 1e6),
                       format_duration(launch_us));
}

std::string format_speed(double value) {
    // Three digits of what is slow.
    const int small = value > 0 && value < 0.1 ? std::min(2 - int(std::floor(std::log10(value))), 12) : 2;
    if (value < 100) return fmt::format("{:.{}f}", value, value < 10 ? small : 1);
    return format_count(std::int64_t(value + 0.5));
}

void add_model_quantities(Evidence& evidence, const DeviceFacts& device) {
    for (const InstructionReport& row : evidence.report.instructions) {
        auto& scopes = evidence.counts.emplace_back();
        for (const CountScope scope : kCountScopes)
            scopes[int(scope)] =
                count_quantities(row, row.totals(scope), evidence.report.sector_rules, device.cc.major < 7);
    }
    evidence.predicted = predicted_quantities(evidence);
    evidence.launch = launch_quantities(evidence.prediction);
}

void add_observed_quantities(Evidence& evidence) {
    evidence.seen = seen_quantities(evidence);
    evidence.counters.clear();
    std::vector<std::string> shown = metrics_of(evidence.expected, CounterSet::first);
    std::ranges::move(metrics_of(evidence.expected, CounterSet::later), std::back_inserter(shown));
    for (const ExpectedCounter& counter :
         evidence.expected.counters) {  // in their order, so that groups stay together
        if (std::ranges::find(shown, counter.words->metric) != shown.end())
            evidence.counters.push_back(counter_quantities(evidence, counter));
    }
}

std::string error_text(const KnownError& error) {
    if (error.meets_goal || error.of.empty()) return "";
    return error.tenth < 1 ? fmt::format(" ±{:.0f} %", 100 * error.tenth)
                           : fmt::format(" (off by up to {:.0f}x)", 1 + error.tenth);
}

std::string speed_words_of(const Evidence& evidence, bool with_limit) {
    const Prediction& here = evidence.prediction;
    const bool waits = here.speed_unit == SpeedUnit::cycles;
    const std::string_view mark = provenance_mark(Provenance::approximate),
                           unit = speed_words(here.speed_unit).unit;
    if (here.value <= 0)
        return fmt::format("{} {}", mark, waits ? "not known for this device" : "nothing to predict");
    const std::string why =
        with_limit ? fmt::format(", {} {}", waits ? "mostly" : "limited by", limiter_words(here)) : "";
    const std::string peak =
        here.below_peak() && !waits ? fmt::format(" of {}", format_speed(here.peak)) : std::string();
    const std::string model = fmt::format("{} {}{} {}{}{}", mark, format_speed(here.value), peak, unit,
                                          error_text(*evidence.error), why);
    const Observation* seen = evidence.observed.best();
    if (seen == nullptr) return model;
    const std::string observed =
        fmt::format("{} {}{} {} {}", provenance_mark(seen->provenance), format_speed(seen->point.value), peak,
                    unit, provenance_name(seen->provenance));
    return evidence.error->meets_goal ? observed + (with_limit ? why + " (predicted)" : "")
                                      : fmt::format("{}; model {}", observed, model);
}

const Quantity* find_quantity(std::span<const Quantity> quantities, std::string_view key) {
    const auto found = std::ranges::find(quantities, key, &Quantity::key);
    return found == quantities.end() ? nullptr : &*found;
}

std::vector<Quantity> count_rows(const Evidence& evidence, int focus, CountScope scope, bool by_label) {
    const auto& instructions = evidence.report.instructions;
    std::vector<Quantity> rows;
    for (std::size_t k = 0; k < instructions.size(); ++k) {
        if (focus < 0)
            rows.push_back(cost_quantity(instructions[k], k, instructions[k].totals(scope),
                                         evidence.report.sector_rules, by_label));
        else if (k == std::size_t(focus))
            rows = evidence.counts_over(scope, k);
    }
    if (focus >= 0) return rows;
    // Few matter most: those that cost most beyond their ideal, then those that cost most.
    constexpr std::size_t kMost = 3;
    std::vector<std::size_t> order(rows.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, std::greater(), [&](std::size_t k) {
        const InstructionReport& row = instructions[k];
        const CostWords cost = cost_of(row.instruction.space, evidence.report.sector_rules);
        const std::int64_t takes = cost.cost(row.totals(scope));
        return std::pair(takes - cost.ideal(row.totals(scope)), takes);
    });
    for (std::size_t i = kMost; i < order.size(); ++i) rows[order[i]].main = false;
    return rows;
}

std::vector<QuantityPair> number_rows(const Evidence& evidence, int focus, CountScope scope, bool by_label) {
    std::vector<QuantityPair> rows;
    for (Quantity& count : count_rows(evidence, focus, scope, by_label))
        rows.push_back({std::move(count), {}});
    const auto add = [&](const Quantity& predicted) {
        const Quantity* seen = find_quantity(evidence.seen, predicted.key);
        rows.push_back({predicted, seen == nullptr ? Quantity{} : *seen});
    };
    for (const Quantity& predicted : evidence.predicted) {
        add(predicted);
        if (&predicted != &evidence.predicted.front()) continue;
        for (const Quantity& one :
             evidence.seen) {  // the speed of NVIDIA's library follows directly after the kernel's
            if (find_quantity(evidence.predicted, one.key) == nullptr) rows.push_back({{}, one});
        }
    }
    if (scope == CountScope::grid) {
        for (const Quantity& quantity : evidence.launch) add(quantity);
    }
    return rows;
}

std::optional<Judgement> judgement_of(const Evidence& evidence, const QuantityPair& counter) {
    const ExpectedCounter* expected = evidence.expected.find(counter.a.key);
    if (expected == nullptr || !counter.b.amount) return std::nullopt;
    return judge_counter(evidence.expected, *expected, *counter.b.amount);
}

}  // namespace warplens
