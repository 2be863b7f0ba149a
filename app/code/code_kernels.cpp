// Which kernel of kernels/scenarios/ a setting launches, and with which template arguments. It repeats what
// the `launch` functions there decide, because those can only be read by nvcc; a test on a GPU compares the
// two.
#include "app/code/code_page.h"

#include "kernels/scenarios/list.h"

#include <fmt/format.h>

#include <algorithm>

namespace warplens {
namespace {

std::string number(std::int64_t value) { return std::to_string(value); }
std::string yes_or_no(bool value) { return value ? "true" : "false"; }

/// Element of kernels/cuda/element.cuh.
std::string element_type(int bytes) {
    return bytes == 1   ? "unsigned char"
           : bytes == 2 ? "unsigned short"
           : bytes == 4 ? "unsigned"
           : bytes == 8 ? "uint2"
                        : "uint4";
}

/// The bits that a swizzle changes.
std::string changed_bits(const Params& p) { return number(((1 << p.swizzle_bits) - 1) << p.swizzle_base); }

/// How a texture object treats what lies outside.
std::vector<std::pair<std::string, std::string>> texture_values(Border border) {
    constexpr const char* kModes[] = {"Clamp", "Border", "Wrap", "Mirror"};
    const bool normalized = border == Border::wrap || border == Border::mirror;
    return {{"address_mode", fmt::format("cudaAddressMode{}", kModes[int(border)])},
            {"normalized", normalized ? "1" : "0"}};
}

template <class S>
KernelCode code_of(const Params& p) = delete;  // for each scenario below

template <>
KernelCode code_of<GlobalStride>(const Params& p) {
    constexpr const char* kFunctions[] = {"load_strided", "store_strided", "copy_strided",
                                          "copy_both_strided"};
    return {.function = kFunctions[p.operation], .arguments = {{"T", element_type(p.element_bytes)}}};
}

template <>
KernelCode code_of<GlobalMatrix>(const Params& p) {
    return {.function = p.operation == 1 ? "fill_matrix" : "find_in_matrix",
            .arguments = {{"T", element_type(p.element_bytes)},
                          {"kByRows", yes_or_no(p.walk == int(MatrixWalk::rows))}}};
}

template <>
KernelCode code_of<VectorAdd>(const Params& p) {
    return {.function = p.walk == int(ThreadOrder::x_first) ? "add" : "add_z_first"};
}

template <>
KernelCode code_of<GlobalStruct>(const Params& p) {
    return {.function = fmt::format("find_{}in_{}", p.read_all == 1 ? "record_" : "",
                                    p.layout == 1 ? "arrays" : "structures"),
            .arguments = {{"Pack", element_type(p.pack_bytes)}, {"kPacks", number(GlobalStruct::packs(p))}},
            .values = {{"packs", number(GlobalStruct::packs(p))},
                       {"pack_at", number(GlobalStruct::pack_at(p, 0))}}};
}

template <>
KernelCode code_of<GlobalGather>(const Params& p) {
    return {.function = "find_gathered",
            .arguments = {{"T", element_type(p.element_bytes)}},
            .values = {{"half_of_window", number(p.window_log2 / 2)}}};
}

template <>
KernelCode code_of<SharedStride>(const Params& p) {
    return {.function = p.operation == 1 ? "store_strided" : "load_strided",
            .arguments = {{"T", element_type(p.element_bytes)}}};
}

template <>
KernelCode code_of<SharedBroadcast>(const Params& p) {
    return {
        .function = p.pattern == int(SharingPattern::neighbours) ? "load_by_neighbours" : "load_interleaved",
        .arguments = {{"T", element_type(p.element_bytes)}}};
}

template <>
KernelCode code_of<SharedTile>(const Params& p) {
    constexpr const char* kWalks[] = {"by_rows", "by_columns", "diagonally"};
    return {.function = fmt::format("{}_{}", p.operation == 1 ? "store" : "load", kWalks[p.walk]),
            .arguments = {{"T", element_type(p.element_bytes)}},
            .values = {{"changed", changed_bits(p)}}};
}

template <>
KernelCode code_of<SharedMatrixLoad>(const Params& p) {
    const int down = SharedMatrixLoad::matrices_down(p);
    KernelCode code{.function = p.matrices == 1   ? "load_single_matrices"
                                : p.matrices == 2 ? "load_matrix_pairs"
                                                  : "load_four_at_once",
                    .values = {{"load", p.matrices == 1   ? "load_matrix"
                                        : p.matrices == 2 ? "load_matrix_pair"
                                                          : "load_four_matrices"},
                               {"down", number(down)},
                               {"changed", changed_bits(p)},
                               {"shift", number(SharedMatrixLoad::swizzle_shift(p))}}};
    if (p.matrices == 4) code.arguments = {{"kDown", number(down)}};
    return code;
}

template <>
KernelCode code_of<SharedOperandTile>(const Params& p) {
    using S = SharedOperandTile;
    const bool down_rows = S::mn_major(p), matrices = S::accesses(p, S::Access::matrices);
    const int span = S::span(p);
    KernelCode code{.function = S::accesses(p, S::Access::rows) ? "store_rows"
                                : matrices                      ? "load_by_matrices"
                                : !down_rows                    ? "load_along_rows"
                                : p.element_bytes == 2          ? "load_halves_down_rows"
                                                                : "load_words_down_rows",
                    .values = {{"span", number(span)},
                               {"pitch", number(span + S::padding(p) * S::kChunkBytes)},
                               {"changed", number(((1 << p.swizzle_bits) - 1) << S::kSwizzleBase)},
                               {"down_rows", yes_or_no(down_rows)}}};
    if (matrices) code.arguments = {{"kMatrices", number(p.matrices)}, {"kTransposed", yes_or_no(down_rows)}};
    return code;
}

template <>
KernelCode code_of<SharedReduction>(const Params& p) {
    return {.function = fmt::format("reduce_{}", SharedReduction::kVariants[p.variant].name),
            .arguments = {{"kBlock", number(p.block_x)}}};
}

template <>
KernelCode code_of<Transpose>(const Params& p) {
    constexpr const char* kFunctions[] = {"transpose_naive", "transpose_tile", "transpose_tile",
                                          "transpose_swizzled"};
    return {.function = kFunctions[p.variant],
            .arguments = {{"kTile", number(p.tile)},
                          {"kRows", number(Transpose::rows_of_block(p))},
                          {"kWhole", yes_or_no(p.matrix % p.tile == 0)}},
            .values = {{"pitch", number(Transpose::pitch(p))}}};
}

template <>
KernelCode code_of<MatrixMultiply>(const Params& p) {
    constexpr const char* kFunctions[] = {"multiply_naive",
                                          "multiply_naive_uncoalesced",
                                          "multiply_tiled",
                                          "multiply_tiled_transposed",
                                          "multiply_register_blocked",
                                          "multiply_vectorized"};
    const int unit = multiply::joined(p);
    return {.function = kFunctions[p.variant],
            .arguments = {{"kTile", number(multiply::block_tile(p))},
                          {"kUnit", number(unit)},
                          {"kEach", number(multiply::per_thread(p))},
                          {"kDepth", number(multiply::depth(p))}},
            .values = {{"pitch", number(multiply::pitch(p))}, {"units", number(multiply::pitch(p) / unit)}}};
}

template <>
KernelCode code_of<MatrixLadder>(const Params& p) {
    constexpr const char* kFunctions[] = {
        "ladder_register_column", "ladder_register_tile",   "ladder_float4",
        "ladder_transposed",      "ladder_double_buffered", "ladder_asynchronous",
        "ladder_warp_tile",       "ladder_warp_tile",       "ladder_lean"};
    const bool at_once = ladder::rung(p) == Ladder::warp_tile;
    return {.function = kFunctions[p.variant],
            .arguments = {{"kTile", number(ladder::rows(p))},
                          {"kRows", number(ladder::rows(p))},
                          {"kColumns", number(ladder::columns(p))},
                          {"kDepth", number(ladder::depth(p))},
                          {"kEach", number(ladder::down(p))},
                          {"kStages", number(p.distance)},
                          {"kPerStep", number(at_once ? ladder::pieces_a(p) + ladder::pieces_b(p) : 1)}}};
}

template <>
KernelCode code_of<ConstantLookup>(const Params& p) {
    return {.function = p.pattern == int(ConstantLookup::Pattern::neighbours) ? "look_up_by_neighbours"
                                                                              : "look_up_interleaved"};
}

template <>
KernelCode code_of<ConstantConvolution>(const Params& p) {
    constexpr const char* kFunctions[] = {"convolve_constant", "convolve_shared", "convolve_global"};
    return {.function = kFunctions[p.memory],
            .arguments = {{"kFilter", number(p.filter)}},
            .values = {{"pitch", number(ConstantConvolution::pitch(p))}}};
}

template <>
KernelCode code_of<TextureWalk>(const Params& p) {
    constexpr const char* kOrders[] = {"Row", "Column", "Wide", "Tall", "ZOrder", "Random"};
    constexpr const char* kBorders[] = {"Clamp", "", "Wrap", "Mirror"};
    const auto border = static_cast<Border>(p.border);
    return {.function = !TextureWalk::linear(p)    ? "walk_texture"
                        : border == Border::border ? "walk_array_with_border"
                                                   : "walk_array",
            .arguments = {{"Order", kOrders[p.pattern]}, {"Border", kBorders[p.border]}},
            .values = texture_values(border)};
}

template <>
KernelCode code_of<TextureFilter>(const Params& p) {
    const SampleGrid grid = TextureFilter::grid_of(p);
    KernelCode code{.function = "filter_image",
                    .arguments = {{"kImage", number(TextureFilter::kImage)}},
                    .values = texture_values(static_cast<Border>(p.border))};
    code.values.emplace_back("across", number(grid.across));
    code.values.emplace_back("aslant", number(grid.aslant));
    return code;
}

template <>
KernelCode code_of<LocalArray>(const Params& p) {
    constexpr const char* kFunctions[] = {"array_known", "array_uniform", "array_different"};
    return {.function = kFunctions[p.variant], .arguments = {{"kWords", number(p.array_words)}}};
}

template <>
KernelCode code_of<RegisterShuffle>(const Params& p) {
    constexpr const char* kNames[] = {"xor", "up", "down", "rotate", "broadcast"};
    constexpr const char* kSources[] = {"Xor", "Up", "Down", "Rotate", "Broadcast"};
    constexpr const char* kShuffles[] = {
        "__shfl_xor_sync(~0u, value, distance)", "__shfl_up_sync(~0u, value, distance)",
        "__shfl_down_sync(~0u, value, distance)", "__shfl_sync(~0u, value, threadIdx.x + distance)",
        "__shfl_sync(~0u, value, distance)"};
    const auto way = static_cast<RegisterShuffle::Method>(p.variant);
    return {.function = way == RegisterShuffle::Method::shuffle
                            ? fmt::format("exchange_{}", kNames[p.pattern])
                        : way == RegisterShuffle::Method::shared ? "exchange_shared"
                                                                 : "exchange_global",
            .arguments = {{"Exchange", kSources[p.pattern]}},
            .values = {{"source", kSources[p.pattern]}, {"exchange", kShuffles[p.pattern]}}};
}

template <>
KernelCode code_of<CacheFootprint>(const Params& p) {
    const std::int64_t bytes = CacheFootprint::launch(p).buffer_bytes[0];
    const std::int64_t slice = std::min<std::int64_t>(bytes, CacheFootprint::kSliceBytes);
    constexpr int kLineBits = 7;
    return {.function = CacheFootprint::is_latency(p) ? "chase" : "read_slice",
            .arguments = {{"kPastL1", yes_or_no(bytes > CacheFootprint::kSliceBytes)}},
            .values = {{"line_bits", number(p.footprint_log2 - kLineBits)},
                       {"slice", number(slice / CacheFootprint::kVectorBytes)}}};
}

template <>
KernelCode code_of<LatencyHiding>(const Params& p) {
    return {.function = "read_ahead",
            .arguments = {{"T", element_type(p.element_bytes)},
                          {"kLoads", number(LatencyHiding::loads(p))},
                          {"kBlocks", number(LatencyHiding::blocks_of_sm(p))}},
            .values = {{"rounds", number(LatencyHiding::rounds(p))}}};
}

template <>
KernelCode code_of<LocalSpill>(const Params& p) {
    return {.function = "spill",
            .arguments = {{"kLive", number(p.live_values)}, {"kRegisters", number(LocalSpill::budget(p))}},
            .values = {{"rounds", number(LocalSpill::kRounds)}}};
}

template <>
KernelCode code_of<ClusterShared>(const Params& p) {
    constexpr const char* kFunctions[] = {"load_own", "load_neighbour", "load_global"};
    return {.function = kFunctions[p.variant],
            .arguments = {{"T", element_type(p.element_bytes)}},
            .values = {{"pitch", number(ClusterShared::tile_pitch(p) / p.element_bytes)}}};
}

template <class... S>
KernelCode code_of_any(const Scenario& scenario, const Params& p, ScenarioList<S...>) {
    KernelCode code;
    ((S::info.id == scenario.info->id ? void(code = code_of<S>(p)) : void()), ...);
    code.file = fmt::format("kernels/scenarios/{}.cu", scenario.info->id);
    std::ranges::replace(code.file, '-', '_');
    return code;
}

}  // namespace

KernelCode grid_kernel(const Scenario& scenario, const Params& params) {
    return code_of_any(scenario, params, AllScenarios{});
}

}  // namespace warplens
