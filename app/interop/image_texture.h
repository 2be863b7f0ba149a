#pragma once

#include "app/interop/trace_buffer.h"
#include "kernels/params.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace warplens {

/// The GL texture of a picture's image: the image of `texture-filter`, drawn by the texture units if there is
/// a GPU.
///
/// It works and falls back like TraceBuffer: a kernel draws into the mapped texture, or the pixels are copied
/// through host memory, or the model draws them. Needs the same GL context current for its whole life; it
/// creates nothing in it before the first update.
class ImageTexture {
public:
    /// The mode to try first. The next lower one is used if it fails. `model` never uses CUDA.
    explicit ImageTexture(TraceMode wanted);
    ~ImageTexture();

    /// Draw the image of a setting of the scenario, unless it is there already.
    /// Never waits for the GPU in interop mode: unmapping orders the kernel before GL's next read.
    void update(const Params& params);

    /// Read back the contents of the GL texture: RGBA, rows from the top. Slow, for tests.
    std::vector<std::uint8_t> read_back() const;

    unsigned gl_texture() const;     ///< GL_TEXTURE_2D; 0 before the first update
    TraceMode mode() const;          ///< the mode that drew the image
    const std::string& why() const;  ///< why it is not interop; empty in interop mode

private:
    struct State;
    TraceMode wanted_;
    std::unique_ptr<State> state_;  ///< null before the first update
};

}  // namespace warplens
