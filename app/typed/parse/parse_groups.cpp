#include "app/typed/parse/parser.h"
#include "kernels/warp_access.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace warplens::typed {

/// All of a block's threads, or all blocks. @param x  of their three dimensions the first
ExprPtr Parser::product_of(Builtin x, Position at) {
    unit_.asks.insert(x);
    return times(builtin(x, at),
                 times(builtin(Builtin(int(x) + 1), at), builtin(Builtin(int(x) + 2), at), at), at);
}

/// The number of a thread in its block, x fastest; in a tile of so many threads; or in the grid.
ExprPtr Parser::thread_rank(Position at, int of) {
    unit_.asks.insert(Builtin::thread_x);
    ExprPtr in_block =
        plus(builtin(Builtin::thread_x, at),
             times(builtin(Builtin::block_dim_x, at),
                   plus(builtin(Builtin::thread_y, at),
                        times(builtin(Builtin::block_dim_y, at), builtin(Builtin::thread_z, at), at), at),
                   at),
             at);
    if (of == kBlockGroup) return in_block;
    if (of > 0)
        return make_binary({TokenKind::sign, "%", at}, std::move(in_block), number(of, Scalar::uint32, at));
    unit_.asks.insert(Builtin::block_x);
    ExprPtr block =
        plus(builtin(Builtin::block_x, at),
             times(builtin(Builtin::grid_dim_x, at),
                   plus(builtin(Builtin::block_y, at),
                        times(builtin(Builtin::grid_dim_y, at), builtin(Builtin::block_z, at), at), at),
                   at),
             at);
    return plus(times(std::move(block), product_of(Builtin::block_dim_x, at), at), std::move(in_block), at);
}

/// The barrier of a group.
ExprPtr Parser::synchronize(const Type& group, const Token& name) {
    const bool grid = group.record_bytes == kGridGroup;
    if (grid) {
        unit_.waits_for_grid = true;
        unit_.only_counted = "grid.sync()";
        unit_.need(60, "grid.sync()");
    }
    return call_intrinsic(grid                     ? Intrinsic::sync_grid
                          : group.record_bytes > 0 ? Intrinsic::sync_warp
                                                   : Intrinsic::sync_threads,
                          {}, {}, name);
}

ExprPtr Parser::read_group_method(const Type& group, const Token& name) {
    if (group.record_bytes == kOpaque) {
        if (is("<")) read_template_arguments();
        if (is("(")) return foreign_call(name, {}, read_arguments());
        ExprPtr member = nothing(name.at);  // of a union of them
        member->type = group;
        return member;
    }
    if (is("<")) read_template_arguments();
    std::vector<ExprPtr> parts = read_arguments();
    for (ExprPtr& part : parts) part = decay(std::move(part));
    const int of = group.record_bytes;
    const std::string_view what = name.text;
    if (what == "sync" || what == "barrier_wait" || what == "barrier_arrive") return synchronize(group, name);
    if (what == "thread_rank") return thread_rank(name.at, of);
    if (what == "size" || what == "num_threads") {
        if (of > 0) return number(of, Scalar::uint32, name.at);
        ExprPtr block = product_of(Builtin::block_dim_x, name.at);
        if (of == kBlockGroup) return block;
        return times(std::move(block), product_of(Builtin::grid_dim_x, name.at), name.at);
    }
    if (what == "meta_group_rank")
        return make_binary({TokenKind::sign, "/", name.at}, thread_rank(name.at, kBlockGroup),
                           number(std::max(of, 1), Scalar::uint32, name.at));
    if (what == "meta_group_size")
        return make_binary({TokenKind::sign, "/", name.at}, product_of(Builtin::block_dim_x, name.at),
                           number(std::max(of, 1), Scalar::uint32, name.at));
    constexpr std::pair<std::string_view, Builtin> kIndices[] = {
        {"thread_index", Builtin::thread_x},   {"group_index", Builtin::block_x},
        {"block_index", Builtin::block_x},     {"group_dim", Builtin::block_dim_x},
        {"dim_threads", Builtin::block_dim_x}, {"group_dim_threads", Builtin::block_dim_x},
        {"dim_blocks", Builtin::grid_dim_x}};
    for (const auto& [known, first] : kIndices)
        if (known == what) return all_three(first, name.at);
    constexpr std::pair<std::string_view, Intrinsic> kShuffles[] = {{"shfl", Intrinsic::shuffle},
                                                                    {"shfl_up", Intrinsic::shuffle_up},
                                                                    {"shfl_down", Intrinsic::shuffle_down},
                                                                    {"shfl_xor", Intrinsic::shuffle_xor}};
    for (const auto& [known, which] : kShuffles) {
        if (known != what || parts.size() != 2) continue;
        const Type type = parts[0]->type;
        parts.insert(parts.begin(), number(-1, Scalar::int32, name.at));
        if (of > 0 && of < kWarpLanes) parts.push_back(number(of, Scalar::int32, name.at));
        return call_intrinsic(which, type, std::move(parts), name);
    }
    return unknown_value(what == "any" || what == "all" ? Type{Scalar::boolean} : Type{Scalar::uint32},
                         std::move(parts), name);
}

/// Functions that make groups, or take them.
bool Parser::read_group_function(const Token& name, ExprPtr& made) {
    const auto group = [&](int of) {
        made = nothing(name.at);
        made->type.record = kGroup;
        made->type.record_bytes = of;
        return true;
    };
    if (name.text == "this_thread_block") {
        read_arguments();
        return group(kBlockGroup);
    }
    if (name.text == "this_grid") {
        read_arguments();
        return group(kGridGroup);
    }
    if (name.text == "coalesced_threads") {
        read_arguments();
        return group(kWarpLanes);
    }
    if (name.text == "tiled_partition") {
        std::int64_t size = kWarpLanes;
        if (is("<")) {
            take();
            size = constant_of(*read_binary(9), "the size of a tile");
            accept_closing_angle();
            read_arguments();
        } else {
            const std::vector<ExprPtr> parts = read_arguments();
            if (parts.size() > 1) size = fold(unit_, *parts[1]).value_or(kWarpLanes);
        }
        return group(int(size));
    }
    if ((name.text == "sync" || name.text == "wait" || name.text == "wait_prior") && is("(")) {
        if (is("<")) read_template_arguments();
        const std::vector<ExprPtr> parts = read_arguments();
        if (parts.empty() || !is_group(parts[0]->type)) refuse(name);
        made = synchronize(parts[0]->type, name);
        return true;
    }
    if (name.text == "reduce" && is("(")) {
        take();
        const ExprPtr of = read_assignment();
        if (!is_group(of->type)) refuse(name);
        expect(",", "after a group");
        std::vector<ExprPtr> parts;
        parts.push_back(decay(read_assignment()));
        const Type type = parts[0]->type;
        while (!is(")") && peek().kind != TokenKind::end) {  // cg::plus<float>()
            if (is("("))
                skip_brackets();
            else
                take();
        }
        take();
        made = unknown_value(type, std::move(parts), name);
        return true;
    }
    return false;
}

}  // namespace warplens::typed
