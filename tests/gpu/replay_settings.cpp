// Launches each setting of a list once and prints what the model predicts for a profiler's counters, one CSV
// row per launch. Run it under Nsight Compute and hand both outputs to compare_counters.py, which says how.
//
// `replay_settings --predict` only prints, and needs no GPU. The kernels to count are `replay_kernel` and
// those of multiply.cu and convolve.cu; fill_random, which makes the buffers' contents, is to be left out.
#include "app/model/report.h"
#include "kernels/gpu.h"
#include "kernels/timed.h"

#include <array>
#include <cstdio>
#include <optional>
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

constexpr std::array kCounters = {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
                                  "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
                                  "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
                                  "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
                                  "smsp__inst_executed_op_shared_ld.sum",
                                  "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
                                  "smsp__inst_executed_op_shared_st.sum",
                                  "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"};

/// What the model says about one launch.
struct Prediction {
    std::array<std::optional<std::int64_t>, kCounters.size()>
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
    while (!text.empty()) {
        const std::string_view pair = word();
        const auto equals = pair.find('=');
        const Knob* knob = find_knob(*scenario, pair.substr(0, equals));
        if (knob == nullptr || equals == std::string_view::npos) return std::nullopt;
        const auto value = parse_knob(*knob, p, pair.substr(equals + 1));
        if (!value) return std::nullopt;
        p.*knob->field = *value;
    }
    clamp_knobs(*scenario, p);
    return p;
}

Prediction predict(const Scenario& scenario, const Params& p, const DeviceFacts& device) {
    Prediction prediction;
    prediction.counts.fill(0);
    const LaunchShape shape = scenario.launch(p);
    const std::int64_t warps = std::int64_t{shape.grid.x} * shape.grid.y * warps_per_block(shape);
    bool shared_seen = false;
    for (int i = 0; i < scenario.instruction_count(p); ++i) {
        const Instruction instruction = scenario.instruction(p, i);
        const Totals totals = count_grid(scenario, p, i, device);
        const bool shared = instruction.space == Space::shared, store = instruction.op == Op::store;
        const std::size_t first = (shared ? 4u : 0u) + (store ? 2u : 0u);
        *prediction.counts[first] += totals.requests;
        *prediction.counts[first + 1] += shared ? totals.wavefronts : totals.sectors;
        if (totals.requests < warps * steps_of(shape, instruction)) prediction.idle = true;
        // Shared memory that is loaded before it is stored gets filled first, by stores of the kernel's own.
        if (shared && !shared_seen && !store) prediction.counts[6] = prediction.counts[7] = std::nullopt;
        shared_seen = shared_seen || shared;
    }
    prediction.alone = warps_per_block(shape) == 1 && shape.grid.x * shape.grid.y == 1;
    return prediction;
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
int run(bool launch) {
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
    for (const char* counter : kCounters) std::printf(",%s", counter);
    std::printf("\n");
    int row = 0;
    for (const std::string_view setting : kSettings) {
        if (const int code = handle(row++, std::string(setting), device, launch ? &kernels : nullptr);
            code != 0)
            return code;
    }
    return 0;
}

}  // namespace
}  // namespace warplens

int main(int argc, char** argv) {
    return warplens::run(argc < 2 || std::string_view(argv[1]) != "--predict");
}
