#pragma once

namespace warplens {

/// How long the last Window::run_frame would have slept [s], and forgets it; 0 if it has drawn.
double take_wait();

}  // namespace warplens
