#include "app/window/window_figures.h"

#include <emscripten.h>

namespace warplens {

std::string copy_png(std::string_view png) {
    const int taken =
        EM_ASM_INT({ return Module['copyPicture'](HEAPU8.slice($0, $0 + $1)); }, png.data(), png.size());
    if (taken != 0) return {};
    return "the picture is not copied: this browser lets no page do that here; Ctrl+E saves the picture";
}

}  // namespace warplens
