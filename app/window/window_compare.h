#pragma once

#include "app/interop/image_texture.h"
#include "app/interop/trace_buffer.h"
#include "app/panels/picture_panel.h"

#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace warplens {

/// Side A of a comparison in the window, with all that follows from it.
struct ComparedSide {
    State state;
    std::vector<DeviceFacts> devices;  ///< with its bank mode
    Evidence evidence;
    Curve curve;
    PictureCache pictures;
    BoardWords words;
    std::optional<std::pair<State, std::uint64_t>> words_of;  ///< state and generation of pictures
    std::unique_ptr<TraceBuffer> trace;
    std::unique_ptr<ImageTexture> image;
    Frame frame;  ///< what the panels see of it
};

}  // namespace warplens
