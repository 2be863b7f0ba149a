#pragma once

#include "app/experiment/evidence.h"
#include "app/interop/image_texture.h"
#include "app/interop/trace_buffer.h"
#include "app/window/frame.h"

#include <memory>
#include <vector>

namespace warplens {

/// A state in the window with all that follows from it. A comparison is two of these.
struct Side {
    /// @param mode  how values get behind its heat cells; needs the GL context current from now on
    Side(const State& start, std::vector<DeviceFacts> table, TraceMode mode);

    /// Ask the model anew: evidence, curve, heat cells and image.
    void refresh(EvidenceStore& store);
    /// Try another way to fill heat cells and images; refresh() is due afterwards.
    void fill_by(TraceMode mode);
    bool has_image() const { return evidence.report.shape.image.x > 0; }
    /// What a frame says of one side alone. The frame is valid as long as the side and does not change with
    /// it.
    void put_into(Frame& frame);

    State state;
    std::vector<DeviceFacts> devices;  ///< the table of GPUs, with the state's bank mode
    Evidence evidence;
    Curve curve;
    BoardWords words;
    std::unique_ptr<TraceBuffer> trace;
    std::unique_ptr<ImageTexture> image;
};

}  // namespace warplens
