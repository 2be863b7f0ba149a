#include "app/boards/list.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace warplens {
namespace {

/// A name as files have it: "blocks per SM" as "blocks_per_sm".
std::string key_of(std::string_view name) {
    std::string key;
    for (const unsigned char c : name) {
        if (std::isalnum(c) != 0 && c < 128)
            key += static_cast<char>(std::tolower(c));
        else if (!key.empty() && key.back() != '_')
            key += '_';
    }
    if (key.ends_with('_')) key.pop_back();
    return key;
}

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
    if (board.numbers == nullptr) return {};
    std::vector<Quantity> numbers = board.numbers(input);
    for (Quantity& number : numbers)
        if (number.key.empty()) number.key = key_of(number.name);
    return numbers;
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
