#include "app/code/code_page.h"

#include "kernels/launch_setting.h"
#include "kernels/replay/program.h"
#include "kernels/scenarios/list.h"

#include <fmt/format.h>

#include <algorithm>

namespace warplens {
namespace {

template <class S>
int case_number(const Params& p) {
    static const CaseList list = list_cases<S>();
    return find_case<S>(list, p);
}

template <class... S>
int case_number(const Scenario& scenario, const Params& p, ScenarioList<S...>) {
    int found = -1;
    ((S::info.id == scenario.info->id ? void(found = case_number<S>(p)) : void()), ...);
    return found;
}

KernelCase instructions_of(const Scenario& scenario, const Params& p) {
    KernelCase kernel{.instructions = {}, .count = scenario.instruction_count(p), .example = p};
    for (int i = 0; i < kernel.count; ++i) kernel.instructions[i] = scenario.instruction(p, i);
    return kernel;
}

/// The two template arguments that all replaying kernels have.
std::vector<std::pair<std::string, std::string>> replay_arguments(const Scenario& scenario, const Params& p) {
    return {{"S", scenario_struct(scenario)},
            {"kCase", std::to_string(case_number(scenario, p, AllScenarios{}))}};
}

KernelCode replay_code(const Scenario& scenario, const Params& p) {
    const LaunchShape shape = scenario.launch(p);
    bool one_step = true;
    for (int i = 0; i < scenario.instruction_count(p); ++i)
        one_step = one_step && steps_of(shape, scenario.instruction(p, i)) <= 1;
    KernelCode code{.file = "kernels/replay/stream.cuh",
                    .function = "replay_kernel",
                    .arguments = replay_arguments(scenario, p),
                    .helpers = {"replay_load", "replay_store", "replay_registers"},
                    .between = {"run_phases", "run_from"}};
    code.arguments.emplace_back("kOneStep", one_step ? "true" : "false");
    return code;
}

KernelCode multiply_code(const Params& p) {
    constexpr std::string_view kNames[] = {
        "naive", "naive_uncoalesced", "tiled", "tiled_transposed", "register_blocked", "vectorized"};
    KernelCode code{.file = "kernels/own/multiply.cu",
                    .function = "naive_kernel",
                    .arguments = {{"kVariant", fmt::format("Multiply::{}", kNames[p.variant])}},
                    .helpers = {},
                    .between = {}};
    const Multiply variant = multiply::variant(p);
    if (variant < Multiply::tiled) return code;
    code.function = variant >= Multiply::register_blocked ? "blocked_kernel" : "tiled_kernel";
    code.arguments.emplace_back("kTile", std::to_string(p.tile));
    if (variant >= Multiply::register_blocked) {
        code.helpers = {"fetch", "store", "multiply_tiles", "write_sums"};
        code.between = {"read", "write"};
    }
    return code;
}

KernelCode chase_code(const Scenario& scenario, const Params& p) {
    KernelCode code{.file = "kernels/own/chase.cu",
                    .function = "chase",
                    .arguments = {},
                    .helpers = {"load_index"},
                    .between = {"follow"}};
    if (CacheFootprint::is_latency(p)) return code;
    const bool past = scenario.launch(p).buffer_bytes[0] > CacheFootprint::kSliceBytes;
    return {.file = "kernels/own/chase.cu",
            .function = "read_often",
            .arguments = {{"kPastL1", past ? "true" : "false"}},
            .helpers = {"load_vector"},
            .between = {}};
}

KernelCode convolve_code(const Params& p) {
    constexpr std::string_view kNames[] = {"constant", "shared", "global"};
    return {.file = "kernels/own/convolve.cu",
            .function = "convolve",
            .arguments = {{"kMemory", fmt::format("WeightMemory::{}", kNames[p.memory])}},
            .helpers = {"weight_at"},
            .between = {}};
}

/// The kernels beside the scenarios' headers.
KernelCode plain_code(const Scenario& scenario, const Params& p) {
    std::string file = scenario_file(scenario);
    file.replace(file.rfind('.'), std::string::npos, ".cu");
    KernelCode code{.file = file, .function = {}, .arguments = {}, .helpers = {}, .between = {}};
    const std::string_view id = scenario.info->id;
    if (id == Transpose::info.id) {
        code.function = Transpose::naive(p) ? "transpose_naive" : "transpose_tile";
        code.arguments = {{"kTile", std::to_string(p.tile)},
                          {"kRows", std::to_string(Transpose::rows_of_block(p))}};
        const bool swizzled = p.variant == static_cast<int>(Variant::swizzled);
        if (!Transpose::naive(p)) code.arguments.emplace_back("kSwizzled", swizzled ? "true" : "false");
    } else if (id == SharedReduction::info.id) {
        code.function = fmt::format("reduce_{}", SharedReduction::kVariants[p.variant].name);
        code.arguments = {{"kBlock", std::to_string(p.block_x)}};
    } else if (id == GlobalMatrix::info.id) {
        constexpr std::string_view kTypes[] = {"uint8_t", "uint16_t", "uint", "uint2", "uint4"};
        int log2 = 0;
        while (1 << log2 < p.element_bytes) ++log2;
        code.function = p.operation == 1 ? "fill_matrix" : "find_in_matrix";
        code.arguments = {{"T", std::string(kTypes[log2])},
                          {"kByRows", p.walk == static_cast<int>(MatrixWalk::rows) ? "true" : "false"}};
    } else if (id == GlobalStruct::info.id) {
        constexpr std::string_view kPacks[] = {"uint", "uint2", "uint4"};
        code.function = fmt::format("find_{}in_{}", p.read_all == 1 ? "record_" : "",
                                    p.layout == 1 ? "arrays" : "structures");
        code.arguments = {{"Pack", std::string(kPacks[p.pack_bytes / 8])}};
        if (p.layout == 0 || p.read_all == 1)
            code.arguments.emplace_back("kPacks", std::to_string(GlobalStruct::packs(p)));
    } else {
        constexpr std::string_view kOrders[] = {"row", "column", "wide", "tall", "z_order", "random"};
        code.function = TextureWalk::linear(p) ? "walk_array" : "walk_texture";
        code.arguments = {{"kOrder", fmt::format("Order::{}", kOrders[p.pattern])}};
        code.helpers = {"texel_of"};
        if (TextureWalk::linear(p)) {
            constexpr std::string_view kBorders[] = {"clamp", "border", "wrap", "mirror"};
            code.arguments.emplace_back("kBorder", fmt::format("Border::{}", kBorders[p.border]));
            code.helpers.emplace_back("inside");
        }
    }
    return code;
}

}  // namespace

std::string KernelCode::specialised() const {
    std::string text;
    for (const auto& [name, value] : arguments) text += (text.empty() ? "" : ", ") + value;
    return text.empty() ? function : fmt::format("{}<{}>", function, text);
}

std::string scenario_file(const Scenario& scenario) {
    std::string name(scenario.info->id);
    std::ranges::replace(name, '-', '_');
    return fmt::format("kernels/scenarios/{}.h", name);
}

std::string scenario_struct(const Scenario& scenario) {
    std::string name;
    bool capital = true;
    for (const char c : scenario.info->id) {
        if (c != '-') name += capital && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
        capital = c == '-';
    }
    return name;
}

KernelCode grid_kernel(const Scenario& scenario, const Params& p) {
    switch (scenario.info->kernel) {
        case Kernel::replay:
            break;
        case Kernel::plain:
            return plain_code(scenario, p);
        case Kernel::gather:
            return {.file = "kernels/own/gather.cu",
                    .function = "gather",
                    .arguments = {{"kBytes", std::to_string(p.element_bytes)}},
                    .helpers = {},
                    .between = {}};
        case Kernel::convolve:
            return convolve_code(p);
        case Kernel::spill:
            return {.file = "kernels/own/spill.cu",
                    .function = "spill",
                    .arguments = {{"kLive", std::to_string(p.live_values)},
                                  {"kRegisters", std::to_string(p.registers)}},
                    .helpers = {},
                    .between = {}};
        case Kernel::filter:
            return {.file = "kernels/own/filter.cu",
                    .function = "timed_filter",
                    .arguments = {},
                    .helpers = {"read"},
                    .between = {}};
        case Kernel::chase:
            return chase_code(scenario, p);
        case Kernel::multiply:
            return multiply_code(p);
    }
    return replay_code(scenario, p);
}

KernelCode timed_kernel(const Scenario& scenario, const Params& p) {
    bool only_shared = true;
    for (int i = 0; i < scenario.instruction_count(p); ++i)
        only_shared = only_shared && scenario.instruction(p, i).space == Space::shared;
    switch (how_measured(*scenario.info, p, only_shared)) {
        case Measured::chain:
            return {.file = "kernels/replay/chain.cuh",
                    .function = "chain_kernel",
                    .arguments = replay_arguments(scenario, p),
                    .helpers = {"follow_load", "follow_store", "follow"},
                    .between = {"run_chain", "time_links"}};
        case Measured::banks:
            return {.file = "kernels/timing/shared_time.cuh",
                    .function = "shared_loop",
                    .arguments = replay_arguments(scenario, p),
                    .helpers = {"access_often", "load_matrices_often"},
                    .between = {"turn"}};
        case Measured::grid:
        case Measured::own:
            break;
    }
    return grid_kernel(scenario, p);
}

std::string kind_of_access(const Scenario& scenario, const Params& p, int index) {
    const Instruction one = scenario.instruction(p, index);
    if (one.op == Op::load_matrix) return "matrix load";
    const std::string op = is_load(one.op) ? "load" : "store";
    switch (one.space) {
        case Space::global:
            if (is_load(one.op))
                return one.code.find("__ldcg") != std::string_view::npos ? "global load, past the L1"
                                                                         : "global load, through the L1";
            return "global store";
        case Space::shared:
            return fmt::format(
                "shared {}, {}", op,
                barriers_part_shared(instructions_of(scenario, p)) ? "between barriers" : "volatile");
        case Space::registers:
            return is_load(one.op) ? "exchange" : "kept value";
        case Space::cluster:
            return "cluster " + op;
        case Space::local:
            return "local " + op;
        case Space::constant:
            return "constant " + op;
        default:
            return "texture " + op;
    }
}

}  // namespace warplens
