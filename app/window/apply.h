#pragma once

#include "app/window/action.h"

namespace warplens {

class WindowSession;

/// Do what a person wants done: the only way to change a session. What cannot be done is said in its
/// messages.
void apply(WindowSession& session, Action action);

}  // namespace warplens
