// A request's addresses in binary: which bits choose byte, bank, sector, line and row, which of them differ
// between the lanes, and what a swizzle does to them.
#include "app/pictures/access/bits_canvas.h"
#include "app/pictures/access/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace warplens {
namespace {

constexpr float kNames = 68;  // column of names at the left [points]

/// The places of the parts of the picture, from the top down [points].
struct BitsLayout {
    bool swizzle = false, values = false, matrix = false, differing = false, table = false;
    float row_height = 0;  ///< of the matrix
    float places = 0;      ///< width of the column of places beside it; 0 for none
};

constexpr float kLeastLaneRow = 2.5f, kMostLaneRow = 12, kPlacesWidth = 132, kPlacesGap = 18;

/// As many parts as fit, the most important first: the address, its values, which bits differ, all lanes, the
/// table.
BitsLayout lay_out_bits(float room, bool swizzled, bool with_table) {
    BitsLayout layout;
    room -= kBitHeads + kAddressRow;
    const auto take = [&room](float height) {
        const bool fits = room >= height;
        if (fits) room -= height;
        return fits;
    };
    layout.swizzle = swizzled && take(kAddressRow + kSwizzleWires);
    layout.values = take(kFieldValues);
    layout.differing = take(kDifferingRow);
    layout.matrix = room >= kLeastLaneRow * kWarpLanes + 6;
    if (!layout.matrix) return layout;
    constexpr float kComfortable = 7 * kWarpLanes;
    layout.table = with_table && room >= kComfortable + kPlaceTable;
    layout.row_height =
        std::min(kMostLaneRow, (room - (layout.table ? kPlaceTable : 0.0f) - 6) / float(kWarpLanes));
    return layout;
}

/// The field that decides what the request costs.
const BitField* costly_field(const AddressBits& bits) {
    if (const BitField* bank = bits.find(BitRole::bank)) return bank;
    return nullptr;
}

Legend bits_legend(const BitsCanvas& d) {
    Legend legend;
    const Theme& theme = d.canvas.theme;
    const BitRole role = d.bits.fields.back().role;
    legend.add_box("1", {.fill = d.fill_of(role, true, false), .rounding = 2});
    legend.add_box("0", {.fill = d.fill_of(role, false, false), .stroke = theme.outline, .rounding = 2});
    legend.add_mark("differs between the lanes", MarkShape::diamond, 4.5f, theme.text);
    if (d.swizzle.count > 0) legend.add_line("is XOR-ed into", theme.accent, 2, Dash::solid, 24);
    return legend;
}

std::string lane_name(const BitsCanvas& d) {
    return d.canvas.style.compact ? std::to_string(d.lane) : fmt::format("lane {}", d.lane);
}

void draw_parts(BitsCanvas& d, const InstructionView& view, const BitsLayout& layout, float top,
                float bottom) {
    float y = draw_bit_heads(d, top);
    if (layout.swizzle) {
        y = draw_address(d, d.swizzle.undo(d.address()), lane_name(d), y);
        y = draw_swizzle_wires(d, y);
    }
    y = draw_address(d, d.address(),
                     layout.swizzle ? (d.canvas.style.compact ? "" : "swizzled") : lane_name(d), y);
    if (layout.values) y = draw_field_values(d, y);
    if (layout.matrix) {
        const float matrix = y + 3;
        y = draw_bit_matrix(d, matrix, layout.row_height);
        if (const BitField* field = costly_field(d.bits); field != nullptr && layout.places > 0)
            draw_lane_places(
                d, *field,
                {d.right() + kPlacesGap, matrix, layout.places - kPlacesGap, layout.row_height * kWarpLanes},
                layout.row_height);
        y += 3;
    }
    if (layout.differing) y = draw_differing(d, y);
    if (layout.table)
        draw_place_table(d, view.bank_rules, {d.canvas.margin(), y, d.canvas.inner_width(), bottom - y});
}

}  // namespace

bool has_bits(const InstructionView& view) {
    const bool samples = view.space() == Space::texture && view.report->access.sampling.linear;
    return view.space() != Space::registers && !samples && view.report->access.active != 0;
}

Picture draw_bits(const InstructionView& view, const TileShape& tile, const Style& style) {
    const WarpAccess& access = view.report->access;
    const AddressBits bits = address_bits(access, view.bank_rules);
    Canvas canvas(style, title_of(view, style, "Address bits"),
                  subtitle_of(view, style, space_name(access.space)));
    const Explanation explanation = explain_bits(view, tile);
    const PictureFrame frame = open_frame(canvas, explanation, 130);
    BitsCanvas d{{canvas, access}, bits, {}, differing_bits(bits, access.active), 0};
    d.lane = d.hovered() >= 0 ? d.hovered() : std::countr_zero(access.active);
    if (tile.width > 0 && tile.swizzle_bits > 0)
        d.swizzle = bit_swizzle(tile.swizzle_bits, tile.swizzle_base, tile.swizzle_shift, tile.element_bytes);
    const float legend_height = style.compact || frame.bottom - frame.top < 240 ? 0 : Legend::kRowHeight + 2;
    const float bottom = frame.bottom - legend_height;
    BitsLayout layout =
        lay_out_bits(bottom - frame.top, d.swizzle.count > 0, !style.compact && has_place_table(bits));
    const float names = style.compact ? 44 : kNames;
    float width = canvas.inner_width() - names;
    const auto columns = float(bits.shown());
    constexpr float kWidest = 36, kReadable = 15;
    if (layout.matrix && costly_field(bits) != nullptr && width - kPlacesWidth >= kReadable * columns)
        layout.places = kPlacesWidth;
    width -= layout.places;
    d.pitch = std::min(kWidest, width / columns);
    if (layout.places > 0) layout.places = std::min(240.0f, canvas.inner_width() - names - d.pitch * columns);
    d.x = canvas.margin() + names;
    draw_parts(d, view, layout, frame.top, bottom);
    if (legend_height > 0) bits_legend(d).draw(canvas, canvas.margin(), bottom + 2, canvas.inner_width(), 1);
    close_frame(canvas, frame, explanation.good, first_cost(view), "");
    return canvas.take();
}

}  // namespace warplens
