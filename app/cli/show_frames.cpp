#include "app/cli/show_frames.h"

#include "app/base/errors.h"
#include "app/base/output.h"
#include "app/panels/shell.h"
#include "app/window/action.h"

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <exception>
#include <new>
#include <string>
#include <utility>

namespace warplens {
namespace {

/// Somebody who has never been here is welcomed and shown round: nothing was kept, although it would have
/// been. A run with a fixed number of frames has nobody before it.
bool is_first_start(const WindowOptions& options, const LoadedState& loaded) {
    if (options.tour > 0 || options.state_path.empty() || options.frames > 0) return false;
    return loaded.state ? !loaded.state->toured : loaded.message.empty();
}

/// Saves the state, when the window is closed and from time to time before.
/// @return  why it failed, which the window says as well. Empty if it succeeded.
std::string keep_state(const std::string& path, Session& session, SavedState& kept) {
    SavedState now = session.saved();
    if (now == kept) return {};
    const std::string problem = save_state(path, now);
    if (!problem.empty()) session.complain(problem);
    kept = std::move(now);
    return problem;
}

/// The first frames show everything that a state can break.
constexpr int kFramesOfAStart = 3;

}  // namespace

std::optional<Image> show_frames(Window& window, const State& start, const std::vector<DeviceFacts>& devices,
                                 WindowOptions options, const LoadedState& loaded) {
    const std::string kept_in = loaded.keep ? options.state_path : std::string();
    options.keep_state = !kept_in.empty();
    std::optional<Image> last;
    const int frames = options.frames;  // 0 to stay until a person closes the window
    if (loaded.state) begin_start(kept_in);
    const LateInterrupt ending([&window] { window.wake(); });  // which keeps the state, as Ctrl+Q does
    Shell shell(window, start, devices, options);
    Session& session = shell.session();
    if (loaded.state) session.restore(*loaded.state, !options.given.place);
    if (!loaded.message.empty()) session.complain(loaded.message);
    // Who names a place, a file or a demo wants to see that at once.
    if (is_first_start(options, loaded) && !options.given.place) apply(session, action::Do::welcome);
    SavedState kept;
    auto kept_at = std::chrono::steady_clock::now();
    const auto draw = [&](int drawn) {
        if (frames > 0) window.keep_awake(1);
        if (frames > 0 && drawn == frames - 1)
            window.capture_next([&](Image image) { last = std::move(image); });
        if (!window.run_frame([&] { shell.show_frame(); })) return false;
        if (drawn + 1 == kFramesOfAStart) finish_start(kept_in);
        constexpr auto kOften = std::chrono::seconds(20);  // so that little is lost in a crash
        if (kept_in.empty() || std::chrono::steady_clock::now() - kept_at < kOften) return true;
        kept_at = std::chrono::steady_clock::now();
        keep_state(kept_in, session, kept);
        return true;
    };
    std::string broken;
    try {
        for (int drawn = 0; (frames == 0 || drawn < frames) && !ending.came() && draw(drawn);) ++drawn;
        finish_start(kept_in);
    } catch (const std::bad_alloc&) {
        broken = kNoMemory;
    } catch (const std::exception& error) {
        broken = error.what();
    }
    // The window is closed, so an error can only be printed here.
    const std::string problem = kept_in.empty() ? std::string() : keep_state(kept_in, session, kept);
    if (!broken.empty())
        throw Failure(fmt::format("the window cannot be drawn any further: {}{}{}", broken,
                                  problem.empty() ? "" : "; ", problem));
    if (!problem.empty()) std::fprintf(stderr, "warplens: %s\n", problem.c_str());
    return last;
}

}  // namespace warplens
