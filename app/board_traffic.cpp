#include "app/boards.h"
#include "app/pictures/layout.h"

namespace warplens {

Picture traffic_board(const BoardInput& input, const Style& style) {
    Sketch sketch(style, std::string(board_info(input.state.board).label), input.device().name);
    sketch.draw_title();
    return sketch.take();
}

std::vector<std::string> traffic_caption(const BoardInput& input) { return {input.device().name}; }

std::vector<BoardNumber> traffic_numbers(const BoardInput&) { return {}; }

Explanation traffic_explanation(const BoardInput&) { return {}; }

}  // namespace warplens
