#include "app/boards/board_params.h"

#include "app/model/access/tile_phases.h"

#include <algorithm>
#include <cstdlib>

namespace warplens {
namespace {

constexpr BoardInfo kBoards[] = {
    {Board::access, "access", "Access",
     "What one warp does to memory, and the bandwidth against a parameter."},
    {Board::traffic, "traffic", "Traffic",
     "The memories as boxes, and how many bytes the whole launch moves between them."},
    {Board::phases, "phases", "Tile phases",
     "A small tiled matrix product, step by step: which thread loads which element, and who uses it."},
    {Board::occupancy, "occupancy", "Occupancy",
     "How many blocks and warps an SM holds at once, and what runs out first."},
    {Board::roofline, "roofline", "Roofline",
     "Arithmetic against bytes: what the GPU can reach at best, and where this kernel lies."},
    {Board::spaces, "spaces", "Spaces",
     "All memory spaces in a table: where they live, who sees them, how long, how fast.", true, true},
    {Board::choose, "choose", "Which memory?",
     "Which memory should a piece of data be in? Answer questions to find it."},
    {Board::claims, "claims", "Published claims",
     "Numbers that textbooks and articles give, checked: right, corrected or outdated.", false, true},
};

int last_block(const BoardParams& params) { return params.matrix / params.tile - 1; }
int last_thread(const BoardParams& params) { return params.tile * params.tile - 1; }
int last_step(const BoardParams& params) {
    return phase_steps({.matrix = params.matrix, .tile = params.tile}) - 1;
}
bool divides_matrix(const BoardParams& params, int tile) { return params.matrix % tile == 0; }

constexpr int kMostRegisters = 255, kMostThreads = 1024, kMostShared = 233472, kMostStatic = 49152;

constexpr BoardKnob kKnobs[] = {
    {Board::occupancy, &BoardParams::cc, "occupancy.cc", "Capability", "",
     "Whose rules: 0 is the chosen device's, else 10 times a compute capability: 90 for 9.0.", 0, 129},
    {Board::occupancy, &BoardParams::threads, "occupancy.threads", "Threads per block", "threads",
     "Threads of a block. They come in warps of 32; an unfinished warp counts whole.", 1, kMostThreads, 32},
    {Board::occupancy, &BoardParams::registers, "occupancy.registers", "Registers per thread", "registers",
     "32-bit registers of a thread, as the compiler reports them (-Xptxas -v).", 1, kMostRegisters},
    {Board::occupancy, &BoardParams::static_shared, "occupancy.static", "Shared, static", "bytes",
     "Shared memory of a block whose size stands in the source code.", 0, kMostStatic, 256},
    {Board::occupancy, &BoardParams::dynamic_shared, "occupancy.dynamic", "Shared, dynamic", "bytes",
     "Shared memory of a block that the launch asks for.", 0, kMostShared, 256},
    {Board::occupancy, &BoardParams::carveout, "occupancy.carveout", "Carve-out", "percent",
     "Share of the SM's memory that is asked for as shared memory, the rest being L1; -1: the driver "
     "chooses.",
     -1, 100},
    {Board::occupancy, &BoardParams::arguments, "occupancy.arguments", "Kernel arguments", "bytes",
     "On compute capability 1.x a kernel's arguments lie in the block's shared memory, beside 16 bytes of the "
     "launch itself. -1: neither is counted, as in textbooks.",
     -1, 256, 4},
    {Board::phases, &BoardParams::matrix, "phases.matrix", "Matrix", "rows",
     "Rows and columns of the matrices.", 2, 16},
    {Board::phases, &BoardParams::tile, "phases.tile", "Tile", "rows",
     "Rows and columns of a tile: a block has as many threads each way. It divides the matrix.", 1, 8, 1,
     nullptr, divides_matrix},
    {Board::phases, &BoardParams::block_row, "phases.row", "Block row", "", "Row of the pictured block.", 0,
     15, 1, last_block},
    {Board::phases, &BoardParams::block_column, "phases.column", "Block column", "",
     "Column of the pictured block.", 0, 15, 1, last_block},
    {Board::phases, &BoardParams::step, "phases.step", "Step", "", "What the player shows.", 0, 1023, 1,
     last_step, nullptr, true},
    {Board::phases, &BoardParams::thread, "phases.thread", "Thread", "",
     "The thread of the block that is highlighted.", 0, 63, 1, last_thread},
    {Board::choose, &BoardParams::choose_path, "choose.path", "Answers", "",
     "The answers that were given, a decimal digit each, the first one first. 0: none.", 0, 999999999, 1,
     nullptr, nullptr, true},
};

/// The possible value that is nearest; of two the smaller one. There is always one.
int nearest_allowed(const BoardKnob& knob, const BoardParams& params, int wanted) {
    int nearest = knob.min;
    for (int value = knob.min; value <= board_limit(knob, params); ++value) {
        if (knob.allows(params, value) && std::abs(value - wanted) < std::abs(nearest - wanted))
            nearest = value;
    }
    return nearest;
}

}  // namespace

std::span<const BoardInfo> all_boards() { return kBoards; }

const BoardInfo& board_info(Board board) { return kBoards[static_cast<int>(board)]; }

const BoardInfo* find_board(std::string_view key) {
    const auto found = std::ranges::find(kBoards, key, &BoardInfo::key);
    return found == std::end(kBoards) ? nullptr : &*found;
}

std::span<const BoardKnob> board_knobs() { return kKnobs; }

const BoardKnob* find_board_knob(std::string_view key) {
    const auto found = std::ranges::find(kKnobs, key, &BoardKnob::key);
    return found == std::end(kKnobs) ? nullptr : &*found;
}

int board_limit(const BoardKnob& knob, const BoardParams& params) {
    return knob.limit == nullptr ? knob.max : std::clamp(knob.limit(params), knob.min, knob.max);
}

void clamp_board(BoardParams& params) {
    for (const BoardKnob& knob : kKnobs) {  // those that others depend on come first
        int& value = params.*knob.field;
        value = std::clamp(value, knob.min, board_limit(knob, params));
        if (knob.allows != nullptr) value = nearest_allowed(knob, params, value);
    }
}

}  // namespace warplens
