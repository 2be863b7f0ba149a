#include "app/typed/warp/warp_executor.h"

#include "kernels/hash.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>

namespace warplens::typed {

WarpExecutor::Place WarpExecutor::place_of(const Expr& element, std::uint32_t mask) {
    const Expr &base = *element.parts[0], &index = *element.parts[1];
    Place place;
    std::int64_t stride = base.type.element_bytes(), count = 0;
    if (base.type.is_array()) {  // a row of it, or all of it
        for (std::size_t i = 1; i < base.type.dims.size(); ++i)
            stride *= std::max<std::int64_t>(base.type.dims[i], 1);
        if (base.kind == ExprKind::variable) {
            const bool own = unit_.symbol(base.symbol).storage == Storage::local;
            place.own = own ? base.symbol : -1;
            place.offset = Lanes::uniform(0);
            place.offset.memory = bound_.memory_of[base.symbol];
        } else if (base.kind == ExprKind::index) {
            place = place_of(base, mask);
        } else {
            throw SourceError(base.at, "not in the subset: this array");
        }
        count = base.type.dims.front();
    } else {
        Lanes room;
        place.offset = value_of(base, mask, room, &index);
    }
    const int memory = place.offset.memory;
    if (memory < 0 && place.own < 0)
        throw SourceError(base.at, "it is not known which array this pointer points into");
    Lanes behind = evaluate(index, mask);
    if ((mask & ~behind.known) != 0) {
        constexpr std::int64_t kUnknown = 1 << 20;
        const std::int64_t bytes = count == 0 ? bound_.memories[memory].bytes : 0;
        if (bytes > 0) count = std::max<std::int64_t>(1, bytes / std::max<std::int64_t>(stride, 1));
        place.assumed = true;
        behind = assumed_index(index, behind, mask, count > 0 ? count : kUnknown);
    }
    check_reach(behind, mask, index.at);
    scale(behind, stride, element.value);
    add(place.offset, behind);
    place.offset.find_even();
    place.offset.memory = memory;
    return place;
}

/// An index that is multiplied by the size of an element must not wrap round into the array.
void WarpExecutor::check_reach(const Lanes& index, std::uint32_t mask, Position at) {
    constexpr std::int64_t kFarthest = std::int64_t{1} << 46;  // [elements]; addresses have 2^49 bytes
    const auto far = [](std::int64_t one) { return one > kFarthest || one < -kFarthest; };
    bool outside = false;
    if (index.even)
        outside =
            far(index.of(std::countr_zero(mask))) || far(index.of(kWarpLanes - 1 - std::countl_zero(mask)));
    else
        for (const int lane : LaneRange{mask}) outside = outside || far(index.at[std::size_t(lane)]);
    if (outside && mask != 0) throw SourceError(at, "out of bounds: no array has an element so far away");
}

void WarpExecutor::scale(Lanes& lanes, std::int64_t by, std::int64_t more) {
    if (lanes.even)
        lanes.set_even(Lanes::multiply_add(lanes.base, by, more), Lanes::multiply_add(lanes.step, by, 0));
    else
        for (std::int64_t& at : lanes.at) at = Lanes::multiply_add(at, by, more);
    lanes.per_x *= by;
    lanes.per_y *= by;
    lanes.per_round *= by;
}

void WarpExecutor::add(Lanes& lanes, const Lanes& other) {
    if (lanes.even && other.even) {
        lanes.set_even(Lanes::multiply_add(lanes.base, 1, other.base),
                       Lanes::multiply_add(lanes.step, 1, other.step));
    } else {
        lanes.spread();
        const LaneValues more(other);
        for (std::size_t l = 0; l < kWarpLanes; ++l)
            lanes.at[l] = Lanes::multiply_add(lanes.at[l], 1, more[l]);
    }
    lanes.known &= other.known;
    lanes.per_x += other.per_x;
    lanes.per_y += other.per_y;
    lanes.per_round += other.per_round;
}

/// If lanes have numbers that follow from data, these: a row of a matrix that all lanes have read from one
/// place is the same for all of them.
Lanes WarpExecutor::assumed_index(const Expr& index, const Lanes& has, std::uint32_t mask,
                                  std::int64_t count) {
    assumed_.insert(index.at);
    const bool numbers = (mask & ~has.numbers()) == 0;
    if (rounds_ > 1 && (!numbers || has.per_round != 0)) throw RoundsCut{};  // each round has its own
    Lanes lanes;
    const auto begin =
        static_cast<std::uint32_t>(std::size_t(requests_) * 977 + std::size_t(warp_) * 31 +
                                   std::size_t(range_.x) * 7919 + std::size_t(range_.y) * 104729);
    lanes.even = false;
    for (std::size_t l = 0; l < kWarpLanes; ++l) {
        const std::int64_t any = std::int64_t(mix_bits(begin * kWarpLanes + std::uint32_t(l)));
        const std::int64_t at = (numbers ? has.of(int(l)) : any) % count;
        lanes.at[l] = at < 0 ? at + count : at;
    }
    lanes.known = mask;
    return lanes;
}

void WarpExecutor::record(const Expr& element, const Place& place, std::uint32_t mask, bool store,
                          bool atomic) {
    const Memory& memory = bound_.memories[place.offset.memory];
    const int bytes = element.type.bytes();
    const Lanes& offsets = place.offset;
    const auto [low, high] = reach(offsets);
    std::int64_t least = std::numeric_limits<std::int64_t>::max(),
                 most = std::numeric_limits<std::int64_t>::min(), remainder = 0;
    if (offsets.even) {
        const std::int64_t first = offsets.of(std::countr_zero(mask)),
                           last = offsets.of(kWarpLanes - 1 - std::countl_zero(mask));
        least = std::min(first, last);
        most = std::max(first, last);
        remainder = ((first + memory.before) | (first == last ? 0 : offsets.step)) &
                    (bytes - 1);  // widths are powers of two
    } else {
        for (std::size_t l = 0; l < kWarpLanes; ++l) {
            const bool active = (mask >> l & 1u) != 0;
            const std::int64_t at = offsets.at[l];
            least = std::min(least, active ? at : least);
            most = std::max(most, active ? at : most);
            remainder |= active ? (at + memory.before) & (bytes - 1) : 0;
        }
    }
    const bool wrong = (least + low < -memory.before && memory.bytes > 0) ||
                       (memory.bytes > 0 && most + high + bytes > memory.bytes) || remainder != 0;
    for (const int lane : LaneRange{wrong ? mask : 0}) {
        const std::int64_t at = place.offset.of(lane);
        const bool outside = (at + low < -memory.before && memory.bytes > 0) ||
                             (memory.bytes > 0 && at + high + bytes > memory.bytes);
        if (outside && (rounds_ > 1 || !range_.is_single())) {
            // Which block is it? It is looked for by halves.
            halve();
        }
        if (outside)
            throw SourceError(
                element.at,
                fmt::format("out of bounds: lane {} of warp {} in block ({}, {}) accesses byte {} of {}, "
                            "which has {} bytes",
                            lane, warp_, range_.x, range_.y, at, in_quotes(memory.name), memory.bytes),
                SourceError::Kind::out_of_bounds);
        if ((at + memory.before) % bytes != 0)
            throw SourceError(
                element.at, fmt::format("misaligned: lane {} accesses {} bytes at byte {} of {}", lane, bytes,
                                        at, in_quotes(memory.name)));
    }
    if (place.offset.per_round % bytes != 0) throw RoundsCut{};
    if (place.offset.per_x % bytes != 0 || place.offset.per_y % bytes != 0) halve_blocks();
    ++requests_;
    visitor_->visit({element, offsets.memory, store, atomic, mask, offsets, interval_, warp_interval_,
                     place.assumed || poison_ > 0 || uncertain_ || (mask & ~offsets.known) != 0});
}

void WarpExecutor::mark(OrderMark::Kind kind, std::uint32_t mask) {
    if (rounds_ > 1) throw RoundsCut{};
    visitor_->visit_mark({kind, mask, interval_, warp_interval_});
}

/// Blocks draw their tickets in the order of their numbers, or from the last one on. For what they do with
/// them, to find out which one is the last, any order is as good; for whether they race it is not.
Lanes WarpExecutor::ticket(const Expr& expr, const Place& place, const Lanes& by, std::uint32_t mask) {
    Lanes drawn;
    if (expr.type.is_integer() && place.offset.is_uniform()) {  // one lane after the other
        drawn = any_of(place, mask);
        drawn.spread();
        std::int64_t before = 0;
        for (const int lane : LaneRange{mask}) {
            drawn.at[lane] += before;
            before += by.moves() || (by.numbers() >> lane & 1u) == 0 ? 1 : by.of(lane);
        }
    }
    if (expr.sign != "++" && (expr.sign != "+" || by.moves() || single(by, mask) != 1)) return drawn;
    if (expr.unread || !bound_.tickets || !expr.type.is_integer() || std::popcount(mask) != 1 ||
        poison_ > 0 || bound_.memories[place.offset.memory].storage != Storage::global ||
        place.offset.moves())
        return drawn;
    mark(OrderMark::Kind::ticket, mask);
    // With a second one of the block, these are no numbers of blocks: TypedProgram looks for it.
    if (loop_) mark(OrderMark::Kind::ticket, mask);
    if (loop_ || tickets_++ > 0) return drawn;
    const std::int64_t wide = bound_.launch.grid_x, number = range_.x + range_.y * wide;
    const int on = bound_.last_first ? -1 : 1;
    drawn = Lanes::uniform(bound_.last_first ? wide * bound_.launch.rows() - 1 - number : number);
    drawn.known = mask;
    drawn.per_x = range_.width > 1 ? on : 0;
    drawn.per_y = range_.height > 1 ? on * wide : 0;
    return drawn;
}

void WarpExecutor::hand_out(const Expr& element, int memory, const Lanes& value, std::uint32_t mask) {
    const Memory& whole = bound_.memories[memory];
    if (whole.storage != Storage::shared || whole.bytes != element.type.bytes() || warp_ > 0 || poison_ > 0 ||
        loop_ || std::popcount(mask) != 1 || (value.known & mask) == 0 || !element.type.is_integer())
        return;
    int stores = 0;
    visit_accesses(unit_, [&](const Expr& one, bool, bool is_store, AccessBy) {
        const Expr* root = &one;
        while (root->kind == ExprKind::index) root = root->parts[0].get();
        const bool same = root->kind == ExprKind::variable && bound_.memory_of[root->symbol] == memory;
        stores += same && is_store ? 1 : 0;
    });
    if (stores != 1) return;  // another thread may hand out something else
    Lanes handed = Lanes::uniform(value.of(std::countr_zero(mask)));
    handed.per_x = value.per_x;
    handed.per_y = value.per_y;
    handed_[memory] = handed;
}

/// The pointers that an array of pointers contains.
Lanes WarpExecutor::rows_of(const Expr& element, const Memory& memory, const Place& place,
                            std::uint32_t mask) const {
    const auto to = std::ranges::find(memory.pointers, element.value, &Memory::Pointers::offset);
    if (to == memory.pointers.end() || element.parts[0]->type.element_bytes() != to->element)
        throw SourceError(element.at, "it is not known which array this pointer points into");
    if (place.offset.per_x % to->element != 0 || place.offset.per_round % to->element != 0)
        cut_into_single(place.offset);
    Lanes out = place.offset;  // each part is as far from the next one as the elements are, times so much
    const std::int64_t by = to->pitch / to->element;
    scale(out, by, -to->offset * by);
    out.known = mask;
    out.memory = to->memory;
    return out;
}

/// A number for each place, of memory of which nothing is known.
Lanes WarpExecutor::any_of(const Place& place, std::uint32_t mask) const {
    constexpr std::int64_t kMost = 1 << 20;
    Lanes out;
    if (place.offset.per_round != 0) return out;
    const auto number = [&](std::int64_t offset) {
        return std::int64_t(mix_bits(std::uint32_t(offset) * 31 + std::uint32_t(place.offset.memory))) %
               kMost;
    };
    out.assumed = mask;
    out.base = number(place.offset.base);
    if (place.offset.is_uniform()) return out;
    out.spread();
    const LaneValues offsets(place.offset);
    for (const int lane : LaneRange{mask}) out.at[lane] = number(offsets[lane]);
    return out;
}

Lanes WarpExecutor::content_of(const Memory& memory, const Place& place, std::uint32_t mask,
                               Scalar type) const {
    Lanes out;
    if (memory.content == Content::unknown || memory.bytes == 0) {
        out = any_of(place, mask);
        settle(out, mask, type);
        return out;
    }
    const int bytes = bytes_of(memory.scalar);
    const std::int64_t count = memory.bytes / bytes;
    if (memory.content != Content::sequential && place.offset.moves()) cut_into_single(place.offset);
    out.known = mask;
    out.per_x = place.offset.per_x / bytes;
    out.per_y = place.offset.per_y / bytes;
    out.per_round = place.offset.per_round / bytes;
    if (place.offset.is_uniform()) {
        out.base = content_at(memory.content, place.offset.base / bytes, count);
    } else {
        const LaneValues offsets(place.offset);
        out.spread();
        for (const int lane : LaneRange{mask})
            out.at[lane] = content_at(memory.content, offsets[lane] / bytes, count);
        if (memory.content == Content::sequential) out.find_even();
    }
    settle(out, mask, type);
    return out;
}

OwnArray& WarpExecutor::own_array(int symbol) {
    OwnArray& array = arrays_[symbol];
    const Type& type = unit_.symbol(symbol).type;
    const auto size = std::size_t(type.elements() * type.lanes);
    if (array.size() != size) {
        array.assign(size, Lanes());
        const std::vector<std::int64_t>& initial = unit_.symbol(symbol).initial;
        if (unit_.symbol(symbol).is_const && !is_floating(type.scalar))  // a table that no statement declares
            for (std::size_t i = 0; i < std::min(size, initial.size()); ++i)
                array[i] = Lanes::uniform(initial[i]);
    }
    return array;
}

Lanes WarpExecutor::access_own(const Expr& element, const Place& place, std::uint32_t mask,
                               const Lanes* value) {
    OwnArray& array = own_array(place.own);
    hold(place.offset);
    if (value != nullptr) hold(*value);
    const Type& type = unit_.symbol(place.own).type;
    const std::int64_t size = type.elements(), slot = bytes_of(type.scalar);
    Lanes out, to_array = value == nullptr ? Lanes() : *value;
    if (is_floating(type.scalar) && !type.pointer)
        to_array.known = 0;  // only those of variables are followed
    // Load or store of some lanes, all of them at one place of the array.
    const auto access = [&](std::int64_t offset, std::uint32_t lanes) {
        if (offset < 0 || offset / type.element_bytes() >= size)
            throw SourceError(element.at,
                              fmt::format("out of bounds: lane {} accesses element {} of {}, which has {}",
                                          std::countr_zero(lanes), offset / type.element_bytes(),
                                          in_quotes(unit_.symbol(place.own).name), size));
        const auto i = std::size_t(offset / slot);
        if (value == nullptr) {  // of whole vectors nothing is known
            if (element.type.lanes == 1) choose(out, array[i], lanes, false);
            return;
        }
        for (std::size_t k = i; k < i + static_cast<std::size_t>(element.type.lanes); ++k) {
            keep(place.own, k + 1);
            choose(array[k], to_array, lanes, false);
        }
    };
    if (place.offset.is_uniform())
        access(place.offset.base, mask);
    else
        for (const int lane : LaneRange{mask}) access(place.offset.of(lane), 1u << lane);
    const Expr* base = &element;
    bool known = true;
    while (base->kind == ExprKind::index) {
        known = known && compiler_knows(unit_, *base->parts[1]);
        base = base->parts[0].get();
    }
    if (!known) {
        Place in_memory = place;
        in_memory.offset.memory = bound_.memory_of[place.own];
        record(element, in_memory, mask, value != nullptr);
    }
    return out;
}

Lanes WarpExecutor::load(const Expr& element, std::uint32_t mask) {
    if (element.type.is_record()) return {};  // what is used of it is loaded member by member
    return load_from(element, place_of(element, mask), mask);
}

Lanes WarpExecutor::load_from(const Expr& element, const Place& place, std::uint32_t mask) {
    if (place.own >= 0) return access_own(element, place, mask, nullptr);
    if (!element.joined) record(element, place, mask, false);
    if (element.type.pointer) return rows_of(element, bound_.memories[place.offset.memory], place, mask);
    if (!element.type.is_integer()) return {};
    if (const auto handed = handed_.find(place.offset.memory); handed != handed_.end()) return handed->second;
    return content_of(bound_.memories[place.offset.memory], place, mask, element.type.scalar);
}

void WarpExecutor::store_to(const Expr& element, const Place& place, const Lanes& value, std::uint32_t mask) {
    if (place.own >= 0) {
        access_own(element, place, mask, &value);
        return;
    }
    const Memory& memory = bound_.memories[place.offset.memory];
    if (memory.content != Content::unknown)
        throw SourceError(element.at,
                          fmt::format("{} was declared as an index array, which only loads may access",
                                      in_quotes(memory.name)));
    if (!element.joined) record(element, place, mask, true);
    if (tickets_ > 0) hand_out(element, place.offset.memory, value, mask);
}

}  // namespace warplens::typed
