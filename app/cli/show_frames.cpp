#include "app/cli/show_frames.h"

#include "app/base/errors.h"
#include "app/base/output.h"
#include "app/experiment/link.h"
#include "app/panels/shell.h"

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

struct Frames::Running {
    Running(std::unique_ptr<Window> opened, const State& start, const std::vector<DeviceFacts>& devices,
            const WindowOptions& options, const LoadedState& loaded)
        : window(std::move(opened)),
          frames(options.frames),
          kept_in(options.keep_state ? options.state_path : std::string()),
          shell(*window, start, devices, options) {
        Session& session = shell.session();
        if (loaded.state) session.restore(*loaded.state, !options.given.place);
        if (!loaded.message.empty()) session.complain(loaded.message);
        // Who names a place, a file or a demo wants to see that at once.
        if (is_first_start(options, loaded) && !options.given.place) apply(session, action::Do::welcome);
    }

    /// @return  whether the window stays open
    bool draw() {
        if (frames > 0) window->keep_awake(1);
        if (frames > 0 && drawn == frames - 1)
            window->capture_next([&](Image image) { last = std::move(image); });
        if (!window->run_frame([&] { shell.show_frame(); })) return false;
        if (++drawn == kFramesOfAStart) finish_start(kept_in);
        // So that little is lost in a crash, and of what was typed next to nothing.
        constexpr std::chrono::seconds kOften(20), kTyped(2);
        const bool typed = shell.session().typing.edits() != kept_edits;
        if (typed && !kept_in.empty()) window->wake_within(double(kTyped.count()));
        if (kept_in.empty() || std::chrono::steady_clock::now() - kept_at < (typed ? kTyped : kOften))
            return true;
        kept_at = std::chrono::steady_clock::now();
        kept_edits = shell.session().typing.edits();
        keep_state(kept_in, shell.session(), kept);
        return true;
    }

    std::unique_ptr<Window> window;
    const int frames;                                        ///< 0 to stay until a person closes the window
    const std::string kept_in;                               ///< empty to keep nothing
    const LateInterrupt ending{[this] { window->wake(); }};  ///< keeps the state, as Ctrl+Q does
    Shell shell;
    SavedState kept;
    std::chrono::steady_clock::time_point kept_at = std::chrono::steady_clock::now();
    std::uint64_t kept_edits = 0;  ///< Typing::edits then
    int drawn = 0;
    std::optional<Image> last;
    std::string broken;  ///< why no further frame can be drawn
};

Frames::Frames(std::unique_ptr<Window> window, const State& start, const std::vector<DeviceFacts>& devices,
               const WindowOptions& options, const LoadedState& loaded) {
    WindowOptions kept = options;
    kept.keep_state = loaded.keep && !options.state_path.empty();
    if (loaded.state) begin_start(kept.keep_state ? kept.state_path : std::string());
    running_ = std::make_unique<Running>(std::move(window), start, devices, kept, loaded);
}

Frames::~Frames() = default;

bool Frames::step() {
    Running& r = *running_;
    try {
        return !r.ending.came() && r.draw() && (r.frames == 0 || r.drawn < r.frames);
    } catch (const std::bad_alloc&) {
        r.broken = kNoMemory;
    } catch (const std::exception& error) {
        r.broken = error.what();
    }
    return false;
}

std::string Frames::link() {
    Session& session = running_->shell.session();
    return session.view.start_page ? std::string() : link_to(session.state(), session.devices());
}

void Frames::act(const Action& action) {
    apply(running_->shell.session(), action);
    running_->window->wake();
}

void Frames::keep() {
    if (!running_->kept_in.empty()) keep_state(running_->kept_in, running_->shell.session(), running_->kept);
}

std::optional<Image> Frames::end() {
    Running& r = *running_;
    if (r.broken.empty()) finish_start(r.kept_in);
    // The window is closed, so an error can only be printed here.
    const std::string problem =
        r.kept_in.empty() ? std::string() : keep_state(r.kept_in, r.shell.session(), r.kept);
    if (!r.broken.empty())
        throw Failure(fmt::format("the window cannot be drawn any further: {}{}{}", r.broken,
                                  problem.empty() ? "" : "; ", problem));
    if (!problem.empty()) std::fprintf(stderr, "warplens: %s\n", problem.c_str());
    return std::move(r.last);
}

}  // namespace warplens
