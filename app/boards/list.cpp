#include "app/boards/list.h"

#include <algorithm>
#include <array>

namespace warplens {
namespace {

#define WARPLENS_ADDRESS(name) &name,
constexpr const Board* kBoards[] = {WARPLENS_BOARDS(WARPLENS_ADDRESS)};
constexpr auto kInfos = std::to_array<const BoardInfo*>({WARPLENS_BOARDS(WARPLENS_ADDRESS)});
#undef WARPLENS_ADDRESS

}  // namespace

std::span<const BoardInfo* const> all_boards() { return kInfos; }

const Board& board_of(const Look& look) {
    return *kBoards[std::ranges::find(kInfos, look.board) - kInfos.begin()];
}

Picture draw_board(const BoardInput& input, const Style& style) {
    const Board& board = board_of(input.state);
    return board.draw == nullptr ? Picture{} : board.draw(input, style);
}

std::vector<Quantity> board_numbers(const BoardInput& input) {
    const Board& board = board_of(input.state);
    return board.numbers == nullptr ? std::vector<Quantity>{} : board.numbers(input);
}

Explanation explain_board(const BoardInput& input) {
    const Board& board = board_of(input.state);
    return board.explain == nullptr ? Explanation{} : board.explain(input);
}

std::vector<std::string> board_caption(const BoardInput& input) {
    const Board& board = board_of(input.state);
    return board.caption == nullptr ? std::vector<std::string>{} : board.caption(input);
}

}  // namespace warplens
