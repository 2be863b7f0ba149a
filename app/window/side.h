#pragma once

#include "app/answers/setting_keys.h"
#include "app/interop/textures.h"

#include <memory>

namespace warplens {

/// What one side of a window has in the memory of OpenGL: the heat cells of its pictures, and its image.
class SideTextures {
public:
    /// @param mode  how the heat cells are filled. The GL context must be current from now on.
    explicit SideTextures(TraceMode mode) { fill_by(mode); }

    /// Show this evidence: the model's words in the heat cells, and the image of the setting.
    void show(const Ready<Evidence>& evidence);
    /// Let the kernel fill the heat cells, if it has not since the last show(). The words are those of the
    /// model, so nothing changes on screen.
    void fill_by_kernel();
    /// Try another way to fill heat cells and images. show() must be called afterwards.
    void fill_by(TraceMode mode);
    bool has_image() const { return shown_ && shown_->report.shape.image.x > 0; }
    const TraceBuffer& trace() const { return *trace_; }
    const ImageTexture& image() const { return *image_; }

private:
    Ready<Evidence> shown_;
    std::unique_ptr<TraceBuffer> trace_;
    std::unique_ptr<ImageTexture> image_;
    bool kernel_is_due_ = false;
};

}  // namespace warplens
