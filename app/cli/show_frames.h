#pragma once

#include "app/experiment/state.h"
#include "app/gl/window.h"
#include "app/window/saved_state.h"

#include <optional>
#include <vector>

namespace warplens {

/// Show frames in an open window until a person closes it, or as many as the options ask for. What is set is
/// kept in the state's file from time to time and at the end, also when a frame ends it by what it throws.
/// @param options  with what was kept, where the command line says nothing else
/// @param loaded   what load_state says of the state's file
/// @return         the last frame, if their number was given
/// Errors: Failure "the window cannot be drawn any further: …" when a frame throws.
std::optional<Image> show_frames(Window& window, const State& start, const std::vector<DeviceFacts>& devices,
                                 WindowOptions options, const LoadedState& loaded);

}  // namespace warplens
