#include "app/base/errors.h"
#include "app/cli/show_frames.h"
#include "app/web/page.h"

#include <emscripten.h>

#include <exception>
#include <string>
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

/// The page's address follows what is set, once the window is at rest: browsers limit how often it may
/// change.
void tell_address() {
    static std::string told;
    const std::string link = running->link();
    if (link == told) return;
    told = link;
    EM_ASM({ Module['address'](UTF8ToString($0)); }, link.c_str());
}

/// @return  when the page is to call again [s], or earlier when something happens; negative if never
extern "C" EMSCRIPTEN_KEEPALIVE double warplens_step() {
    if (!running) return -1;
    if (running->step()) {
        const double wait = take_wait();
        if (wait > 0) tell_address();
        return wait;
    }
    try {
        running->end();
    } catch (const std::exception& error) {
        EM_ASM({ Module['printErr'](UTF8ToString($0)); }, error.what());
    }
    running.reset();
    return -1;
}

extern "C" EMSCRIPTEN_KEEPALIVE void warplens_keep() {
    if (running) running->keep();
}

extern "C" EMSCRIPTEN_KEEPALIVE void warplens_follow(const char* link) {
    if (!running) return;
    running->act(*link == '\0' ? Action(action::Show{&View::start_page, true})
                               : Action(action::FollowLink{link}));
}

extern "C" EMSCRIPTEN_KEEPALIVE void warplens_zoom(float by) {
    if (running) running->act(action::Scale{by});
}

}  // namespace warplens
