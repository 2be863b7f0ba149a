#pragma once

// The boards: ways of showing a Setting. Each has its own folder with its knobs, what it draws, its numbers,
// its texts and its caption. list.h names them all, and no other file names any: facts about a board, such as
// whether it has a picture, are in its BoardInfo. To add one, make a folder with a board.cpp that defines a
// `const Board`, and add a line to list.h.
//
// Elsewhere are the facts that need no drawing, such as key and knobs, which links and settings need
// (app/experiment/state.h), and controls that are more than a list of knobs, which need Dear ImGui
// (app/panels).

#include "app/answers/setting_keys.h"
#include "app/experiment/evidence.h"
#include "app/model/quantity.h"
#include "app/model/verdict.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warplens {

struct BoardInput {
    const State& state;
    const std::vector<DeviceFacts>& devices;
    const Evidence& evidence;

    const DeviceFacts& device() const { return devices[state.device]; }
};

/// A setting for which a board has more to show.
struct BoardExample {
    std::string_view label, link;
};

/// A board: its facts, and functions that draw and describe it. Null if there is nothing to draw or describe.
struct Board : BoardInfo {
    Picture (*draw)(const BoardInput&, const Style&) = nullptr;
    /// The numbers beside the board.
    std::vector<Quantity> (*numbers)(const BoardInput&) = nullptr;
    /// One sentence about what the board shows, and one that says why. They are shown beside it under "why".
    Explanation (*explain)(const BoardInput&) = nullptr;
    /// The sentences below an exported figure: settings, GPU, kinds of numbers.
    std::vector<std::string> (*caption)(const BoardInput&) = nullptr;
    /// The setting to go to from one for which the board is empty. Nothing if it has something to show.
    std::optional<BoardExample> (*example)(const BoardInput&) = nullptr;
};

// These are about the board that the state shows.
Picture draw_board(const BoardInput& input, const Style& style);
std::vector<Quantity> board_numbers(const BoardInput& input);
Explanation explain_board(const BoardInput& input);
std::vector<std::string> board_caption(const BoardInput& input);

/// The words and numbers beside the picture of a board.
struct BoardWords {
    std::vector<Quantity>
        numbers;  ///< Empty if the board shows instructions: their table reads the evidence.
    Explanation explanation;
    /// The verdict's. Boards about the scenario have the kernel's, or are plain where they judge otherwise,
    /// so that one setting never has two colours.
    Tone tone = Tone::plain;
    std::optional<BoardExample> example = {};
};
struct BoardKey {
    State state;
    Ready<Evidence> evidence;
    Ready<Devices> devices;  ///< with the state's bank mode
    friend bool operator==(const BoardKey&, const BoardKey&) = default;
};
BoardWords answer(const BoardKey& key, Store&);
/// The same without a store.
BoardWords words_of_board(const BoardInput& input, const Evidence& evidence);

}  // namespace warplens
