#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warplens {

/// The parts of the window. They take turns in a window without room for all.
enum class Section {
    set,      ///< scenario, parameters, device
    picture,  ///< the board that is selected
    plot,     ///< bandwidth against a knob; of a board that shows instructions
    numbers,
    words,  ///< why, code, lesson
};

/// One card of the tour for a person who has never seen the window. The tour takes about half a minute.
struct TourCard {
    std::string_view title;
    std::string_view text;
    /// The marked items (ui::mark) that it points at; those that are visible are framed together.
    std::vector<std::string> items;
    Section section;  ///< the section that a narrow window shows meanwhile
    int tab = -1;     ///< the tab of the last column; -1 to leave it unchanged
};
std::span<const TourCard> tour_cards();

}  // namespace warplens
