#pragma once

#include "app/window/action.h"

namespace warplens {

class Session;

/// Carry out an action: the only way to change a session. If it cannot be done, a message in the session says
/// why.
void apply(Session& session, Action action);

}  // namespace warplens
