#include "app/boards.h"
#include "app/pictures/layout.h"

namespace warplens {

Picture spaces_board(const BoardInput& input, const Style& style) {
    Sketch sketch(style, std::string(board_info(input.state.board).label), input.device().name);
    sketch.draw_title();
    return sketch.take();
}

std::vector<std::string> spaces_caption(const BoardInput& input) { return {input.device().name}; }

std::vector<BoardNumber> spaces_numbers(const BoardInput&) { return {}; }

Explanation spaces_explanation(const BoardInput&) { return {}; }

}  // namespace warplens
