#pragma once

#include "app/gl/offscreen.h"
#include "kernels/unavailable.h"

#include <memory>
#include <optional>
#include <string>

namespace warplens {

/// Why this build writes no GIF. Empty if it does.
std::optional<Unavailable> gif_unavailable();

/// An animation that plays in a loop, which slide programs show: frames go in one after the other, and only
/// what changes from one to the next is written. A frame of more than 256 colours has its most frequent
/// ones, and the nearest of them in place of the others; it is opaque. The same input gives the same bytes.
class GifWriter {
public:
    /// @param comment  a text inside the file
    /// Errors: std::runtime_error in a build without GIF.
    explicit GifWriter(std::string comment);
    ~GifWriter();
    GifWriter& operator=(GifWriter&&) = delete;

    /// Begin a frame, which must exist until it is in.
    /// @param seconds  how long it is shown; the format has hundredths, 0.02 to 600
    /// Errors of this and of step: std::runtime_error if its size differs from the first one's, or is not 1
    /// to 16384.
    void begin(const Image& frame, double seconds);
    /// Put some rows in: a large frame takes tenths of a second. @return  whether there is more of it
    bool step();
    /// A whole frame.
    void add(const Image& frame, double seconds) {
        begin(frame, seconds);
        while (step()) {
        }
    }
    /// The bytes of the file. Call it once, at the end, after at least one frame.
    std::string take();

private:
    struct File;
    std::unique_ptr<File> file_;
};

}  // namespace warplens
