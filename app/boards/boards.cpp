#include "app/boards/boards.h"

#include <algorithm>

namespace warplens {
namespace {

/// How a board is drawn and put into words.
struct BoardPicture {
    Board board;
    Picture (*draw)(const BoardInput&, const Style&);
    std::vector<std::string> (*caption)(const BoardInput&);
    std::vector<Quantity> (*numbers)(const BoardInput&);
    Explanation (*explain)(const BoardInput&);
};
constexpr BoardPicture kPictures[] = {
    {Board::traffic, traffic_board, traffic_caption, traffic_numbers, traffic_explanation},
    {Board::phases, phases_board, phases_caption, phases_numbers, phases_explanation},
    {Board::occupancy, occupancy_board, occupancy_caption, occupancy_numbers, occupancy_explanation},
    {Board::roofline, roofline_board, roofline_caption, roofline_numbers, roofline_explanation},
    {Board::spaces, spaces_board, spaces_caption, spaces_numbers, spaces_explanation},
    {Board::choose, choose_board, choose_caption, choose_numbers, choose_explanation},
};

const BoardPicture* find_picture(Board board) {
    const auto found = std::ranges::find(kPictures, board, &BoardPicture::board);
    return found == std::end(kPictures) ? nullptr : &*found;
}

}  // namespace

Picture draw_board(const BoardInput& input, const Style& style) {
    const BoardPicture* picture = find_picture(input.state.board);
    return picture == nullptr ? Picture{} : picture->draw(input, style);
}

std::vector<std::string> board_caption(const BoardInput& input) {
    const BoardPicture* picture = find_picture(input.state.board);
    return picture == nullptr ? std::vector<std::string>{} : picture->caption(input);
}

std::vector<Quantity> board_numbers(const BoardInput& input) {
    const BoardPicture* picture = find_picture(input.state.board);
    return picture == nullptr ? std::vector<Quantity>{} : picture->numbers(input);
}

Explanation explain_board(const BoardInput& input) {
    const BoardPicture* picture = find_picture(input.state.board);
    return picture == nullptr ? Explanation{} : picture->explain(input);
}

}  // namespace warplens
