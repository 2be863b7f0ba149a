#pragma once

#include <string>
#include <string_view>

namespace warplens {

/// Put a PNG file on the clipboard. GLFW cannot do that, so a program does that keeps running and hands the
/// picture out: wl-copy on Wayland, xclip on X11. Waits at most five seconds for it. Thread-safe.
/// @return  why it failed, in one sentence that says what to do. Empty if it succeeded.
std::string copy_png(std::string_view png);

}  // namespace warplens
