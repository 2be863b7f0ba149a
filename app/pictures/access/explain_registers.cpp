#include "app/pictures/access/explain.h"

#include <fmt/format.h>

#include <bit>
#include <cstdlib>

namespace warplens {
namespace {

std::string kept(const Exchange& x) {
    const int rest = x.active - x.moved;
    if (rest == 0) return {};
    return rest == 1 ? std::string("; 1 lane keeps its own") : fmt::format("; {} lanes keep their own", rest);
}

std::string verdict_of(const Exchange& x) {
    const std::string values = counted(x.moved, "value");
    if (x.moved == 0) return "Every lane keeps its own value: 0 values move.";
    if (x.sources == 1 && x.active > 1)
        return fmt::format("{} take the value of lane {}: {} {} in one instruction.", lanes_phrase(x.active),
                           x.first_source, values, x.moved == 1 ? "moves" : "move");
    if (x.exclusive_or > 0)
        return fmt::format("Lane i takes the value of lane i ^ {}: {} {} in one instruction.", x.exclusive_or,
                           values, x.moved == 1 ? "moves" : "move");
    const std::string_view move = x.moved == 1 ? "moves" : "move";
    if (x.step != 0)
        return fmt::format("{} {} in one instruction, each from the lane {} {}{}.", values, move,
                           std::abs(x.step), x.step > 0 ? "further on" : "before it", kept(x));
    return fmt::format("{} {} between lanes in one instruction{}.", values, move, kept(x));
}

}  // namespace

Exchange describe_exchange(const WarpAccess& access) {
    Exchange x{.active = std::popcount(access.active)};
    if (x.active == 0) return x;
    x.first_source = source_lane(access, std::countr_zero(access.active));
    std::uint32_t sources = 0;
    bool same_xor = true, same_step = true;
    for (std::uint32_t rest = access.active; rest != 0; rest &= rest - 1) {
        const int lane = std::countr_zero(rest), source = source_lane(access, lane);
        sources |= 1u << source;
        x.undefined += (access.active >> source & 1u) == 0;
        const int exclusive = lane ^ source;
        if (rest == access.active) x.exclusive_or = exclusive;
        same_xor = same_xor && exclusive == x.exclusive_or;
        if (source == lane) continue;
        if (x.moved++ == 0) x.step = source - lane;
        same_step = same_step && source - lane == x.step;
    }
    x.sources = std::popcount(sources);
    if (!same_xor) x.exclusive_or = 0;
    if (!same_step) x.step = 0;
    return x;
}

Explanation explain_registers(const InstructionView& view) {
    const WarpAccess& access = view.report->access;
    if (access.op == Op::store) {
        const int active = std::popcount(access.active);
        return {.verdict = fmt::format("{} {} in registers: no memory is touched.", lanes_phrase(active),
                                       active == 1 ? "keeps its value" : "keep their values"),
                .why = "The compiler knows which register is meant, so there is no address to send anywhere.",
                .good = true};
    }
    const Exchange x = describe_exchange(access);
    Explanation e{.verdict = verdict_of(x), .good = x.undefined == 0};
    e.why = "The values go from register to register: no address is sent to any memory.";
    if (x.undefined > 0)
        e.why = fmt::format(
            "{} the value of a lane that is not active, which is undefined.",
            x.undefined == 1 ? std::string("1 lane takes") : fmt::format("{} lanes take", x.undefined));
    return e;
}

}  // namespace warplens
