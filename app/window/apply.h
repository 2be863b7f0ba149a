#pragma once

#include "app/window/action.h"

namespace warplens {

class Session;

/// Do what a person wants done: the only way to change a session. What cannot be done is said in its
/// messages.
void apply(Session& session, Action action);

}  // namespace warplens
