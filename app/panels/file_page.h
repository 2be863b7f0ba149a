#pragma once

#include "app/panels/screen.h"

#include <functional>
#include <string>
#include <vector>

namespace warplens {

// The common parts of the pages of recorded requests and of counters: a line of chips at the top, and a list
// to choose from.

struct HeadChip {
    const char *label, *name;
    std::string tooltip;
    Action press;
    bool chosen = false;
};
/// The chips at the end of every page: between the two files if both are open, close, back.
void add_file_chips(std::vector<HeadChip>& chips, const Screen& screen, Action close);

/// The page's first line. @param summary  is left out if there is no room
void show_page_head(const Screen& screen, const std::string& title, const std::string& summary,
                    const std::vector<HeadChip>& chips);

/// One entry of a list: three lines.
struct PageItem {
    std::string name, what, cost;
    Color cost_color;
    std::string tooltip;
};
/// A list that is longer than its panel, so that only what is seen is asked for.
struct PageList {
    const char* id;  ///< entries are marked "id.1", "id.2"
    std::size_t count = 0, chosen = 0;
    std::function<PageItem(std::size_t)> item;
    std::function<Action(std::size_t)> choose;
};
/// @param scrolled  the entry to which it was scrolled last
void show_page_list(const Screen& screen, const PageList& list, std::optional<std::size_t>& scrolled,
                    const Rect& place);
/// Arrows choose.
void walk_list(const Screen& screen, const PageList& list);

/// The list on the left and what is chosen on the right, if there is room for both, below the head and above
/// the status bar.
void show_list_and_chosen(const Screen& screen, const PageList& list, std::optional<std::size_t>& scrolled,
                          const std::function<void(const Rect&)>& show_chosen);
/// The place below the head and above the status bar.
Rect page_place(const Screen& screen);
/// The bar menus and the status bar.
void show_page_bars(const Screen& screen);

}  // namespace warplens
