#include "app/pictures/access/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <numeric>

namespace warplens {
namespace {

/// Stretches of memory without a hole, which the lanes' bytes make up.
struct Pieces {
    int count = 0;
    std::uint64_t bytes = 0;  ///< of each, where all are equally long; else 0
    int misaligned = 0;       ///< that do not start at a multiple of 32
};

Pieces find_pieces(const WarpAccess& access) {
    const std::uint64_t element = access.bytes_per_lane;
    const WantedElements elements = collect_elements(access);
    Pieces pieces;
    std::uint64_t start = 0, end = 0;
    const auto finish = [&] {
        pieces.bytes = pieces.count == 1 || pieces.bytes == end - start ? end - start : 0;
    };
    for (const WantedElement& one : elements) {
        if (pieces.count == 0 || one.byte_address != end) {
            if (pieces.count > 0) finish();
            start = one.byte_address;
            ++pieces.count;
            pieces.misaligned += start % kSectorBytes != 0 ? 1 : 0;
        }
        end = one.byte_address + element;
    }
    finish();
    return pieces;
}

/// Everything that the sentences below are made from.
struct SectorCase {
    const SectorCount& count;
    int lanes_per_request;
    AccessFacts facts;
    Pieces pieces;
    int bytes_per_lane;
    Op op;
    bool load = is_load(op);
    std::string_view verb() const { return lanes_verb(op); }
    std::string_view moved() const { return load ? "fetched" : "sent"; }
};

/// "7 of every 8 bytes fetched are not used", where that is a simple fraction.
std::string unused_of_moved(const SectorCase& c) {
    const int common = std::gcd(c.count.bytes_moved - c.count.bytes_used, c.count.bytes_moved);
    if (common == 0 || c.count.bytes_moved / common > 32 || c.count.bytes_used >= c.count.bytes_moved) {
        return used_of_moved(c.count, c.moved());
    }
    const int unused = (c.count.bytes_moved - c.count.bytes_used) / common;
    if (2 * unused == c.count.bytes_moved / common)
        return fmt::format("half of the bytes {} are not used", c.moved());
    return fmt::format("{} of every {} bytes {} {} not used", unused, c.count.bytes_moved / common, c.moved(),
                       unused == 1 ? "is" : "are");
}

/// For example "32 sectors are fetched, 4 is the minimum".
std::string against_ideal(const SectorCase& c) {
    return fmt::format("{} {} {}, {} is the minimum", counted(c.count.sectors, "sector"),
                       c.count.sectors == 1 ? "is" : "are", c.moved(), format_count(c.count.ideal_sectors));
}

/// "4 pieces of 32 bytes", "3 pieces"
std::string pieces_phrase(const SectorCase& c) {
    const std::string count = counted(c.pieces.count, "piece");
    return c.pieces.bytes == 0
               ? count
               : fmt::format("{} of {}", count, counted(static_cast<std::int64_t>(c.pieces.bytes), "byte"));
}

/// " The 32 lanes request 4 different elements.", or nothing where each has its own.
std::string shared_elements(const SectorCase& c) {
    if (c.facts.distinct == c.facts.active) return {};
    return fmt::format(" {} {} only {} different elements.", lanes_phrase(c.facts.active), c.verb(),
                       c.facts.distinct);
}

/// Several lanes add to one word.
/// @param most  lanes of the word that most of them add to
Explanation explain_turns(const SectorCase& c, int most) {
    const std::string lanes = lanes_phrase(c.facts.active);
    Explanation e{.good = c.count.sectors <= c.count.ideal_sectors};
    e.say(c.facts.distinct == 1 ? fmt::format("{} queue at a word", lanes)
                                : fmt::format("Lanes queue at words, {} at one of them", most),
          fmt::format(": {}, ideal {}.", counted(c.count.sectors, "sector"), c.count.ideal_sectors));
    e.why = fmt::format(
        "{} add to {}. The L2 adds to a word for one lane after the other, and for each its "
        "sector is asked for again.",
        lanes, counted(c.facts.distinct, "word"));
    return e;
}

Explanation explain_same_element(const SectorCase& c) {
    const std::string lanes = lanes_phrase(c.facts.active);
    const std::string bytes = c.bytes_per_lane == 1 ? "byte" : fmt::format("{} bytes", c.bytes_per_lane);
    const bool alone = c.facts.active == 1;
    Explanation e{.good = c.count.sectors <= c.count.ideal_sectors};
    e.say(fmt::format("{} {} {} {}", lanes,
                      is_atomic(c.op) ? "adds to"
                      : c.load        ? (alone ? "requests" : "request")
                                      : (alone ? "writes" : "write"),
                      alone ? "only" : "the same", bytes),
          fmt::format(": {}, ideal {}.", counted(c.count.sectors, "sector"), c.count.ideal_sectors));
    e.why = alone ? fmt::format("A sector of 32 bytes is the least that travels: {}.",
                                used_of_moved(c.count, c.moved()))
            : c.load && c.count.requests > 1
                ? fmt::format(
                      "This GPU serves a warp in requests of {} lanes, and each of the {} fetches the "
                      "sector; within a request it goes to every lane.",
                      c.lanes_per_request, c.count.requests)
            : c.load ? std::string("The sector is fetched once and its bytes go to every lane: a broadcast.")
                     : std::string("The stores overwrite one another, and it is not said whose value stays.");
    return e;
}

Explanation explain_ideal(const SectorCase& c) {
    const bool tight = c.count.bytes_moved - c.count.bytes_used < kSectorBytes;
    const std::string packed = c.facts.contiguous ? "Coalesced"
                               : tight            ? "As few sectors as can be"
                                                  : "No sectors too many";
    const std::string neighbours = c.pieces.count == 1
                                       ? "The lanes' bytes lie side by side"
                                       : fmt::format("The lanes' bytes lie in {}", pieces_phrase(c));
    return said(packed,
                fmt::format(": {} {} by {}, and {} is the ideal.", counted(c.facts.active, "lane"),
                            c.facts.active == 1 ? "is served" : "are served",
                            counted(c.count.sectors, "sector"), c.count.ideal_sectors),
                fmt::format("{}: {}.{}", neighbours, used_of_moved(c.count, c.moved()), shared_elements(c)),
                true);
}

Explanation explain_misaligned(const SectorCase& c) {
    return said(
        "Misaligned", ": " + against_ideal(c) + ".",
        fmt::format(
            "The first address, 0x{:x}, is not a multiple of 32, so the {} bytes reach into one more sector.",
            c.facts.lowest, format_count(c.count.bytes_used)));
}

/// Rows of a matrix that fill whole sectors but do not start at one.
Explanation explain_misaligned_pieces(const SectorCase& c) {
    const std::string which =
        c.pieces.misaligned == c.pieces.count ? "None of them starts at a multiple of 32, so each reaches"
        : c.pieces.misaligned == 1
            ? "One of them does not start at a multiple of 32 and reaches"
            : fmt::format("{} of them do not start at a multiple of 32, and each of these reaches",
                          c.pieces.misaligned);
    return said("Misaligned", ": " + against_ideal(c) + ".",
                fmt::format("The lanes' bytes lie in {}. {} into one more sector.", pieces_phrase(c), which));
}

/// "Neighbouring lanes are 32 bytes apart, a whole sector"
std::string distance(const SectorCase& c) {
    const std::int64_t step = std::abs(c.facts.step_bytes);
    std::string text = fmt::format("Neighbouring lanes are {} bytes apart", format_count(step));
    if (step == 32) return text + ", a whole sector";
    if (step == 128) return text + ", a whole line";
    if (step > 32 && step < 128) return text + ", more than a sector";
    if (step > 128) return text + ", more than a line";
    return text;
}

Explanation explain_sector_each(const SectorCase& c) {
    const bool apart = c.facts.even_step && std::abs(c.facts.step_bytes) >= 32;
    return said(
        fmt::format("Each {} has a sector to itself",
                    c.facts.active == c.facts.distinct ? "lane" : "element"),
        ": " + against_ideal(c) + ".",
        fmt::format("{}: {}.{}", apart ? distance(c) : std::string("The lanes' addresses are far apart"),
                    unused_of_moved(c), shared_elements(c)));
}

Explanation explain_wasted(const SectorCase& c) {
    Explanation e;
    const std::string text = ": " + against_ideal(c) + ".";
    const std::int64_t step = c.facts.even_step ? std::abs(c.facts.step_bytes) : 0;
    if (c.facts.contiguous) {  // served in parts, or it would be ideal or misaligned
        e.say("Misaligned", text);
        e.why = fmt::format(
            "This GPU serves a warp in {} requests of {} lanes: sectors on their borders "
            "travel more than once, and {}.",
            c.count.requests, c.lanes_per_request, unused_of_moved(c));
        return e;
    }
    e.say(step > c.bytes_per_lane ? "Strided" : "Scattered", text);
    if (step > c.bytes_per_lane) {
        e.why = fmt::format("{}, with bytes between them that no lane uses: {}.", distance(c),
                            unused_of_moved(c));
        return e;
    }
    e.why = fmt::format("The lanes' bytes lie in {}, with bytes between them that no lane uses: {}.{}",
                        pieces_phrase(c), unused_of_moved(c), shared_elements(c));
    return e;
}

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
            "On this GPU lane k of a half-warp must access the k-th element of {} aligned bytes; "
            "if not, each lane has a transaction of its own",
            16 * bytes);
    }
    const int largest = bytes == 1 ? 32 : bytes == 2 ? 64 : 128;
    return fmt::format("A half-warp takes each segment of {} bytes that its lanes touch{}", largest,
                       largest > 32 ? ", or the half or quarter of it that is enough" : "");
}

std::string how_they_lie(const TransactionCase& c) {
    return c.in_order()         ? "Not coalesced"
           : c.facts.contiguous ? "Misaligned"
           : c.facts.even_step  ? "Strided"
                                : "Scattered";
}

Explanation explain_same(const TransactionCase& c) {
    const bool alone = c.facts.active == 1;
    return said(
        fmt::format("{} {} {} {}", lanes_phrase(c.facts.active),
                    is_load(c.access.op) ? (alone ? "requests" : "request") : (alone ? "writes" : "write"),
                    alone ? "only" : "the same", counted(c.access.bytes_per_lane, "byte")),
        fmt::format(": {}, ideal {}.", what_moves(c), c.pieces.ideal),
        fmt::format("{}: {}.", rule(c), used_of_moved(c.report.count, c.moved())), c.pieces.good());
}

}  // namespace

Explanation explain_sectors(const InstructionView& view) {
    if (view.sectors->rules.coalescing != CoalescingRules::sectors) return explain_transactions(view);
    const WarpAccess& access = view.report->access;
    const SectorCase c{view.sectors->count, view.sectors->lanes_per_request, describe_access(access),
                       find_pieces(access), access.bytes_per_lane,           access.op};
    if (is_atomic(access.op) && c.facts.distinct < c.facts.active)
        return explain_turns(c, most_at_a_word(access));
    if (c.facts.distinct == 1) return explain_same_element(c);
    if (c.count.sectors <= c.count.ideal_sectors) return explain_ideal(c);
    const bool one_more = c.count.sectors == c.count.ideal_sectors + 1;
    if (c.facts.contiguous && one_more && c.facts.lowest % kSectorBytes != 0) return explain_misaligned(c);
    if (c.count.sectors == c.facts.distinct && c.count.requests == 1) return explain_sector_each(c);
    const bool whole_sectors = c.pieces.bytes > 0 && c.pieces.bytes % kSectorBytes == 0;
    if (whole_sectors && c.count.sectors == c.count.ideal_sectors + c.pieces.misaligned) {
        return explain_misaligned_pieces(c);
    }
    return explain_wasted(c);
}

Explanation explain_local(const InstructionView& view) {
    const SectorCount& count = view.sectors->count;
    const WarpAccess& access = view.report->access;
    const int active = std::popcount(access.active), words = int(view.sectors->lines.size());
    const Travelling pieces = travelling(*view.sectors);
    const std::string_view moved = moved_word(access.op);
    const std::string lanes = lanes_phrase(active);
    Explanation e{.good = pieces.good()};
    if (words == 1) {
        const std::uint64_t word = access.byte_address[std::countr_zero(access.active)] / 4;
        e.say(fmt::format("{} {} word {} of {}", lanes, active == 1 ? "uses" : "use",
                          format_count(static_cast<std::int64_t>(word)),
                          active == 1 ? "its own array" : "their own arrays"),
              fmt::format(": {}, ideal {}.", counted(pieces.count, pieces.name), pieces.ideal));
        e.why = fmt::format(
            "Per-thread arrays are interleaved: the lanes' words of one index lie side by side "
            "in a line of 128 bytes, and {}.",
            used_of_moved(count, moved));
        return e;
    }
    const std::string moving = counted(pieces.count, pieces.name);
    e.say(fmt::format("The lanes use {} different words of their arrays", words),
          e.good ? fmt::format(": {}, ideal {}.", moving, pieces.ideal)
                 : fmt::format(": {} {} {}, {} is the minimum.", moving, pieces.count == 1 ? "is" : "are",
                               moved, pieces.ideal));
    e.why = fmt::format("Only words of one index lie side by side; {} different ones lie in {} lines: {}.",
                        words, words, used_of_moved(count, moved));
    return e;
}

Travelling travelling(const SectorReport& report) {
    const SectorCount& count = report.count;
    const CoalescingRules rules = report.rules.coalescing;
    if (rules == CoalescingRules::sectors) return {"sector", count.sectors, count.ideal_sectors};
    return {rules == CoalescingRules::whole_lines ? "line" : "transaction", count.transactions,
            count.ideal_transactions};
}

Explanation explain_transactions(const InstructionView& view) {
    const WarpAccess& access = view.report->access;
    const TransactionCase c{*view.sectors, access, describe_access(access), travelling(*view.sectors)};
    if (c.facts.distinct == 1) return explain_same(c);
    const SectorCount& count = c.report.count;
    const bool tight = c.lines() || count.sectors <= count.ideal_sectors;
    Explanation e{.good = c.pieces.good() && tight};
    if (e.good) {
        e.say(c.facts.contiguous ? "Coalesced" : "As few as can be",
              fmt::format(": {} {} served by {}, and {} is the ideal.", counted(c.facts.active, "lane"),
                          c.facts.active == 1 ? "is" : "are", what_moves(c), c.pieces.ideal));
    } else if (!c.pieces.good()) {
        e.say(how_they_lie(c), fmt::format(": {} {} {}, {} is the minimum.", what_moves(c),
                                           c.pieces.count == 1 ? "is" : "are", c.moved(), c.pieces.ideal));
    } else {
        e.say(fmt::format("{} {} {}", what_moves(c), c.pieces.count == 1 ? "is" : "are", c.moved()),
              fmt::format(", and {} of the bytes are used.",
                          format_percent(count.bytes_used, count.bytes_moved)));
    }
    e.why = fmt::format("{}: {}.", rule(c), used_of_moved(c.report.count, c.moved()));
    return e;
}

}  // namespace warplens
