#include "app/boards/ladder/rungs.h"

#include "app/boards/occupancy/occupancy_picture.h"
#include "app/boards/roofline/roofline_picture.h"
#include "app/experiment/kernel_table.h"
#include "app/experiment/recordings.h"
#include "app/experiment/settings.h"
#include "app/model/device/occupancy.h"
#include "app/model/time/arithmetic.h"

#include <fmt/format.h>

#include <algorithm>

namespace warplens {
namespace {

constexpr std::string_view kLadderProduct = "matrix-multiply", kLadder = "matrix-ladder";

constexpr Rung kRungs[] = {
    {"uncoalesced", kLadderProduct, "variant=naive-uncoalesced", "adjacent lanes: one column of C"},
    {"coalesced", kLadderProduct, "variant=naive", "adjacent lanes: one row of C"},
    {"shared tile", kLadderProduct, "variant=tiled", "one fetch of an element per tile"},
    {"register column", kLadder, "variant=register-column", "8 sums per thread reuse B's value"},
    {"register tile", kLadder, "variant=register-tile", "8 × 8 sums per thread reuse both"},
    {"float4", kLadder, "variant=float4", "16 bytes per access"},
    {"transposed A", kLadder, "variant=transposed", "A's tile stored by columns"},
    {"double buffered", kLadder, "variant=double-buffered", "prefetch of the next tiles"},
    {"merged lanes", kLadderProduct, "variant=vectorized", "lanes placed to merge loads"},
    {"asynchronous", kLadder, "variant=asynchronous", "cp.async, in stages"},
    {"warp tile", kLadder, "variant=warp-tile", "8 × 16 sums per thread"},
    {"spread copies", kLadder, "variant=spread", "copies between multiply-adds"},
    {"lean", kLadder, "variant=lean", "hardly more than multiply-adds"},
};

/// The rung's setting for a size. Empty if its scenario does not have that size.
std::optional<Params> params_of(const Rung& rung, const Scenario& scenario, int matrix) {
    std::vector<std::string> settings{fmt::format("matrix={}", matrix)};
    for (std::string_view rest = rung.settings; !rest.empty();) {
        const std::size_t end = std::min(rest.find(','), rest.size());
        settings.emplace_back(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    const Knob& size = *find_knob(scenario, "matrix");
    if (!parse_knob(size, scenario.info->defaults, std::to_string(matrix))) return std::nullopt;
    return apply_settings(scenario, settings);
}

void count_accesses(RungFacts& facts, const DeviceFacts& device) {
    const double multiply_adds = facts.scenario->info->flop(facts.params) / 2;
    for (int i = 0; i < facts.scenario->instruction_count(facts.params); ++i) {
        const Instruction one = facts.scenario->instruction(facts.params, i);
        const Totals totals = count_grid(*facts.scenario, facts.params, i, device);
        const bool shared = one.space == Space::shared;
        (shared ? facts.shared_bytes : facts.global_bytes) += double(totals.bytes_wanted) / multiply_adds;
        if (shared) facts.wavefronts += double(totals.wavefronts) * kWarpLanes / multiply_adds;
    }
}

/// The resources of an SM that a kernel takes: its registers are those of a compiler for compute
/// capability 9.0.
void find_resources(RungFacts& facts, const DeviceFacts& device) {
    const RecordedKernel recorded = recorded_grid_kernel(*facts.scenario, facts.params);
    const CapabilityFacts* rules = find_capability(known_capabilities(), device.cc);
    if (recorded.kernel == nullptr || rules == nullptr) return;
    const LaunchShape shape = facts.scenario->launch(facts.params);
    facts.registers = recorded.kernel->registers;
    const OccupancyInput input{.threads = shape.block.x * shape.block.y,
                               .registers = facts.registers,
                               .dynamic_shared = int(shape.shared_bytes)};
    facts.warps = compute_occupancy(*rules, input).warps();
}

/// These facts follow from the kernel and the GPU alone. The board is drawn more often than either changes,
/// so what was counted last of each rung is kept.
RungFacts count_rung(const Rung& rung, const Scenario& scenario, const Params& params,
                     const DeviceFacts& device, bool cold) {
    struct Kept {
        DeviceFacts device;
        bool cold = false;
        RungFacts facts;
    };
    thread_local std::array<Kept, std::size(kRungs)> all;
    Kept& kept = all[&rung - kRungs];
    if (kept.facts.scenario == nullptr || kept.facts.params != params || kept.cold != cold ||
        kept.device != device) {
        RungFacts facts{.rung = &rung, .scenario = &scenario, .params = params, .prediction = {}};
        count_accesses(facts, device);
        find_resources(facts, device);
        facts.prediction = predict(scenario, params, device, cold);
        kept = {device, cold, std::move(facts)};
    }
    return kept.facts;
}

/// Whether a setting is this rung: only what the rung itself sets counts, and the number of stages does not.
bool is_present(const Scenario& scenario, const Params& params, const State& state) {
    return state.scenario == &scenario && state.params.variant == params.variant;
}

}  // namespace

std::span<const Rung> all_rungs() { return kRungs; }

std::string RungFacts::link() const {
    std::string link =
        fmt::format("{}?matrix={}&{}&board=ladder", rung->scenario, params.matrix, rung->settings);
    std::ranges::replace(link, ',', '&');
    return link;
}

RungsView climb_rungs(const BoardInput& input) {
    const State& state = input.state;
    RungsView view{.device = &input.device(),
                   .matrix = state.scenario->info->multiplies ? state.params.matrix
                                                              : find_scenario(kLadder)->info->defaults.matrix,
                   .rungs = {},
                   .peak = peak_gflop_per_s(input.device()),
                   .library = {},
                   .where = {}};
    const RecordingView recordings{.devices = &input.devices, .device = state.device, .cold = state.cold};
    for (const Rung& rung : kRungs) {
        const Scenario& scenario = *find_scenario(rung.scenario);
        const std::optional<Params> params = params_of(rung, scenario, view.matrix);
        if (!params) continue;
        const bool present = is_present(scenario, *params, state);
        RungFacts facts =
            count_rung(rung, scenario, present ? state.params : *params, input.device(), state.cold);
        if (present) {
            view.present = int(view.rungs.size());
            if (const auto& measured = input.evidence.observed.measured)
                facts.measured = measured->point.value;
        }
        if (const auto seen = shipped_recordings().find(*facts.scenario, facts.params, recordings)) {
            facts.recorded = seen->point.value;
            view.where = seen->where;
            if (seen->timing.library_us > 0)
                view.library = seen->timing.flop / seen->timing.library_us * 1e-3;
        }
        view.rungs.push_back(std::move(facts));
    }
    return view;
}

std::string few_digits(double value) {
    if (value <= 0) return "0";
    return value < 0.9995 ? fmt::format("{:.3g}", value)
                          : fmt::format("{:.{}f}", value, value < 9.995 ? 2 : 1);
}

std::string share_text(double speed, std::optional<double> of) {
    if (!of || *of <= 0 || speed <= 0) return {};
    const double percent = 100 * speed / *of;
    return fmt::format("{:.{}f} %", percent, percent < 9.5 ? 1 : 0);
}

Explanation explain_rungs(const RungsView& view) {
    Explanation words;
    if (view.rungs.empty() || view.peak <= 0) {
        words.verdict = fmt::format("Too little is known of {} to predict its speed.", view.device->name);
        return words;
    }
    const auto best = std::ranges::max_element(view.rungs, {}, &RungFacts::best);
    const auto worst = std::ranges::min_element(view.rungs, {}, &RungFacts::best);
    // The sentence is about what is set, as its colour is.
    const RungFacts& now = view.present >= 0 ? view.rungs[view.present] : *best;
    const std::string kind = now.measured ? "measured" : now.recorded ? "recorded" : "predicted";
    words.verdict = fmt::format("{}: {} {}, {} of the peak", now.rung->name, flop_text(now.best()), kind,
                                share_text(now.best(), view.peak));
    if (view.library) words.verdict += fmt::format(" and {} of cuBLAS", share_text(now.best(), view.library));
    words.headline =
        fmt::format("{}, n = {}: {}, {} of {}", now.rung->name, view.matrix, flop_text(now.best()),
                    share_text(now.best(), view.library ? *view.library : view.peak),
                    view.library ? "cuBLAS" : "the peak");
    words.good = &now == &*best;
    words.verdict +=
        words.good
            ? fmt::format("; {:.0f} times as fast as {}.", best->best() / worst->best(), worst->rung->name)
            : fmt::format("; {} is {:.2g} times as fast.", best->rung->name, best->best() / now.best());
    const auto hungriest = std::ranges::max_element(view.rungs, {}, &RungFacts::shared_bytes);
    words.why = fmt::format(
        "A multiply-add of {} moves {} bytes of shared memory, one of {} {}: what registers hold need not "
        "be fetched again. What is set is limited by {}.",
        hungriest->rung->name, few_digits(hungriest->shared_bytes), best->rung->name,
        few_digits(best->shared_bytes), limiter_name(now.prediction.limiter));
    return words;
}

}  // namespace warplens
