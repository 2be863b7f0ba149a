#pragma once

#include "app/experiment/evidence.h"
#include "app/interop/textures.h"
#include "app/window/frame.h"

#include <memory>
#include <vector>

namespace warplens {

/// A state in the window with everything that follows from it. A comparison consists of two sides.
struct Side {
    /// @param mode  how the trace buffer of its heat cells is filled. The GL context must be current from now
    /// on.
    Side(const State& start, std::vector<DeviceFacts> table, TraceMode mode);

    /// Ask the model again, for evidence, curve, heat cells and image.
    void refresh(EvidenceStore& store);
    /// Let the kernel fill the heat cells, if it has not since the last refresh(). The words are those of the
    /// model, so nothing changes on screen.
    void fill_by_kernel();
    /// Try another way to fill heat cells and images. refresh() must be called afterwards.
    void fill_by(TraceMode mode);
    bool has_image() const { return evidence.report.shape.image.x > 0; }
    /// Set the fields of a frame that depend on one side only. The frame refers to the side and is valid as
    /// long as it exists.
    void put_into(Frame& frame);

    State state;
    std::vector<DeviceFacts> devices;  ///< the table of GPUs, with the state's bank mode
    Evidence evidence;
    Curve curve;
    BoardWords words;
    std::unique_ptr<TraceBuffer> trace;
    std::unique_ptr<ImageTexture> image;

private:
    bool kernel_is_due_ = false;
};

}  // namespace warplens
