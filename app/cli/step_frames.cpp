#include "app/cli/show_frames.h"

namespace warplens {

std::optional<Image> show_frames(std::unique_ptr<Frames> frames) {
    while (frames->step()) {
    }
    return frames->end();
}

}  // namespace warplens
