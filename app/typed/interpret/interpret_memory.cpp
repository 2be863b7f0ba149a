#include "app/typed/interpret/interpret.h"

#include "kernels/hash.h"
#include "kernels/typed/code_step.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace warplens::typed {

Interpreter::Place Interpreter::place_of(const Expr& element, std::uint32_t mask) {
    const Expr &base = *element.parts[0], &index = *element.parts[1];
    Place place;
    std::int64_t stride = base.type.element_bytes(), count = 0;
    if (base.type.is_array()) {  // a row of it, or all of it
        for (std::size_t i = 1; i < base.type.dims.size(); ++i)
            stride *= std::max<std::int64_t>(base.type.dims[i], 1);
        if (base.kind == ExprKind::variable) {
            const bool own = unit_.symbol(base.symbol).storage == Storage::local;
            place.own = own ? base.symbol : -1;
            place.offset = uniform(0);
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
    constexpr std::int64_t kUnknown = 1 << 20;
    if (count == 0) {
        const std::int64_t bytes = bound_.memories[memory].bytes;
        count = bytes > 0 ? std::max<std::int64_t>(1, bytes / std::max<std::int64_t>(stride, 1)) : kUnknown;
    }
    Lanes behind = known_index(index, mask, count);
    scale(behind, stride, element.value);
    add(place.offset, behind);
    place.offset.memory = memory;
    return place;
}

void Interpreter::scale(Lanes& lanes, std::int64_t by, std::int64_t more) {
    for (std::int64_t& at : lanes.at) at = multiply_add(at, by, more);
    lanes.per_x *= by;
    lanes.per_y *= by;
}

void Interpreter::add(Lanes& lanes, const Lanes& other) {
    for (std::size_t l = 0; l < kWarpLanes; ++l) lanes.at[l] = multiply_add(lanes.at[l], 1, other.at[l]);
    lanes.known &= other.known;
    lanes.per_x += other.per_x;
    lanes.per_y += other.per_y;
}

std::int64_t Interpreter::multiply_add(std::int64_t a, std::int64_t by, std::int64_t more) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(by) +
                                     static_cast<std::uint64_t>(more));
}

Lanes Interpreter::known_index(const Expr& index, std::uint32_t mask, std::int64_t count) {
    Lanes lanes = evaluate(index, mask);
    const std::uint32_t unknown = mask & ~lanes.known;
    if (unknown == 0) return lanes;
    assumed_.insert(index.at);
    const auto begin =
        static_cast<std::uint32_t>(requests_.size() * 977 + std::size_t(warp_) * 31 +
                                   std::size_t(range_.x) * 7919 + std::size_t(range_.y) * 104729);
    lanes.per_x = lanes.per_y = 0;
    for (std::size_t l = 0; l < kWarpLanes; ++l)
        lanes.at[l] = std::int64_t(mix_bits(begin * kWarpLanes + std::uint32_t(l))) % count;
    lanes.known = mask;
    return lanes;
}

void Interpreter::record(const Expr& element, const Place& place, std::uint32_t mask, bool store,
                         bool atomic) {
    const Memory& memory = bound_.memories[place.offset.memory];
    const int bytes = element.type.element_bytes();
    Request& request = requests_.emplace_back(Request{.site = site_of(element),
                                                      .memory = place.offset.memory,
                                                      .store = store,
                                                      .bytes = static_cast<std::int16_t>(bytes),
                                                      .interval = interval_,
                                                      .warp_interval = warp_interval_,
                                                      .atomic = atomic,
                                                      .active = mask,
                                                      .per_x = place.offset.per_x,
                                                      .per_y = place.offset.per_y});
    const std::int64_t x = request.per_x * (range_.width - 1), y = request.per_y * (range_.height - 1);
    const std::int64_t low = std::min<std::int64_t>(x, 0) + std::min<std::int64_t>(y, 0),
                       high = std::max<std::int64_t>(x, 0) + std::max<std::int64_t>(y, 0);
    std::int64_t least = std::numeric_limits<std::int64_t>::max(),
                 most = std::numeric_limits<std::int64_t>::min(), remainder = 0;
    const auto look_at = [&](auto is_active) {
        for (std::size_t l = 0; l < kWarpLanes; ++l) {
            const bool active = is_active(l);
            const std::int64_t at = place.offset.at[l];
            request.address[l] = active ? at : 0;
            least = std::min(least, active ? at : least);
            most = std::max(most, active ? at : most);
            remainder |= active ? at & (bytes - 1) : 0;  // widths are powers of two
        }
    };
    if (mask == kAllLanes)
        look_at([](std::size_t) { return true; });
    else
        look_at([&](std::size_t l) { return (mask >> l & 1u) != 0; });
    const bool wrong = (least + low < 0 && memory.bytes > 0) ||
                       (memory.bytes > 0 && most + high + bytes > memory.bytes) || remainder != 0;
    for (const int lane : LaneRange{wrong ? mask : 0}) {
        const std::int64_t at = place.offset.at[lane];
        const bool outside =
            (at + low < 0 && memory.bytes > 0) || (memory.bytes > 0 && at + high + bytes > memory.bytes);
        if (outside && !range_.is_single()) {
            // Which block is it? It is looked for by halves.
            halve();
        }
        if (outside)
            throw SourceError(
                element.at,
                fmt::format("out of bounds: lane {} of warp {} in block ({}, {}) accesses byte {} of {}, "
                            "which has {} bytes",
                            lane, warp_, range_.x, range_.y, at, in_quotes(memory.name), memory.bytes));
        if (at % bytes != 0)
            throw SourceError(
                element.at, fmt::format("misaligned: lane {} accesses {} bytes at byte {} of {}", lane, bytes,
                                        at, in_quotes(memory.name)));
    }
    if (request.per_x % bytes != 0 || request.per_y % bytes != 0) halve();
    if (--requests_left_ < 0)
        throw SourceError(
            element.at,
            fmt::format("a block makes more than {} loads and stores; make its loops shorter", kMostRequests),
            true);
}

Lanes Interpreter::content_of(const Memory& memory, const Place& place, std::uint32_t mask,
                              Scalar type) const {
    Lanes out;
    if (memory.content == Content::unknown || memory.bytes == 0) return out;
    const int bytes = bytes_of(memory.scalar);
    const std::int64_t count = memory.bytes / bytes;
    if (memory.content != Content::sequential && place.offset.moves()) cut_into_single(place.offset);
    out.known = mask;
    out.per_x = place.offset.per_x / bytes;
    out.per_y = place.offset.per_y / bytes;
    for (const int lane : LaneRange{mask}) {
        const std::size_t l = lane;
        out.at[l] = code_content(memory.content, place.offset.at[l] / bytes, count);
    }
    settle(out, mask, type);
    return out;
}

OwnArray& Interpreter::own_array(int symbol) {
    OwnArray& array = arrays_[symbol];
    const Type& type = unit_.symbol(symbol).type;
    const std::size_t size = type.elements() * type.lanes;
    if (array.at.size() != size) {
        array.at.resize(size);
        array.known.assign(size, 0);
        const std::vector<std::int64_t>& initial = unit_.symbol(symbol).initial;
        if (unit_.symbol(symbol).is_const)  // a table that no statement declares
            for (std::size_t i = 0; i < std::min(size, initial.size()); ++i) {
                array.at[i].fill(initial[i]);
                array.known[i] = kAllLanes;
            }
    }
    return array;
}

Lanes Interpreter::access_own(const Expr& element, const Place& place, std::uint32_t mask,
                              const Lanes* value) {
    OwnArray& array = own_array(place.own);
    hold(place.offset);
    if (value != nullptr && value->moves()) halve();
    const Type& type = unit_.symbol(place.own).type;
    const std::int64_t size = type.elements(), slot = bytes_of(type.scalar);
    Lanes out;
    for (const int lane : LaneRange{mask}) {
        const std::size_t l = lane;
        const std::int64_t at = place.offset.at[l] / type.element_bytes();
        if (place.offset.at[l] < 0 || at >= size)
            throw SourceError(element.at,
                              fmt::format("out of bounds: lane {} accesses element {} of {}, which has {}",
                                          lane, at, in_quotes(unit_.symbol(place.own).name), size));
        const std::size_t i = place.offset.at[l] / slot;
        const std::uint32_t bit = 1u << lane;
        if (value == nullptr) {
            if (element.type.lanes > 1) continue;  // of whole vectors nothing is known
            out.at[l] = array.at[i][l];
            out.known |= array.known[i] & bit;
            continue;
        }
        array.at[i][l] = value->at[l];
        for (std::size_t k = i; k < i + static_cast<std::size_t>(element.type.lanes); ++k)
            array.known[k] = (array.known[k] & ~bit) | (poison_ > 0 ? 0 : value->known & bit);
    }
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

Lanes Interpreter::load(const Expr& element, std::uint32_t mask) {
    return load_from(element, place_of(element, mask), mask);
}

Lanes Interpreter::load_from(const Expr& element, const Place& place, std::uint32_t mask) {
    if (place.own >= 0) return access_own(element, place, mask, nullptr);
    record(element, place, mask, false);
    if (!element.type.is_integer()) return {};
    return content_of(bound_.memories[place.offset.memory], place, mask, element.type.scalar);
}

void Interpreter::store_to(const Expr& element, const Place& place, const Lanes& value, std::uint32_t mask) {
    if (place.own >= 0) {
        access_own(element, place, mask, &value);
        return;
    }
    const Memory& memory = bound_.memories[place.offset.memory];
    if (memory.content != Content::unknown)
        throw SourceError(element.at,
                          fmt::format("{} was declared as an index array, which only loads may access",
                                      in_quotes(memory.name)));
    record(element, place, mask, true);
}

}  // namespace warplens::typed
