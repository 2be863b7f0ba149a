#include "app/pictures/plot/compared_numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace warplens {
namespace {

constexpr float kRow = 20, kEdge = 10;
constexpr float kBetweenColumns = 16, kMark = 20;  // and the kind of a number, behind its name

std::string factor_text(double factor) {
    return factor < 100 ? fmt::format("{:.3g}", factor) : format_count(std::llround(factor));
}

/// A column of rows: its left end, and the right ends of what stands in it [points].
struct Columns {
    float left = 0, a_left = 0, a = 0, b = 0, difference = 0;
};

/// As wide as their texts; what is left over is the names'.
Columns plan_columns(const Canvas& canvas, std::span<const QuantityPair* const> rows, float left,
                     float right) {
    float a = canvas.width("A", FontRole::strong), b = a, difference = 0;
    for (const QuantityPair* row : rows) {
        a = std::max(a, canvas.width(shown(*row, row->a), FontRole::mono));
        b = std::max(b, canvas.width(shown(*row, row->b), FontRole::mono));
        difference = std::max(difference, canvas.width(marked_difference(*row), FontRole::strong));
    }
    Columns columns{left, 0, 0, 0, right};
    columns.b = right - difference - kBetweenColumns;
    columns.a = columns.b - b - kBetweenColumns;
    columns.a_left = columns.a - a - kBetweenColumns;
    return columns;
}

void draw_row(Canvas& canvas, const QuantityPair& row, const Columns& columns, float y) {
    const Theme& theme = canvas.theme;
    const float baseline = middle_baseline(y + kRow / 2, FontRole::body);
    const Provenance kind = row.named().provenance;
    const float room = columns.a_left - columns.left - kMark;
    const std::string name = canvas.elide(row.named().name, FontRole::body, room);
    canvas.label({columns.left, baseline}, name, FontRole::body, theme.text);
    if (one_kind(row) && !name.empty())
        canvas.label({columns.left + canvas.width(name, FontRole::body) + 5, baseline},
                     std::string(provenance_mark(kind)), FontRole::body, theme.text_weak);
    canvas.label({columns.a, baseline}, shown(row, row.a), FontRole::mono, theme.text, Anchor::end);
    canvas.label({columns.b, baseline}, shown(row, row.b), FontRole::mono, theme.text, Anchor::end);
    canvas.label({columns.difference, baseline}, marked_difference(row), FontRole::strong,
                 change_color(change_of(row), theme), Anchor::end);
    canvas.hit({columns.left, y, columns.difference - columns.left, kRow}, -1, row.named().source);
}

void draw_column(Canvas& canvas, std::span<const QuantityPair* const> rows, const Columns& columns,
                 const std::string& note) {
    float y = kEdge;
    const float head = middle_baseline(y + kRow / 2, FontRole::body);
    const Theme& theme = canvas.theme;
    canvas.label_elided({columns.left, head}, note, FontRole::body, theme.text_weak,
                        columns.a_left - columns.left);
    canvas.label({columns.a, head}, "A", FontRole::strong, theme.text, Anchor::end);
    canvas.label({columns.b, head}, "B", FontRole::strong, theme.text, Anchor::end);
    for (const QuantityPair* row : rows) {
        y += kRow;
        canvas.line({columns.left, y}, {columns.difference, y}, theme.grid, 1);
        draw_row(canvas, *row, columns, y);
    }
}

}  // namespace

Change change_of(const QuantityPair& number) {
    if (!number.differs()) return Change::none;
    const bool comparable = number.a.amount && number.b.amount && *number.a.amount != *number.b.amount;
    if (!comparable || number.named().better == Better::neither) return Change::other;
    const bool less = *number.b.amount < *number.a.amount;
    return less == (number.named().better == Better::less) ? Change::better : Change::worse;
}

bool one_kind(const QuantityPair& row) {
    return row.a.text.empty() || row.b.text.empty() || row.a.provenance == row.b.provenance;
}

std::string shown(const QuantityPair& row, const Quantity& value) {
    if (value.text.empty()) return "–";
    return one_kind(row) ? value.text : fmt::format("{} {}", value.text, provenance_mark(value.provenance));
}

std::string marked_difference(const QuantityPair& row) {
    const Change change = change_of(row);
    const std::string_view mark = change == Change::better ? "✓" : change == Change::worse ? "✗" : "";
    return fmt::format("{}{}{}", mark, mark.empty() ? "" : " ", difference_text(row));
}

std::string difference_text(const QuantityPair& number) {
    if (!number.a.amount || !number.b.amount) return {};
    const double a = *number.a.amount, b = *number.b.amount;
    if (a == b) return {};
    if (a <= 0 || b <= 0) {
        const bool whole = a == std::floor(a) && b == std::floor(b);
        const double by = std::abs(b - a);
        return fmt::format("{}{}", b > a ? "+" : "−",
                           whole || by >= 100 ? format_count(std::llround(by)) : fmt::format("{:.3g}", by));
    }
    constexpr double kSayFactor = 1.995;  // below, a share of the first is easier to grasp
    if (b >= kSayFactor * a) return factor_text(b / a) + "× more";
    if (a >= kSayFactor * b) return factor_text(a / b) + "× less";
    const double percent = std::abs(b / a - 1) * 100;
    const char* sign = b > a ? "+" : "−";
    return percent < 0.05 ? fmt::format("{}<0.1 %", sign)
                          : fmt::format("{}{:.{}f} %", sign, percent, percent < 10 ? 1 : 0);
}

Color change_color(Change change, const Theme& theme) {
    return change == Change::better  ? theme.good
           : change == Change::worse ? theme.bad
           : change == Change::other ? theme.text
                                     : theme.text_weak;
}

Vec2 size_of_compared_numbers(std::span<const QuantityPair> numbers, std::size_t rows, const Style& style) {
    const Canvas canvas(style, "", "");
    std::vector<const QuantityPair*> all;
    float names = 0;
    for (const QuantityPair& number : numbers) {
        all.push_back(&number);
        names = std::max(names, canvas.width(number.named().name, FontRole::body));
    }
    const float values = -plan_columns(canvas, all, 0, 0).a_left;
    return {2 * canvas.margin() + names + kMark + values, 2 * kEdge + kRow * float(rows + 1)};
}

Picture draw_compared_numbers(std::span<const QuantityPair> numbers, const Style& style) {
    constexpr float kWideEnoughForTwo = 880, kBetween = 40;
    Canvas canvas(style, "Numbers of both", "");
    std::vector<const QuantityPair*> rows;
    for (const QuantityPair& number : numbers) rows.push_back(&number);
    // Rows that can be compared come first, those that are alike last.
    std::ranges::stable_sort(rows, {}, [](const QuantityPair* row) {
        return !row->differs() ? 2 : difference_text(*row).empty() ? 1 : 0;
    });
    const std::size_t side_by_side = style.size.x >= kWideEnoughForTwo && rows.size() > 1 ? 2 : 1;
    const auto fit = std::size_t(std::max(0.0f, (style.size.y - 2 * kEdge) / kRow - 1));
    const std::size_t kept = std::min(rows.size(), fit * side_by_side);
    const std::string note =
        rows.size() > kept ? fmt::format("{} more in the data", rows.size() - kept) : std::string();
    rows.resize(kept);
    const std::size_t in_first = (kept + side_by_side - 1) / side_by_side;
    const float width = (canvas.inner_width() - kBetween * float(side_by_side - 1)) / float(side_by_side);
    for (std::size_t column = 0; column < side_by_side; ++column) {
        const std::size_t begin = std::min(kept, column * in_first);
        const auto part =
            std::span<const QuantityPair* const>(rows).subspan(begin, std::min(in_first, kept - begin));
        const float left = canvas.margin() + float(column) * (width + kBetween);
        const bool last = column + 1 == side_by_side;
        draw_column(canvas, part, plan_columns(canvas, part, left, left + width), last ? note : "");
    }
    return canvas.take();
}

}  // namespace warplens
