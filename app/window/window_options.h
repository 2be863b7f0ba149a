#pragma once

#include "app/experiment/state.h"
#include "app/pictures/kit/palette.h"

#include <string>
#include <vector>

namespace warplens {

/// How the window starts.
struct WindowOptions {
    ThemeChoice look;
    float scale = 1;           ///< the person's choice, 0.5 to 3, multiplied by the scale of the screen
    int width = 1280;          ///< [screen coordinates]
    int height = 800;          ///< [screen coordinates]
    bool cpu = false;          ///< never touch CUDA: the model fills the heat cells, nothing is measured
    bool keep_device = false;  ///< whether the device was named, so that a GPU found here does not replace it
    bool keep_state = false;   ///< whether the state is kept from run to run
    std::string state_path;    ///< where it is kept. Empty for the usual place (app/window/saved_state.h).
    /// What the command line sets, so that the saved state does not.
    struct Given {
        bool place = false, theme = false, palette = false, scale = false, size = false;
    } given;
    int tour = 0;      ///< show the tour from this card, counted from 1. 0 for the first start only.
    std::string link;  ///< link to follow at the start (app/experiment/link.h). Empty if there is none.
    std::vector<std::string> recordings;  ///< recordings to open, in order; they were checked to be readable
    std::vector<std::string> files;       ///< files to open as if they were dropped, in order
    bool shipped_recordings = true;       ///< whether to list those that come with the program
    std::string screenshot_path;          ///< write the last frame there as PNG and close. Empty not to.
    int frames = 0;  ///< close after this many frames. 0 to stay until a person closes the window.
};

}  // namespace warplens
