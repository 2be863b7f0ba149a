#pragma once

#include "app/boards/hazards/hazards_picture.h"
#include "app/pictures/access/access_picture.h"

#include <optional>
#include <vector>

namespace warplens {

/// A picture of hazards while it is drawn.
struct HazardsCanvas {
    Canvas& canvas;
    const HazardsView& view;
};

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

Color kind_color(const Theme& theme, HazardKind kind);

}  // namespace warplens
