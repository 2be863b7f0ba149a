#include "app/pictures/access/explain.h"
#include "app/pictures/access/memory_rows.h"
#include "app/pictures/access/warp_canvas.h"

#include <fmt/format.h>

#include <bit>

namespace warplens {
namespace {

/// The blocks of the cluster side by side, small.
struct BlockStrip {
    float x = 0, y = 0, pitch = 0, h = 0;  ///< [points]
    int blocks = 1, asking = 0, asked = 0;
    Rect box(int rank) const {
        return {x + float(rank) * pitch, y, pitch - std::min(6.0f, 0.15f * pitch), h};
    }
};

struct ClusterCanvas : WarpCanvas {
    const BankReport& banks;
    const BlockStrip& strip;
    const LaneRow& lanes;
    const ArrayRows& rows;
    float top = 0;  ///< of the rows [points]

    Color asking_color() const { return canvas.theme.accent; }
    Color asked_color() const { return canvas.theme.series[0]; }
    Rect cell(const MemoryRow& row, std::uint64_t address) const {
        const int bank = int(address % kLineBytes / 4);
        const float wide = std::max(1.0f, float(access.bytes_per_lane) / 4);
        return {lanes.cell(bank).x, row.y, lanes.pitch * wide, row.h};
    }
    const MemoryRow* row_of(std::uint64_t address) const { return rows.find(int(address / kLineBytes)); }
    /// Groups of a wide access follow one another in any case: the first wavefront of each is blue.
    Color wavefront_color(int lane) const {
        int before = 0;
        for (int g = 0; g < lane / banks.lanes_per_group; ++g) before += banks.group_wavefronts[g];
        const int most = *std::max_element(banks.group_wavefronts.begin(), banks.group_wavefronts.end());
        return ramp_color(wavefront_ramp(canvas.theme),
                          ramp_position(float(banks.wavefront[lane] - before), 0, float(most - 1)));
    }
};

/// Dashed, so that it is told apart from the frame of the block that asks without its colour.
void draw_asked_frame(Canvas& canvas, Rect r, Color color, float width) {
    const Vec2 corners[] = {{r.x, r.y}, {r.x + r.w, r.y}, {r.x + r.w, r.y + r.h}, {r.x, r.y + r.h}};
    for (std::size_t i = 0; i < 4; ++i)
        canvas.line(corners[i], corners[(i + 1) % 4], color, width, Dash::dashed);
}

/// A block's shared memory as 32 thin columns; of the one that is asked, the banks that give words.
void draw_small_memory(const ClusterCanvas& d, Rect place, bool asked) {
    const Theme& theme = d.canvas.theme;
    const float pitch = place.w / kMaxBanks, space = pitch < 2 ? 0.0f : 0.5f;
    if (!asked && pitch < 3) {  // columns so thin would be noise
        d.canvas.fill(place, theme.cell_empty, 2);
        return;
    }
    for (int bank = 0; bank < kMaxBanks; ++bank) {
        int words = 0;
        for (int group = 0; group < d.banks.groups; ++group)
            words = std::max(words, int(d.banks.words[group][bank]));
        const Color fill = !asked || words == 0 ? theme.cell_empty
                           : words == 1         ? theme.series[kSeriesMeasured]
                                                : theme.bad;
        d.canvas.fill({place.x + pitch * float(bank) + space, place.y, pitch - 2 * space, place.h}, fill);
    }
}

std::string role_of(const BlockStrip& strip, int rank) {
    if (rank == strip.asking && rank == strip.asked) return "asks itself";
    return rank == strip.asking ? "asks" : rank == strip.asked ? "is asked" : "";
}

void draw_strip(const ClusterCanvas& d) {
    Canvas& canvas = d.canvas;
    const Theme& theme = canvas.theme;
    const BlockStrip& strip = d.strip;
    canvas.label_middle({canvas.margin(), strip.y + strip.h / 2}, canvas.style.compact ? "blocks" : "cluster",
                        FontRole::body, theme.text_weak);
    for (int rank = 0; rank < strip.blocks; ++rank) {
        const Rect box = strip.box(rank);
        const bool asking = rank == strip.asking, asked = rank == strip.asked;
        const Color stroke = asking ? d.asking_color() : asked ? d.asked_color() : theme.panel_border;
        if (asked && !asking)
            draw_asked_frame(canvas, inset(box, 1), stroke, 2);
        else
            canvas.frame(inset(box, 1), stroke, asking || asked ? 2.0f : 1.0f, 4);
        const std::string role = role_of(strip, rank);
        const Rect head{box.x + 4, box.y + 2, box.w - 8, 20};
        const FontRole font = role.empty() ? FontRole::body : FontRole::strong;
        const Color ink = role.empty() ? theme.text_weak : theme.text;
        const std::string name = fmt::format("block {}", rank);
        const bool named = (!role.empty() && canvas.label_inside(head, name + " " + role, font, ink)) ||
                           canvas.label_inside(head, name, font, ink) ||
                           canvas.label_inside(head, std::to_string(rank), font, ink);
        const float memory_top = named ? 23.0f : 4.0f;
        if (box.h - memory_top - 5 > 3 && box.w > 20)
            draw_small_memory(d, {box.x + 5, box.y + memory_top, box.w - 10, box.h - memory_top - 5}, asked);
        canvas.hit(box, -1,
                   fmt::format("block of rank {}{}{}\nits shared memory: 32 banks", rank,
                               role.empty() ? "" : " ", role));
    }
}

/// To the banks, at the edge of the memory: which row a lane wants is seen by its cell, and wires across many
/// rows would be a tangle.
void draw_wires(const ClusterCanvas& d) {
    if (d.rows.rows.empty()) return;
    const float edge = d.top - 2;
    for (const bool hovered : {false, true}) {
        for (int lane = 0; lane < kWarpLanes; ++lane) {
            if (!d.active(lane) || (lane == d.hovered()) != hovered) continue;
            const Rect cell = d.cell(d.rows.rows.front(), d.access.byte_address[lane]);
            draw_lane_wire(d, lane, lane_color(d.canvas.theme, lane),
                           {d.lanes.center(lane), d.lanes.bottom()}, {cell.x + cell.w / 2, edge});
        }
    }
}

std::string row_address(std::int64_t row) { return fmt::format("0x{:04x}", row * kLineBytes); }

void draw_rows(const ClusterCanvas& d) {
    Canvas& canvas = d.canvas;
    const Theme& theme = canvas.theme;
    float last = -1e9f;
    for (const MemoryRow& row : d.rows.rows) {
        const float middle = row.y + row.h / 2;
        if (row.kind != MemoryRow::Kind::line) {
            draw_row_note(canvas, row, d.lanes);
            continue;
        }
        for (int bank = 0; bank < kMaxBanks; ++bank) {
            const Rect cell = d.lanes.cell(bank);
            const float space = std::min(1.0f, cell.w * 0.08f);
            canvas.fill({cell.x + space, row.y, cell.w - 2 * space, row.h}, theme.cell_empty, 1.5f);
        }
        constexpr float kLine = 17.5f;
        const bool below = middle + kLine / 2 > d.rows.bottom + 2 && &row != &d.rows.rows.front();
        if (middle - last < kLine || below) continue;
        last = middle;
        canvas.label_middle({canvas.margin(), middle}, row_address(row.index), FontRole::mono, theme.text);
    }
}

void draw_words(const ClusterCanvas& d) {
    const int granule = std::max(4, d.access.bytes_per_lane);  // lanes meet in a word
    for (const WantedElement& element : collect_elements(d.access, kAllLanes, granule)) {
        const MemoryRow* row = d.row_of(element.byte_address);
        if (row == nullptr || row->kind != MemoryRow::Kind::line) continue;
        const int lane = std::countr_zero(element.lanes);
        const Rect cell = d.cell(*row, element.byte_address);
        draw_lane_cell(d, cell, element.lanes, d.wavefront_color(lane), d.lanes.numbers);
        const auto bank = int(element.byte_address % kLineBytes / 4);
        const int end = bank + std::max(1, d.access.bytes_per_lane / 4) - 1;
        d.canvas.hit(
            cell, std::popcount(element.lanes) == 1 ? lane : -1,
            fmt::format("{}\naddress 0x{:x} of block {}'s shared memory\n{}{}", name_lanes(element.lanes),
                        element.byte_address, d.strip.asked,
                        end > bank ? fmt::format("banks {} to {}", bank, end) : fmt::format("bank {}", bank),
                        d.canvas.count_text(fmt::format("\nwavefront {} of {}", d.banks.wavefront[lane] + 1,
                                                        d.banks.count.wavefronts))));
        if (d.hovered() >= 0 && !d.dimmed(element.lanes)) d.canvas.highlight(cell, 2);
    }
}

/// Bank numbers below the rows.
void draw_bank_axis(const ClusterCanvas& d) {
    Canvas& canvas = d.canvas;
    const float baseline = d.rows.bottom + 3 + ascent(FontRole::body);
    canvas.label({canvas.margin(), baseline}, "bank", FontRole::body, canvas.theme.text_weak);
    const int step = d.lanes.pitch >= canvas.width("00", FontRole::body) + 3 ? 1 : 4;
    for (int bank = 0; bank < kMaxBanks; bank += step) {
        canvas.label({d.lanes.center(bank), baseline}, std::to_string(bank), FontRole::body,
                     canvas.theme.text_weak, Anchor::middle);
    }
}

/// Whose memory it is, and what the cells' colours mean.
void draw_legend(const ClusterCanvas& d, float y) {
    const Ramp ramp = wavefront_ramp(d.canvas.theme);
    Legend legend;
    // First what has to be explained: where there is no room for all, the last ones are left out.
    if (const int most = *std::ranges::max_element(d.banks.group_wavefronts);
        most > 1 && !d.canvas.style.counts_hidden)
        legend.add(fmt::format("wavefronts 1 to {}", most), 48, [ramp](Canvas& canvas, Rect sample) {
            for (int i = 0; i < 4; ++i)
                canvas.box({.rect = {sample.x + 12.0f * float(i) + 0.5f, sample.y, 11, sample.h},
                            .fill = ramp_color(ramp, float(i) / 3),
                            .rounding = 1,
                            .plain = true});
        });
    legend.add_box(fmt::format("lanes of block {}", d.strip.asking),
                   {.stroke = d.asking_color(), .stroke_width = 2, .rounding = 2});
    legend.add(fmt::format("shared memory of block {}{}", d.strip.asked,
                           d.strip.asked == d.strip.asking ? ", its own" : ""),
               14, [color = d.asked_color()](Canvas& canvas, Rect sample) {
                   draw_asked_frame(canvas, sample, color, 2);
               });
    legend.draw(d.canvas, d.lanes.x, y, d.lanes.width(), 1, d.canvas.theme.text);
}

}  // namespace

Picture draw_cluster(const InstructionView& view, const Style& style) {
    const WarpAccess& access = view.report->access;
    const bool compact = style.compact;
    Canvas canvas(style, title_of(view, style, picture_title(Space::cluster)),
                  subtitle_of(view, style, "cluster"));
    const Explanation explanation = explain(view);
    const PictureFrame frame = open_frame(canvas, explanation, 90);
    const float room = frame.bottom - frame.top;
    const SectorReport lines = analyze_sectors(access, {});
    const int depth = lines.lines.empty() ? 0 : int(lines.lines.back().byte_address / kLineBytes) + 1;
    const std::string longest = row_address(std::max(0, depth - 1));
    const float left = canvas.margin() +
                       std::max(canvas.width(longest, FontRole::mono),
                                canvas.width(compact ? "blocks" : "cluster", FontRole::body)) +
                       (compact ? 6.0f : 12.0f);
    const float width = style.size.x - canvas.margin() - left;

    BlockStrip strip{
        .x = left, .y = frame.top, .blocks = view.shape == nullptr ? 1 : std::max(1, view.shape->cluster)};
    strip.asked = view.report->instruction.ranks_away % strip.blocks;
    strip.h = room > 330 ? 56.0f : room > 240 ? 46.0f : room > 110 ? 24.0f : 0.0f;
    const float between = strip.h == 0 ? 0 : std::clamp(room * 0.05f, 6.0f, 20.0f);
    const LaneRow lanes = lay_out_lanes(canvas, left, width, frame.top + strip.h + between, room);
    strip.pitch = lanes.width() / float(strip.blocks);

    const bool axis = !compact && room > 200, legend = !compact && room > 150;
    const float below = (axis ? 20.0f : 0.0f) + (legend ? 24.0f : 0.0f) + 6;
    const float rest = frame.bottom - below - lanes.bottom();
    const float most_pitch = compact ? 18.0f : std::clamp(rest * 0.12f, 30.0f, 60.0f);
    // The wires get the room that few rows leave over.
    const float spare = rest - most_pitch * float(std::max(1, depth));
    const float wires =
        std::max(std::clamp(rest * 0.28f, 8.0f, 110.0f), std::min(spare, std::max(170.0f, rest * 0.8f)));
    const ArrayRows rows = lay_out_rows(lines, depth,
                                        {.top = lanes.bottom() + wires,
                                         .bottom = frame.bottom - below,
                                         .least_pitch = compact ? 7.0f : 18.0f,
                                         .most_pitch = most_pitch,
                                         .noun = "row"});
    const ClusterCanvas d{{canvas, access}, *view.banks, strip, lanes, rows, lanes.bottom() + wires};
    if (strip.h > 0) draw_strip(d);
    draw_wires(d);
    draw_rows(d);
    draw_words(d);
    if (!rows.rows.empty())
        draw_asked_frame(canvas, {lanes.x - 3, d.top - 2, lanes.width() + 6, rows.bottom - d.top + 4},
                         d.asked_color(), 1.5f);
    if (strip.h > 0)
        canvas.frame({lanes.x - 3, lanes.y - 3, lanes.width() + 6, lanes.h + 6}, d.asking_color(), 1.5f, 4);
    draw_lanes(d, lanes, "lanes", [&](int lane) {
        return fmt::format("asks block {} for address 0x{:x}", strip.asked, access.byte_address[lane]);
    });
    if (axis) draw_bank_axis(d);
    if (legend) draw_legend(d, rows.bottom + (axis ? 22.0f : 2.0f) + 4);
    close_frame(canvas, frame, explanation.good, cost_text(view.banks->count),
                strip.asked == 0 ? "own block" : fmt::format("in block {} of {}", strip.asked, strip.blocks));
    return canvas.take();
}

}  // namespace warplens
