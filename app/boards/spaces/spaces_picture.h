#pragma once

#include "app/model/device/spaces.h"
#include "app/pictures/kit/canvas.h"

#include <string>
#include <vector>

namespace warplens {

/// The table of memory spaces: a row each, coloured by how far it lies from the arithmetic units, with a bar
/// for its latency on a logarithmic scale. Where there is too little room the least important columns are
/// left out; every row and cell has a tooltip with what the table leaves out, and leads to a scenario.
/// @param style  its size from 600 x 400 points on.
Picture draw_spaces(const SpacesTable& table, const Style& style);

/// Colour of a closeness on this theme's panels; contrast of at least 3 to 1.
Color closeness_color(Closeness closeness, const Theme& theme);

/// The position of a latency along its bar, 0 to 1, on a logarithmic scale from 1 to 1000 cycles.
float latency_position(double cycles);

/// Says what the colours of memories and the marks of their numbers mean.
Legend closeness_legend(const Theme& theme);

// How the table is laid out.

/// The columns of the table of memory spaces, in the order in which they stand.
enum class SpaceColumn { name, lives, scope, lifetime, latency, bandwidth, size, cached, access, use };
inline constexpr int kSpaceColumns = 10;

struct SpaceColumnInfo {
    SpaceColumn column;
    std::string_view head;
    std::string_view tooltip;
    int importance;  ///< columns with the lowest are left out first, those with 9 never
};
const SpaceColumnInfo& column_info(SpaceColumn column);

/// The text of a cell, without the qualifier, which is the second line of a name.
std::string cell_text(const SpaceRow& row, SpaceColumn column);

/// The places of all parts. Heights and widths in points.
struct SpacesLayout {
    struct Column {
        SpaceColumn column;
        float x = 0, width = 0;
    };
    std::vector<Column> columns;
    std::vector<float> tops, heights;  ///< of each row
    float head_top = 0, head_height = 0, bottom = 0;
    bool complete = true;  ///< whether no text had to be shortened
    /// Whether there is little room: qualifiers are left out, and bars are beside their numbers, without an
    /// axis.
    bool compact = false;
};

inline constexpr float kSpacesLine = 18;  ///< from line to line in cells
inline constexpr float kSpacesGap = 12;   ///< between columns
inline constexpr float kSpacesStrip = 6;  ///< of a row's colour
inline constexpr float kLatencyBar = 9;   ///< height of a latency's bar

inline constexpr float kSpacesAxis = 17;  ///< below the rows, for the cycles under the bars

/// The lines of a cell at a width; what is too long for a line is shortened.
std::vector<std::string> cell_lines(const SpaceRow& row, SpaceColumn column, float width,
                                    const TextMeasure& measure);
/// The qualifier under the name.
std::vector<std::string> qualifier_lines(const SpaceRow& row, float width, const TextMeasure& measure);

/// Width of a bar that stands beside its number.
inline constexpr float kBesideBar = 64;

/// As many columns as fit into the rectangle with all their words.
SpacesLayout lay_out_spaces(const SpacesTable& table, Rect room, const TextMeasure& measure);

/// The table of memory spaces of one GPU, from the files that are part of the program.
SpacesTable spaces_of(const DeviceFacts& device);

/// A row by its key. Null if the GPU has nothing of that kind.
const SpaceRow* find_row(const SpacesTable& table, std::string_view key);

}  // namespace warplens
