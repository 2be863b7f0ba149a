#pragma once

#include "app/experiment/state.h"

#include <functional>
#include <optional>
#include <vector>

namespace warplens {

/// What a person did to the state, to take it back and do it again.
class History {
public:
    static constexpr std::size_t kMostSteps = 200;  ///< older ones are forgotten

    explicit History(const State& start) : present_(start) {}

    /// The state is this now. A difference to the one before is a step; what was taken back is forgotten
    /// then. The player's position is no step, but is kept.
    void record(const State& now);

    /// The state one step back; empty: there is none.
    std::optional<State> undo();
    /// The state that the last undo left; empty: there is none.
    std::optional<State> redo();

    bool can_undo() const { return !past_.empty(); }
    bool can_redo() const { return !future_.empty(); }

    /// Change every state that is kept, for what is not a person's doing: another device was found.
    void change_all(const std::function<void(State&)>& change);

private:
    State present_;
    std::vector<State> past_, future_;
};

}  // namespace warplens
