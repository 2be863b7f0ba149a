#include "app/commands/output.h"
#include "app/commands/window_session.h"
#include "app/errors.h"
#include "app/export/png.h"
#include "app/window_app.h"

#include <optional>

namespace warplens {

int run_window(const State& start, const std::vector<DeviceFacts>& devices, const WindowOptions& options) {
    auto opened = Window::open(
        {.width = options.width, .height = options.height, .title = "Warplens", .visible = true});
    if (const auto* why = std::get_if<Unavailable>(&opened)) throw NoDisplay(why->reason);
    Window& window = *std::get<std::unique_ptr<Window>>(opened);
    if (!options.screenshot_path.empty()) check_output(options.screenshot_path);

    std::optional<Image> last;
    const int frames = options.frames;  // 0: until a person closes the window
    {
        WindowSession session(window, start, devices, options);
        for (int drawn = 0; frames == 0 || drawn < frames; ++drawn) {
            if (frames > 0) window.keep_awake(1);
            if (frames > 0 && drawn == frames - 1)
                window.capture_next([&](Image image) { last = std::move(image); });
            if (!window.run_frame([&] { session.show_frame(); })) break;
        }
    }
    if (!options.screenshot_path.empty() && last) {
        write_output(options.screenshot_path, encode_png(last->width, last->height, last->rgba, 1, {}));
    }
    return 0;
}

}  // namespace warplens
