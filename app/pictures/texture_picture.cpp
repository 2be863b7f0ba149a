#include "app/pictures/layout.h"

namespace warplens {

Picture draw_texture(const InstructionView&, const Style& style) {
    Sketch sketch(style, "texture", "");
    return sketch.take();
}

}  // namespace warplens
