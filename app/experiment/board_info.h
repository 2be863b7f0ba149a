#pragma once

#include <initializer_list>
#include <map>
#include <span>
#include <string_view>
#include <vector>

namespace warplens {

class BoardValues;

/// One control of a board; its range is the one that holds for every GPU. Boards define theirs as constants,
/// which live as long as the program.
struct BoardKnob {
    std::string_view key;  ///< in links and for --set: "occupancy.threads"
    std::string_view label;
    std::string_view unit;
    std::string_view tooltip;
    int min = 0, max = 0;
    int usual = 0;  ///< the value until a person sets another one
    int step = 1;   ///< of the slider; typed values may lie between
    /// The largest value at present, where that depends on other knobs of the board; null: `max`.
    int (*limit)(const BoardValues&) = nullptr;
    /// Which values within the range are possible, where not all are: shown as a row to choose from, and
    /// clamp_board takes the nearest one. Null if all are.
    bool (*allows)(const BoardValues&, int value) = nullptr;
    bool on_board = false;  ///< the board itself has a control for it; the left column has none
    bool played = false;    ///< a player goes through its values; where it stands is no step to undo
};

/// What is set on the boards, beside the scenario's knobs. Holds only what is not at its usual value.
class BoardValues {
public:
    struct Value {
        const BoardKnob& knob;
        int value;
    };
    BoardValues() = default;
    BoardValues(std::initializer_list<Value> values) {
        for (const Value& one : values) set(one.knob, one.value);
    }

    int operator[](const BoardKnob& knob) const {
        const auto found = set_.find(knob.key);
        return found == set_.end() ? knob.usual : found->second;
    }
    void set(const BoardKnob& knob, int value) {
        if (value == knob.usual)
            set_.erase(knob.key);
        else
            set_[knob.key] = value;
    }
    friend bool operator==(const BoardValues&, const BoardValues&) = default;

private:
    std::map<std::string_view, int> set_;  ///< by key of the knob
};

/// What can be said of a board without drawing it. The boards themselves, with their pictures, numbers and
/// words, are app/boards/board.h; the functions below that know them all are defined by the list there.
struct BoardInfo {
    std::string_view key;    ///< in links and for --view
    std::string_view label;  ///< in the window
    std::string_view tooltip;
    std::span<const BoardKnob* const> knobs = {};  ///< those that others depend on come first
    std::string_view lesson = {};                  ///< its lesson in assets/lessons; empty: the scenario's
    bool about_scenario = false;  ///< it shows the chosen scenario: knobs and presets mean something there
    bool instructions = false;    ///< it shows the accesses of the instructions, each by itself, and a plot
    bool picture = true;          ///< it can be exported
    bool wide = false;            ///< it takes the place of the right column, too

    /// Whether two settings stand side by side: boards with a picture that leaves room for two.
    bool can_compare() const { return picture && !wide; }
    /// The knob that a player goes through; null if there is nothing to play.
    const BoardKnob* played_knob() const;
};

/// All boards, in the order of the strip above the middle of the window. The first one is shown at the start.
std::span<const BoardInfo* const> all_boards();
/// By key; null if there is none.
const BoardInfo* find_board(std::string_view key);
inline const BoardInfo* first_board() { return all_boards().front(); }

/// The knobs of all boards, in the order of the boards.
std::vector<const BoardKnob*> all_board_knobs();
/// By key, of any board; null if there is none.
const BoardKnob* find_board_knob(std::string_view key);
/// The largest value at present.
int board_limit(const BoardKnob& knob, const BoardValues& values);
/// Bring all values into their ranges.
void clamp_board(BoardValues& values);
/// Set the knobs that players go through as other values have them: where two settings are compared, one
/// player moves both.
void follow_players(BoardValues& values, const BoardValues& other);
/// The knobs of a board back to their usual values.
void reset_board(BoardValues& values, const BoardInfo& board);

}  // namespace warplens
