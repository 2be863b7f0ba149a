#include "app/pictures/layout.h"

namespace warplens {

Picture draw_local(const InstructionView&, const Style& style) {
    Sketch sketch(style, "local", "");
    return sketch.take();
}

}  // namespace warplens
