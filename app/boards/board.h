#pragma once

// The boards: ways of looking at a Setting. Each has a folder of its own with everything that it is: its
// knobs, what it draws, its numbers, its words, its caption. list.h names them all, and nobody else names
// any: whoever wants to know something about a board (is it about a scenario? has it a picture?) asks its
// descriptor. To add one: a folder with a board.cpp that defines a `const Board`, and its line in list.h.
//
// Not here: what can be said of a board without drawing it, such as its key and its knobs, which links and
// settings need (app/experiment/board_info.h); and controls that are more than a list of knobs, which are
// Dear ImGui's (app/panels).

#include "app/experiment/pipeline.h"
#include "app/model/quantity.h"

#include <string>
#include <vector>

namespace warplens {

/// What boards are drawn from.
struct BoardInput {
    const State& state;
    const std::vector<DeviceFacts>& devices;
    const Evidence& evidence;

    const DeviceFacts& device() const { return devices[state.device]; }
};

/// A board: what is known of it, and how it is drawn and put into words. Null functions draw and say nothing.
struct Board : BoardInfo {
    Picture (*draw)(const BoardInput&, const Style&) = nullptr;
    /// The numbers of the board, beside it.
    std::vector<Quantity> (*numbers)(const BoardInput&) = nullptr;
    /// One sentence about what the board shows, and one that says why: stands beside it under "why".
    Explanation (*explain)(const BoardInput&) = nullptr;
    /// What stands under an exported figure, sentence by sentence: settings, GPU, kinds of numbers.
    std::vector<std::string> (*caption)(const BoardInput&) = nullptr;
};

// Of the board that the state shows.
Picture draw_board(const BoardInput& input, const Style& style);
std::vector<Quantity> board_numbers(const BoardInput& input);
Explanation explain_board(const BoardInput& input);
std::vector<std::string> board_caption(const BoardInput& input);

}  // namespace warplens
