#pragma once

#include "app/pictures/access/access_picture.h"
#include "app/pictures/access/memory_rows.h"
#include "app/pictures/kit/canvas.h"

#include <algorithm>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace warplens {

/// "lane 9", "lanes 0 to 31", "lanes 0, 2, 4 … 30 (16 of them)".
std::string name_lanes(std::uint32_t lanes);

/// The inner one of the two outlines that mark a cell which several lanes request.
void draw_double_outline(Canvas& canvas, Rect cell, Color fill, float rounding);

/// The outlines of a cell which several lanes request and their number, "8 lanes" or "×8": between two
/// outlines, or within one or none where it has no room between two.
/// @return  whether the number is there.
bool draw_shared_cell(Canvas& canvas, Rect cell, int lanes, Color fill, Color ink, float rounding);

/// Whether "8 lanes" has room between the two outlines of a cell.
bool holds_lanes(const Canvas& canvas, Rect cell, int lanes);

/// The colour of a lane's wires: it stands out from the panel although they are thin and let others through.
Color wire_color(const Theme& theme, Color own);

/// A cell of a few points without an outline, and the gap to the next one: in all themes and formats the
/// same.
inline Rect thin_cell(Rect whole) {
    return {whole.x, whole.y, whole.w - std::min(1.0f, 0.3f * whole.w), whole.h};
}

/// The pictures of a warp's lanes have in common the colours by lane and the lane under the mouse.
struct WarpCanvas {
    Canvas& canvas;
    const WarpAccess& access;

    bool active(int lane) const { return (access.active >> lane & 1u) != 0; }
    /// The active lane under the mouse, or -1.
    int hovered() const {
        const int lane = canvas.style.hovered_lane;
        return lane >= 0 && lane < kWarpLanes && active(lane) ? lane : -1;
    }
    bool dimmed(std::uint32_t lanes) const { return hovered() >= 0 && (lanes >> hovered() & 1u) == 0; }
    Color faded(Color color, bool dim) const { return dim ? mix(canvas.theme.panel, color, 0.22f) : color; }
    Color ink(Color fill, bool dim) const { return dim ? canvas.theme.text_weak : text_on(fill); }
    /// A lane's colour, or the neutral one of a cell that several lanes share.
    Color color_of(std::uint32_t lanes) const;
    /// A filled cell with an outline that stands out from the panel. @return  the colour that it is filled
    /// with.
    Color draw_cell(Rect cell, Color own, bool dim, float rounding) const;
};

inline constexpr float kLaneTicks = 16;  ///< of the line above lanes that names every fourth one [points]

/// The lanes of a warp in a row.
struct LaneRow {
    float x = 0, y = 0, pitch = 0, h = 0;  ///< [points]
    int group = kWarpLanes;                ///< a gap stands after so many lanes
    float gap = 0;                         ///< [points]
    bool numbers = false;                  ///< they fit into the cells
    bool ticks = false;                    ///< else every fourth lane is named above its cell

    float bottom() const { return y + h; }
    float width() const { return 32 * pitch + gap * float((kWarpLanes - 1) / group); }
    Rect cell(int lane) const { return {x + float(lane) * pitch + float(lane / group) * gap, y, pitch, h}; }
    float center(int lane) const { return cell(lane).x + pitch / 2; }
};

/// @param room  height of the whole picture's body: the row takes its share of it [points].
LaneRow lay_out_lanes(const Canvas& canvas, float x, float width, float top, float room,
                      int group = kWarpLanes, float gap = 0);

/// The lanes with their numbers, and what can be pointed at.
/// @param name       at the left margin; empty for none.
/// @param describe   what an active lane does: the lines of its tooltip below "lane 3".
/// @param waiting    lanes that are faint, because their turn is still to come
void draw_lanes(const WarpCanvas& d, const LaneRow& row, std::string_view name,
                const std::function<std::string(int)>& describe, std::uint32_t waiting = 0);

/// A cell of the colour of its lanes, with the lane's number or "8 lanes" where they fit.
/// @param numbers  whether numbers of single lanes are wanted.
void draw_lane_cell(const WarpCanvas& d, Rect whole, std::uint32_t lanes, Color fill, bool numbers);

/// One of the many wires from lanes: they thin out with their number, and the one of the lane under the mouse
/// stands out.
/// @param own  the lane's colour in this picture
void draw_lane_wire(const WarpCanvas& d, int lane, Color own, Vec2 from, Vec2 to);

/// A byte that travels while a picture is played: from a lane along its wire, on to its place in memory, and
/// back for a load.
/// @param share  of the step that has passed, 0 to 1
void draw_traveller(const WarpCanvas& d, Color own, Vec2 from, Vec2 to, Vec2 place, float share);

/// One of several small pictures, but with room for the names of its rows.
constexpr bool is_roomy(const Style& style) {
    return style.compact && style.size.x >= 420 && style.size.y >= 150;
}

/// One of several small pictures, and really small: what stands in rows of its own is left out.
constexpr bool is_tiny(const Style& style) { return style.compact && style.size.y < 320; }

/// The title of a small picture names the instruction, that of a large one the space.
std::string title_of(const InstructionView& view, const Style& style, std::string_view title);
/// @param space  word before "load" or "store" in a small picture.
std::string subtitle_of(const InstructionView& view, const Style& style, std::string_view space);

/// A sample of a legend that is a box.
struct NamedBox {
    std::string name;
    Box look;
};
/// A bar of used against moved bytes, with a sentence beside the sample below it.
/// @param moved  "fetched" or "sent".
/// @param more   further samples for the cells of the picture.
void draw_usage_bar(const WarpCanvas& d, Rect bar, int bytes_used, int bytes_moved, std::string_view moved,
                    const std::vector<NamedBox>& more = {});
inline constexpr float kUsageBarHeight = 44;  ///< that it needs with its legend [points]

/// The text in a row that leaves something out: "… 4 more lines". Nothing for an empty text. A fold, which
/// lanes do want, is as wide as the lanes, so that their wires end at something; a gap's text stands on a
/// plate over the wires.
void draw_row_note(Canvas& canvas, const MemoryRow& row, const LaneRow& lanes);

}  // namespace warplens
