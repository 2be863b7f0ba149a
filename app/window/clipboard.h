#pragma once

#include <string>
#include <string_view>

namespace warplens {

/// Put a PNG file on the clipboard. The window system's own way for that is not within GLFW's reach, so this
/// hands it to a program that stays and answers: wl-copy on Wayland, xclip on X11.
/// Waits at most five seconds for it. Thread-safe.
/// @return  why that failed, in one sentence that says what to do; empty: it did not.
std::string copy_png(std::string_view png);

}  // namespace warplens
