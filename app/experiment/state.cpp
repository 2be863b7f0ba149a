#include "app/experiment/state.h"

#include <algorithm>
#include <cstdlib>

namespace warplens {
namespace {

constinit std::span<const BoardInfo* const> boards_handed_in;

/// The nearest possible value, or the smaller one of two. There is always one.
int nearest_allowed(const BoardKnob& knob, const BoardValues& values, int wanted) {
    int nearest = knob.min;
    for (int value = knob.min; value <= board_limit(knob, values); ++value) {
        if (knob.allows(values, value) && std::abs(value - wanted) < std::abs(nearest - wanted))
            nearest = value;
    }
    return nearest;
}

}  // namespace

const BoardKnob* BoardInfo::played_knob() const {
    const auto found = std::ranges::find_if(knobs, &BoardKnob::played);
    return found == knobs.end() ? nullptr : *found;
}

std::span<const BoardInfo* const> all_boards() { return boards_handed_in; }
void set_all_boards(std::span<const BoardInfo* const> boards) { boards_handed_in = boards; }

const BoardInfo* find_board(std::string_view key) {
    // The command about these numbers is called so.
    if (key == "worked") key = "claims";
    const auto boards = all_boards();
    const auto found = std::ranges::find(boards, key, &BoardInfo::key);
    return found == boards.end() ? nullptr : *found;
}

const BoardInfo* subject_board(const Scenario& scenario) {
    const BoardInfo* board = find_board(scenario.info->board);
    return board == nullptr ? first_board() : board;
}

std::vector<const BoardKnob*> all_board_knobs() {
    std::vector<const BoardKnob*> knobs;
    for (const BoardInfo* board : all_boards())
        knobs.insert(knobs.end(), board->knobs.begin(), board->knobs.end());
    return knobs;
}

const BoardKnob* find_board_knob(std::string_view key) {
    for (const BoardInfo* board : all_boards()) {
        const auto found = std::ranges::find(board->knobs, key, &BoardKnob::key);
        if (found != board->knobs.end()) return *found;
    }
    return nullptr;
}

int board_limit(const BoardKnob& knob, const BoardValues& values) {
    return knob.limit == nullptr ? knob.max : std::clamp(knob.limit(values), knob.min, knob.max);
}

bool has_one_value(const BoardKnob& knob, const BoardValues& values) {
    for (int value = knob.min + 1; value <= board_limit(knob, values); ++value)
        if (knob.allows == nullptr || knob.allows(values, value)) return false;
    return true;
}

void clamp_board(BoardValues& values) {
    for (const BoardInfo* board : all_boards()) {
        for (const BoardKnob* knob : board->knobs) {
            const int value = std::clamp(values[*knob], knob->min, board_limit(*knob, values));
            values.set(*knob, knob->allows == nullptr ? value : nearest_allowed(*knob, values, value));
        }
    }
}

void follow_players(BoardValues& values, const BoardValues& other) {
    for (const BoardInfo* board : all_boards()) {
        if (const BoardKnob* knob = board->played_knob()) values.set(*knob, other[*knob]);
    }
}

void reset_board(BoardValues& values, const BoardInfo& board) {
    for (const BoardKnob* knob : board.knobs) values.set(*knob, knob->usual);
}

State initial_state(const Scenario& scenario, std::size_t device) {
    State state;
    state.scenario = &scenario;
    state.params = scenario.info->defaults;
    state.device = device;
    for (const Knob& knob : scenario.info->knobs) {
        const bool first = scenario.info->first_axis.empty() || knob.key == scenario.info->first_axis;
        if (!knob.axis || !first) continue;
        state.axis = &knob;
        break;
    }
    return state;
}

State state_of(const Subject& subject, const State& looked_at) {
    State state = looked_at;
    state.compared.reset();
    if (subject.scenario != looked_at.scenario) {
        state.axis = initial_state(*subject.scenario, subject.device).axis;
        state.second_axis = nullptr;
        state.fit = false;
    }
    static_cast<Subject&>(state) = subject;
    follow_players(state.boards, looked_at.boards);
    clamp_board(state.boards);
    return state;
}

}  // namespace warplens
