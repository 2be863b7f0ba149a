#pragma once

#include "app/boards/hazards/hazards_picture.h"
#include "app/pictures/access/access_picture.h"

#include <optional>
#include <string>
#include <vector>

namespace warplens {

/// A picture of hazards while it is drawn.
struct HazardsCanvas {
    Canvas& canvas;
    const HazardsView& view;
};

inline constexpr float kMostWordHeight = 44;  ///< of a cell [points]

/// The places of the words: regions one below the other.
struct WordsLayout {
    struct Place {
        SharedRegion region;
        float y = 0;  ///< of its first row
    };
    Vec2 cell;                ///< of a word [points]
    float label_x = 0;        ///< of the regions' names
    float head = 0;           ///< height of the line of banks below the last row; 0 without
    bool long_names = false;  ///< "word 32" before a row, not "32"
    float x = 0;              ///< of the first column
    std::vector<Place> places;
};
WordsLayout lay_out_words(const Canvas& canvas, const HazardsView& view, Rect place);
/// The colours of a word.
Box word_look(const HazardsCanvas& d, const WordState& state);
/// All regions one below the other. @return  the cell of the word that the wires lead to
std::optional<Rect> draw_words(const HazardsCanvas& d, const WordsLayout& layout);

/// A text that stands above a lane's warp.
struct LaneText {
    std::string text;
    FontRole font;
};
/// Its name and its line of code, over several lines where they are long.
std::vector<LaneText> lane_texts(const HazardsCanvas& d, int thread, int line, float width,
                                 std::string_view verb);

Color kind_color(const Theme& theme, HazardKind kind);

}  // namespace warplens
