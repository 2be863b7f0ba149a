#pragma once

#include "app/window/action.h"
#include "app/window/session.h"

#include <string>

namespace warplens {

/// Open a recording, a figure or a saved state that was dropped, typed, or named on the command line.
/// Whatever it is: the session goes on and says what became of it.
/// @return  whether it was opened, or is being read
bool open_file(Session& session, const std::string& path);

/// The things to do that write or copy pictures, their numbers and links. What fails is said.
void do_with_picture(Session& session, action::Do what);

/// Give up what the status bar shows as going on.
void cancel_busy(Session& session);

}  // namespace warplens
