#include "app/base/text.h"
#include "app/typed/bind_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <utility>

namespace warplens::typed {
namespace {

constexpr int kMostBlocks = BoundLaunch::kMostBlocks;

bool has_word(std::string_view name, std::initializer_list<std::string_view> words) {
    const std::string lower = lower_case(name);
    return std::ranges::any_of(words, [&](std::string_view word) { return lower.find(word) != lower.npos; });
}
bool is_place(std::string_view name) {
    return name == "t" ||
           has_word(name, {"off", "start", "begin", "shift", "first", "phase", "seed", "index", "idx"});
}
bool is_small(std::string_view name) {
    return has_word(
        name, {"channel", "radius", "mask",  "kernel", "filter", "head", "batch", "depth", "pad",  "dilation",
               "degree",  "order",  "level", "dim_",   "bits",   "iter", "tile",  "num_",  "loop", "round"});
}

/// Whether this is true of any expression of a kernel.
bool any_expression(const Unit& unit, const std::function<bool(const Expr&)>& is_one) {
    const std::function<bool(const Expr&)> in = [&](const Expr& expr) {
        return is_one(expr) ||
               std::ranges::any_of(expr.parts, [&](const ExprPtr& part) { return in(*part); });
    };
    const std::function<bool(const Stmt&)> in_statement = [&](const Stmt& stmt) {
        return (stmt.condition && in(*stmt.condition)) || (stmt.step && in(*stmt.step)) ||
               (stmt.init && in_statement(*stmt.init)) ||
               std::ranges::any_of(stmt.body,
                                   [&](const StmtPtr& part) { return part && in_statement(*part); });
    };
    return std::ranges::any_of(unit.functions,
                               [&](const Function& one) { return one.body && in_statement(*one.body); });
}

/// "row * stride + column": then a stride is the width of a row. It may have been copied, as a struct's
/// member.
bool is_width(const Unit& unit, std::string_view name) {
    const auto member = [](std::string_view one) { return one.substr(one.rfind('.') + 1); };
    const std::vector<int>& parameters = unit.functions.front().parameters;
    const auto bare = [](const Expr& expr) {
        const Expr* inner = &expr;
        while (inner->kind == ExprKind::cast) inner = inner->parts[0].get();
        return inner;
    };
    const auto is_variable = [&](const Expr& expr) { return bare(expr)->kind == ExprKind::variable; };
    const auto is_row = [&](const Expr& expr) {
        const Expr& product = *bare(expr);
        return product.kind == ExprKind::binary && product.sign == "*" &&
               std::ranges::any_of(product.parts, [&](const ExprPtr& part) {
                   return is_variable(*part) && member(unit.symbol(bare(*part)->symbol).name) == member(name);
               });
    };
    const auto is_column = [&](const Expr& expr) {
        return bare(expr)->kind == ExprKind::builtin ||
               (is_variable(expr) && !unit.symbol(bare(expr)->symbol).constant &&
                std::ranges::find(parameters, bare(expr)->symbol) == parameters.end());
    };
    return any_expression(unit, [&](const Expr& expr) {
        return expr.kind == ExprKind::binary && expr.sign == "+" &&
               ((is_row(*expr.parts[0]) && is_column(*expr.parts[1])) ||
                (is_row(*expr.parts[1]) && is_column(*expr.parts[0])));
    });
}
bool is_step(const Unit& unit, std::string_view name) {
    return has_word(name, {"stride", "step", "inc", "jump"}) && !is_width(unit, name);
}

bool asks_for(const Unit& unit, Builtin x) {
    return unit.asks.contains(x) || unit.asks.contains(Builtin(int(x) + 1)) ||
           unit.asks.contains(Builtin(int(x) + 2));
}

/// Whether threads that do the same would race: some store to global memory is no atomic operation.
bool stores_plainly(const Unit& unit) {
    bool found = false;
    visit_accesses(unit, [&](const Expr& element, bool, bool stores, AccessBy by) {
        const Expr* root = &element;
        while (root->kind == ExprKind::index) root = root->parts[0].get();
        const bool own = root->kind == ExprKind::variable && !root->type.pointer &&
                         unit.symbol(root->symbol).storage != Storage::global;
        found = found || (stores && by == AccessBy::itself && !own);
    });
    return found;
}

/// The first number that may say how many elements there are; -1 if none does.
int first_size(const Bound& bound) {
    for (const int parameter : bound.kernel->parameters) {
        const Symbol& one = bound.unit->symbol(parameter);
        if (one.type.is_integer() && !is_place(one.name) && !is_step(*bound.unit, one.name)) return parameter;
    }
    return -1;
}

}  // namespace

std::int64_t assumed_number(const Bound& bound, const Symbol& symbol, int attempt) {
    const Unit& unit = *bound.unit;
    if (symbol.type.scalar == Scalar::boolean) return 1;
    if (is_place(symbol.name)) return 0;
    if (is_step(unit, symbol.name)) return 1;
    if (is_small(symbol.name) || symbol.name == "r") return 4;
    int sizes = 0;
    for (const int parameter : bound.kernel->parameters) {
        const Symbol& one = unit.symbol(parameter);
        if (one.type.is_integer() && !is_place(one.name) && !is_step(unit, one.name) && !is_small(one.name) &&
            one.type.scalar != Scalar::boolean)
            ++sizes;
    }
    if (bytes_of(symbol.type.scalar) < 2) return 1;
    // If no thread does anything with equal numbers: the first or the last one is a size, and others differ.
    if (attempt / kMostBlocks >= BoundLaunch::kSizes - 2) {
        std::vector<int> numbers;
        for (const int parameter : bound.kernel->parameters)
            if (unit.symbol(parameter).type.is_integer()) numbers.push_back(parameter);
        const bool first = attempt / kMostBlocks == BoundLaunch::kSizes - 2;
        const auto at =
            std::ranges::find(numbers, symbol.name, [&](int one) { return unit.symbol(one).name; });
        const std::int64_t before = at - numbers.begin();
        return before == (first ? 0 : std::int64_t(numbers.size()) - 1) ? 256 : before;
    }
    // Smaller ones, where the first ones take too long.
    const std::int64_t shrink = std::int64_t{1} << std::min(2 * (attempt / kMostBlocks), 8);
    return std::max<std::int64_t>((sizes >= 4 ? 64 : 1024) / shrink, 4);
}

void set_size(Launch& launch, bool grid, const std::vector<std::int64_t>& sizes, Position where) {
    const std::int64_t x = sizes[0], y = sizes.size() > 1 ? sizes[1] : 1, z = sizes.size() > 2 ? sizes[2] : 1;
    const std::int64_t most_x = grid ? 2'147'483'647 : 1024, most_y = grid ? 65'535 : 1024;
    if (x < 1 || y < 1 || z < 1 || x > most_x || y > most_y || z > (grid ? 65'535 : 64) || sizes.size() > 3 ||
        (!grid && x * y * z > 1024) || y * z > 1 << 28)
        throw SourceError(where, fmt::format("a {} of ({}) cannot be launched: it has 1 to {}",
                                             grid ? "grid" : "block", fmt::join(sizes, ", "),
                                             grid ? "2147483647 blocks in x and 65535 in y and z"
                                                  : "1024 threads, at most 64 of them in z"));
    (grid ? launch.grid_x : launch.block_x) = int(x);
    (grid ? launch.grid_y : launch.block_y) = int(y);
    (grid ? launch.grid_z : launch.block_z) = int(z);
}

void assume_launch(BoundLaunch& result, bool has_grid, bool has_block, int attempt) {
    Bound& bound = result.bound;
    const Unit& unit = *bound.unit;
    const bool uses_z = unit.asks.contains(Builtin::thread_z), uses_y = unit.asks.contains(Builtin::thread_y);
    // Threads that are not told apart are one, and so are blocks, unless it is atomic operations that meet.
    const bool meets = unit.leaves_out || unit.waits_for_grid || !stores_plainly(unit);
    const bool one_thread = !meets && !asks_for(unit, Builtin::thread_x),
               one_block = !meets && !asks_for(unit, Builtin::block_x);
    using Block = std::vector<std::int64_t>;
    std::vector<Block> blocks;
    const auto propose = [&](Block one) {
        if (std::ranges::find(blocks, one) == blocks.end()) blocks.push_back(std::move(one));
    };
    if (one_thread) propose({1, 1, 1});
    // "s[n - 1 - threadIdx.x]": a thread for each of them.
    const int count = first_size(bound);
    if (one_block && count >= 0 && !uses_y && !uses_z && !asks_for(unit, Builtin::block_dim_x) &&
        bound.values[std::size_t(count)] >= 1 && bound.values[std::size_t(count)] <= 1024 &&
        any_expression(
            unit, [&](const Expr& one) { return one.kind == ExprKind::variable && one.symbol == count; }))
        propose({bound.values[std::size_t(count)], 1, 1});
    for (const Symbol& symbol : unit.symbols) {
        if (symbol.storage != Storage::shared || symbol.dynamic || symbol.is_scalar) continue;
        const std::vector<int>& dims = symbol.type.dims;
        const std::int64_t first = dims.front();
        if (uses_y && dims.size() >= 2 && first * first <= 1024 && first >= 4) propose({first, first, 1});
        if (!uses_y && dims.size() == 1 && first >= 32 && first <= 1024 && first % 32 == 0)
            propose({first, 1, 1});
    }
    if (uses_z) {
        propose({8, 8, 4});
        propose({8, 8, 8});
        propose({4, 4, 4});
    }
    if (uses_y)
        for (const std::int64_t side : {16, 32, 8}) propose({side, side, 1});
    if (uses_y) propose({32, 8, 1});
    if (!uses_y && !uses_z && unit.most_threads > 0 && unit.most_threads <= 1024)
        blocks.insert(blocks.begin(), {unit.most_threads, 1, 1});
    for (const std::int64_t threads : {256, 128, 64, 32, 512, 1024}) propose({threads, 1, 1});
    const auto too_large = [&](const Block& one) { return one[0] * one[1] * one[2] > unit.most_threads; };
    if (unit.most_threads >= kWarpLanes) std::erase_if(blocks, too_large);
    const Block& block = blocks[std::size_t(attempt % kMostBlocks) % blocks.size()];
    if (!has_block) result.blocks = std::min(int(blocks.size()), kMostBlocks);

    if (!has_block) set_size(bound.launch, false, block, bound.kernel->at);
    Launch& launch = bound.launch;
    if (!has_grid) {
        std::int64_t width = 0, height = 0;
        for (const int parameter : bound.kernel->parameters) {
            const Symbol& one = unit.symbol(parameter);
            if (!one.type.is_integer() || is_place(one.name) || is_step(unit, one.name)) continue;
            const std::int64_t value = bound.values[std::size_t(parameter)];
            if (has_word(one.name, {"width", "col", "nx"}) || width == 0) width = value;
            if (has_word(one.name, {"height", "row", "ny"}) || height == 0) height = value;
        }
        if (one_block || attempt / kMostBlocks >= BoundLaunch::kSizes - 2) width = height = 1;
        if (width <= 0) width = std::int64_t{1024} * launch.block_x;
        if (height <= 0) height = width;
        const bool two = uses_y || unit.asks.contains(Builtin::block_y);
        const std::int64_t most = unit.waits_for_grid ? 16 : 65'535;  // all at once, on small GPUs too
        const auto blocks_for = [most](std::int64_t size, int each) {
            return std::clamp<std::int64_t>((size + each - 1) / each, 1, most);
        };
        std::vector<std::int64_t> sizes{blocks_for(width, launch.block_x),
                                        two ? blocks_for(height, launch.block_y) : 1,
                                        unit.asks.contains(Builtin::block_z) ? (uses_z ? 16 : 4) : 1};
        for (std::size_t i = 0; i < 3; ++i) {  // whole clusters
            const std::int64_t each = std::clamp<std::int64_t>(unit.cluster[i], 1, 16);
            sizes[i] = std::max(sizes[i] / each, std::int64_t{1}) * each;
        }
        set_size(bound.launch, true, sizes, bound.kernel->at);
    }
    const auto dims = [](int x, int y, int z) {
        return z > 1   ? fmt::format("({}, {}, {})", x, y, z)
               : y > 1 ? fmt::format("({}, {})", x, y)
                       : fmt::format("{}", x);
    };
    const bool one = std::int64_t{launch.grid_x} * launch.rows() == 1;
    result.warnings.push_back(
        fmt::format("{} {} of {} {} assumed; say it with '// launch grid=... block=...'",
                    dims(launch.grid_x, launch.grid_y, launch.grid_z), one ? "block" : "blocks",
                    dims(launch.block_x, launch.block_y, launch.block_z),
                    fmt::format("{} {}", launch.threads() == 1 ? "thread" : "threads", one ? "is" : "are")));
}

}  // namespace warplens::typed
