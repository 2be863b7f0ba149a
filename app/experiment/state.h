#pragma once

// The folder app/experiment/ contains what an experiment is set to and all that is known about it: State (the
// Setting and the Look), the codec for its only text form, Evidence, history, goals and the devices to choose
// from. It draws nothing and parses no command line. Boards, figures, the window and the commands all use it.

#include "app/model/catalogue.h"
#include "app/pictures/access/access_picture.h"
#include "app/pictures/plot/heatmap.h"

#include <cstddef>
#include <functional>
#include <initializer_list>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace warplens {

class BoardValues;

/// One control of a board. Its range is the same for every GPU. Boards define their knobs as constants, which
/// live as long as the program.
struct BoardKnob {
    std::string_view key;  ///< in links and for --set: "occupancy.threads"
    std::string_view label;
    std::string_view unit;
    std::string_view tooltip;
    int min = 0, max = 0;
    int usual = 0;  ///< the default
    int step = 1;   ///< step of the slider; values between can be typed
    /// The largest value at present, if it depends on other knobs of the board. Null if it is always `max`.
    int (*limit)(const BoardValues&) = nullptr;
    /// Whether a value within the range is possible. Possible values are shown as a row to choose from, and
    /// clamp_board takes the nearest one. Null if all values are possible.
    bool (*allows)(const BoardValues&, int value) = nullptr;
    /// Why only its least value is possible at times: then it is greyed, with this reason.
    std::string_view idle = {};
    bool on_board = false;  ///< the control is on the board itself, not in the left column
    bool played = false;    ///< a player goes through its values, and changes of it are no steps to undo
};

/// The values of the boards' knobs. It contains only those that are not at their defaults.
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
    std::map<std::string_view, int> set_;  ///< by the knob's key
};

/// The facts about a board that are needed without drawing it. The boards themselves, with their pictures,
/// numbers and words, are declared in app/boards/board.h.
struct BoardInfo {
    std::string_view key;    ///< in links and for --view
    std::string_view label;  ///< in the window
    std::string_view tooltip;
    std::span<const BoardKnob* const> knobs = {};  ///< knobs that others depend on come first
    std::string_view lesson = {};  ///< its lesson in assets/lessons. Empty for the scenario's lesson.
    bool about_scenario = false;   ///< it shows the chosen scenario, so its knobs and presets have an effect
    bool instructions = false;     ///< it shows a picture of each instruction's accesses, and a plot
    bool picture = true;           ///< it can be exported
    bool wide = false;             ///< it takes the place of the right column as well
    bool timed = true;             ///< it shows the kernel that is timed; not where barriers are left out
    float least_height = 300;      ///< of its picture; where a window has less room, it scrolls [points]
    float class_height = 0;  ///< that a class reads with ease; for it the verdict gets smaller type [points]

    /// Whether two settings can be shown side by side: it has a picture, and room for two.
    bool can_compare() const { return picture && !wide; }
    /// The knob that a player goes through. Null if there is nothing to play.
    const BoardKnob* played_knob() const;
};

/// All boards, in the order of the strip above the middle of the window. The first one is shown at the start.
/// Their folder stands on this one, so it hands their facts in before main() begins (app/boards/list.cpp).
std::span<const BoardInfo* const> all_boards();
void set_all_boards(std::span<const BoardInfo* const> boards);
/// The board with this key. Null if there is none.
const BoardInfo* find_board(std::string_view key);
inline const BoardInfo* first_board() { return all_boards().front(); }
/// The board that shows a scenario's subject, see ScenarioInfo::board.
const BoardInfo* subject_board(const Scenario& scenario);

/// The knobs of all boards, in the order of the boards.
std::vector<const BoardKnob*> all_board_knobs();
/// The knob of any board with this key. Null if there is none.
const BoardKnob* find_board_knob(std::string_view key);
/// The largest value that a knob can have at present.
int board_limit(const BoardKnob& knob, const BoardValues& values);
/// Whether a knob can have no other value at present.
bool has_one_value(const BoardKnob& knob, const BoardValues& values);
/// Bring all values into their ranges.
void clamp_board(BoardValues& values);
/// Copy the values of the knobs that players go through, so that one player moves both sides of a comparison.
void follow_players(BoardValues& values, const BoardValues& other);
/// Reset the knobs of a board to their defaults.
void reset_board(BoardValues& values, const BoardInfo& board);

/// The setting of an experiment: all that its numbers depend on, besides the table of devices.
struct Setting {
    const Scenario* scenario = nullptr;
    Params params;
    std::size_t device = 0;  ///< index into the list of devices
    bool cold = false;       ///< whether launches find an empty L2, and not what the launch before left there
    BankMode bank_mode = BankMode::four_bytes;  ///< only for devices that have a choice, CC 3.x

    friend bool operator==(const Setting&, const Setting&) = default;
};

/// A setting with the values of the boards' own knobs. A comparison has two of these.
struct Subject : Setting {
    BoardValues boards;

    friend bool operator==(const Subject&, const Subject&) = default;
};

/// How a setting is shown. It changes no number.
struct Look {
    const BoardInfo* board = first_board();  ///< what the middle of the window shows
    const Knob* axis = nullptr;  ///< knob of the plot's x axis. One of the scenario's, see can_be_axis.
    const Knob* second_axis = nullptr;  ///< knob of the heatmap's y axis. Null if the plot is a curve.
    HeatmapShow heatmap_show = HeatmapShow::model;
    bool fit = false;  ///< show cycles against wavefronts instead of the plot, if the scenario has them
    ColorBy color_by = ColorBy::wavefront;
    bool bits = false;        ///< instructions are drawn as the bits of their addresses (AccessLook)
    bool by_tile = false;     ///< shared memory is drawn as the tile's rows and columns (AccessLook)
    int player_step = -1;     ///< the player's wavefront or sector (AccessLook). -1 for all at once.
    int player_percent = -1;  ///< how much of it has passed while it is played [%]; -1 if the player stands
    bool log_axes = false;
    bool plots_speed = false;  ///< the plot shows the speed, also where sectors say more (plots_sectors)
    std::optional<bool>
        log_colors;  ///< of the heatmap. Empty for logarithmic if its values span more than a factor of 10.

    friend bool operator==(const Look&, const Look&) = default;
};

/// How pictures of instructions are looked at.
inline AccessLook access_look(const Look& look) {
    return {look.color_by, look.bits, look.by_tile, look.player_step, float(look.player_percent) / 100};
}

/// A setting and how it is shown: what undo restores. It is small and copied freely.
struct State : Subject, Look {
    /// A of a comparison, whose B is this setting. Empty if nothing is compared.
    std::optional<Subject> compared;

    friend bool operator==(const State&, const State&) = default;
};

/// The initial state of a scenario: its defaults, and its first axis knob.
State initial_state(const Scenario& scenario, std::size_t device);

/// Make a state from a subject that is shown like another state: with the same board, axes, colours and
/// player. If it has another scenario, the axis is the default one.
State state_of(const Subject& subject, const State& looked_at);

/// The steps of a person's changes of the state, for undo and redo.
class History {
public:
    static constexpr std::size_t kMostSteps = 200;  ///< older ones are forgotten

    explicit History(const State& start) : present_(start) {}

    /// Record the present state. If it differs from the one before, that is a step, and the steps that were
    /// undone are forgotten. The position of a player alone is no step, but it is kept.
    void record(const State& now) {
        if (!same_but_for_players(present_, now)) {
            past_.push_back(present_);
            if (past_.size() > kMostSteps) past_.erase(past_.begin());
            future_.clear();
        }
        present_ = now;
    }

    /// Go one step back. @return  the state there. Empty if there is none.
    std::optional<State> undo() { return go(past_, future_); }
    /// Go one step forward again. @return  the state that the last undo left. Empty if there is none.
    std::optional<State> redo() { return go(future_, past_); }

    bool can_undo() const { return !past_.empty(); }
    bool can_redo() const { return !future_.empty(); }

    /// Change every recorded state, for a change that is not made by the person, such as a GPU that was
    /// found.
    void change_all(const std::function<void(State&)>& change) {
        change(present_);
        for (State& state : past_) change(state);
        for (State& state : future_) change(state);
    }

private:
    /// Whether two states differ in no more than where a player stands.
    static bool same_but_for_players(State a, State b) {
        for (State* state : {&a, &b}) {
            state->player_step = -1;
            state->player_percent = -1;
            follow_players(state->boards, {});
        }
        return a == b;
    }
    std::optional<State> go(std::vector<State>& from, std::vector<State>& to) {
        if (from.empty()) return std::nullopt;
        to.push_back(std::exchange(present_, from.back()));
        from.pop_back();
        return present_;
    }

    State present_;
    std::vector<State> past_, future_;
};

}  // namespace warplens
