#pragma once

#include "app/interop/trace_buffer.h"
#include "kernels/params.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace warplens {

/// The GL texture behind a picture's image: the image of `texture-filter`, drawn by the texture units where
/// there is a GPU.
///
/// Works and fails as TraceBuffer does: a kernel draws into the mapped texture, or the pixels go through host
/// memory, or the model draws. Needs the same GL context current for its whole life; makes nothing in it
/// before the first update.
class ImageTexture {
public:
    /// What to try first; a lower one is used when it fails. `model` never touches CUDA.
    explicit ImageTexture(TraceMode wanted);
    ~ImageTexture();
    ImageTexture(const ImageTexture&) = delete;
    ImageTexture& operator=(const ImageTexture&) = delete;

    /// Draw what a setting of the scenario shows, unless it is there already.
    /// Never waits for the GPU in interop mode: the unmap orders the kernel before GL's next read.
    void update(const Params& params);

    /// Read back what the GL texture holds now: RGBA, rows from the top. Slow; for tests.
    std::vector<std::uint8_t> read_back() const;

    unsigned gl_texture() const;     ///< GL_TEXTURE_2D; 0 before the first update
    TraceMode mode() const;          ///< what drew the image
    const std::string& why() const;  ///< why not interop; empty in interop mode

private:
    struct State;
    TraceMode wanted_;
    std::unique_ptr<State> state_;  ///< null before the first update
};

}  // namespace warplens
