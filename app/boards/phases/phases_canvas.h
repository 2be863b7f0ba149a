#pragma once

#include "app/boards/phases/phases_picture.h"

namespace warplens {

/// Cells of equal size in rows and columns.
struct CellGrid {
    Vec2 origin;
    Vec2 cell;  ///< size of one [points]
    int rows = 0, columns = 0;

    Rect at(int row, int column) const {
        return {origin.x + float(column) * cell.x, origin.y + float(row) * cell.y, cell.x, cell.y};
    }
    Rect at(multiply::Cell place) const { return at(place.row, place.column); }
    /// Some cells as one rectangle.
    Rect part(int row, int column, int row_count, int column_count) const {
        const Rect first = at(row, column);
        return {first.x, first.y, cell.x * float(column_count), cell.y * float(row_count)};
    }
    Rect all() const { return part(0, 0, rows, columns); }
};

/// One column of the table: what all threads do in one step; two of them for a load.
struct PhaseColumn {
    enum class What { load_a, load_b, barrier, multiply, store };
    What what = What::load_a;
    PhaseStep step;
    float x = 0, w = 0;
};

/// Threads down, steps across.
struct PhasesTable {
    Rect rect;  ///< its w is 0 if there is no room for the table
    float label_w = 0, head_h = 0, row_h = 0;
    int first_thread = 0, rows = 0;
    bool terms = false;        ///< whether products are written out
    bool two_lines = false;    ///< whether they are on two lines
    bool brief_names = false;  ///< "(1, 0)" before a row, not "thread (1, 0)"
    std::vector<PhaseColumn> columns;

    Rect row(int index) const { return {rect.x, rect.y + head_h + row_h * float(index), rect.w, row_h}; }
};

/// The places of all parts.
struct PhasesLayout {
    CellGrid a, b, c;
    CellGrid shared_a, shared_b;
    Rect shared;                     ///< frame round both tiles
    FontRole font = FontRole::body;  ///< of names in cells
    bool names = false;              ///< whether names fit into the cells of the matrices
    bool two_lines = false;          ///< whether the number of uses fits below them
    bool numbers = false;            ///< whether at least a number fits
    bool indices = false;            ///< whether there are numbers of rows and columns beside the matrices
    float sum_y = 0;                 ///< line with the highlighted thread's sum. 0 if there is no room.
    PhasesTable table;
};
constexpr float kPhaseHead = 20;  ///< height of a line with a name above cells [points]
constexpr float kPhaseGap = 18;   ///< between the matrices that stand side by side [points]

/// @param place  room between title and sentences.
PhasesLayout lay_out_phases(const Canvas& canvas, const PhasesView& view, Rect place);

/// "(1, 0)" of "thread (1, 0)"
std::string_view brief_thread_name(std::string_view name);

/// The text of a product in the table: "A[0,1]·B[1,0]".
std::string term_name(const PhaseTouch& touch);

/// A picture of tile phases while it is drawn.
struct PhasesCanvas {
    Canvas& canvas;
    const PhasesView& view;
    const PhasesLayout& layout;
    int thread = 0;  ///< the highlighted one: under the mouse, or chosen

    const TileProduct& product() const { return view.product; }
    const PhaseStep& step() const { return view.moment.step; }
    bool loads() const { return step().act == PhaseAct::load; }
    bool multiplies() const { return step().act == PhaseAct::multiply; }
    /// The elements that the highlighted thread touches; only while it loads or multiplies.
    PhaseTouch touch() const { return phase_touch(product(), step(), thread); }
    Color color(int of_thread) const { return thread_color(canvas.theme, of_thread, product().threads()); }
    /// The colour of something that is not used in this step.
    Color weak(Color full) const { return mix(canvas.theme.panel, full, 0.42f); }
};

/// The three matrices, and what shared memory holds.
void draw_phase_matrices(const PhasesCanvas& drawing);
/// Lines between what the highlighted thread reads and where it goes.
void draw_phase_wires(const PhasesCanvas& drawing);
void draw_phase_table(const PhasesCanvas& drawing);

/// Clicks on pictures of phases lead there: "?board=phases&phases.thread=3".
std::string phases_link(std::string_view settings);

}  // namespace warplens
