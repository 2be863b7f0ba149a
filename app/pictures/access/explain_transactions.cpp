#include "app/pictures/access/explain.h"

#include <fmt/format.h>

#include <algorithm>

namespace warplens {
namespace {

/// Everything that the sentences below are made from.
struct TransactionCase {
    const SectorReport& report;
    const WarpAccess& access;
    AccessFacts facts;
    Travelling pieces;

    bool lines() const { return report.rules.coalescing == CoalescingRules::whole_lines; }
    bool in_order() const { return report.rules.coalescing == CoalescingRules::half_warp_aligned; }
    std::string_view moved() const { return moved_word(access.op); }
};

/// "2 transactions of 64 bytes", "3 transactions of 32 to 128 bytes", "2 lines"
std::string what_moves(const TransactionCase& c) {
    const std::string count = counted(c.pieces.count, c.pieces.name);
    if (c.lines() || c.report.transactions.empty()) return count;
    const auto [least, most] = std::ranges::minmax(c.report.transactions, {}, &Transaction::bytes);
    if (least.bytes == most.bytes) return fmt::format("{} of {} bytes", count, least.bytes);
    return fmt::format("{} of {} to {} bytes", count, least.bytes, most.bytes);
}

std::string rule(const TransactionCase& c) {
    const int served = c.report.lanes_per_request;
    const std::string_view part = served == 32 ? "warp" : served == 16 ? "half-warp" : "quarter-warp";
    if (c.lines()) {
        const std::string split = c.report.lanes_per_request < kWarpLanes
                                      ? fmt::format("Each {} is a request of its own. ", part)
                                      : std::string();
        return split +
               "Through the L1 of this GPU a line of 128 bytes travels whole (-Xptxas -dlcm=ca, the "
               "default; with -dlcm=cg 32-byte segments)";
    }
    const int bytes = c.access.bytes_per_lane;
    if (c.in_order()) {
        if (bytes < 4)
            return fmt::format(
                "This GPU coalesces only 4, 8 and 16 bytes per lane; {} take a transaction for "
                "each lane",
                bytes == 1 ? "single bytes" : "2 bytes");
        return fmt::format(
            "On this GPU lane k of a half-warp must want the k-th element of {} aligned bytes; "
            "if not, each lane has a transaction of its own",
            16 * bytes);
    }
    const int largest = bytes == 1 ? 32 : bytes == 2 ? 64 : 128;
    return fmt::format("A half-warp takes each segment of {} bytes that its lanes touch{}", largest,
                       largest > 32 ? ", or the half or quarter of it that is enough" : "");
}

std::string_view how_they_lie(const TransactionCase& c) {
    return c.in_order()         ? "Not coalesced"
           : c.facts.contiguous ? "Misaligned"
           : c.facts.even_step  ? "Strided"
                                : "Scattered";
}

Explanation explain_same(const TransactionCase& c) {
    Explanation e{.good = c.pieces.good()};
    const bool alone = c.facts.active == 1;
    e.verdict = fmt::format("{} {} {} {}: {}, ideal {}.", lanes_phrase(c.facts.active),
                            is_load(c.access.op) ? (alone ? "wants" : "want") : (alone ? "writes" : "write"),
                            alone ? "only" : "the same", counted(c.access.bytes_per_lane, "byte"),
                            what_moves(c), c.pieces.ideal);
    e.why = fmt::format("{}: {}.", rule(c), used_of_moved(c.report.count, c.moved()));
    return e;
}

}  // namespace

Travelling travelling(const SectorReport& report) {
    const SectorCount& count = report.count;
    switch (report.rules.coalescing) {
        case CoalescingRules::half_warp_aligned:
        case CoalescingRules::half_warp_segments:
            return {"transaction", count.transactions, count.ideal_transactions};
        case CoalescingRules::whole_lines:
            return {"line", count.transactions, count.ideal_transactions};
        case CoalescingRules::sectors:
            break;
    }
    return {"sector", count.sectors, count.ideal_sectors};
}

Explanation explain_transactions(const InstructionView& view) {
    const WarpAccess& access = view.report->access;
    const TransactionCase c{*view.sectors, access, describe_access(access), travelling(*view.sectors)};
    if (c.facts.distinct == 1) return explain_same(c);
    const SectorCount& count = c.report.count;
    const bool tight = c.lines() || count.sectors <= count.ideal_sectors;
    Explanation e{.good = c.pieces.good() && tight};
    if (e.good) {
        e.verdict = fmt::format("{}: {} {} served by {}, and {} is the ideal.",
                                c.facts.contiguous ? "Coalesced" : "As few as can be",
                                counted(c.facts.active, "lane"), c.facts.active == 1 ? "is" : "are",
                                what_moves(c), c.pieces.ideal);
    } else if (!c.pieces.good()) {
        e.verdict = fmt::format("{}: {} {} {}, {} is the minimum.", how_they_lie(c), what_moves(c),
                                c.pieces.count == 1 ? "is" : "are", c.moved(), c.pieces.ideal);
    } else {
        e.verdict = fmt::format("{} {} {}, and {} of the bytes are used.", what_moves(c),
                                c.pieces.count == 1 ? "is" : "are", c.moved(),
                                format_percent(count.bytes_used, count.bytes_moved));
    }
    e.why = fmt::format("{}: {}.", rule(c), used_of_moved(c.report.count, c.moved()));
    return e;
}

}  // namespace warplens
