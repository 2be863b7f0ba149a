#include "app/typed/warp/warp_executor.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

namespace warplens::typed {
namespace {

std::string lanes_text(std::uint32_t lanes) {
    const int first = std::countr_zero(lanes), count = std::popcount(lanes);
    return count == 1 ? fmt::format("lane {}", first)
                      : fmt::format("{} lanes, the first is {}", count, first);
}

std::uint32_t reversed(std::uint32_t bits) {
    std::uint32_t out = 0;
    for (int i = 0; i < 32; ++i) out |= (bits >> i & 1u) << (31 - i);
    return out;
}

/// Whether a test takes so long that nvcc jumps over it for lanes that an earlier test decides.
bool takes_long(const Expr& expr) {
    return touches_memory(expr) || expr.sign == "/" || expr.sign == "%" ||
           std::ranges::any_of(expr.parts, [](const ExprPtr& part) { return takes_long(*part); });
}

}  // namespace

const Lanes& WarpExecutor::value_of(const Expr& expr, std::uint32_t mask, Lanes& room, const Expr* next) {
    if (expr.kind == ExprKind::variable && (next == nullptr || next->parts.empty())) {
        const Symbol& symbol = unit_.symbol(expr.symbol);
        if (!symbol.constant && (symbol.storage == Storage::variable || symbol.storage == Storage::local)) {
            count_step(expr.at);
            return variables_[expr.symbol];
        }
    }
    if (expr.kind == ExprKind::builtin && expr.value <= int(Builtin::thread_z)) {
        count_step(expr.at);
        return threads_[warp_][std::size_t(expr.value)];
    }
    if (expr.kept >= 0) return kept(expr);
    return room = evaluate(expr, mask);
}

const Lanes& WarpExecutor::kept(const Expr& expr) {
    count_step(expr.at);
    Lanes& value = kept_[std::size_t(unit_.kept) * std::size_t(warp_) + std::size_t(expr.kept)];
    if (value.known == 0)
        value = expr.kind == ExprKind::binary  ? binary(expr, kAllLanes)
                : expr.kind == ExprKind::unary ? unary(expr, kAllLanes)
                                               : cast(expr, kAllLanes);
    return value;
}

Lanes WarpExecutor::binary(const Expr& expr, std::uint32_t mask) {
    Lanes room_a, room_b;
    const Lanes& a = value_of(*expr.parts[0], mask, room_a, expr.parts[1].get());
    const Lanes& b = value_of(*expr.parts[1], mask, room_b);
    Lanes out;
    if (!expr.integers) {
        compute(expr, true);
        return is_floating(expr.parts[0]->type.scalar) ? apply_reals(expr, a, b, mask) : out;
    }
    if (apply_quickly(expr.sign, a, b, expr.type.scalar, out)) {
        out.follow(a, b, mask);
        if (expr.type.scalar == Scalar::boolean) out.assumed = 0;
        return out;
    }
    compute(expr, (a.known & b.known & mask) != mask);
    return apply(expr.sign, a, b, mask, expr.parts[0]->type.scalar, expr.type.scalar, expr.at);
}

Lanes WarpExecutor::evaluate(const Expr& expr, std::uint32_t mask) {
    if (expr.kept >= 0) return kept(expr);
    count_step(expr.at);
    switch (expr.kind) {
        case ExprKind::number:
            return expr.type.is_single() ? Lanes::uniform(expr.value) : Lanes{};
        case ExprKind::variable: {
            const Symbol& symbol = unit_.symbol(expr.symbol);
            if (symbol.constant) return Lanes::uniform(*symbol.constant);
            if (symbol.storage != Storage::variable && symbol.storage != Storage::local) return {};
            return variables_[expr.symbol];
        }
        case ExprKind::builtin:
            return builtin(static_cast<Builtin>(expr.value));
        case ExprKind::unary:
            return unary(expr, mask);
        case ExprKind::binary:
            return binary(expr, mask);
        case ExprKind::logic:
            return logic(expr, mask);
        case ExprKind::choice:
            return choice(expr, mask);
        case ExprKind::assign:
            return assign(expr, mask);
        case ExprKind::step: {
            const Expr& target = *expr.parts[0];
            const int by = target.type.pointer ? target.type.element_bytes() : 1;
            const auto [before, after] = update(target, mask, [&](const Lanes& value) {
                Lanes next;
                if (target.type.is_integer() || target.type.pointer)
                    next = apply(expr.sign == "++" ? Sign("+") : Sign("-"), value, Lanes::uniform(by), mask,
                                 Scalar::int64, target.type.pointer ? Scalar::int64 : target.type.scalar,
                                 expr.at);
                next.memory = value.memory;
                return next;
            });
            return expr.value == 1 ? before : after;
        }
        case ExprKind::index:
            return load(expr, mask);
        case ExprKind::member: {
            const OwnArray all = components_of(*expr.parts[0], mask);
            return all.empty() ? Lanes{} : all[std::size_t(expr.value)];
        }
        case ExprKind::address: {
            if (expr.parts[0]->kind != ExprKind::index)
                throw SourceError(
                    expr.at,
                    "not in the subset: pointers to variables, but for functions that are given them");
            const Place place = place_of(*expr.parts[0], mask);
            if (place.own >= 0)
                throw SourceError(expr.at, "not in the subset: pointers into arrays of a thread");
            return place.offset;
        }
        case ExprKind::cast:
            return cast(expr, mask);
        case ExprKind::call:
            return call(expr, mask).front();
        case ExprKind::intrinsic:
            return intrinsic(expr, mask);
        case ExprKind::make_vector:
            for (const ExprPtr& part : expr.parts) evaluate(*part, mask);
            return {};
        case ExprKind::sequence:
            evaluate(*expr.parts[0], mask);
            return evaluate(*expr.parts[1], mask);
    }
    return {};
}

Lanes WarpExecutor::unary(const Expr& expr, std::uint32_t mask) {
    const Lanes of = evaluate(*expr.parts[0], mask);
    if (expr.sign == "-" && expr.type.is_single() && is_floating(expr.type.scalar))
        return apply_reals(expr, Lanes::uniform(0), of, mask);
    if (!expr.type.is_integer() || !expr.parts[0]->type.is_integer()) return {};
    if (expr.sign == "-")
        return apply("-", Lanes::uniform(0), of, mask, Scalar::int64, expr.type.scalar, expr.at);
    hold(of);
    if (expr.sign == "!") std::swap(joined_[0], joined_[1]);
    const auto result = [&](std::int64_t at) {
        return wrap(expr.sign == "!" ? at == 0 : ~at, expr.type.scalar);
    };
    Lanes out = of;
    if (of.is_uniform()) {
        out.base = result(of.base);
        return out;
    }
    out.spread();
    for (std::int64_t& at : out.at) at = result(at);
    return out;
}

Lanes WarpExecutor::cast(const Expr& expr, std::uint32_t mask) {
    Lanes of = evaluate(*expr.parts[0], mask);
    const Type& from = expr.parts[0]->type;
    if (expr.type.pointer) return of;
    if (!expr.integers && !(expr.type.is_integer() && from.pointer)) return cast_real(expr, of, mask);
    if (expr.type.scalar == Scalar::boolean) {
        if (from.pointer) return Lanes::uniform(1);
        if (from.scalar == Scalar::boolean) return of;
        return apply("!=", of, Lanes::uniform(0), mask, Scalar::int64, Scalar::boolean, expr.at);
    }
    settle(of, mask, expr.type.scalar);
    return of;
}

std::uint32_t WarpExecutor::lanes_where(const Expr& condition, std::uint32_t mask, const Lanes& truth) const {
    if ((truth.known & mask) != mask)
        throw SourceError(
            condition.at,
            "which lanes go on is not known: this condition follows from values that are not known");
    if (truth.is_uniform()) return truth.base != 0 ? mask : 0;
    std::uint32_t lanes = 0;
    const LaneValues values(truth);
    for (std::size_t l = 0; l < kWarpLanes; ++l) lanes |= std::uint32_t{values[l] != 0} << l;
    return lanes & mask;
}

Lanes WarpExecutor::logic(const Expr& expr, std::uint32_t mask) {
    const Lanes left = evaluate(*expr.parts[0], mask);
    const bool both = expr.sign == "&&";
    if ((left.known & mask) != mask) {
        if (touches_memory(*expr.parts[1])) {
            assumed_.insert(expr.at);
            perhaps(mask, true, {[&] { evaluate(*expr.parts[1], mask); }});
        }
        return {};
    }
    const std::uint32_t yes = lanes_where(*expr.parts[0], mask, left), goes_on = both ? yes : mask & ~yes;
    Lanes out = Lanes::uniform(both ? 0 : 1);
    if (goes_on == 0) return out;
    const Lanes right = evaluate(*expr.parts[1], goes_on);
    hold(right);
    // Lanes that the first test decides jump to where others come later, behind the second one.
    if (goes_on != mask && takes_long(*expr.parts[1])) {
        const bool known = (right.known & goes_on) == goes_on;
        const std::uint32_t holds = known ? lanes_where(*expr.parts[1], goes_on, right) : 0;
        joined_[both ? 0 : 1] = !known || holds != (both ? goes_on : 0);
    }
    out.merge(right, goes_on);
    return out;
}

Lanes WarpExecutor::choice(const Expr& expr, std::uint32_t mask) {
    const Lanes truth = evaluate(*expr.parts[0], mask);
    if ((truth.known & mask) != mask) {
        Lanes either;
        const auto way = [&](std::size_t which) {
            return [&, which] {
                if (!touches_memory(*expr.parts[which]) && !expr.type.pointer && !expr.type.is_integer())
                    return;
                if (touches_memory(*expr.parts[which])) assumed_.insert(expr.at);
                either = evaluate(*expr.parts[which], mask);
            };
        };
        perhaps(mask, true, {way(1), way(2)});
        uncertain_ = uncertain_ || expr.type.pointer;
        if (expr.type.pointer) return either;
        if (!expr.type.is_integer() || either.moves()) return {};
        either.assumed = either.numbers();
        either.known = 0;
        return either;
    }
    const std::uint32_t yes = lanes_where(*expr.parts[0], mask, truth), no = mask & ~yes;
    Lanes out;
    if (yes != 0) out = evaluate(*expr.parts[1], yes);
    if (no != 0) {
        const Lanes other = evaluate(*expr.parts[2], no);
        if (yes == 0) return other;
        if (!out.moves_like(other)) part(out, other);
        if (out.memory != other.memory)
            throw SourceError(expr.at, "not in the subset: pointers into one of two arrays");
        out.merge(other, no);
        out.known &= mask;
    }
    return out;
}

OwnArray WarpExecutor::components_of(const Expr& vector, std::uint32_t mask) {
    if (vector.kind == ExprKind::variable && is_vector(vector.symbol)) return own_array(vector.symbol);
    if (vector.kind == ExprKind::sequence) {
        evaluate(*vector.parts[0], mask);
        return components_of(*vector.parts[1], mask);
    }
    if (vector.kind == ExprKind::call) {
        OwnArray all = call(vector, mask);
        all.resize(std::ssize(all) == vector.type.lanes ? all.size() : 0);
        return all;
    }
    if (vector.kind != ExprKind::make_vector) {
        evaluate(vector, mask);
        return {};
    }
    OwnArray all;
    for (const ExprPtr& part : vector.parts) all.push_back(evaluate(*part, mask));
    all.resize(std::ssize(all) == vector.type.lanes ? all.size() : 0);
    return all;
}

void WarpExecutor::set_component(int symbol, std::size_t which, Lanes value, std::uint32_t mask, bool fresh) {
    OwnArray& all = own_array(symbol);
    if (loop_ && !unit_.makes_integers && is_floating(unit_.symbol(symbol).type.scalar)) value.known = 0;
    keep(symbol, which + 1);
    choose(all[which], value, mask, fresh);
}

void WarpExecutor::set_components(int symbol, const OwnArray& values, std::uint32_t mask, bool fresh) {
    for (std::size_t i = 0; i < std::size_t(unit_.symbol(symbol).type.lanes); ++i)
        set_component(symbol, i, values.empty() ? Lanes{} : values[i], mask, fresh);
}

void WarpExecutor::write(const Expr& target, const Lanes& value, std::uint32_t mask) {
    if (target.kind == ExprKind::index) return store_to(target, place_of(target, mask), value, mask);
    if (target.kind == ExprKind::member) {
        const Expr& vector = *target.parts[0];
        if (vector.kind == ExprKind::variable && is_vector(vector.symbol))
            set_component(vector.symbol, std::size_t(target.value), value, mask, false);
        return;
    }
    keep(target.symbol, 0);
    choose(variables_[target.symbol], to_variable(target.symbol, value), mask, false);
}

template <class Change>
std::pair<Lanes, Lanes> WarpExecutor::update(const Expr& target, std::uint32_t mask, const Change& change) {
    if (target.kind != ExprKind::index) {
        const Lanes before = evaluate(target, mask), after = change(before);
        write(target, after, mask);
        return {before, after};
    }
    count_step(target.at);
    const Place place = place_of(target, mask);
    const Lanes before = load_from(target, place, mask), after = change(before);
    store_to(target, place, after, mask);
    return {before, after};
}

Lanes WarpExecutor::assign(const Expr& expr, std::uint32_t mask) {
    const Expr &target = *expr.parts[0], &source = *expr.parts[1];
    if (target.kind == ExprKind::variable && is_vector(target.symbol)) {
        const OwnArray all = components_of(source, mask);
        set_components(target.symbol, expr.sign == "=" ? all : OwnArray(), mask, false);
        return {};
    }
    const Lanes by = evaluate(source, mask);
    if (expr.sign == "=") {
        write(target, by, mask);
        return by;
    }
    return update(target, mask,
                  [&](const Lanes& before) {
                      compute(expr, (before.known & by.known & mask) != mask);
                      return changed(expr, before, by, mask);
                  })
        .second;
}

Lanes WarpExecutor::changed(const Expr& expr, const Lanes& before, const Lanes& by,
                            std::uint32_t mask) const {
    const Expr &target = *expr.parts[0], &source = *expr.parts[1];
    Lanes value;
    if (target.type.pointer) {
        check_reach(by, mask & by.known, expr.at);
        const Lanes bytes = apply("*", by, Lanes::uniform(target.type.element_bytes()), mask, Scalar::int64,
                                  Scalar::int64, expr.at);
        value = apply(expr.sign, before, bytes, mask, Scalar::int64, Scalar::int64, expr.at);
        value.memory = before.memory;
    } else if (target.type.is_integer() && source.type.is_integer()) {
        value = apply(expr.sign, before, by, mask, static_cast<Scalar>(expr.value),
                      static_cast<Scalar>(expr.value), expr.at);
        settle(value, mask, target.type.scalar);
    } else if (is_floating(target.type.scalar) && is_floating(source.type.scalar)) {
        value = apply_reals(expr, before, by, mask);
    }
    return value;
}

OwnArray WarpExecutor::call(const Expr& expr, std::uint32_t mask) {
    const Function& function = unit_.functions[expr.symbol];
    constexpr int kDeepestCall = 16;
    if (++call_depth_ > kDeepestCall) throw SourceError(expr.at, "functions call each other too deeply");
    std::vector<OwnArray> arguments;  // of a single value itself
    for (std::size_t i = 0; i < expr.parts.size(); ++i)
        arguments.push_back(is_vector(function.parameters[i]) ? components_of(*expr.parts[i], mask)
                                                              : OwnArray{evaluate(*expr.parts[i], mask)});
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const int parameter = function.parameters[i];
        if (is_vector(parameter))
            set_components(parameter, arguments[i], mask, true);
        else
            choose(variables_[parameter], to_variable(parameter, arguments[i][0]), mask, true);
    }
    OwnArray outer_result = std::exchange(result_, {});
    const bool outer_call = std::exchange(in_call_, true);
    const int outer_poison = std::exchange(call_poison_, poison_);
    result_fresh_ = true;
    execute(*function.body, mask);
    OwnArray value = std::exchange(result_, std::move(outer_result));
    in_call_ = outer_call;
    call_poison_ = outer_poison;
    --call_depth_;
    if (value.empty()) value.emplace_back();
    return value;
}

Lanes WarpExecutor::intrinsic(const Expr& expr, std::uint32_t mask) {
    const auto which = static_cast<Intrinsic>(expr.value);
    switch (which) {
        case Intrinsic::sync_threads:
        case Intrinsic::sync_grid:
            if (mask != live_)
                throw SourceError(
                    expr.at,
                    fmt::format("not all threads reach __syncthreads(): {} of warp {} in block ({}, {}) do "
                                "not, so the others wait for ever",
                                lanes_text(live_ & ~mask), warp_, range_.x, range_.y));
            ++interval_;
            ++warp_interval_;
            barrier_ = expr.at;
            if (which == Intrinsic::sync_grid) mark(OrderMark::Kind::grid, mask);
            return {};
        case Intrinsic::fence:
            mark(OrderMark::Kind::fence, mask);
            return {};
        case Intrinsic::sync_warp:
            ++warp_interval_;
            return {};
        case Intrinsic::load_cached:
            return load(*expr.parts[0], mask);
        case Intrinsic::atomic: {
            const Expr& element = *expr.parts[0];
            const Place place = place_of(element, mask);
            Lanes by;
            for (std::size_t i = 1; i < expr.parts.size(); ++i) by = evaluate(*expr.parts[i], mask);
            if (place.own >= 0)
                throw SourceError(expr.at, "an atomic operation needs shared or global memory");
            record(element, place, mask, true, true);
            return ticket(expr, place, by, mask);
        }
        default:
            break;
    }
    std::vector<Lanes> parts;
    for (const ExprPtr& part : expr.parts) parts.push_back(evaluate(*part, mask));
    compute(expr, true);
    if (which >= Intrinsic::shuffle && which <= Intrinsic::shuffle_xor && poison_ == 0)
        check_mask(expr, parts[0], mask);
    if (expr.of_numbers != nullptr) return function_of_reals(expr, parts, mask);
    if (!expr.type.is_integer() || which == Intrinsic::other || which == Intrinsic::math) return {};
    switch (which) {
        case Intrinsic::min:
        case Intrinsic::max: {
            if (((parts[0].known & parts[1].known) & mask) != mask) {
                Lanes out;
                out.follow(parts[0], parts[1], mask);
                out.known = 0;
                if (parts[0].moves() || parts[1].moves()) return {};
                out.spread();
                for (const int lane : LaneRange{out.assumed}) {
                    const std::int64_t a = parts[0].of(lane), b = parts[1].of(lane);
                    out.at[lane] = which == Intrinsic::min ? std::min(a, b) : std::max(a, b);
                }
                return out;
            }
            const Lanes less =
                apply("<", parts[0], parts[1], mask, expr.type.scalar, Scalar::boolean, expr.at);
            std::uint32_t first = 0;
            for (const int lane : LaneRange{less.known})
                if ((less.of(lane) != 0) == (which == Intrinsic::min)) first |= 1u << lane;
            Lanes out = (first & mask) == 0 ? parts[1] : parts[0];
            if ((first & mask) != 0 && (mask & ~first) != 0) {
                if (!parts[0].moves_like(parts[1])) part(parts[0], parts[1]);
                out.merge(parts[1], mask & ~first);
            }
            out.known = less.known;
            return out;
        }
        case Intrinsic::shuffle:
        case Intrinsic::shuffle_up:
        case Intrinsic::shuffle_down:
        case Intrinsic::shuffle_xor:
            return shuffle(which, parts, mask);
        case Intrinsic::active_mask:
        case Intrinsic::ballot: {
            // When lanes that have parted come together again is up to nvcc.
            if (mask != live_ || poison_ > 0 || uncertain_) return {};
            std::uint32_t bits = mask;
            if (which == Intrinsic::ballot) {
                hold(parts[1]);
                if ((parts[0].known & parts[1].known & mask) != mask) return {};
                for (const int lane : LaneRange{mask}) {
                    const bool says = parts[1].of(lane) != 0 && (parts[0].of(lane) >> lane & 1) != 0;
                    if (!says) bits &= ~(1u << lane);
                }
            }
            Lanes out = Lanes::uniform(bits);
            out.known = mask;
            return out;
        }
        default: {  // of one number
            hold(parts[0]);
            Lanes out;
            out.spread();
            out.known = parts[0].known & mask;
            for (const int lane : LaneRange{out.known}) {
                const std::int64_t of = parts[0].of(lane);
                const auto bits = static_cast<std::uint32_t>(of);
                out.at[lane] = which == Intrinsic::abs            ? wrap(of < 0 ? -of : of, expr.type.scalar)
                               : which == Intrinsic::popcount     ? std::popcount(bits)
                               : which == Intrinsic::reverse_bits ? std::int64_t(reversed(bits))
                               : which == Intrinsic::leading_zeros
                                   ? std::countl_zero(bits)
                                   : (bits == 0 ? 0 : std::countr_zero(bits) + 1);
            }
            return out;
        }
    }
}

void WarpExecutor::check_mask(const Expr& expr, const Lanes& said, std::uint32_t mask) const {
    std::uint32_t left_out = 0;
    for (const int lane : LaneRange{mask & said.known})
        if ((said.of(lane) >> lane & 1) == 0) left_out |= 1u << lane;
    if (left_out == 0) return;
    throw SourceError(expr.at, fmt::format("the mask of this shuffle leaves out {} of warp {}, which execute "
                                           "it: what they get is undefined; a mask names every lane that "
                                           "comes here, 0xffffffff a whole warp",
                                           lanes_text(left_out), warp_));
}

Lanes WarpExecutor::shuffle(Intrinsic which, const std::vector<Lanes>& parts, std::uint32_t mask) const {
    const Lanes &value = parts[1], &from = parts[2];
    const std::int64_t width = parts.size() > 3 ? single(parts[3], mask).value_or(kWarpLanes) : kWarpLanes;
    Lanes out = value;
    out.spread();
    out.known = out.assumed = 0;
    hold(from);
    for (const int lane : LaneRange{mask & from.known}) {
        const int first = lane / int(width) * int(width);
        std::int64_t source = which == Intrinsic::shuffle        ? first + (from.of(lane) & (width - 1))
                              : which == Intrinsic::shuffle_up   ? lane - from.of(lane)
                              : which == Intrinsic::shuffle_down ? lane + from.of(lane)
                                                                 : lane ^ from.of(lane);
        if (source < first || source >= first + width) source = lane;
        out.at[lane] = value.of(int(source));
        if ((value.known >> source & mask >> source & 1u) != 0) out.known |= 1u << lane;
        if ((value.assumed >> source & mask >> source & 1u) != 0) out.assumed |= 1u << lane;
    }
    return out;
}

}  // namespace warplens::typed
