#pragma once

#include "app/learn/markdown.h"
#include "app/panels/panel_style.h"
#include "app/window/action.h"
#include "app/window/frame.h"

#include <functional>
#include <span>
#include <string_view>
#include <vector>

namespace warplens {

/// A piece of a run on one line of a laid out block.
struct Fragment {
    const Run* run = nullptr;
    std::string_view text;  ///< part of the run's text
    int line = 0;           ///< from 0
    float x = 0, width = 0;
};

/// Width of a text in the font of a run.
using MeasureRun = std::function<float(const Run&, std::string_view)>;

/// Breaks a block into lines at its spaces, or inside a word that is wider than a whole line.
/// @param width  room for a line, in the unit of `measure`; at least one letter is put on each line.
/// @return       fragments in reading order; valid as long as the block is.
std::vector<Fragment> lay_out(const Block& block, float width, const MeasureRun& measure);

/// Draws a text in the current window, from the cursor on. It is as wide as there is room, but never too wide
/// to read well.
///
/// Links look like links; a click on one follows it, or copies the address if it leads out of the
/// program. Words that the glossary explains are underlined with dots and have a tooltip.
/// @param width  width to use [pixels]. 0 for all that is left in the line.
void show_markdown(const PanelStyle& style, std::span<const Block> blocks, Actions& actions, float width = 0);

/// One sentence or more in a colour, as wide as there is room, with the words that the glossary explains.
void show_sentence(const PanelStyle& style, std::string_view text, Color color, bool strong,
                   Actions& actions);

}  // namespace warplens
