#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace warplens {

/// What the middle of the window shows: the accesses of a warp, or one of the maps round them.
enum class Board {
    access,     ///< the scenario's pictures and its plot
    traffic,    ///< the memories as boxes, and the bytes between them for the scenario's launch
    phases,     ///< a small tiled matrix product, step by step
    occupancy,  ///< resident blocks and warps, and what limits them
    roofline,   ///< the device's roof, and the scenario under it
    spaces,     ///< the table of the memory spaces
    choose,     ///< questions about a piece of data, and how near to the arithmetic it can live
    claims,     ///< numbers that others published, computed
};

struct BoardInfo {
    Board board;
    std::string_view key;    ///< in links and for --view
    std::string_view label;  ///< in the window
    std::string_view tooltip;
    bool picture = true;  ///< it can be exported
    bool wide = false;    ///< it takes the place of the right column, too
};
std::span<const BoardInfo> all_boards();
const BoardInfo& board_info(Board board);
/// By key; null: there is none.
const BoardInfo* find_board(std::string_view key);

/// What a person can set on the boards, beside the scenario's knobs.
struct BoardParams {
    // Occupancy.
    int cc = 0;              ///< 10 * major + minor; 0: the chosen device's
    int threads = 256;       ///< of a block
    int registers = 32;      ///< of a thread
    int static_shared = 0;   ///< of a block [bytes]
    int dynamic_shared = 0;  ///< of a block [bytes]
    int carveout = -1;       ///< share of the SM's memory for shared memory [percent]; -1: as much as helps
    int arguments = 0;       ///< of the kernel; they lie in shared memory on CC 1.x [bytes]; -1: not counted
    // Tile phases.
    int matrix = 4;        ///< rows and columns of the product
    int tile = 2;          ///< rows and columns of a tile, and threads of a block each way
    int block_row = 0;     ///< the pictured block
    int block_column = 0;  ///< the pictured block
    int step = 0;          ///< what the player shows, from 0
    int thread = 0;        ///< the highlighted thread of the block
    // Which memory?
    int choose_path = 0;  ///< the answers given, a decimal digit each (app/boards/choose/decisions.h)

    friend bool operator==(const BoardParams&, const BoardParams&) = default;
};

/// One control of a board; ranges of the kind that holds for every GPU.
struct BoardKnob {
    Board board;
    int BoardParams::*field;
    std::string_view key;  ///< in links and for --set: "occupancy.threads"
    std::string_view label;
    std::string_view unit;
    std::string_view tooltip;
    int min = 0, max = 0;
    int step = 1;  ///< of the slider; typed values may lie between
    /// The largest value at present, where that depends on others; null: `max`.
    int (*limit)(const BoardParams&) = nullptr;
    /// Which values within the range are possible, where not all are: shown as a row to choose from, and
    /// clamp_board takes the nearest one. Null: all.
    bool (*allows)(const BoardParams&, int value) = nullptr;
    bool on_board = false;  ///< the board itself has a control for it; the left column has none
};
std::span<const BoardKnob> board_knobs();
const BoardKnob* find_board_knob(std::string_view key);
int board_limit(const BoardKnob& knob, const BoardParams& params);
/// Bring all fields into their ranges.
void clamp_board(BoardParams& params);

}  // namespace warplens
