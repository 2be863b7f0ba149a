#pragma once

#include "app/experiment/state.h"

#include <functional>
#include <optional>
#include <vector>

namespace warplens {

/// The steps of a person's changes of the state, for undo and redo.
class History {
public:
    static constexpr std::size_t kMostSteps = 200;  ///< older ones are forgotten

    explicit History(const State& start) : present_(start) {}

    /// Record the present state. If it differs from the one before, that is a step, and the steps that were
    /// undone are forgotten. The position of a player alone is no step, but it is kept.
    void record(const State& now);

    /// Go one step back. @return  the state there. Empty if there is none.
    std::optional<State> undo();
    /// Go one step forward again. @return  the state that the last undo left. Empty if there is none.
    std::optional<State> redo();

    bool can_undo() const { return !past_.empty(); }
    bool can_redo() const { return !future_.empty(); }

    /// Change every recorded state, for a change that is not made by the person, such as a GPU that was
    /// found.
    void change_all(const std::function<void(State&)>& change);

private:
    State present_;
    std::vector<State> past_, future_;
};

}  // namespace warplens
