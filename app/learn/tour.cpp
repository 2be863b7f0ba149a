#include "app/learn/tour.h"

#include "app/experiment/state.h"

namespace warplens {
namespace {

/// The strip of boards, or the list where the strip has no room.
std::vector<std::string> items_of_boards() {
    std::vector<std::string> items{"boards"};
    for (const BoardInfo* board : all_boards()) items.push_back("board." + std::string(board->key));
    return items;
}

}  // namespace

std::span<const TourCard> tour_cards() {
    static const std::vector<TourCard> cards = {
        {"What you set",
         "A click on the scenario's name lists all of them. Press a preset or change a parameter: everything else "
         "follows at once, and Ctrl+Z takes it back.",
         {"panel.controls"},
         Section::set},
        {"What happens",
         "The picture is one warp of 32 lanes at work in memory. The headline says how it stands, and the button "
         "beside it what to try. Point at a lane: it lights up everywhere.",
         {"panel.picture", "panel.board"},
         Section::picture},
        {"What it costs",
         "The speed against a parameter, for this GPU. A click into it sets the parameter; plot gives it axes and a "
         "choice of the parameter.",
         {"panel.plot"},
         Section::plot},
        {"What it means",
         "Every number says what kind it is: ● exact, ○ approximate, ◆ measured here, ▲ recorded elsewhere. "
         "Point at a name for its meaning.",
         {"panel.numbers"},
         Section::numbers},
        {"Why, code and a lesson",
         "One sentence that says why, what one thread does, and a lesson whose links set the parameters for you.",
         {"panel.lesson", "panel.reading"},
         Section::words,
         0},
        {"Other maps of the same thing",
         "Traffic, occupancy, roofline and more: keys 1 to 9. PageDown and PageUp go through the presets, F5 "
         "shows them large for a class. F1 has all keys and words, and this tour.",
         items_of_boards(), Section::picture},
    };
    return cards;
}

}  // namespace warplens
