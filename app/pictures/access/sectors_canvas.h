#pragma once

#include "app/pictures/access/explain.h"
#include "app/pictures/access/memory_rows.h"
#include "app/pictures/access/warp_canvas.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace warplens {

/// The places of everything: lanes and words share their columns, so that a coalesced access has straight
/// wires.
struct SectorsLayout {
    LaneRow lanes;             ///< its columns are those of the words, too
    float wires_bottom = 0;    ///< where the rows begin [points]
    float bottom = 0;          ///< below the last row
    bool numbers = false;      ///< lane numbers fit into word cells
    bool long_counts = false;  ///< "4 of 4 sectors", not "4/4"
    static constexpr int kLeastDigits = 3;
    int address_digits = kLeastDigits;
    std::vector<MemoryRow> rows;

    float x_of_byte(int byte_in_line) const {
        return lanes.cell(byte_in_line / 4).x + float(byte_in_line % 4) / 4 * lanes.pitch;
    }
    Rect element_cell(const MemoryRow& row, int byte_in_line, int bytes) const {
        return {x_of_byte(byte_in_line), row.y, float(bytes) / 4 * lanes.pitch, row.h};
    }
};

/// The moved part of a line, beside it: "4 of 4 sectors"; on CC 1.x and 2.x the pieces, "2 × 64 B".
std::string moved_text(const SectorReport& report, const LineUse& line, bool long_counts);

/// "0x100", counted from the beginning of an array.
/// @param begin  where it begins [bytes]. @param digits  at least
inline std::string address_text(std::uint64_t address, std::int64_t begin, int digits) {
    const std::int64_t at = static_cast<std::int64_t>(address) - begin;
    return fmt::format("{}0x{:0{}x}", at < 0 ? "-" : "", std::abs(at), digits);
}

/// @param begin        of the array [bytes]
/// @param top, bottom  where lanes, wires and lines may stand [points].
SectorsLayout lay_out_sectors(const Canvas& canvas, const SectorReport& report, std::int64_t begin, float top,
                              float bottom);

/// All parts of the picture need these.
struct SectorsCanvas : WarpCanvas {
    const SectorReport& report;
    const WantedElements& elements;
    const SectorsLayout& layout;
    std::int64_t array_begin = 0;  ///< [bytes]
    AccessLook look = {};          ///< its step is one of the report's transactions

    bool played() const { return look.step >= 0 && look.share >= 0; }
    /// The transaction that the player stands at, or null.
    const Transaction* current() const { return look.step < 0 ? nullptr : &report.transactions[look.step]; }
    /// Whether a transaction is not the one that the player stands at, or is still to come.
    bool waits(std::size_t transaction) const {
        const std::size_t step = look.step;
        return look.step >= 0 && (played() ? transaction > step : transaction != step);
    }
    /// The first transaction that moves a byte, for some of these lanes; the number of all if none does.
    std::size_t transaction_of(std::uint64_t address, std::uint32_t lanes = kAllLanes) const {
        const auto holds = [address, lanes](const Transaction& one) {
            return (one.lanes & lanes) != 0 && address >= one.byte_address &&
                   address < one.byte_address + static_cast<std::uint64_t>(one.bytes);
        };
        return static_cast<std::size_t>(std::ranges::find_if(report.transactions, holds) -
                                        report.transactions.begin());
    }

    std::string_view moved() const { return is_load(access.op) ? "fetched" : "sent"; }
    Color not_moved() const { return mix(canvas.theme.panel, canvas.theme.outline, 0.6f); }
    /// "sector 10, line 2 (0x100)", counted from the beginning of the array, as the numbers beside it say; on
    /// GPUs without sectors a quarter of a line.
    std::string sector_name(std::uint64_t address) const {
        const std::uint64_t in_line = address % kLineBytes / kSectorBytes * kSectorBytes;
        const std::int64_t line = in_array(address / kLineBytes * kLineBytes);
        const std::string quarter =
            report.rules.coalescing == CoalescingRules::sectors
                ? fmt::format("sector {}", in_array(address / kSectorBytes * kSectorBytes) / kSectorBytes)
                : fmt::format("bytes {} to {}", in_line, in_line + kSectorBytes - 1);
        return fmt::format("{}, line {} ({})", quarter, line / kLineBytes,
                           hex(address / kLineBytes * kLineBytes));
    }
    std::int64_t in_array(std::uint64_t address) const {
        return static_cast<std::int64_t>(address) - array_begin;
    }
    std::string hex(std::uint64_t address) const {
        return address_text(address, array_begin, layout.address_digits);
    }
};

}  // namespace warplens
