#pragma once

#include "app/window/frame.h"

#include <string>

namespace warplens {

/// What is on screen, as JSON, whenever it changes: places of the controls and the numbers shown. Only for
/// tests that drive the window with a real mouse: the environment variable WARPLENS_UI_TRACE names the file;
/// without it nothing is written.
class UiTrace {
public:
    UiTrace();
    struct Scales {
        float now, user;  ///< pixels per point; the person's choice
        long frames;      ///< drawn so far
    };
    /// @param board  the picture of the chosen board
    void write(const Frame& frame, const View& view, const Picture& board, const Scales& scales);

private:
    std::string path_, written_;
};

}  // namespace warplens
