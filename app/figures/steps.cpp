#include "app/figures/steps.h"

#include "app/base/errors.h"

#include <fmt/format.h>

#include <algorithm>

namespace warplens {
namespace {

constexpr int kMostSteps = 256;

/// One state for each value from `first` to `last`.
template <class Set>
std::vector<State> play(const State& state, int first, int last, Set set) {
    if (last - first >= kMostSteps)
        throw UsageError(fmt::format("--steps: {} has {} of them as it is set, and at most {} are drawn",
                                     state.scenario->info->id, last - first + 1, kMostSteps));
    std::vector<State> states;
    for (int value = first; value <= last; ++value) {
        State& one = states.emplace_back(state);
        set(one, value);
    }
    return states;
}

int most_wavefronts(const State& state, const std::vector<DeviceFacts>& devices) {
    int most = 0;
    for (const BankReport& banks : gather_evidence(state, devices).banks)
        most = std::max(most, banks.count.wavefronts);
    return most;
}

}  // namespace

std::vector<State> steps_of(const State& state, const std::vector<DeviceFacts>& devices, StepBy by) {
    const std::string_view id = state.scenario->info->id;
    if (const BoardKnob* knob = state.board->played_knob())
        return play(state, knob->min, board_limit(*knob, state.boards),
                    [knob](State& one, int value) { one.boards.set(*knob, value); });
    if (!state.board->instructions)
        throw UsageError(fmt::format("--steps: there are none on the board '{}'", state.board->key));
    const int wavefronts = most_wavefronts(state, devices);
    if (by != StepBy::step && wavefronts > 1)
        return play(state, 0, wavefronts - 1, [](State& one, int value) { one.only_wavefront = value; });
    const Knob* knob = find_knob(*state.scenario, "step");
    const int last = knob == nullptr ? 0 : knob_limit(*knob, state.params);
    if (by != StepBy::wavefront && last > 0)
        return play(state, knob->min, last, [](State& one, int value) { one.params.step = value; });
    throw UsageError(fmt::format("--steps: {} has no {} as it is set", id,
                                 by == StepBy::wavefront ? "second wavefront"
                                 : by == StepBy::step    ? "second step"
                                                         : "second wavefront and no second step"));
}

}  // namespace warplens
