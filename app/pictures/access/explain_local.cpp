#include "app/pictures/access/explain.h"

#include <fmt/format.h>

#include <bit>

namespace warplens {
Explanation explain_local(const InstructionView& view) {
    const SectorCount& count = view.sectors->count;
    const WarpAccess& access = view.report->access;
    const int active = std::popcount(access.active), words = static_cast<int>(view.sectors->lines.size());
    const Travelling pieces = travelling(*view.sectors);
    const std::string_view moved = moved_word(access.op);
    const std::string lanes = lanes_phrase(active);
    Explanation e{.good = pieces.good()};
    if (words == 1) {
        const std::uint64_t word = access.byte_address[std::countr_zero(access.active)] / 4;
        e.verdict = fmt::format("{} {} word {} of {}: {}, ideal {}.", lanes, active == 1 ? "uses" : "use",
                                format_count(static_cast<std::int64_t>(word)),
                                active == 1 ? "its own array" : "their own arrays",
                                counted(pieces.count, pieces.name), pieces.ideal);
        e.why = fmt::format(
            "Private arrays are interleaved: the lanes' words of one index lie side by side "
            "in a line of 128 bytes, and {}.",
            used_of_moved(count, moved));
        return e;
    }
    const std::string different = fmt::format("The lanes use {} different words of their arrays", words);
    e.verdict =
        e.good
            ? fmt::format("{}: {}, ideal {}.", different, counted(pieces.count, pieces.name), pieces.ideal)
            : fmt::format("{}: {} {} {}, {} is the minimum.", different, counted(pieces.count, pieces.name),
                          pieces.count == 1 ? "is" : "are", moved, pieces.ideal);
    e.why = fmt::format("Only words of one index lie side by side; {} different ones lie in {} lines: {}.",
                        words, words, used_of_moved(count, moved));
    return e;
}

}  // namespace warplens
