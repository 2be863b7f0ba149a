#include "app/experiment/history.h"

namespace warplens {
namespace {

/// Whether two states differ in more than where a player stands.
bool same_but_for_players(State a, State b) {
    for (State* state : {&a, &b}) {
        state->only_wavefront = -1;
        follow_players(state->boards, {});
    }
    return a == b;
}

}  // namespace

void History::record(const State& now) {
    if (!same_but_for_players(present_, now)) {
        past_.push_back(present_);
        if (past_.size() > kMostSteps) past_.erase(past_.begin());
        future_.clear();
    }
    present_ = now;
}

std::optional<State> History::undo() {
    if (past_.empty()) return std::nullopt;
    future_.push_back(present_);
    present_ = past_.back();
    past_.pop_back();
    return present_;
}

std::optional<State> History::redo() {
    if (future_.empty()) return std::nullopt;
    past_.push_back(present_);
    present_ = future_.back();
    future_.pop_back();
    return present_;
}

void History::change_all(const std::function<void(State&)>& change) {
    change(present_);
    for (State& state : past_) change(state);
    for (State& state : future_) change(state);
}

}  // namespace warplens
