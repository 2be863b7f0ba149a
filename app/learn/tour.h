#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace warplens {

/// The parts of the window, as they take each other's place where there is not room for all.
enum class Section {
    set,      ///< scenario, knobs, device
    picture,  ///< the board that is chosen
    plot,     ///< bandwidth against a knob; of Board::access
    numbers,
    words,  ///< why, code, lesson
};

/// One card of the tour for somebody who has never seen the window: about half a minute in all.
struct TourCard {
    std::string_view title;
    std::string_view text;
    /// What it points at: names of marked items (ui::mark); those that are there are framed together.
    std::vector<std::string_view> items;
    Section section;  ///< what a folded window shows meanwhile
    int tab = -1;     ///< of the last column; -1: as it is
};
std::span<const TourCard> tour_cards();

}  // namespace warplens
