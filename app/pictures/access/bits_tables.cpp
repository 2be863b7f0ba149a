// Beside and below the bits: which place each lane goes to, and a table of memory by address.
#include "app/pictures/access/bits_canvas.h"
#include "kernels/texture_layout.h"

#include <fmt/format.h>

#include <algorithm>

namespace warplens {
namespace {

std::string banks_of(const BankRules& rules, int word, int bytes) {
    const int each = bank_word_bytes(rules), first = word * bytes / each % rules.banks,
              last = (word * bytes + bytes - 1) / each % rules.banks;
    return first == last ? std::to_string(first) : fmt::format("{} {}", first, last);
}

/// One row of all banks as words of one width, each with the bank or banks that hold it.
void draw_bank_line(const BitsCanvas& d, const BankRules& rules, int word_bytes, std::string_view name,
                    Rect place) {
    Canvas& canvas = d.canvas;
    const int row_bytes = rules.banks * bank_word_bytes(rules), words = row_bytes / word_bytes;
    canvas.label_middle({canvas.margin(), place.y + place.h / 2}, std::string(name), FontRole::body,
                        canvas.theme.text_weak);
    const float cell = place.w / float(words);
    int step = 1;  // every so many words are named
    while (step < words && float(step) * cell < canvas.width("30 31", canvas.small()) + 3) step *= 2;
    if (cell >= canvas.width(word_bytes > bank_word_bytes(rules) ? "30 31" : "31", canvas.small()) + 2)
        step = 1;
    const int here = int(d.address() % static_cast<std::uint64_t>(row_bytes)) / word_bytes;
    for (int word = 0; word < words; ++word) {
        const Rect box{place.x + cell * float(word), place.y, cell, place.h};
        const bool chosen = word == here;
        const Color fill = chosen ? d.fill_of(BitRole::bank, true, false) : canvas.theme.cell_empty;
        canvas.fill(inset(box, std::min(0.75f, cell * 0.08f)), fill, 2);
        canvas.hit(box, -1,
                   fmt::format("bytes {} to {} of a row\nbank {}", word * word_bytes,
                               (word + 1) * word_bytes - 1, banks_of(rules, word, word_bytes)));
    }
    for (int word = 0; word < words; word += step) {  // over the cells that stand behind
        const bool chosen = word == here && step == 1;
        const Color fill = d.fill_of(BitRole::bank, true, false);
        canvas.label_inside({place.x + cell * float(word), place.y, cell * float(step), place.h},
                            banks_of(rules, word, word_bytes), canvas.small(),
                            chosen ? text_on(fill) : canvas.theme.text, 0);
    }
}

void draw_bank_table(const BitsCanvas& d, const BankRules& rules, Rect room) {
    Canvas& canvas = d.canvas;
    const int row_bytes = rules.banks * bank_word_bytes(rules);
    const std::string mode = rules.wide_words   ? ", 8-byte bank mode"
                             : rules.wide_banks ? ", 4-byte bank mode"
                                                : "";
    canvas.label_elided({room.x, room.y + 4 + ascent(FontRole::body)},
                        fmt::format("Banks of the words in a row of {} bytes{}", row_bytes, mode),
                        FontRole::body, canvas.theme.text, room.w);
    const float left = d.x - 0.0f, width = room.x + room.w - left;
    draw_bank_line(d, rules, 4, "4 bytes", {left, room.y + 26, width, 24});
    draw_bank_line(d, rules, 8, "8 bytes", {left, room.y + 54, width, 24});
}

/// A 32-byte sector of a texture: 4 x 2 texels, each with the bits that choose it.
void draw_texel_table(const BitsCanvas& d, Rect room) {
    Canvas& canvas = d.canvas;
    canvas.label_elided({room.x, room.y + 4 + ascent(FontRole::body)},
                        "A sector holds 4 x 2 texels: bits y and x of each", FontRole::body,
                        canvas.theme.text, room.w);
    const float width = std::min(64.0f, (room.x + room.w - d.x) / kSectorTexelsX);
    const auto here = int(d.address() % 32 / kTexelBytes);
    for (int texel = 0; texel < kSectorTexelsX * kSectorTexelsY; ++texel) {
        const int x = texel % kSectorTexelsX, y = texel / kSectorTexelsX;
        const Rect box{d.x + width * float(x), room.y + 26 + 26 * float(y), width, 26};
        const Color fill = texel == here ? d.fill_of(BitRole::texel_x, true, false) : canvas.theme.cell_empty;
        canvas.fill(inset(box, 1), fill, 2);
        canvas.label_inside(box, fmt::format("{} {:02b}", y, x), FontRole::mono,
                            texel == here ? text_on(fill) : canvas.theme.text, 0);
        canvas.hit(box, -1,
                   fmt::format("texel {}, {} of a sector\nbytes {} to {}", x, y, texel * kTexelBytes,
                               texel * kTexelBytes + kTexelBytes - 1));
    }
}

}  // namespace

bool has_place_table(const AddressBits& bits) {
    return bits.find(BitRole::bank) != nullptr || bits.find(BitRole::texel_x) != nullptr;
}

void draw_place_table(const BitsCanvas& d, const BankRules& rules, Rect room) {
    if (d.bits.find(BitRole::bank) != nullptr)
        draw_bank_table(d, rules, room);
    else
        draw_texel_table(d, room);
}

void draw_lane_places(const BitsCanvas& d, const BitField& field, Rect room, float row_height) {
    Canvas& canvas = d.canvas;
    const int places = 1 << field.count;
    const float pitch = room.w / float(places);
    canvas.fill(room, canvas.theme.cell_empty, 3);
    const float baseline = room.y - 6;
    canvas.label({room.x, baseline}, "0", canvas.small(), canvas.theme.text_weak);
    canvas.label({room.x + room.w / 2, baseline}, std::string(role_name(field.role)), FontRole::body,
                 canvas.theme.text, Anchor::middle);
    canvas.label({room.x + room.w, baseline}, std::to_string(places - 1), canvas.small(),
                 canvas.theme.text_weak, Anchor::end);
    for (int lane = 0; lane < kWarpLanes; ++lane) {
        if (!d.active(lane)) continue;
        const std::uint64_t place = field.value(d.bits.address[lane]);
        const Rect box{room.x + pitch * float(place), room.y + row_height * float(lane), pitch, row_height};
        const bool faint = d.dimmed(1u << lane);
        d.draw_cell(inset(box, std::min(0.4f, row_height * 0.08f)), lane_color(canvas.theme, lane), faint, 1);
        canvas.hit({room.x, box.y, room.w, row_height}, lane,
                   fmt::format("lane {}\n{}", lane, role_value(field, d.bits.address[lane])));
    }
}

}  // namespace warplens
