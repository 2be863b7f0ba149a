#pragma once

#include "app/experiment/state.h"

#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace warplens {

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
            state->only_wavefront = -1;
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
