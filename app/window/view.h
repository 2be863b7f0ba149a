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

/// How many columns stand side by side; the parts that have no room take each other's place.
enum class LayoutMode { three, two, one };

/// How the window is arranged and what is looked at. Changes no number.
struct View {
    Space space = Space::global;  ///< whose scenarios the menu lists
    ThemeChoice look;
    int focus = 0;                  ///< instruction in the large picture; -1: all of them, small
    int hovered_lane = -1;          ///< highlighted in every picture
    int hovered_instruction = -1;   ///< in whose picture the mouse is; -1: in none
    int scope = 0;                  ///< of the numbers: 0 warp, 1 block, 2 grid, 3 hardware counters
    int tab = 0;                    ///< 0 why, 1 code, 2 lesson
    bool reading = false;           ///< the lesson has the place of the plot; the tabs then show the others
    bool reading_code = false;      ///< what has that place is not the lesson but the code
    std::string lesson;             ///< the one that was shown last
    float left = 252, right = 348;  ///< widths of the side columns [points]
    float plot_share = 0.36f;       ///< share of the middle column's height for the plot
    float reading_share = 0.5f;     ///< the same for the lesson in its place
    float numbers = 400;            ///< height that the table of numbers takes, where there is room [points]
    float numbers_beside_lesson = 230;   ///< the same above a lesson [points]
    Section section = Section::picture;  ///< what a window of one column shows
    Section side = Section::set;         ///< what the side column of two shows: set, numbers or words
    bool plot_alone = false;  ///< a low window of two columns shows the plot instead of the picture
    bool projector = false;   ///< large type and few panels, for a class
    int tour = -1;            ///< which card of the tour is open, from 0; -1: none
    bool help = false;
    bool help_words = false;                          ///< the page of words, not of keys
    bool messages = false;                            ///< the list of messages is open
    bool help_shown = false, messages_shown = false;  ///< ImGui had them open in the last frame
    bool recordings = false;                          ///< the menu of recordings is to be opened
    bool copy_menu = false;                           ///< the choice of what to copy is to be opened
    bool learn_menu = false;                          ///< the menu of courses is to be opened
    bool theme_menu = false;                          ///< the choice of themes is to be opened
    ChangeMarks changes = {};                         ///< numbers that have just changed
    std::array<char, 1024> recording_path{};          ///< what is typed into the menu of recordings
    FigureForm figure;                                ///< the dialog of exports, and how pictures are copied
    std::array<char, 1024> export_path{};             ///< where the next figure goes, as typed or proposed
    // The list of worked numbers.
    int claim_verdict = -1;               ///< only those with this verdict; -1: all
    std::array<char, 128> claim_words{};  ///< only those that mention them
    std::string claim_open;               ///< the one that is opened; empty: none
    std::string claim;                    ///< the one whose place the window shows; empty: none
    LearnInputs learn;                    ///< what is typed into courses, predictions and quizzes
};

}  // namespace warplens
