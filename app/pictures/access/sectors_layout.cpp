#include "app/pictures/access/sectors_canvas.h"

#include <fmt/format.h>

#include <bit>
#include <numeric>
#include <optional>
#include <span>

namespace warplens {
namespace {

/// Bytes between a line and the one before it.
std::uint64_t skipped_before(const std::vector<LineUse>& lines, int line) {
    const std::size_t i = line;
    return lines[i].byte_address - lines[i - 1].byte_address - kLineBytes;
}

/// All lines from `first` to `last` have the same sectors and the same number of used bytes.
bool alike(const std::vector<LineUse>& lines, int first, int last) {
    const auto bytes = [](const LineUse& line) {
        int n = 0;
        for (const std::uint32_t used : line.used) n += std::popcount(used);
        return n;
    };
    const LineUse& model = lines[first];
    return std::all_of(lines.begin() + first, lines.begin() + last + 1, [&](const LineUse& line) {
        return line.sectors == model.sectors && bytes(line) == bytes(model);
    });
}

/// Which gaps say how much they leave out.
enum class GapNames { all, different, none };

/// The text of a gap. Equal gaps are named once if only different ones are: the later ones stay silent.
std::string gap_text(const std::vector<LineUse>& lines, int line, int last, GapNames names) {
    if (names == GapNames::none) return {};
    const bool name_all = names == GapNames::all;
    const std::uint64_t skipped = skipped_before(lines, line);
    const bool repeats = line > 1 && skipped_before(lines, line - 1) == skipped;
    if (repeats && !name_all) return {};
    bool always = line == 1 && last > 1;
    for (int next = 2; next <= last && always; ++next) always = skipped_before(lines, next) == skipped;
    // All gaps of a picture have one unit.
    std::uint64_t most = 0;
    for (int next = 1; next < int(lines.size()); ++next) most = std::max(most, skipped_before(lines, next));
    const bool in_kib = skipped < most && unit_of_bytes(double(most)) == 1 && skipped > 0;
    const std::string size =
        in_kib ? fmt::format("{:.1f} KiB", double(skipped) / 1024) : format_bytes(double(skipped));
    return fmt::format("… {} skipped{}", size, always && !name_all ? " after each line" : "");
}

/// The rows for showing `shown` lines, the middle folded where these are not all.
std::vector<MemoryRow> choose_rows(const std::vector<LineUse>& lines, int shown, GapNames name_gaps,
                                   bool compact) {
    const int n = int(lines.size());
    const int head = shown >= n ? n : (shown + 1) / 2;
    std::vector<MemoryRow> rows;
    rows.reserve(2 * shown + 2);
    for (int line = 0; line < n; ++line) {
        if (line == head) {
            const int hidden = n - shown, last = line + hidden - 1;
            const bool same = alike(lines, line, last);
            rows.push_back({.kind = MemoryRow::Kind::fold,
                            .line = line,
                            .count = hidden,
                            .text = fmt::format("… {} more line{}{}", hidden, hidden == 1 ? "" : "s",
                                                same && !compact ? " of this kind" : "")});
            line = last;
            continue;
        }
        const bool after_fold = line > 0 && !rows.empty() && rows.back().kind == MemoryRow::Kind::fold;
        if (line > 0 && !after_fold && skipped_before(lines, line) > 0) {
            rows.push_back({.kind = MemoryRow::Kind::gap,
                            .text = compact ? std::string() : gap_text(lines, line, n - 1, name_gaps)});
        }
        rows.push_back({.line = line});
    }
    return rows;
}

struct FittingRows {
    std::vector<MemoryRow> rows;
    float pitch = 0;
    RowHeights heights;
};

/// How close lines stand, the roomiest first.
struct Density {
    float least_pitch;  ///< from line to line [points]
    GapNames name_gaps;
    float bare;   ///< height of a gap without words [points]
    float wires;  ///< least height of the wires above them [points]
};

/// All lines with their gaps: they get lower and lose the words of their gaps before one is left out. Only
/// in a room that is too low for all of them the middle is folded.
FittingRows choose(const std::vector<LineUse>& lines, float room, float wires, bool compact) {
    const float most_pitch = compact ? 20.0f : 44.0f;
    constexpr GapNames kAll = GapNames::all, kNone = GapNames::none;
    const auto wire = [wires](float most) { return std::min(wires, most); };
    const Density usual[] = {{18, kAll, 6, wires},       {18, GapNames::different, 6, wires},
                             {16, kNone, 6, wire(80)},   {13, kNone, 4, wire(56)},
                             {11, kNone, 3, wire(40)},   {7, kNone, 2, wire(30)},
                             {4, kNone, 1.5f, wire(20)}, {2.5f, kNone, 1, 8},
                             {1.25f, kNone, 0.25f, 8}};  // of a small picture
    const std::span<const Density> all =
        compact ? std::span(usual).subspan(5) : std::span(usual).first(std::size(usual) - 1);
    const int n = int(lines.size());
    const auto fit = [&](const Density& density, int shown) -> std::optional<FittingRows> {
        FittingRows found{choose_rows(lines, shown, density.name_gaps, compact), 0, {.bare = density.bare}};
        if (density.least_pitch < 18) found.heights.inset_of_pitch = 0.05f;
        const float rest = room - density.wires - fixed_height(found.rows, found.heights);
        if (shown > 0 && rest < density.least_pitch * float(shown)) return std::nullopt;
        found.pitch = shown == 0 ? 0 : std::min(most_pitch, rest / float(shown));
        return found;
    };
    for (const Density& density : all)
        if (auto found = fit(density, n)) return *std::move(found);
    for (int shown = n; shown >= 0; --shown)
        if (auto found = fit(all.front(), shown)) return *std::move(found);
    return {};
}

/// The longest of the texts beside the lines; where all lines have sectors, whatever they are now.
std::string widest_text(const Canvas& canvas, const SectorReport& report, bool long_counts) {
    std::string widest = long_counts ? "4 of 4 sectors" : "4/4";
    if (report.rules.coalescing != CoalescingRules::sectors) widest = long_counts ? "2 × 64 B" : "32";
    for (const LineUse& line : report.lines) {
        std::string text = moved_text(report, line, long_counts);
        if (canvas.width(text, FontRole::body) > canvas.width(widest, FontRole::body)) widest = text;
    }
    return widest;
}

void place_columns(SectorsLayout& layout, const Canvas& canvas, const SectorReport& report,
                   std::int64_t begin) {
    layout.lanes.group = kSectorBytes / 4;  // a gap after the lanes of a sector
    std::string address = address_text(0, 0, SectorsLayout::kLeastDigits);
    for (const LineUse& line : report.lines) {
        std::string one = address_text(line.byte_address, begin, SectorsLayout::kLeastDigits);
        if (one.size() > address.size()) address = std::move(one);
    }
    layout.address_digits = int(address.size()) - (address.front() == '-' ? 3 : 2);
    const bool compact = canvas.style.compact;
    const float labels =
        std::max(canvas.width(address, FontRole::mono), canvas.width("lanes", FontRole::body));
    const float number = canvas.lane_number_cell();
    // At both ends of a row.
    float beside = compact ? 6.0f : 12.0f;
    const auto fit = [&](bool long_counts, float most_gap) {
        const std::string text = widest_text(canvas, report, long_counts);
        const float room = canvas.inner_width() - labels - canvas.width(text, FontRole::body) - 2 * beside;
        layout.lanes.gap = std::clamp(room * 0.012f, 2.0f, most_gap);
        layout.lanes.pitch = std::max(1.0f, (room - 3 * layout.lanes.gap) / 32);
    };
    constexpr float kMostGap = 9, kTightGap = 3, kTight = 6;
    fit(true, kMostGap);
    layout.long_counts = !compact && layout.lanes.pitch >= number;
    if (!layout.long_counts) fit(false, kMostGap);
    if (!compact && layout.lanes.pitch < number) {
        // Numbers in the cells say more than space between them.
        beside = kTight;
        fit(false, kTightGap);
        if (layout.lanes.pitch < number) {
            beside = 2 * kTight;
            fit(false, kMostGap);
        }
    }
    if (compact) layout.lanes.gap = std::min(layout.lanes.gap, 3.0f);
    layout.lanes.x = canvas.margin() + labels + beside;
    layout.lanes.numbers = layout.lanes.pitch >= number;
}

}  // namespace

std::string moved_text(const SectorReport& report, const LineUse& line, bool long_counts) {
    if (report.rules.coalescing == CoalescingRules::sectors) {
        const int moved = std::popcount(line.sectors);
        const int times = std::accumulate(line.times.begin(), line.times.end(), 0);
        if (times > moved) return long_counts ? fmt::format("{} sectors", times) : std::to_string(times);
        return long_counts ? fmt::format("{} of 4 sectors", moved) : fmt::format("{}/4", moved);
    }
    const auto begins_here = [&line](const Transaction& transaction) {
        return transaction.byte_address / kLineBytes * kLineBytes == line.byte_address;
    };
    if (!long_counts) return std::to_string(std::ranges::count_if(report.transactions, begins_here));
    std::string text;
    for (const int bytes : {128, 64, 32}) {
        const auto count = std::ranges::count_if(report.transactions, [&](const Transaction& transaction) {
            return transaction.bytes == bytes && begins_here(transaction);
        });
        if (count == 0) continue;
        text += text.empty() ? "" : " + ";
        text += count == 1 ? fmt::format("{} B", bytes) : fmt::format("{} × {} B", count, bytes);
    }
    return text;
}

SectorsLayout lay_out_sectors(const Canvas& canvas, const SectorReport& report, std::int64_t begin, float top,
                              float bottom) {
    const bool compact = canvas.style.compact;
    SectorsLayout layout;
    place_columns(layout, canvas, report, begin);
    layout.lanes.ticks = !layout.lanes.numbers && !compact && bottom - top > 170;
    if (layout.lanes.ticks) top += kLaneTicks;
    layout.lanes.y = top;
    const float room = bottom - top;
    layout.lanes.h = std::clamp(room * 0.08f, 8.0f, compact ? 12.0f : 26.0f);
    if (layout.lanes.numbers) layout.lanes.h = std::max(layout.lanes.h, 20.0f);
    const float after_lanes = room - layout.lanes.h;
    const float least_wires = std::clamp(after_lanes * 0.22f, 10.0f, 96.0f);
    FittingRows choice = choose(report.lines, after_lanes, least_wires, compact);
    layout.rows = std::move(choice.rows);
    const float needed =
        choice.pitch * float(count_lines(layout.rows)) + fixed_height(layout.rows, choice.heights);
    const float wires = std::clamp(after_lanes - needed, 0.0f, std::max(least_wires, after_lanes * 0.62f));
    layout.wires_bottom = layout.lanes.y + layout.lanes.h + wires;
    layout.bottom = place_rows(layout.rows, layout.wires_bottom, choice.pitch, choice.heights);
    const float row_h = choice.pitch - 2 * choice.heights.inset(choice.pitch);
    layout.numbers = layout.lanes.numbers && row_h >= number_height(canvas.small());
    return layout;
}

}  // namespace warplens
