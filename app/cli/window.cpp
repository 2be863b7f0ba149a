#include "app/base/errors.h"
#include "app/base/output.h"
#include "app/figures/formats/png.h"
#include "app/window/window_app.h"
#include "app/window/window_session.h"

#include <chrono>
#include <cstdio>
#include <optional>

namespace warplens {

namespace {

/// The options with what was kept, where the command line says nothing else.
WindowOptions with_kept(WindowOptions options, const SavedState& kept) {
    if (!options.given.theme) options.look.theme = kept.look.theme;
    if (!options.given.palette) options.look.palette = kept.look.palette;
    if (!options.given.scale) options.scale = kept.scale;
    if (!options.given.size) options.width = kept.width, options.height = kept.height;
    return options;
}

/// Somebody who has never been here is shown round: nothing was kept, although it would have been. A run with
/// a fixed number of frames has nobody before it.
bool is_first_start(const WindowOptions& options, const LoadedState& loaded) {
    if (options.tour > 0 || options.state_path.empty() || options.frames > 0) return false;
    return loaded.state ? !loaded.state->toured : loaded.message.empty();
}

/// On the way out, and now and then before.
/// @return  why that failed, which the window says as well; empty: it did not.
std::string keep_state(const std::string& path, WindowSession& session, SavedState& kept) {
    SavedState now = session.saved();
    if (now == kept) return {};
    const std::string problem = save_state(path, now);
    if (!problem.empty()) session.complain(problem);
    kept = std::move(now);
    return problem;
}

}  // namespace

int run_window(const State& start, const std::vector<DeviceFacts>& devices, const WindowOptions& wanted) {
    const LoadedState loaded = load_state(wanted.state_path);
    const WindowOptions options = loaded.state ? with_kept(wanted, *loaded.state) : wanted;
    auto opened = Window::open(
        {.width = options.width, .height = options.height, .title = "Warplens", .visible = true});
    if (const auto* why = std::get_if<Unavailable>(&opened)) throw NoDisplay(why->reason);
    Window& window = *std::get<std::unique_ptr<Window>>(opened);
    if (!options.screenshot_path.empty()) check_output(options.screenshot_path);

    std::optional<Image> last;
    const int frames = options.frames;  // 0: until a person closes the window
    {
        WindowSession session(window, start, devices, options);
        if (loaded.state) session.restore(*loaded.state, !options.given.place);
        if (!loaded.message.empty()) session.complain(loaded.message);
        if (is_first_start(options, loaded)) session.start_tour(0);
        SavedState kept;
        auto kept_at = std::chrono::steady_clock::now();
        for (int drawn = 0; frames == 0 || drawn < frames; ++drawn) {
            if (frames > 0) window.keep_awake(1);
            if (frames > 0 && drawn == frames - 1)
                window.capture_next([&](Image image) { last = std::move(image); });
            if (!window.run_frame([&] { session.show_frame(); })) break;
            constexpr auto kOften = std::chrono::seconds(20);  // so that a crash costs little
            if (options.state_path.empty() || std::chrono::steady_clock::now() - kept_at < kOften) continue;
            kept_at = std::chrono::steady_clock::now();
            keep_state(options.state_path, session, kept);
        }
        // The window is gone: what fails now can only be said here.
        const std::string problem =
            options.state_path.empty() ? std::string() : keep_state(options.state_path, session, kept);
        if (!problem.empty()) std::fprintf(stderr, "warplens: %s\n", problem.c_str());
    }
    if (!options.screenshot_path.empty() && last) {
        write_output(options.screenshot_path, encode_png(last->width, last->height, last->rgba, 1, {}));
    }
    return 0;
}

}  // namespace warplens
