#include "app/gl/desktop_motion.h"

#include <emscripten.h>

namespace warplens {

bool desktop_wants_motion(const std::string&) {
    return EM_ASM_INT({ return Module['wantsMotion'](); }) != 0;
}

std::string settings_folder() { return {}; }

}  // namespace warplens
