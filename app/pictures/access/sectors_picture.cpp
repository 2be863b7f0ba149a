#include "app/pictures/access/explain.h"
#include "app/pictures/access/sectors_canvas.h"
#include "app/pictures/kit/motion.h"

#include <fmt/format.h>

#include <bit>

namespace warplens {
namespace {

/// The row that shows a line, or the fold that hides it; null when there is neither.
const MemoryRow* row_of_line(const SectorsLayout& layout, int line) {
    for (const MemoryRow& row : layout.rows) {
        if (row.kind == MemoryRow::Kind::line && row.line == line) return &row;
        if (row.kind == MemoryRow::Kind::fold && line >= row.line && line < row.line + row.count) return &row;
    }
    return nullptr;
}

int line_of_address(const SectorReport& report, std::uint64_t address) {
    const auto above =
        std::upper_bound(report.lines.begin(), report.lines.end(), address,
                         [](std::uint64_t a, const LineUse& line) { return a < line.byte_address; });
    return int(above - report.lines.begin()) - 1;
}

std::string describe_place(const SectorsCanvas& d, std::uint64_t address) {
    const std::uint64_t bytes = d.access.bytes_per_lane;
    const std::string span = bytes == 1
                                 ? fmt::format("byte {}", d.hex(address))
                                 : fmt::format("bytes {} to {}", d.hex(address), d.hex(address + bytes - 1));
    return fmt::format("{} (element {})\n{}", span,
                       format_count(d.in_array(address) / static_cast<std::int64_t>(bytes)),
                       d.sector_name(address));
}

void draw_wire(const SectorsCanvas& d, int lane) {
    const std::uint64_t address = d.access.byte_address[lane];
    const MemoryRow* row = row_of_line(d.layout, line_of_address(d.report, address));
    if (row == nullptr) return;
    const Rect to = d.layout.element_cell(*row, int(address % kLineBytes), d.access.bytes_per_lane);
    const Color own = lane_color(d.canvas.theme, lane);
    d.canvas.moving(moving_key(MovingKind::wire, lane), [&] {
        draw_lane_wire(d, lane, d.faded(own, d.waits(d.transaction_of(address, 1u << lane))),
                       {d.layout.lanes.center(lane), d.layout.lanes.bottom()}, {to.x + to.w / 2, row->y});
    });
}

void draw_wires(const SectorsCanvas& d) {
    for (int lane = 0; lane < kWarpLanes; ++lane) {
        if (d.active(lane) && lane != d.hovered()) draw_wire(d, lane);
    }
}

/// Which of a warp's requests a lane belongs to, where there are several, and what it wants.
std::string describe_lane(const SectorsCanvas& d, int lane) {
    const int lanes = d.report.lanes_per_request;
    const std::string request =
        lanes < kWarpLanes
            ? d.canvas.count_text(fmt::format("in request {} of {}\n", lane / lanes + 1, kWarpLanes / lanes))
            : std::string();
    return request + describe_place(d, d.access.byte_address[lane]);
}

/// Sectors as outlines, fetched ones hatched; the used words are drawn over them.
void draw_line(const SectorsCanvas& d, const MemoryRow& row) {
    const Theme& theme = d.canvas.theme;
    const LineUse& line = d.report.lines[row.line];
    const bool hidden = d.canvas.style.counts_hidden;  // then all sectors look alike
    constexpr float kLow = 9;  // so low that outlines would be all that one sees [points]
    const float rounding = std::min(3.0f, row.h * 0.25f);
    for (int sector = 0; sector < kSectorsPerLine; ++sector) {
        const bool moved = !hidden && (line.sectors >> sector & 1u) != 0;
        const std::uint64_t address = line.byte_address + static_cast<std::uint64_t>(sector) * kSectorBytes;
        const bool waits = moved && d.waits(d.transaction_of(address));
        const Rect cell{d.layout.x_of_byte(sector * kSectorBytes), row.y, 8 * d.layout.lanes.pitch, row.h};
        Box box{.rect = cell, .stroke = moved ? theme.outline : d.not_moved(), .rounding = rounding};
        if (row.h < kLow) box.stroke.a = moved ? 90 : 40;
        if (moved) {
            box.fill = with_alpha(theme.panel, 0.6f);  // wires to lower lines can be followed
            const int used = std::popcount(line.used[sector]);
            if (used < kSectorBytes && !waits)
                box.hatch = with_alpha(theme.hatch, d.hovered() >= 0 ? 0.3f : 0.75f);
            const int times = line.times[sector];
            d.canvas.hit(cell, -1,
                         fmt::format("{}: {}{}", d.sector_name(address), d.moved(),
                                     d.canvas.count_text(fmt::format(
                                         "{}\n{} of 32 bytes used",
                                         times > 1 ? fmt::format(" {} times", times) : "", used))));
        } else {
            d.canvas.hit(cell, -1,
                         d.sector_name(address) + d.canvas.count_text(fmt::format("\nnot {}", d.moved())));
        }
        d.canvas.box(box);
    }
}

/// "32 lanes" beside a cell that is too small for it, where its sector holds nothing else.
/// @return  whether it is there.
bool label_beside(const SectorsCanvas& d, Rect cell, const LineUse& line, int byte_in_line,
                  const std::string& text) {
    const int in_sector = byte_in_line % kSectorBytes, end = in_sector + d.access.bytes_per_lane;
    const std::uint32_t used = line.used[byte_in_line / kSectorBytes];
    if (d.canvas.style.compact || std::popcount(used) > d.access.bytes_per_lane) return false;
    const float x = cell.x + cell.w + 3, room = float(32 - end) / 4 * d.layout.lanes.pitch - 6;
    const float wide = d.canvas.width(text, FontRole::body) + 10;
    if (wide > room || cell.h < 16) return false;
    const Rect plate{x, cell.y + 1, wide, cell.h - 2};
    d.canvas.fill(plate, d.canvas.theme.panel, 3);
    d.canvas.label_inside(plate, text, FontRole::body, d.canvas.theme.text);
    return true;
}

void draw_element(const SectorsCanvas& d, const WantedElement& element) {
    const int index = line_of_address(d.report, element.byte_address);
    const MemoryRow* row = row_of_line(d.layout, index);
    if (row == nullptr || row->kind != MemoryRow::Kind::line) return;
    Canvas& canvas = d.canvas;
    const int in_line = int(element.byte_address % kLineBytes);
    const Rect whole = d.layout.element_cell(*row, in_line, d.access.bytes_per_lane);
    const float space = whole.w < 8 ? 0.3f : 0.75f, frame = whole.h > 14 ? 2.0f : 0.5f;
    const Rect cell{whole.x + space, whole.y + frame, whole.w - 2 * space, whole.h - 2 * frame};
    const int count = std::popcount(element.lanes), lane = std::countr_zero(element.lanes);
    const bool dim = d.dimmed(element.lanes) || d.waits(d.transaction_of(element.byte_address));
    const std::size_t begin = canvas.picture.shapes.size();
    const float rounding = whole.w < 8 ? 1.0f : 2.0f;
    Color fill = d.faded(d.color_of(element.lanes), dim);
    if (whole.w < 7 && count == 1)
        canvas.box({.rect = thin_cell({whole.x, cell.y, whole.w, cell.h}), .fill = fill, .plain = true});
    else
        fill = d.draw_cell(cell, d.color_of(element.lanes), dim, rounding);
    if (count == 1) {
        if (d.layout.numbers || (whole.w > 24 && whole.h >= number_height(canvas.small())))
            canvas.lane_number(whole, lane, d.ink(fill, dim));
    } else {
        if (!holds_lanes(canvas, cell, count) &&
            label_beside(d, whole, d.report.lines[index], in_line, fmt::format("{} lanes", count)))
            draw_double_outline(canvas, cell, fill, rounding);
        else
            draw_shared_cell(canvas, cell, count, fill, d.ink(fill, dim), rounding);
    }
    canvas.moves_since(begin, moving_key(MovingKind::cell, lane));
    canvas.hit(whole, count == 1 ? lane : -1,
               name_lanes(element.lanes) + "\n" + describe_place(d, element.byte_address));
}

void draw_hovered_ring(const SectorsCanvas& d) {
    const int lane = d.hovered();
    if (lane < 0) return;
    const std::uint64_t address = d.access.byte_address[lane];
    const MemoryRow* row = row_of_line(d.layout, line_of_address(d.report, address));
    if (row == nullptr || row->kind != MemoryRow::Kind::line) return;
    d.canvas.highlight(d.layout.element_cell(*row, int(address % kLineBytes), d.access.bytes_per_lane), 2);
}

/// Frames round the segments and lines that old GPUs move in one piece.
void draw_transactions(const SectorsCanvas& d) {
    if (d.report.rules.coalescing == CoalescingRules::sectors || d.canvas.style.counts_hidden) return;
    for (const Transaction& transaction : d.report.transactions) {
        const MemoryRow* row = row_of_line(d.layout, line_of_address(d.report, transaction.byte_address));
        if (row == nullptr || row->kind != MemoryRow::Kind::line) continue;
        const int first = int(transaction.byte_address % kLineBytes);
        const float left = d.layout.x_of_byte(first),
                    right = d.layout.x_of_byte(first + transaction.bytes - 4) + d.layout.lanes.pitch;
        d.canvas.frame(inset({left, row->y, right - left, row->h}, -1), d.canvas.theme.text_weak, 2, 4);
    }
}

/// The transaction that is played: its frame, and its bytes on their way.
void draw_current(const SectorsCanvas& d) {
    const Transaction* now = d.current();
    if (now == nullptr) return;
    const MemoryRow* row = row_of_line(d.layout, line_of_address(d.report, now->byte_address));
    if (row == nullptr) return;
    const int first = int(now->byte_address % kLineBytes);
    const float left = d.layout.x_of_byte(first);
    const Rect frame{left, row->y, float(now->bytes) / 4 * d.layout.lanes.pitch, row->h};
    d.canvas.highlight(inset(frame, 1), 3);
    if (!d.played()) return;
    for (int lane = 0; lane < kWarpLanes; ++lane) {
        if (!d.active(lane) || (now->lanes >> lane & 1u) == 0) continue;
        const Rect cell = d.layout.element_cell(*row, int(d.access.byte_address[lane] % kLineBytes),
                                                d.access.bytes_per_lane);
        draw_traveller(d, lane_color(d.canvas.theme, lane),
                       {d.layout.lanes.center(lane), d.layout.lanes.bottom()}, {cell.x + cell.w / 2, row->y},
                       {cell.x + cell.w / 2, cell.y + cell.h / 2}, d.look.share);
    }
}

/// "sector 3 of 32", at the end of the lanes' row.
void draw_counter(const SectorsCanvas& d, std::string_view name) {
    if (!d.played()) return;
    const float right = d.layout.lanes.x + d.layout.lanes.width() + (d.canvas.style.compact ? 6.0f : 12.0f);
    const std::size_t count = d.report.transactions.size();
    const float room = d.canvas.margin() + d.canvas.inner_width() - right;
    const std::string few = fmt::format("{} of {}", d.look.step + 1, count);
    std::string text = d.layout.long_counts ? fmt::format("{} {}", name, few) : few;
    if (d.canvas.width(text, FontRole::strong) > room) text = few;
    if (d.canvas.width(text, FontRole::strong) > room) return;  // the window's own line says it
    d.canvas.label_middle({right, d.layout.lanes.y + d.layout.lanes.h / 2}, text, FontRole::strong,
                          d.canvas.theme.accent);
}

/// Frames round the lanes that are served together, where that is not the whole warp.
void draw_requests(const SectorsCanvas& d) {
    const int lanes = d.report.lanes_per_request;
    if (lanes >= kWarpLanes || float(lanes) * d.layout.lanes.pitch < 12) return;
    for (int first = 0; first < kWarpLanes; first += lanes) {
        const Rect left = d.layout.lanes.cell(first), right = d.layout.lanes.cell(first + lanes - 1);
        const Rect all{left.x, left.y, right.x + right.w - left.x, left.h};
        d.canvas.frame(inset(all, d.layout.lanes.gap > 4 ? -1.5f : 0), d.canvas.theme.text_weak, 1.5f, 3);
    }
}

void draw_row_texts(const SectorsCanvas& d) {
    const Theme& theme = d.canvas.theme;
    const float right = d.layout.lanes.x + d.layout.lanes.width() + (d.canvas.style.compact ? 6.0f : 12.0f);
    float last = -1e9f;
    for (const MemoryRow& row : d.layout.rows) {
        const float middle = row.y + row.h / 2;
        const float baseline = middle_baseline(middle, FontRole::body);
        if (row.kind != MemoryRow::Kind::line) {
            draw_row_note(d.canvas, row, d.layout.lanes);
            continue;
        }
        if (middle - last < 17.5f) continue;
        last = middle;
        const LineUse& line = d.report.lines[row.line];
        d.canvas.label({d.canvas.margin(), baseline}, d.hex(line.byte_address), FontRole::mono, theme.text);
        d.canvas.label({right, baseline},
                       d.canvas.count_text(moved_text(d.report, line, d.layout.long_counts)), FontRole::body,
                       theme.text_weak);
    }
}

/// Used against moved bytes as a bar, with the samples that explain the cells.
void draw_usage(const SectorsCanvas& d, float y) {
    const SectorCount& count = d.report.count;
    const bool all_moved =
        std::ranges::all_of(d.report.lines, [](const LineUse& line) { return line.sectors == 0xfu; });
    std::vector<NamedBox> more;
    if (!all_moved)
        more.push_back({fmt::format("not {}", d.moved()),
                        {.fill = d.canvas.theme.panel, .stroke = d.not_moved(), .rounding = 2}});
    draw_usage_bar(d, {d.layout.lanes.x, y, d.layout.lanes.width(), 12}, count.bytes_used, count.bytes_moved,
                   d.moved(), more);
}

/// Lanes, wires, lines and their elements, with what can be pointed at.
void draw_sector_cells(const SectorsCanvas& d) {
    draw_wires(d);
    for (const MemoryRow& row : d.layout.rows) {
        if (row.kind == MemoryRow::Kind::line) draw_line(d, row);
    }
    draw_transactions(d);
    for (const WantedElement& element : d.elements) draw_element(d, element);
    if (d.hovered() >= 0) draw_wire(d, d.hovered());
    const bool named = d.layout.lanes.h >= 12 || d.layout.wires_bottom - d.layout.lanes.y > 20;
    std::uint32_t waiting = 0;  // in a queue
    for (int lane = 0; lane < kWarpLanes && is_atomic(d.access.op); ++lane)
        if (d.active(lane) && d.waits(d.transaction_of(d.access.byte_address[lane], 1u << lane)))
            waiting |= 1u << lane;
    draw_lanes(
        d, d.layout.lanes, named ? "lanes" : "", [&](int lane) { return describe_lane(d, lane); }, waiting);
    draw_requests(d);
    draw_current(d);
    draw_hovered_ring(d);
}

}  // namespace

Picture draw_sectors(const InstructionView& view, const AccessLook& asked, const Style& style) {
    AccessLook look = asked;
    const int steps = played_steps(view).count;
    if (style.counts_hidden) look.step = -1;
    if (look.step >= steps) look.step = look.share >= 0 ? steps - 1 : -1;
    const WarpAccess& access = view.report->access;
    const SectorCount& count = view.sectors->count;
    const Travelling pieces = travelling(*view.sectors);
    Canvas canvas(style, title_of(view, style, picture_title(Space::global, view.sectors->rules)),
                  subtitle_of(view, style, "global"));
    canvas.picture.shapes.reserve(640);
    canvas.picture.hits.reserve(128);
    PictureFrame frame = open_frame(canvas, explain(view), 62);
    // In projector mode no other sentence says how much is used.
    const float least_with_bar = style.silent ? 95 : 130;
    const float for_lines = 8 * float(view.sectors->lines.size());  // which say more than the bar
    const bool bar = !style.compact && !style.counts_hidden && access.active != 0 &&
                     frame.bottom + 6 - frame.top - kUsageBarHeight > least_with_bar + for_lines;
    if (bar) frame.bottom -= kUsageBarHeight;
    const WantedElements elements = collect_elements(access);
    const std::int64_t begin = view.report->instruction.array_begin;
    const SectorsLayout layout = lay_out_sectors(canvas, *view.sectors, begin, frame.top, frame.bottom);
    const SectorsCanvas d{{canvas, access}, *view.sectors, elements, layout, begin, look};
    draw_sector_cells(d);
    draw_counter(d, played_steps(view).name);
    draw_row_texts(d);
    if (bar) draw_usage(d, frame.bottom + 8);
    close_frame(
        canvas, frame, pieces.good(), cost_text(pieces),
        fmt::format("{} of {} bytes used", format_count(count.bytes_used), format_count(count.bytes_moved)));
    return canvas.take();
}

}  // namespace warplens
