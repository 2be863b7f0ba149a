#pragma once

#include "app/panels/memory.h"
#include "app/panels/panel_style.h"
#include "app/window/action.h"
#include "app/window/frame.h"

#include <functional>

namespace warplens {

/// The key of what the frame shows, with the theme and the fonts of the style in its look.
PictureKey picture_key(const PanelStyle& style, const Frame& frame, const View& view, Style look);

/// The picture as it is now: drawn again if the key is another one, and on its way if that is meant to be
/// seen. @param draw  makes it from the look of the key
const Picture& shown_picture(CachedPicture& cached, const PictureKey& key, const Frame& frame,
                             const View& view, Actions& actions,
                             const std::function<Picture(const Style&)>& draw);

/// The middle of the window: one instruction in a large picture or all of them in small ones, below a head
/// with the player of wavefronts.
void show_pictures(const PanelStyle& style, const Frame& frame, const View& view, PictureCache& cache,
                   Actions& actions);

/// Only its head: which instruction, which wavefront.
void show_picture_head(const PanelStyle& style, const Frame& frame, const View& view, Actions& actions);
/// Only its pictures. If the chosen instruction does not exist, all are shown.
void show_instructions(const PanelStyle& style, const Frame& frame, const View& view, PictureCache& cache,
                       Actions& actions);

/// The menu of the right mouse button on the last item, a picture: to copy, to export, to compare, a remedy.
void show_picture_menu(const PanelStyle& style, const Frame& frame, const View& view, Actions& actions);

/// One instruction's picture.
/// @param k        the instruction
/// @param room     [points]
/// @param compact  as one of several small pictures, which a click enlarges
void show_instruction(const PanelStyle& style, const Frame& frame, const View& view, PictureCache& cache,
                      int k, Vec2 room, bool compact, Actions& actions);
/// All instructions: small pictures of as many as can be read, and a list of the others with their counts.
/// For a class the list is in the head, and a side of a comparison is rather small than without one.
/// @param least  height below which the panel of these two scrolls [points]
void show_all_instructions(const PanelStyle& style, const Frame& frame, const View& view, PictureCache& cache,
                           float least, Actions& actions);
/// The least size in which a small picture can be read in the window: rows of banks need some height
/// [points].
inline constexpr Vec2 kReadablePicture{245, 105};
/// So many pictures of instructions can be read from the back row; a list has the others.
int most_for_class(const Frame& frame);
/// The least height of a small picture on a side of a comparison, and of one for a class [points].
inline constexpr float kLeastSmall = 110, kLeastOfSide = 88;
/// "2 load tile, by columns": how an instruction is named in lists.
std::string instruction_name(const Instruction& instruction, int k);

/// Bandwidth against a knob, against two knobs, or cycles against wavefronts.
void show_plot(const PanelStyle& style, const Frame& frame, const View& view, PictureCache& cache,
               Actions& actions);

/// The plot as a strip below the picture, which a click on its button or a drag of the bar above it opens.
void show_plot_strip(const PanelStyle& style, const Frame& frame, const View& view, PictureCache& cache,
                     Actions& actions);
inline constexpr float kPlotStrip = 112;  ///< the height of its panel [points]

/// The height that the plot's panel needs for data of 160 points [pixels].
/// @param width  of the panel [pixels]
float readable_plot_height(const PanelStyle& style, const Frame& frame, PictureCache& cache, float width);

/// The lane that pictures highlight, -1 for none: the one under the mouse. In projector mode only while the
/// button is held, because a pointer that rests there would dim the picture for the class.
int lit_lane(const View& view);

/// The verdict below the picture of one side, and its height with the gap above it [pixels].
void show_verdict(const PanelStyle& style, const Explanation& explanation, Tone tone);
/// Good accesses of a kernel that waits for something else are no praise.
inline Tone tone_of_access(const Frame& frame, const Explanation& words) {
    return !words.good ? Tone::bad : frame.board_words->tone == Tone::good ? Tone::good : Tone::plain;
}
float verdict_height(const PanelStyle& style, const Explanation& explanation);

/// Paint a picture here and read the mouse over it. @return  what is under the mouse, or null.
const Hit* paint(const PanelStyle& style, const Frame& frame, const Picture& picture, const char* id);

/// The picture as the window shows it: in projector mode with thicker lines, and without tooltips, because a
/// pointer that rests there would cover the picture for the class.
Picture for_view(const View& view, Picture picture);

/// Every picture can be drawn in this room [points], however small the window is. What has no place is cut
/// off.
inline constexpr Vec2 kLeastRoom{160, 100};

/// The room that is left in the panel [points], or the height that a picture needs if that is more; the panel
/// then scrolls. Not less than kLeastRoom.
/// @param least  that height [points]
Vec2 room_here(const PanelStyle& style, float least);

}  // namespace warplens
