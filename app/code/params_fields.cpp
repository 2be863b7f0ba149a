#include "app/code/code_page.h"

#include <array>

namespace warplens {
namespace {

// The language has no way to list a struct's fields; a test compares this with kernels/params.h.
constexpr auto kParamsFields = std::to_array<ParamsField>({
    {"stride", &Params::stride},
    {"offset", &Params::offset},
    {"element_bytes", &Params::element_bytes},
    {"operation", &Params::operation},
    {"elements_log2", &Params::elements_log2},
    {"mask", &Params::mask},
    {"warp", &Params::warp},
    {"blocks_log2", &Params::blocks_log2},
    {"width", &Params::width},
    {"height", &Params::height},
    {"padding", &Params::padding},
    {"swizzle_bits", &Params::swizzle_bits},
    {"swizzle_base", &Params::swizzle_base},
    {"swizzle_shift", &Params::swizzle_shift},
    {"block_x", &Params::block_x},
    {"block_y", &Params::block_y},
    {"walk", &Params::walk},
    {"step", &Params::step},
    {"matrix", &Params::matrix},
    {"tile", &Params::tile},
    {"block_rows", &Params::block_rows},
    {"variant", &Params::variant},
    {"pattern", &Params::pattern},
    {"seed", &Params::seed},
    {"distance", &Params::distance},
    {"words", &Params::words},
    {"layout", &Params::layout},
    {"fields", &Params::fields},
    {"field", &Params::field},
    {"read_all", &Params::read_all},
    {"pack_bytes", &Params::pack_bytes},
    {"window_log2", &Params::window_log2},
    {"duplicates", &Params::duplicates},
    {"matrices", &Params::matrices},
    {"memory", &Params::memory},
    {"filter", &Params::filter},
    {"border", &Params::border},
    {"texture_log2", &Params::texture_log2},
    {"linear", &Params::linear},
    {"zoom_percent", &Params::zoom_percent},
    {"angle", &Params::angle},
    {"array_words", &Params::array_words},
    {"registers", &Params::registers},
    {"live_values", &Params::live_values},
    {"footprint_log2", &Params::footprint_log2},
    {"quantity", &Params::quantity},
    {"cluster", &Params::cluster},
});

}  // namespace

std::span<const ParamsField> params_fields() { return kParamsFields; }

}  // namespace warplens
