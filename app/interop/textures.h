#pragma once

// The folder app/interop/ is the only place that knows OpenGL and CUDA at once: a buffer and a texture of
// OpenGL that kernels write to directly. If that is refused, the results are copied through host memory;
// without CUDA the model computes them, and callers need not know.

#include "kernels/params.h"
#include "kernels/trace/trace.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace warplens {

enum class TraceMode {
    interop,  ///< a kernel writes into the mapped GL buffer
    copy,     ///< a kernel writes it, and the result is copied through host memory
    model,    ///< the CPU model computes it
};

/// The GL texture with the values of the heat cells. A kernel writes them into a buffer, which OpenGL copies.
///
/// The buffer is registered once, mapped only while the kernel runs, and unregistered before it is deleted.
/// If interop is refused (another GPU draws, WSL2, remote X), it clears the error and copies instead; without
/// CUDA the model fills it. Needs the same GL context current for its whole life.
class TraceBuffer {
public:
    /// The mode to try first. The next lower one is used if it fails. `model` never uses CUDA.
    explicit TraceBuffer(TraceMode wanted);
    ~TraceBuffer();

    /// Renew the contents. `by_model` is the result of the model, which is used in model mode and if a launch
    /// fails.
    /// Never waits for the GPU in interop mode: unmapping orders the kernel before GL's next read.
    void update(const TraceRequest& request, const Trace& by_model);

    /// Renew the contents without CUDA. A kernel would write the same words.
    void show(const Trace& by_model);

    /// Read back the contents of the GL texture. Slow, for tests.
    Trace read_back() const;

    unsigned gl_texture() const;     ///< GL_TEXTURE_2D, R32UI, kWarpLanes words in a row
    TraceMode mode() const;          ///< the mode in use
    const std::string& why() const;  ///< why it is not interop; empty in interop mode

private:
    struct State;
    std::unique_ptr<State> state_;
};

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
