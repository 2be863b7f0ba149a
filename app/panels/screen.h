#pragma once

#include "app/panels/picture_panel.h"

#include <functional>
#include <optional>
#include <vector>

namespace warplens {

/// The caches for both sides of a comparison.
struct PictureCaches {
    PictureCache a, b;
};

/// The inputs and outputs of the parts of the window in one drawn frame.
struct Screen {
    const PanelStyle& style;
    const Frame& frame;  ///< it is updated when `set` is called
    View& view;
    PictureCaches& caches;
    Actions& actions;
    /// Applies a change of a knob at once, so that the parts that are drawn later show it in the same frame.
    const std::function<void(const State&)>& set;
};

// Where the parts of the window stand; places in pixels.

/// The whole window: three columns, two, or one, as there is room.
void show_columns(const Screen& screen);
/// The whole window in projector mode: large type, one picture with what it means, few knobs.
void show_projector(const Screen& screen);
/// The pixels per point with which projector mode has the largest type that leaves room for the picture. It
/// changes in steps, because fonts are rendered again for each. Type has 24 pixels in a window of 1024x768,
/// in proportion in others. A board that needs more room scrolls.
/// @param size  size of the window [pixels]
float projector_scale(Vec2 size, const View& view);
/// The start page, while it is open.
struct StartPage {
    std::vector<CachedPicture> thumbnails;  ///< of all scenarios; those that are not on screen may be missing
    std::optional<std::size_t> chosen;      ///< index of a scenario. Empty before the first frame.
};
/// A small picture of every scenario at its defaults, by memory space. A click, or arrows and Enter, opens
/// one. Pictures are made one in a drawn frame and then kept.
void show_start_page(const Screen& screen, StartPage& page);
/// The page of recorded requests, while it is open.
struct RequestsPage {
    CachedPicture picture;
    std::optional<std::size_t> scrolled;  ///< the instruction to which the list was scrolled last
};
/// The instructions of a file of recorded requests, the worst first, and the picture of the chosen one's
/// worst request with the reason. Arrows choose, Esc leaves.
void show_requests(const Screen& screen, RequestsPage& page);
/// The page of counters, while it is open.
struct CountersPage {
    std::optional<std::size_t> scrolled;  ///< the launch to which the list was scrolled last
};
/// The launches of a page of Nsight Compute, those with the most beyond their ideal first, and the counters
/// of the chosen one beside what is expected of it. Arrows choose, Esc leaves.
void show_counted_launches(const Screen& screen, CountersPage& page);
/// Nothing, on black; a click ends it.
void show_black(View& view);

/// One part in a panel that fills a place.
void show_part(const Screen& screen, Section section, const Rect& place);

}  // namespace warplens
