#include "app/pictures/layout.h"

namespace warplens {

Picture draw_constant(const InstructionView&, const Style& style) {
    Sketch sketch(style, "constant", "");
    return sketch.take();
}

}  // namespace warplens
