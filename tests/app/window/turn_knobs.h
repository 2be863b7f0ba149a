#pragma once

#include "app/window/action.h"
#include "app/window/session.h"

namespace warplens::test {

/// Goes to a scenario and sets its knobs, as a person would.
inline void turn_knobs(Session& session, const Scenario& scenario, const Params& params) {
    if (session.state().scenario != &scenario) apply(session, action::GoTo{&scenario});
    apply(session, action::changed(session.state(), &State::params, params));
}

}  // namespace warplens::test
