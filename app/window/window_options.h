#pragma once

#include "app/experiment/state.h"
#include "app/pictures/kit/palette.h"

#include <string>
#include <vector>

namespace warplens {

/// How the window starts.
struct WindowOptions {
    ThemeChoice look;
    float scale = 1;           ///< the person's choice, 0.5 to 3; comes on top of the screen's own scale
    int width = 1280;          ///< [screen coordinates]
    int height = 800;          ///< [screen coordinates]
    bool cpu = false;          ///< never touch CUDA: the model fills the heat cells, nothing is measured
    bool keep_device = false;  ///< the device was named: the GPU that is found here does not take its place
    bool keep_state = false;   ///< what is set is kept from run to run
    std::string state_path;    ///< where; empty: at the usual place (app/window/saved_state.h)
    /// What the command line says, and the kept state therefore does not.
    struct Given {
        bool place = false, theme = false, palette = false, scale = false, size = false;
    } given;
    int tour = 0;      ///< show the tour from this card, counted from 1; 0: only at the first start
    std::string link;  ///< go there at the start (app/experiment/link.h); empty: nowhere
    std::vector<std::string> recordings;  ///< files to open, in order; each can be read
    std::vector<std::string> files;       ///< to open as if they were dropped, in order
    bool shipped_recordings = true;       ///< list those that come with the program
    std::string screenshot_path;          ///< not empty: write the window's last frame there as PNG and close
    int frames = 0;  ///< close after so many frames; 0: stay until a person closes the window
};

}  // namespace warplens
