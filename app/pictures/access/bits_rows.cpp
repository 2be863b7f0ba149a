// The rows of the picture of address bits: heads, one address digit by digit, the wires of a swizzle, and the
// bits of all lanes.
#include "app/pictures/access/bits_canvas.h"

#include <fmt/format.h>

#include <algorithm>

namespace warplens {
namespace {

constexpr float kHeadBar = 4;  // of a field's head [points]

/// The lane's bits below "lane 3" in its tooltip.
std::string tooltip_of(const BitsCanvas& d, int lane) {
    std::string text = fmt::format("lane {}\naddress 0x{:x}", lane, d.bits.address[lane]);
    for (auto field = d.bits.fields.rbegin(); field != d.bits.fields.rend(); ++field)
        text += fmt::format("\n{}", role_value(*field, d.bits.address[lane]));
    return text;
}

/// At the left of a row, in its middle.
void draw_name(const BitsCanvas& d, std::string_view name, float middle) {
    const float room = d.x - d.canvas.margin() - 4;
    d.canvas.label_middle({d.canvas.margin(), middle}, d.canvas.elide(name, FontRole::body, room),
                          FontRole::body, d.canvas.theme.text_weak);
}

/// A gap between fields, so that they are told apart without colours.
Rect bit_cell(const BitsCanvas& d, const BitField& field, int bit, float y, float h) {
    Rect cell = d.column(bit, y, h);
    const float gap = std::min(1.0f, d.pitch * 0.06f), between = std::min(2.5f, d.pitch * 0.15f);
    const float left = bit == field.end() - 1 ? between : gap, right = bit == field.first ? between : gap;
    return {cell.x + left, cell.y, cell.w - left - right, cell.h};
}

}  // namespace

Color BitsCanvas::color_of(BitRole role) const {
    constexpr std::size_t kOrange = 0, kGreen = 2, kBlue = kSeriesMeasured, kPurple = 6;
    const Theme& theme = canvas.theme;
    switch (role) {
        case BitRole::byte:
            return theme.outline;
        case BitRole::row:
        case BitRole::line:
            return theme.series[kOrange];
        case BitRole::pair:
        case BitRole::lane:
        case BitRole::texel_x:
            return theme.series[kGreen];
        case BitRole::texel_y:
            return theme.series[kPurple];
        default:
            return theme.series[kBlue];
    }
}

Color BitsCanvas::fill_of(BitRole role, bool set, bool dim) const {
    const Theme& theme = canvas.theme;
    const Color full = mix(theme.panel, color_of(role), 0.92f);
    return mix(theme.panel, full, set ? (dim ? 0.45f : 1.0f) : dim ? 0.08f : 0.2f);
}

float draw_bit_heads(const BitsCanvas& d, float y) {
    Canvas& canvas = d.canvas;
    const float numbers = y + 16 + kHeadBar + 2;
    for (const BitField& field : d.bits.fields) {
        const Rect place = d.columns(field, y, 16);
        canvas.label_inside(place, role_name(field.role), FontRole::body, canvas.theme.text);
        const Color color = distinct_from(d.color_of(field.role), canvas.theme.panel, 3);
        canvas.fill({place.x + 1.5f, y + 17, place.w - 3, kHeadBar}, color, 2);
        for (int bit = field.first; bit < field.end(); ++bit)
            canvas.label_inside(d.column(bit, numbers, 13), std::to_string(bit), canvas.small(),
                                canvas.theme.text_weak);
    }
    if (d.pitch >= canvas.width("31", canvas.small())) draw_name(d, "bit", numbers + 6);
    return y + kBitHeads;
}

float draw_address(const BitsCanvas& d, std::uint64_t address, std::string_view name, float y) {
    Canvas& canvas = d.canvas;
    draw_name(d, name, y + kAddressRow / 2);
    for (const BitField& field : d.bits.fields) {
        for (int bit = field.first; bit < field.end(); ++bit) {
            const bool set = (address >> bit & 1u) != 0;
            const Rect cell = bit_cell(d, field, bit, y + 1, kAddressRow - 2);
            const Color fill = d.fill_of(field.role, set, false);
            canvas.box(
                {.rect = cell, .fill = fill, .stroke = with_alpha(canvas.theme.outline, 160), .rounding = 2});
            canvas.label_inside(cell, set ? "1" : "0", FontRole::mono, text_on(fill), 0);
        }
    }
    canvas.hit({d.x, y, d.right() - d.x, kAddressRow}, d.lane, tooltip_of(d, d.lane));
    return y + kAddressRow;
}

float draw_swizzle_wires(const BitsCanvas& d, float y) {
    Canvas& canvas = d.canvas;
    const Theme& theme = canvas.theme;
    const float radius = std::min(6.5f, d.pitch * 0.32f), bottom = y + kSwizzleWires - radius - 2;
    const auto center = [&](int bit) { return d.x + d.pitch * (float(d.bits.shown() - bit) - 0.5f); };
    const auto changed = [&](int bit) {
        return bit >= d.swizzle.first && bit < d.swizzle.first + d.swizzle.count;
    };
    for (int bit = 0; bit < d.bits.shown(); ++bit)
        canvas.line({center(bit), y + 1},
                    {center(bit), changed(bit) ? bottom - radius : y + kSwizzleWires - 1}, theme.grid, 1);
    for (int bit = 0; bit < d.bits.shown(); ++bit) {
        const int source = bit + d.swizzle.shift;
        if (!changed(bit) || source >= d.bits.shown()) continue;
        // A bit that is 1 flips the one below: its wire is strong.
        const bool flips = (d.swizzle.undo(d.address()) >> source & 1u) != 0;
        canvas.wire({center(source), y + 1}, {center(bit) + radius * 0.7f, bottom - radius * 0.7f},
                    flips ? theme.accent : with_alpha(theme.accent, 130), flips ? 2.4f : 1.2f);
    }
    for (int bit = 0; bit < d.bits.shown(); ++bit) {
        if (!changed(bit)) continue;
        const Vec2 at{center(bit), bottom};
        canvas.box({.rect = {at.x - radius, at.y - radius, 2 * radius, 2 * radius},
                    .fill = theme.panel,
                    .stroke = theme.text,
                    .stroke_width = 1.3f,
                    .rounding = radius});
        canvas.line({at.x - radius, at.y}, {at.x + radius, at.y}, theme.text, 1.3f);
        canvas.line({at.x, at.y - radius}, {at.x, at.y + radius}, theme.text, 1.3f);
    }
    if (d.canvas.style.compact) return y + kSwizzleWires;
    draw_name(d, "XOR", y + kSwizzleWires / 2);
    return y + kSwizzleWires;
}

float draw_field_values(const BitsCanvas& d, float y) {
    for (const BitField& field : d.bits.fields) {
        const Rect place = d.columns(field, y, kFieldValues - 2);
        const std::string whole = role_value(field, d.address());
        if (d.canvas.label_inside(place, whole, FontRole::strong, d.canvas.theme.text)) continue;
        d.canvas.label_inside(place, std::to_string(field.value(d.address())), FontRole::strong,
                              d.canvas.theme.text);
    }
    return y + kFieldValues;
}

float draw_bit_matrix(const BitsCanvas& d, float y, float row_height) {
    Canvas& canvas = d.canvas;
    const float gap = row_height > 6 ? 1.0f : 0.4f;
    constexpr int kNamed = 8;  // every so many lanes
    for (int lane = 0; lane < kWarpLanes; ++lane) {
        const float top = y + row_height * float(lane);
        const Rect chip{d.x - 14, top, 10, row_height - gap};
        const bool active = d.active(lane), faint = d.dimmed(1u << lane);
        if (lane % kNamed == 0 && row_height * kNamed >= 14)
            canvas.label({d.x - 18, top + 9},
                         lane == 0 && !canvas.style.compact ? "lane 0" : std::to_string(lane), canvas.small(),
                         canvas.theme.text_weak, Anchor::end);
        if (active)
            canvas.fill(chip, d.faded(lane_color(canvas.theme, lane), faint), 1);
        else
            canvas.frame(chip, canvas.theme.outline, 1, 1);
        for (const BitField& field : d.bits.fields) {
            for (int bit = field.first; active && bit < field.end(); ++bit) {
                const bool set = (d.bits.address[lane] >> bit & 1u) != 0;
                const bool same = (d.differing >> bit & 1u) == 0;
                canvas.fill(bit_cell(d, field, bit, top, row_height - gap), d.fill_of(field.role, set, same),
                            row_height > 6 ? 1.5f : 0.0f);
            }
        }
        const Rect whole{d.x - 14, top, d.right() - d.x + 14, row_height};
        canvas.hit(whole, active ? lane : -1,
                   active ? tooltip_of(d, lane) : fmt::format("lane {}\nnot active", lane));
    }
    if (d.hovered() >= 0)
        canvas.highlight({d.x - 14, y + row_height * float(d.hovered()), d.right() - d.x + 14, row_height},
                         2);
    return y + row_height * kWarpLanes;
}

float draw_differing(const BitsCanvas& d, float y) {
    Canvas& canvas = d.canvas;
    const float middle = y + kDifferingRow / 2, radius = std::clamp(d.pitch * 0.22f, 2.0f, 5.0f);
    draw_name(d, canvas.style.compact ? "≠" : "differ", middle);
    for (int bit = 0; bit < d.bits.shown(); ++bit) {
        const Rect place = d.column(bit, y, kDifferingRow);
        const float x = place.x + place.w / 2;
        if ((d.differing >> bit & 1u) != 0)
            canvas.mark({x, middle}, MarkShape::diamond, radius, canvas.theme.text);
        else
            canvas.line({x - radius / 2, middle}, {x + radius / 2, middle}, canvas.theme.outline, 1);
        canvas.hit(place, -1,
                   fmt::format("bit {}: {} the active lanes", bit,
                               (d.differing >> bit & 1u) != 0 ? "differs between" : "is the same in all of"));
    }
    return y + kDifferingRow;
}

}  // namespace warplens
