// Launches each setting of a list once and prints what the model predicts for a profiler's counters, one CSV
// row per launch. Run it under Nsight Compute and hand both outputs to compare_counters.py, which says how.
//
// `replay_settings --predict` only prints, and needs no GPU; `--random N` adds N random settings of each
// scenario. The kernels to count are named in compare_counters.py; those that make the buffers' contents are
// to be left out.
#include "app/model/report.h"
#include "kernels/gpu.h"
#include "kernels/timed.h"
#include "tests/random_params.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace warplens {
namespace {

/// "global-stride stride=2 op=load": a scenario and what differs from its defaults.
constexpr std::string_view kSettings[] = {
    // Global memory: operations, strides, offsets, widths, masks.
    "global-stride op=load",
    "global-stride op=store",
    "global-stride op=copy",
    "global-stride op=copy-both",
    "global-stride op=load stride=0",
    "global-stride op=load stride=2",
    "global-stride op=load stride=3",
    "global-stride op=load stride=4",
    "global-stride op=load stride=7",
    "global-stride op=load stride=8",
    "global-stride op=load stride=16",
    "global-stride op=load stride=31",
    "global-stride op=load stride=32",
    "global-stride op=load stride=64",
    "global-stride op=store stride=0",
    "global-stride op=store stride=2",
    "global-stride op=store stride=5",
    "global-stride op=store stride=8",
    "global-stride op=store stride=33",
    "global-stride op=copy stride=2 offset=1",
    "global-stride op=copy-both stride=3 offset=5",
    "global-stride op=load offset=1",
    "global-stride op=load offset=7",
    "global-stride op=load offset=8",
    "global-stride op=load offset=31",
    "global-stride op=store offset=3",
    "global-stride op=load element=1",
    "global-stride op=load element=2",
    "global-stride op=load element=8",
    "global-stride op=load element=16",
    "global-stride op=store element=1",
    "global-stride op=store element=2",
    "global-stride op=store element=8",
    "global-stride op=store element=16",
    "global-stride op=copy element=1 stride=5 offset=3",
    "global-stride op=copy element=2 stride=9",
    "global-stride op=copy element=8 stride=3",
    "global-stride op=copy element=16 stride=2 offset=1",
    "global-stride op=load element=1 offset=17",
    "global-stride op=load element=16 stride=0",
    "global-stride op=load mask=0xffff",
    "global-stride op=load mask=0x55555555",
    "global-stride op=store mask=0x1",
    "global-stride op=copy mask=0x80000001 stride=4",
    "global-stride op=copy element=8 mask=0x0ff00ff0",
    // Shared memory, one warp: strides, widths, masks, broadcast, merging.
    "shared-stride stride=0",
    "shared-stride stride=1",
    "shared-stride stride=2",
    "shared-stride stride=4",
    "shared-stride stride=16",
    "shared-stride stride=32",
    "shared-stride stride=33",
    "shared-stride stride=64",
    "shared-stride stride=5 offset=3",
    "shared-stride op=store stride=1",
    "shared-stride op=store stride=2",
    "shared-stride op=store stride=32",
    "shared-stride op=store stride=0",
    "shared-stride element=1 stride=1",
    "shared-stride element=1 stride=4",
    "shared-stride element=2 stride=2",
    "shared-stride element=2 stride=33",
    "shared-stride element=8 stride=0",
    "shared-stride element=8 stride=1",
    "shared-stride element=8 stride=2",
    "shared-stride element=8 stride=16",
    "shared-stride element=16 stride=0",
    "shared-stride element=16 stride=1",
    "shared-stride element=16 stride=2",
    "shared-stride element=16 stride=8",
    "shared-stride op=store element=8 stride=2",
    "shared-stride op=store element=16 stride=4",
    "shared-stride op=store element=1 stride=8",
    "shared-stride stride=32 mask=0x0000ffff",
    "shared-stride stride=2 mask=0x11111111",
    "shared-stride element=16 stride=1 mask=0xff",
    "shared-stride blocks=64 stride=4",
    // A tile in shared memory, one warp at a time: walks, padding, swizzles, odd shapes.
    "shared-tile block_y=1 walk=row",
    "shared-tile block_y=1 walk=column",
    "shared-tile block_y=1 walk=diagonal",
    "shared-tile block_y=1 walk=column padding=1",
    "shared-tile block_y=1 walk=column padding=2",
    "shared-tile block_y=1 walk=column swizzle_bits=5",
    "shared-tile block_y=1 walk=column swizzle_bits=3",
    "shared-tile block_y=1 walk=column swizzle_bits=2 swizzle_base=1 swizzle_shift=4",
    "shared-tile block_y=1 walk=column op=store",
    "shared-tile block_y=1 walk=row op=store padding=3",
    "shared-tile block_y=1 walk=column width=17 height=29",
    "shared-tile block_y=1 walk=diagonal width=48 height=40",
    "shared-tile block_x=8 block_y=4 walk=row",
    "shared-tile block_x=8 block_y=4 walk=column",
    "shared-tile block_x=16 block_y=2 walk=column element=8",
    "shared-tile block_x=4 block_y=4 walk=column",
    "shared-tile block_y=1 walk=column element=16 width=16 height=16",
    "shared-tile block_y=1 walk=row element=2",
    // The same with eight warps per block, which get in each other's way.
    "shared-tile walk=row",
    "shared-tile walk=column",
    "shared-tile walk=column padding=1",
    // Transposes, matrices that tiles fit and do not fit.
    "transpose variant=naive matrix=256",
    "transpose variant=tile matrix=256",
    "transpose variant=padded matrix=256",
    "transpose variant=swizzled matrix=256",
    "transpose variant=naive matrix=257",
    "transpose variant=tile matrix=257",
    "transpose variant=padded matrix=250",
    "transpose variant=swizzled matrix=100",
    "transpose variant=tile tile=16 block_rows=16 matrix=256",
    "transpose variant=tile tile=8 block_rows=8 matrix=200",
    "transpose variant=padded tile=16 block_rows=4 padding=3 matrix=130",
    "transpose variant=swizzled tile=8 block_rows=2 matrix=99",
    "transpose variant=naive tile=8 block_rows=4 matrix=61",
    "transpose variant=tile block_rows=32 matrix=96",
    "transpose variant=tile tile=8 block_rows=4 matrix=1024",
    // Kernels that compute: every variant, tiles of every size, padding.
    "matrix-multiply variant=naive matrix=128",
    "matrix-multiply variant=naive tile=16 matrix=128",
    "matrix-multiply variant=naive-turned matrix=128",
    "matrix-multiply variant=tiled matrix=128",
    "matrix-multiply variant=tiled tile=8 matrix=128 padding=1",
    "matrix-multiply variant=tile-turned matrix=128",
    "matrix-multiply variant=tile-turned tile=16 matrix=128 padding=1",
    "matrix-multiply variant=registers matrix=256",
    "matrix-multiply variant=registers tile=16 matrix=256 padding=2",
    "matrix-multiply variant=registers tile=8 matrix=128 padding=4",
    "matrix-multiply variant=vectors matrix=256",
    "matrix-multiply variant=vectors matrix=256 padding=4",
    "matrix-multiply variant=vectors tile=16 matrix=256",
    "matrix-multiply variant=vectors tile=8 matrix=128 padding=4",
    "constant-convolution memory=constant size=128",
    "constant-convolution memory=shared size=128 filter=9x9",
    "constant-convolution memory=global size=128 filter=3x3",
};

/// A counter of the profiler and what of the model it is.
struct Counter {
    const char* name;
    Space space;
    bool store;
    std::int64_t Totals::*count;
};
constexpr Counter kCounters[] = {
    {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", Space::global, false, &Totals::requests},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", Space::global, false, &Totals::sectors},
    {"l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", Space::global, true, &Totals::requests},
    {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", Space::global, true, &Totals::sectors},
    {"smsp__inst_executed_op_shared_ld.sum", Space::shared, false, &Totals::requests},
    {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", Space::shared, false, &Totals::wavefronts},
    {"smsp__inst_executed_op_shared_st.sum", Space::shared, true, &Totals::requests},
    {"l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum", Space::shared, true, &Totals::wavefronts},
    {"smsp__inst_executed_op_ldsm.sum", Space::shared, false, &Totals::requests},
    {"idc__requests.sum", Space::constant, false, &Totals::requests},
    {"l1tex__t_requests_pipe_tex_mem_texture.sum", Space::texture, false, &Totals::requests},
    {"l1tex__t_sectors_pipe_tex_mem_texture.sum", Space::texture, false, &Totals::sectors},
    {"l1tex__t_requests_pipe_lsu_mem_local_op_ld.sum", Space::local, false, &Totals::requests},
    {"l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum", Space::local, false, &Totals::sectors},
    {"l1tex__t_requests_pipe_lsu_mem_local_op_st.sum", Space::local, true, &Totals::requests},
    {"l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum", Space::local, true, &Totals::sectors},
};
constexpr std::size_t kCounterCount = std::size(kCounters);
constexpr std::string_view kLdmatrix = "smsp__inst_executed_op_ldsm.sum";
constexpr std::string_view kConstantRequests = "idc__requests.sum";

/// What the model says about one launch.
struct Prediction {
    std::array<std::optional<std::int64_t>, kCounterCount>
        counts;         ///< empty: the kernel does more than the scenario
    bool alone = true;  ///< one warp per SM at a time: shared wavefronts have no reason to differ
    bool idle = false;  ///< some warp has no active lane, but its instruction is executed
};

std::optional<Params> parse_setting(std::string_view text, const Scenario*& scenario) {
    const auto word = [&text] {
        const auto end = std::min(text.find(' '), text.size());
        const std::string_view first = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        return first;
    };
    scenario = find_scenario(word());
    if (scenario == nullptr) return std::nullopt;
    Params p = scenario->info->defaults;
    p.elements_log2 = 16;
    if (!scenario->in(Space::global)) p.blocks_log2 = 0;
    // Twice, because a knob's range may depend on one that stands behind it.
    const std::string_view pairs = text;
    for (const bool last : {false, true}) {
        for (text = pairs; !text.empty();) {
            const std::string_view pair = word();
            const auto equals = pair.find('=');
            const Knob* knob = find_knob(*scenario, pair.substr(0, equals));
            if (knob == nullptr || equals == std::string_view::npos) return std::nullopt;
            const auto value = parse_knob(*knob, p, pair.substr(equals + 1));
            if (last && !value) return std::nullopt;
            if (value) p.*knob->field = *value;
        }
    }
    clamp_knobs(*scenario, p);
    return p;
}

/// Add what one instruction counts over the whole grid.
void add_counts(Prediction& prediction, const Instruction& instruction, const Totals& totals) {
    for (std::size_t c = 0; c < kCounterCount; ++c) {
        const Counter& counter = kCounters[c];
        const bool ldmatrix = counter.name == kLdmatrix;
        const bool shared_loads = counter.space == Space::shared && counter.count == &Totals::requests;
        const bool is_matrix = instruction.op == Op::load_matrix;
        if (instruction.space != counter.space || (instruction.op == Op::store) != counter.store) continue;
        if (shared_loads && ldmatrix != is_matrix) continue;  // ldmatrix has a counter of its own
        if (prediction.counts[c]) *prediction.counts[c] += totals.*counter.count;
    }
}

Prediction predict(const Scenario& scenario, const Params& p, const DeviceFacts& device) {
    Prediction prediction;
    prediction.counts.fill(0);
    const LaunchShape shape = scenario.launch(p);
    bool shared_seen = false, constant_seen = false;
    for (int i = 0; i < scenario.instruction_count(p); ++i) {
        const Instruction instruction = scenario.instruction(p, i);
        const std::int64_t warps =
            std::int64_t{shape.grid.x} * shape.grid.y * warps_per_block(shape) * steps_of(shape, instruction);
        const Totals totals = count_grid(scenario, p, i, device);
        const bool shared = instruction.space == Space::shared, store = instruction.op == Op::store;
        // Shared memory that is loaded before it is stored gets filled first, by stores of the kernel's own.
        if ((shared || instruction.space == Space::cluster) && !shared_seen && !store) {
            for (std::size_t c = 0; c < kCounterCount; ++c) {
                if (kCounters[c].space == Space::shared && kCounters[c].store)
                    prediction.counts[c] = std::nullopt;
            }
        }
        add_counts(prediction, instruction, totals);
        if (totals.instructions < warps) prediction.idle = true;
        shared_seen = shared_seen || shared;
        constant_seen = constant_seen || instruction.space == Space::constant;
    }
    // Every kernel reads its arguments that way; only where that can be subtracted is there something to
    // compare.
    const bool words = find_knob(scenario, "words") != nullptr;
    for (std::size_t c = 0; c < kCounterCount; ++c) {
        if (kCounters[c].name == kConstantRequests && !(constant_seen && words))
            prediction.counts[c] = std::nullopt;
    }
    prediction.alone = warps_per_block(shape) == 1 && shape.grid.x * shape.grid.y == 1;
    return prediction;
}

/// Random settings of the scenarios whose kernels do exactly what their instructions say, small enough for a
/// profiler. The same seed, the same settings.
std::vector<std::string> random_settings(int each) {
    constexpr std::string_view kNotCounted[] = {"cache-footprint", "texture-filter", "cluster-shared"};
    std::vector<std::string> settings;
    std::mt19937 random(2026);
    for (const Scenario& scenario : all_scenarios()) {
        const std::string_view id = scenario.info->id;
        if (std::find(std::begin(kNotCounted), std::end(kNotCounted), id) != std::end(kNotCounted)) continue;
        for (int n = 0; n < each; ++n) {
            Params p = test::random_params(scenario, random);
            p.elements_log2 = 10 + static_cast<int>(random() % 7);
            p.blocks_log2 = n % 2 == 0 ? 0 : static_cast<int>(random() % 5);
            p.matrix = scenario.info->kernel == Kernel::replay ? 32 + static_cast<int>(random() % 400) : 256;
            p.width = std::min(p.width, 512);
            p.height = std::min(p.height, 512);
            p.texture_log2 = 6 + static_cast<int>(random() % 4);
            p.mask = -1;  // whole warps: an idle warp still executes
            clamp_knobs(scenario, p);
            std::string text(id);
            for (const Knob& knob : scenario.info->knobs)
                text += " " + std::string(knob.key) + "=" + format_knob(knob, p);
            // The same with one word, for what a kernel reads of its own: compare_counters.py subtracts it.
            const bool constant = home_space(scenario) == Space::constant && find_knob(scenario, "words");
            settings.push_back(text);
            if (constant) settings.push_back(text + " words=1");
        }
    }
    return settings;
}

/// @return  an exit code; 0: go on.
int handle(int row, const std::string& text, const DeviceFacts& device, TimedKernels* kernels) {
    const Scenario* scenario = nullptr;
    const auto params = parse_setting(text, scenario);
    if (!params) return std::fprintf(stderr, "not a setting: %s\n", text.c_str()), 2;
    if (kernels != nullptr) {
        const auto launched = kernels->launch_once(scenario->info->id, *params);
        if (const auto* why = std::get_if<Unavailable>(&launched)) {
            return std::fprintf(stderr, "%s: %s\n", text.c_str(), why->reason.c_str()), 1;
        }
    }
    const Prediction prediction = predict(*scenario, *params, device);
    std::printf("%d,%s,%d,%d", row, text.c_str(), prediction.alone, prediction.idle);
    for (const auto& count : prediction.counts)
        std::printf(",%s", count ? std::to_string(*count).c_str() : "");
    std::printf("\n");
    return 0;
}

/// @param launch  false: only predict, for compute capability 9.0; needs no GPU.
/// @param each    so many random settings of each scenario follow those of the list.
int run(bool launch, int each) {
    DeviceFacts device;
    device.cc = {9, 0};
    TimedKernels kernels;
    if (launch) {
        const auto gpus = list_gpus();
        if (const auto* why = std::get_if<Unavailable>(&gpus))
            return std::fprintf(stderr, "%s\n", why->reason.c_str()), 4;
        device.cc = {std::get<0>(gpus).front().cc_major, std::get<0>(gpus).front().cc_minor};
    }
    device.bank_rules = bank_rules_for(device.cc);
    device.sector_rules = sector_rules_for(device.cc);
    std::printf("row,setting,alone,idle");
    for (const Counter& counter : kCounters) std::printf(",%s", counter.name);
    std::printf("\n");
    int row = 0;
    std::vector<std::string> settings(std::begin(kSettings), std::end(kSettings));
    for (std::string& setting : random_settings(each)) settings.push_back(std::move(setting));
    for (const std::string& setting : settings) {
        if (const int code = handle(row++, setting, device, launch ? &kernels : nullptr); code != 0)
            return code;
    }
    return 0;
}

}  // namespace
}  // namespace warplens

int main(int argc, char** argv) {
    bool launch = true;
    int each = 0;
    for (int i = 1; i < argc; ++i) {
        const std::string_view argument(argv[i]);
        if (argument == "--predict") launch = false;
        if (argument == "--random" && i + 1 < argc) each = std::atoi(argv[i + 1]);
    }
    return warplens::run(launch, each);
}
