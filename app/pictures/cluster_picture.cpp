#include "app/pictures/layout.h"

namespace warplens {

Picture draw_cluster(const InstructionView&, const Style& style) {
    Sketch sketch(style, "cluster", "");
    return sketch.take();
}

}  // namespace warplens
