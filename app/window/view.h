#pragma once

#include "app/figures/figure_form.h"
#include "app/learn/guess.h"
#include "app/learn/tour.h"
#include "app/pictures/kit/palette.h"
#include "app/window/change_marks.h"
#include "kernels/scenario.h"

#include <array>
#include <string>

namespace warplens {

/// How many columns stand side by side. With fewer than three, some parts share one place and take turns.
enum class LayoutMode { three, two, one };

/// What of a window's arrangement is kept from run to run.
struct Arrangement {
    ThemeChoice look;
    int scope = 0;                  ///< scope of the numbers: 0 warp, 1 block, 2 grid, 3 hardware counters
    int tab = 0;                    ///< 0 why, 1 code, 2 lesson
    float left = 252, right = 348;  ///< widths of the side columns [points]
    float plot_share = 0.36f;       ///< share of the middle column's height for the plot, 0.2 to 0.7
    FigureForm figure;              ///< the dialog of exports, and how pictures are copied

    friend bool operator==(const Arrangement&, const Arrangement&) = default;
};

/// How the window is arranged and what it shows. It changes no numbers.
struct View : Arrangement {
    Space space = Space::global;   ///< the space whose scenarios the menu lists
    int focus = 0;                 ///< instruction in the large picture. -1 for all in small pictures.
    int hovered_lane = -1;         ///< highlighted in every picture. -1 for none.
    int hovered_instruction = -1;  ///< the instruction whose picture the mouse is in. -1 if it is in none.
    bool reading = false;          ///< the lesson takes the place of the plot, and the tabs do not show it
    bool reading_code = false;     ///< the code takes that place instead of the lesson
    std::string lesson;            ///< the lesson that was shown last
    float reading_share = 0.5f;    ///< share of the lesson or code in the place of the plot
    float numbers = 400;           ///< height of the table of numbers, if there is room [points]
    float numbers_beside_lesson = 230;   ///< the same above a lesson [points]
    Section section = Section::picture;  ///< what a window with one column shows
    Section side = Section::set;  ///< what the side column shows if there are two: set, numbers or words
    bool plot_alone = false;  ///< whether a low window with two columns shows the plot instead of the picture
    bool projector = false;   ///< large type and few panels, for a class
    int tour = -1;            ///< the open card of the tour, from 0. -1 if none is open.
    bool help = false;
    bool help_words = false;                          ///< the help page shows words instead of keys
    bool messages = false;                            ///< the list of messages is open
    bool help_shown = false, messages_shown = false;  ///< whether ImGui had them open in the last frame
    bool recordings = false;                          ///< set to open the menu of recordings
    bool copy_menu = false;                           ///< set to open the menu of what to copy
    bool learn_menu = false;                          ///< set to open the menu of courses
    bool theme_menu = false;                          ///< set to open the menu of themes
    ChangeMarks changes = {};                         ///< numbers that have just changed
    std::array<char, 1024> recording_path{};          ///< what is typed into the menu of recordings
    std::array<char, 1024> export_path{};             ///< the path of the next figure, as typed or proposed
    // The list of worked numbers.
    int claim_verdict = -1;               ///< lists only those with this verdict. -1 for all.
    std::array<char, 128> claim_words{};  ///< lists only those that contain these words
    std::string claim_open;               ///< the one that is unfolded. Empty if there is none.
    std::string claim;                    ///< the one whose link was followed. Empty if there is none.
    LearnInputs learn;                    ///< what is typed into courses, predictions and quizzes
};

}  // namespace warplens
