#include "app/pictures/access/banks_canvas.h"
#include "app/pictures/access/explain.h"
#include "app/pictures/kit/motion.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace warplens {
namespace {

/// "32 words in bank 5", "2 words in each of 16 banks"
std::string tallest_text(const BanksCanvas& d, int group, int most, bool* conflict) {
    const auto& words = d.report.words[group];
    const auto like_it = std::count(words.begin(), words.begin() + d.report.banks, most);
    *conflict = most > 1;
    const std::string_view what = d.counted_word();
    if (most <= 1) return "conflict-free";
    if (like_it <= d.banks_wide()) {
        const auto bank = std::find(words.begin(), words.end(), most) - words.begin();
        return d.banks_wide() > 1
                   ? fmt::format("{} {}s in banks {} to {}", most, what, bank, bank + d.banks_wide() - 1)
                   : fmt::format("{} {}s in bank {}", most, what, bank);
    }
    return fmt::format("{} {}s in each of {} banks", most, what, like_it);
}

/// A free place for a text beside the tallest bar: over banks that give nothing, so that no wire is there.
std::optional<Vec2> beside_tallest(const BanksCanvas& d, const BankBlock& block, int tallest, float wide) {
    const BanksLayout& layout = d.layout;
    const auto& words = d.report.words[block.group];
    const int needed = int(std::ceil((wide + 10) / layout.pitch));
    const auto is_empty = [&](int first) {
        return first >= 0 && first + needed <= layout.banks &&
               std::all_of(words.begin() + first, words.begin() + first + needed,
                           [](int count) { return count == 0; });
    };
    const float high = ascent(FontRole::strong) + descent(FontRole::strong);
    // Wires end on bars: those on low ones would come through.
    const bool all_high = std::all_of(words.begin(), words.begin() + layout.banks, [&](int count) {
        return count == 0 || layout.bar_height(float(count)) >= high + 4;
    });
    if (!all_high) return std::nullopt;
    const int right = tallest + d.banks_wide(), left = tallest - needed;
    const float ideal = layout.bars_h - layout.bar_height(1);
    // Above the line of the ideal, or below it where that is high.
    const float top = ideal >= high + 2 ? ideal - high - 2 : ideal + 2;
    if (top + high > layout.bars_h) return std::nullopt;
    const float baseline = block.bars_y + top + ascent(FontRole::strong);
    if (is_empty(right)) return Vec2{block.x + layout.pitch * float(right) + 5, baseline};
    if (is_empty(left)) return Vec2{block.x + layout.pitch * float(tallest) - 5 - wide, baseline};
    return std::nullopt;
}

/// The number of the tallest bar, with words where there is room: above all bars; where wires come from
/// above, beside the bar, or else above the lanes.
void label_tallest(const BanksCanvas& d, const BankBlock& block) {
    Canvas& canvas = d.canvas;
    const auto& words = d.report.words[block.group];
    const auto tallest = std::max_element(words.begin(), words.begin() + d.report.banks);
    if (*tallest == 0 || !d.layout.bars_label) return;
    bool conflict = false;
    std::string text = tallest_text(d, block.group, *tallest, &conflict);
    if (d.played()) text = fmt::format("wavefront {} of {}", d.look.step + 1, d.report.count.wavefronts);
    if (canvas.width(text, FontRole::strong) > d.layout.width()) text = std::to_string(*tallest);
    const float wide = canvas.width(text, FontRole::strong);
    const float bar_x = block.x + d.layout.pitch * float(tallest - words.begin());
    const float top = block.bars_y + d.layout.bars_h - d.layout.bar_height(float(*tallest));
    Vec2 at{std::clamp(bar_x, block.x, std::max(block.x, block.x + d.layout.width() - wide)), top - 5};
    if (d.layout.lanes_h > 0) {
        const auto beside = beside_tallest(d, block, int(tallest - words.begin()), wide);
        if (!beside && canvas.style.silent) return;  // the headline says it
        at = beside.value_or(Vec2{block.x, block.label_y + ascent(FontRole::strong)});
    }
    canvas.label(at, std::move(text), FontRole::strong,
                 d.played() ? canvas.theme.accent
                 : conflict ? canvas.theme.bad
                            : canvas.theme.text_weak);
}

/// Words of a bank that the wavefronts up to the player's have not given yet.
int words_left(const BanksCanvas& d, int group, int bank) {
    const int words = d.report.words[group][bank];
    if (!d.played()) return words;
    int before = 0;  // the groups follow one another, and each begins with all banks
    for (int g = 0; g < group; ++g) before += d.report.group_wavefronts[g];
    return std::clamp(words - (d.look.step + 1 - before), 0, words);
}

/// The place of a lane's number above the banks.
Rect lane_cell(const BanksCanvas& d, const BankBlock& block, int lane) {
    const int each = d.report.lanes_per_group;
    const float pitch = d.layout.width() / float(each);
    return {block.x + pitch * float(lane - block.group * each), block.lanes_y, pitch, d.layout.lanes_h};
}

/// The lanes of the group, and a wire from each to the bar of its bank.
void draw_lanes_and_wires(const BanksCanvas& d, const BankBlock& block) {
    if (d.layout.lanes_h <= 0) return;
    Canvas& canvas = d.canvas;
    const int first = block.group * d.report.lanes_per_group;
    for (int lane = first; lane < first + d.report.lanes_per_group; ++lane) {
        const Rect whole = lane_cell(d, block, lane), cell = inset(whole, std::min(0.75f, whole.w * 0.06f));
        const std::string name = fmt::format("lane {}", lane);
        if (d.layout.lane_ticks && lane % 4 == 0)
            canvas.label({whole.x + whole.w / 2, whole.y - 4}, std::to_string(lane), FontRole::body,
                         canvas.theme.text_weak, Anchor::middle);
        if (!d.active(lane)) {
            canvas.frame(inset(cell, 0.5f), canvas.theme.outline, 1, 2);
            if (!d.layout.lane_ticks) canvas.lane_number(cell, lane, canvas.theme.text_weak);
            canvas.hit(whole, lane, name + "\nnot active");
            continue;
        }
        const int bank = d.layout.bank_of(d.access.byte_address[lane]);
        const bool dim = is_dimmed(d, 1u << lane);
        const Color own = lane_color(canvas.theme, lane), fill = d.draw_cell(cell, own, dim, 2);
        if (!d.layout.lane_ticks) canvas.lane_number(cell, lane, d.ink(fill, dim));
        canvas.hit(whole, lane, fmt::format("{}\nbank {}", name, bank));
        const float to = block.x + d.layout.pitch * (float(bank) + 0.5f * float(d.banks_wide()));
        const float words = d.canvas.style.counts_hidden ? 0 : float(d.report.words[block.group][bank]);
        const float bar_top = block.bars_y + d.layout.bars_h - d.layout.bar_height(words);
        canvas.moving(moving_key(MovingKind::wire, lane), [&] {
            draw_lane_wire(d, lane, d.faded(own, dim), {whole.x + whole.w / 2, whole.y + whole.h},
                           {to, bar_top});
        });
        if (lane == d.hovered()) canvas.highlight(whole, 2);
    }
}

/// The bytes of the wavefront that is played, each on its way between its lane, its bank and its word.
void draw_travellers(const BanksCanvas& d, const BankBlock& block) {
    if (!d.played() || d.layout.lanes_h <= 0) return;
    const int first = block.group * d.report.lanes_per_group;
    for (int lane = first; lane < first + d.report.lanes_per_group; ++lane) {
        if (!d.active(lane) || d.report.wavefront[lane] != d.look.step) continue;
        const std::uint64_t granule = d.layout.granule;
        const std::uint64_t address = d.access.byte_address[lane] / granule * granule;
        const MemoryRow* row = d.layout.row_of(address);
        const int bank = d.layout.bank_of(address);
        const Rect from = lane_cell(d, block, lane);
        const float x = block.x + d.layout.pitch * (float(bank) + 0.5f * float(d.banks_wide()));
        const Vec2 bar{x, block.bars_y + d.layout.bars_h};
        Vec2 place = bar;
        if (d.layout.by_tile) {
            if (const auto cell = tile_cell_of(d, block, lane))
                place = {cell->x + cell->w / 2, cell->y + cell->h / 2};
        } else if (row != nullptr) {
            const Rect cell = d.layout.cell(block, *row, bank, d.banks_wide());
            place = {cell.x + cell.w / 2, cell.y + cell.h / 2};
        }
        draw_traveller(d, lane_color(d.canvas.theme, lane), {from.x + from.w / 2, from.y + from.h}, bar,
                       place, d.look.share);
    }
}

/// Whether ticks stand at 1, 2, 4 words and so on: bars grow by doublings, which nobody could know else.
bool has_scale(const BanksCanvas& d) {
    constexpr float kLeastStep = 3.5f;  // between two ticks [points]
    return !d.canvas.style.counts_hidden && !d.canvas.style.compact &&
           d.layout.bar_height(2) - d.layout.bar_height(1) >= kLeastStep;
}

void draw_bars(const BanksCanvas& d, const BankBlock& block) {
    Canvas& canvas = d.canvas;
    const Theme& theme = canvas.theme;
    const BanksLayout& layout = d.layout;
    const float base = block.bars_y + layout.bars_h;
    if (has_scale(d))
        for (int words = 1; words <= layout.top_words; words *= 2) {
            const float y = base - layout.bar_height(float(words));
            canvas.line({block.x - 5, y}, {block.x - 1, y}, theme.outline, 1);
        }
    for (int bank = 0; bank < layout.banks && !canvas.style.counts_hidden; ++bank) {
        const int words = d.report.words[block.group][bank];
        const float x = block.x + layout.pitch * float(bank), h = layout.bar_height(float(words));
        if (words > 0) {
            const float space = std::min(1.5f, layout.pitch * 0.1f), wide = layout.pitch - 2 * space;
            const Color own = words > 1 ? theme.bad : theme.series[kSeriesMeasured];
            canvas.moving(moving_key(MovingKind::bar, block.group * layout.banks + bank), [&] {
                const float left = layout.bar_height(float(words_left(d, block.group, bank)));
                if (d.played()) canvas.fill({x + space, base - h, wide, h}, mix(theme.panel, own, 0.22f), 1);
                canvas.fill({x + space, base - left, wide, left}, own, 1);
            });
        }
        canvas.hit(
            {x, block.bars_y, layout.pitch, layout.bars_h}, -1,
            fmt::format("bank {}\n{}{}", bank,
                        shares_words(d.access.op) ? counted(words, "distinct word") : counted(words, "lane"),
                        d.report.groups > 1 ? fmt::format(" in group {}", block.group) : std::string()));
    }
    canvas.line({block.x, base}, {block.x + layout.width(), base}, theme.outline, 1);
    if (canvas.style.counts_hidden) return;
    const float ideal = base - layout.bar_height(1);
    canvas.line({block.x, ideal}, {block.x + layout.width(), ideal}, theme.good, 1.5f, Dash::dashed);
    label_tallest(d, block);
}

void draw_axis(const BanksCanvas& d, const BankBlock& block) {
    const BanksLayout& layout = d.layout;
    if (layout.axis_step == 0) return;
    const float baseline = block.bars_y + layout.bars_h + 4 + ascent(FontRole::body);
    for (int bank = 0; bank < layout.banks; bank += layout.axis_step) {
        d.canvas.label({block.x + layout.pitch * (float(bank) + 0.5f), baseline}, std::to_string(bank),
                       FontRole::body, d.canvas.theme.text_weak, Anchor::middle);
    }
}

void draw_side_names(const BanksCanvas& d) {
    if (d.layout.label_x < 0) return;
    const BankBlock& first = d.layout.blocks.front();
    const float base = first.bars_y + d.layout.bars_h;
    const Color color = d.canvas.theme.text_weak;
    if (d.layout.lanes_h > 0)
        d.canvas.label_middle({d.layout.label_x, first.lanes_y + d.layout.lanes_h / 2}, "lanes",
                              FontRole::body, color);
    if (d.layout.axis_step == 0) return;
    d.canvas.label({d.layout.label_x, base - 1}, shares_words(d.access.op) ? "words" : "lanes",
                   FontRole::body, color);
    const float high = ascent(FontRole::body) + descent(FontRole::body);
    if (has_scale(d) && d.layout.bars_h >= 2 * high - 4)
        d.canvas.label({first.x - 8, first.bars_y + ascent(FontRole::body) / 2 + 2},
                       std::to_string(d.layout.top_words), FontRole::body, color, Anchor::end);
    d.canvas.label({d.layout.label_x, base + 4 + ascent(FontRole::body)}, "bank", FontRole::body, color);
    if (d.layout.by_tile && first.rows_y - base > 40)
        d.canvas.label({d.layout.label_x, first.rows_y - 19 + ascent(FontRole::body)}, "column",
                       FontRole::body, color);
}

/// A group's title, the longest first.
std::array<std::string, 4> group_titles(const BanksCanvas& d, int group) {
    const int first = group * d.report.lanes_per_group, last = first + d.report.lanes_per_group - 1;
    const int wavefronts = d.report.group_wavefronts[group];
    const std::string cost = d.canvas.style.counts_hidden ? ""
                             : wavefronts == 0            ? ": not active"
                                                          : ": " + counted(wavefronts, "wavefront");
    if (d.access.op == Op::load_matrix)
        return {fmt::format("matrix {}, lanes {} to {}{}", group, first, last, cost),
                fmt::format("matrix {}{}", group, cost), fmt::format("matrix {}", group),
                std::to_string(group)};
    return {fmt::format("lanes {} to {}{}", first, last, cost), fmt::format("{}–{}{}", first, last, cost),
            fmt::format("lanes {}–{}", first, last), fmt::format("{}–{}", first, last)};
}

void draw_group_title(const BanksCanvas& d, const BankBlock& block) {
    if (!d.layout.group_titles) return;
    std::size_t form = 0;  // of all groups: what one of them says the others say
    const auto fit = [&](const BankBlock& one) {
        return d.canvas.width(group_titles(d, one.group)[form], FontRole::body) <= d.layout.width();
    };
    while (form < 3 && !std::ranges::all_of(d.layout.blocks, fit)) ++form;
    d.canvas.label_elided({block.x, block.title_y + ascent(FontRole::body)},
                          group_titles(d, block.group)[form], FontRole::body, d.canvas.theme.text,
                          d.layout.width());
}

void draw_ring(const BanksCanvas& d) {
    const int lane = d.hovered();
    if (lane < 0) return;
    const BankBlock& block = d.layout.blocks[lane / d.report.lanes_per_group];
    if (d.layout.by_tile) {
        if (const auto cell = tile_cell_of(d, block, lane)) d.canvas.highlight(*cell, 2);
        return;
    }
    const std::uint64_t granule = d.layout.granule;
    const std::uint64_t address = d.access.byte_address[lane] / granule * granule;
    const MemoryRow* row = d.layout.row_of(address);
    if (row == nullptr) return;
    d.canvas.highlight(d.layout.cell(block, *row, d.layout.bank_of(address), d.banks_wide()), 2);
}

}  // namespace

void draw_blocks(const BanksCanvas& d) {
    for (const BankBlock& block : d.layout.blocks) {
        draw_group_title(d, block);
        draw_lanes_and_wires(d, block);
        draw_bars(d, block);
        draw_axis(d, block);
        if (d.layout.by_tile)
            draw_tile(d, block);
        else
            draw_rows(d, block);
    }
    draw_side_names(d);
    draw_row_labels(d);
    for (const BankBlock& block : d.layout.blocks) draw_travellers(d, block);
    draw_ring(d);
}

}  // namespace warplens
