#include "app/pictures/access/memory_rows.h"

#include <fmt/format.h>

namespace warplens {
namespace {

constexpr int kMostRows = 16;

int index_of_line(const SectorReport& report, int line) {
    return int(report.lines[line].byte_address / kLineBytes);
}

std::string fold_text(int lines, std::string_view noun) {
    return fmt::format("… {} more {}{}", lines, noun, lines == 1 ? "" : "s");
}

/// All lines of a small array, used or not.
std::vector<MemoryRow> whole_array(const SectorReport& report, int lines) {
    std::vector<MemoryRow> rows;
    std::size_t line = 0;
    for (int index = 0; index < lines; ++index) {
        const bool used = line < report.lines.size() && index_of_line(report, int(line)) == index;
        rows.push_back({.index = index, .line = used ? int(line) : -1});
        line += used;
    }
    return rows;
}

/// A list of rows tells this beside the used lines.
struct Detail {
    int shown = 0;          ///< used lines; the middle is folded where these are not all
    int context = 0;        ///< unused lines that stand before and after each used one
    bool name_gaps = true;  ///< how many lines a gap leaves out
};

/// The used lines with their context, and the gaps between them.
std::vector<MemoryRow> used_lines(const SectorReport& report, int lines, std::string_view noun,
                                  const Detail& detail) {
    const int n = int(report.lines.size());
    const int head = detail.shown >= n ? n : (detail.shown + 1) / 2;
    std::vector<MemoryRow> rows;
    int next = 0;  // the line that would follow without a gap
    const auto unused = [&](int from, int until) {
        for (int index = from; index < until; ++index) rows.push_back({.index = index});
    };
    const auto skip = [&](int until) {
        const int first = next + (next > 0 ? detail.context : 0),
                  last = until - (until < lines ? detail.context : 0);
        if (last - first < 2 && detail.context > 0) {
            unused(next, until);
        } else if (until > next) {
            unused(next, first);
            rows.push_back({.kind = MemoryRow::Kind::gap,
                            .index = first,
                            .text = detail.name_gaps ? fmt::format("… {} {}{} not used", last - first, noun,
                                                                   last - first == 1 ? "" : "s")
                                                     : std::string()});
            unused(last, until);
        }
        next = until;
    };
    for (int line = 0; line < n; ++line) {
        if (line == head) {
            rows.push_back({.kind = MemoryRow::Kind::fold,
                            .index = index_of_line(report, line),
                            .text = fold_text(n - detail.shown, noun)});
            line += n - detail.shown - 1;
            next = line + 1 < n ? index_of_line(report, line + 1) : index_of_line(report, line) + 1;
            continue;
        }
        skip(index_of_line(report, line));
        rows.push_back({.index = next, .line = line});
        ++next;
    }
    skip(lines);
    return rows;
}

/// Used lines get closer before one of them is left out.
std::vector<MemoryRow> choose_rows(const SectorReport& report, int lines, const RowSpace& space) {
    const auto fits = [&](const std::vector<MemoryRow>& rows, float pitch) {
        return fixed_height(rows) + pitch * float(count_lines(rows)) <= space.bottom - space.top;
    };
    if (lines <= kMostRows) {
        std::vector<MemoryRow> all = whole_array(report, lines);
        if (fits(all, space.least_pitch)) return all;
    }
    const int n = int(report.lines.size());
    for (const float pitch : {space.least_pitch, 13.0f, 11.0f, 7.0f, 4.0f, 2.5f}) {
        if (n == 0 || pitch > space.least_pitch) continue;
        for (const bool name_gaps : {true, false}) {
            for (int context = pitch == space.least_pitch ? 3 : 0; context >= 0; --context) {
                std::vector<MemoryRow> rows = used_lines(report, lines, space.noun, {n, context, name_gaps});
                if (fits(rows, pitch) && (context == 0 || count_lines(rows) <= kMostRows)) return rows;
            }
        }
    }
    for (int shown = n - 1; shown > 0; --shown) {
        std::vector<MemoryRow> rows = used_lines(report, lines, space.noun, {shown, 0, false});
        if (fits(rows, space.least_pitch)) return rows;
    }
    if (n == 0 || space.bottom - space.top < RowHeights().text) return {};
    return {{.kind = MemoryRow::Kind::fold, .text = fold_text(n, space.noun)}};
}

}  // namespace

float fixed_height(const std::vector<MemoryRow>& rows, const RowHeights& heights) {
    float height = 0;
    for (const MemoryRow& row : rows) {
        if (row.kind != MemoryRow::Kind::line) height += row.text.empty() ? heights.bare : heights.text;
    }
    return height;
}

int count_lines(const std::vector<MemoryRow>& rows) {
    return int(std::ranges::count(rows, MemoryRow::Kind::line, &MemoryRow::kind));
}

float place_rows(std::vector<MemoryRow>& rows, float top, float pitch, const RowHeights& heights) {
    const float inset = heights.inset(pitch);
    for (MemoryRow& row : rows) {
        const bool is_line = row.kind == MemoryRow::Kind::line;
        const float step = is_line ? pitch : row.text.empty() ? heights.bare : heights.text;
        row.y = is_line ? top + inset : top;
        row.h = is_line ? pitch - 2 * inset : step;
        top += step;
    }
    return top;
}

const MemoryRow* ArrayRows::find(int index) const {
    const MemoryRow* fold = nullptr;
    for (const MemoryRow& row : rows) {
        if (row.kind == MemoryRow::Kind::line && row.index == index) return &row;
        if (row.kind == MemoryRow::Kind::fold && row.index <= index) fold = &row;
    }
    return fold;
}

ArrayRows lay_out_rows(const SectorReport& report, int lines, const RowSpace& space) {
    ArrayRows all{.rows = choose_rows(report, lines, space)};
    const int shown = count_lines(all.rows);
    const float room = space.bottom - space.top - fixed_height(all.rows);
    const float pitch = shown == 0 ? 0 : std::min(space.most_pitch, room / float(shown));
    all.bottom = place_rows(all.rows, space.top, pitch);
    return all;
}

}  // namespace warplens
