#pragma once

#include "app/code/compiled_code.h"
#include "app/panels/code_editor.h"
#include "app/panels/learn/claim_words.h"
#include "app/panels/panel_style.h"
#include "app/pictures/kit/motion.h"
#include "app/window/action.h"
#include "app/window/frame.h"

#include <functional>
#include <vector>

namespace warplens {

/// A picture, and the key of what it depends on, so that it is laid out again only if something has changed.
struct CachedPicture {
    PictureMotion motion;
    std::uint64_t key = 0;
    /// What it shows. It glides to another setting of the same scenario, and to another step of a board.
    const Scenario* scenario = nullptr;
    Params params;
    BoardValues boards;
};

/// The picture as it is now: drawn again if the key is another one, and on its way if that is meant to be
/// seen.
const Picture& shown_picture(CachedPicture& cached, std::uint64_t key, const Frame& frame, const View& view,
                             Actions& actions, const std::function<Picture()>& draw);

/// The code of a setting, kept until another one is set.
struct ShownCode {
    const Scenario* scenario = nullptr;
    Params params;
    CodePage page;
    std::string kernel;      ///< its kernel_text
    bool settled = false;    ///< whether nothing more will be known of its machine code
    std::string brought_in;  ///< the kernel and the instruction whose line was last brought into view
    BackgroundCompiler compiler = {};
    ShownEditor editor = {};
};

/// What the window has drawn or laid out, kept from frame to frame.
struct PictureCache {
    std::vector<CachedPicture> instructions;
    std::vector<int> least_words;  ///< Style::least_words of each while it is compared; else none
    CachedPicture plot;
    float plot_head = 0;   ///< from the top of the plot's panel to the plot; 0 if not known yet [pixels]
    float plot_needs = 0;  ///< height of a plot whose data can be read [points]
    std::uint64_t plot_needs_key = 0;  ///< of what that depends on
    CachedPicture board;
    bool board_says_verdict = false;  ///< found out when `board` was laid out
    ClaimRows claims;
    ShownCode code;
};

/// The middle of the window: one instruction in a large picture or all of them in small ones, below a head
/// with the player of wavefronts.
void show_pictures(const PanelStyle& style, const Frame& frame, const View& view, PictureCache& cache,
                   Actions& actions);

/// Only its head: which instruction, which wavefront.
void show_picture_head(const PanelStyle& style, const Frame& frame, const View& view, Actions& actions);
/// Only its pictures. If the chosen instruction does not exist, all are shown.
void show_instructions(const PanelStyle& style, const Frame& frame, const View& view, PictureCache& cache,
                       Actions& actions);

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
inline constexpr int kMostForClass = 4;
/// The least height of a small picture on a side of a comparison, and of one for a class [points].
inline constexpr float kLeastSmall = 110, kLeastOfSide = 88;
/// "2 load tile, by columns": how an instruction is named in lists.
std::string instruction_name(const Instruction& instruction, int k);

/// Bandwidth against a knob, against two knobs, or cycles against wavefronts.
void show_plot(const PanelStyle& style, const Frame& frame, const View& view, PictureCache& cache,
               Actions& actions);

/// The height that the plot's panel needs for data of 160 points [pixels].
/// @param width  of the panel [pixels]
float readable_plot_height(const PanelStyle& style, const Frame& frame, PictureCache& cache, float width);

/// Whether a good request is not shown in green, see Style::slow_kernel: the kernel is slow, and this request
/// is all that is shown of it, or no other one is at fault.
bool is_slow_kernel(const Frame& frame, const View& view);

/// The lane that pictures highlight, -1 for none: the one under the mouse. In projector mode only while the
/// button is held, because a pointer that rests there would dim the picture for the class.
int lit_lane(const View& view);

/// The verdict below a picture that does not say it itself, and its height with the gap above it [pixels].
void show_verdict(const PanelStyle& style, const Explanation& explanation);
float verdict_height(const PanelStyle& style, const Explanation& explanation);

/// A key of everything that a picture depends on. If it changes, the picture is made again.
std::uint64_t picture_key(const PanelStyle& style, const Frame& frame, const View& view, Vec2 size,
                          bool compact);

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
