#pragma once

#include "app/panels/picture_panel.h"

namespace warplens {

/// The inputs and outputs of the parts of the window in one drawn frame.
struct Screen {
    const PanelStyle& style;
    const Frame& frame;
    const View& view;
    PanelMemory& memory;
    Actions& actions;
};

/// Whether the text that is typed has an error, so that the panels show the last one that was understood.
bool shows_last_good(const Screen& screen);

// The parts of the window; places in pixels.

/// The whole window: three columns, two, or one, as there is room.
void show_columns(const Screen& screen);
/// The whole window in projector mode: large type, one picture with what it means, few knobs.
void show_projector(const Screen& screen);
/// The pixels per point with which projector mode has the largest type that leaves room for the picture. It
/// changes in steps, because fonts are rendered again for each. Type has 24 pixels in a window of 1024x768,
/// in proportion in others. A board that needs more room scrolls.
/// @param size  size of the window [pixels]
float projector_scale(Vec2 size, const View& view);
/// A small picture of every scenario at its defaults, by memory space. A click, or arrows and Enter, opens
/// one. Pictures are made one in a drawn frame and then kept.
void show_start_page(const Screen& screen, StartPage& page);
/// The instructions of a file of recorded requests, the worst first, and the picture of the chosen one's
/// worst request with the reason. Arrows choose, Esc leaves.
void show_requests(const Screen& screen, RequestsPage& page);
/// The launches of a page of Nsight Compute, those with the most beyond their ideal first, and the counters
/// of the chosen one beside what is expected of it. Arrows choose, Esc leaves.
void show_counted_launches(const Screen& screen, CountersPage& page);
/// Nothing, on black; a click ends it.
void show_black(Actions& actions);

/// The bar at the top: memory spaces, recordings, theme, scale, projector, help. What has no room is moved
/// into menus. Choosing a space shows its first scenario, unless the present one is in it.
void show_top_bar(const Screen& screen);
/// The menus that its buttons and keys open: copy, learn, demos, recordings, themes. In projector mode they
/// are there without the bar.
void show_bar_menus(const Screen& screen);

/// One part in a panel that fills a place.
void show_part(const Screen& screen, Section section, const Rect& place);

}  // namespace warplens
