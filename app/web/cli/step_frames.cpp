#include "app/base/errors.h"
#include "app/cli/show_frames.h"
#include "app/web/page.h"

#include <emscripten.h>

#include <exception>
#include <utility>

namespace warplens {
namespace {

std::unique_ptr<Frames> running;

}  // namespace

std::optional<Image> show_frames(std::unique_ptr<Frames> frames) {
    running = std::move(frames);
    EM_ASM({ Module['begin'](); });
    return std::nullopt;
}

/// @return  when the page is to call again [s], or earlier when something happens; negative if never
extern "C" EMSCRIPTEN_KEEPALIVE double warplens_step() {
    if (!running) return -1;
    if (running->step()) return take_wait();
    try {
        running->end();
    } catch (const std::exception& error) {
        EM_ASM({ Module['printErr'](UTF8ToString($0)); }, error.what());
    }
    running.reset();
    return -1;
}

}  // namespace warplens
