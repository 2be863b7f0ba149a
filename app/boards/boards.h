#pragma once

#include "app/experiment/pipeline.h"
#include "app/model/quantity.h"

#include <optional>
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

/// The picture of a board that has one (BoardInfo::picture), except Board::access.
Picture draw_board(const BoardInput& input, const Style& style);

/// What stands under an exported figure of a board, sentence by sentence: settings, GPU, kinds of numbers.
std::vector<std::string> board_caption(const BoardInput& input);

/// The numbers of the board, beside it.
std::vector<Quantity> board_numbers(const BoardInput& input);

/// One sentence about what the board shows, and one that says why: stands beside it under "why".
Explanation explain_board(const BoardInput& input);

// One file each: app/board_<key>.cpp.
Picture traffic_board(const BoardInput& input, const Style& style);
Picture phases_board(const BoardInput& input, const Style& style);
Picture occupancy_board(const BoardInput& input, const Style& style);
Picture roofline_board(const BoardInput& input, const Style& style);
Picture spaces_board(const BoardInput& input, const Style& style);
Picture choose_board(const BoardInput& input, const Style& style);
std::vector<std::string> traffic_caption(const BoardInput& input);
std::vector<std::string> phases_caption(const BoardInput& input);
std::vector<std::string> occupancy_caption(const BoardInput& input);
std::vector<std::string> roofline_caption(const BoardInput& input);
std::vector<std::string> spaces_caption(const BoardInput& input);
std::vector<std::string> choose_caption(const BoardInput& input);
std::vector<Quantity> traffic_numbers(const BoardInput& input);
std::vector<Quantity> phases_numbers(const BoardInput& input);
std::vector<Quantity> occupancy_numbers(const BoardInput& input);
std::vector<Quantity> roofline_numbers(const BoardInput& input);
std::vector<Quantity> spaces_numbers(const BoardInput& input);
std::vector<Quantity> choose_numbers(const BoardInput& input);
Explanation traffic_explanation(const BoardInput& input);
Explanation phases_explanation(const BoardInput& input);
Explanation occupancy_explanation(const BoardInput& input);
Explanation roofline_explanation(const BoardInput& input);
Explanation spaces_explanation(const BoardInput& input);
Explanation choose_explanation(const BoardInput& input);

}  // namespace warplens
