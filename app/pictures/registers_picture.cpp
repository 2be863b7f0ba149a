#include "app/pictures/layout.h"

namespace warplens {

Picture draw_registers(const InstructionView&, const Style& style) {
    Sketch sketch(style, "registers", "");
    return sketch.take();
}

}  // namespace warplens
