#include "app/boards.h"
#include "app/pictures/layout.h"

namespace warplens {

Picture occupancy_board(const BoardInput& input, const Style& style) {
    Sketch sketch(style, std::string(board_info(input.state.board).label), input.device().name);
    sketch.draw_title();
    return sketch.take();
}

std::vector<std::string> occupancy_caption(const BoardInput& input) { return {input.device().name}; }

std::vector<BoardNumber> occupancy_numbers(const BoardInput&) { return {}; }

Explanation occupancy_explanation(const BoardInput&) { return {}; }

}  // namespace warplens
