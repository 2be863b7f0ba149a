#include "app/boards/list.h"

#include "app/boards/access/kernel_verdict.h"

#include "app/pictures/kit/motion.h"

#include <algorithm>
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

/// Before objects of other files are made, because a Look begins with the first board.
[[gnu::constructor(102)]] void hand_in() { set_all_boards(kInfos); }

}  // namespace

const Board& board_of(const Look& look) {
    return *kBoards[std::ranges::find(kInfos, look.board) - kInfos.begin()];
}

Picture draw_board(const BoardInput& input, const Style& style) {
    const Board& board = board_of(input.state);
    if (board.draw == nullptr) return {};
    Picture picture = board.draw(input, style);
    const BoardKnob* step = board.played_knob();
    if (step == nullptr || input.state.player_percent < 0 || input.state.boards[*step] == step->min)
        return picture;
    State before = input.state;
    before.boards.set(*step, before.boards[*step] - 1);
    return between(board.draw({before, input.devices, input.evidence}, style), picture,
                   eased(input.state.player_percent / 100.0));
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

BoardWords answer(const BoardKey& key, Store&) {
    return words_of_board({key.state, *key.devices, *key.evidence}, *key.evidence);
}

BoardWords words_of_board(const BoardInput& input, const Evidence& evidence) {
    const BoardInfo& board = *input.state.board;
    BoardWords words{board.instructions ? std::vector<Quantity>{} : board_numbers(input),
                     explain_board(input)};
    if (const Board& own = board_of(input.state); own.example != nullptr) words.example = own.example(input);
    // It states something of the machine, or has nothing to say.
    if (!board.about_scenario || words.example) return words;
    words.tone = words.explanation.wrong ? Tone::bad
                 : board.instructions    ? tone_of(evidence, input.device())
                                         : tone_of_board(words.explanation.good, evidence, input.device());
    return words;
}

}  // namespace warplens
