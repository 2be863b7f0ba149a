#pragma once

#include "app/figures/figure_form.h"
#include "app/learn/tour.h"
#include "app/pictures/kit/palette.h"
#include "kernels/scenario.h"

#include <cstddef>
#include <string>

namespace warplens {

/// How many columns stand side by side. With fewer than three, some parts share one place and take turns.
enum class LayoutMode { three, two, one };

/// The pages of the help.
enum class HelpPage { keys, words, manual };

/// The part of a window's arrangement that is kept from run to run.
struct Arrangement {
    ThemeChoice look;
    int scope = 0;                  ///< scope of the numbers: 0 warp, 1 block, 2 grid, 3 hardware counters
    int tab = 0;                    ///< 0 why, 1 code, 2 lesson
    float left = 252, right = 316;  ///< widths of the side columns [points]
    float plot_share = 0.45f;       ///< share of the middle column's height for the open plot, 0.2 to 0.7
    bool plot_open = false;         ///< the plot has that share; else it is a strip below the picture
    bool more_knobs = false;        ///< all parameters are shown, and not only the main ones
    bool all_numbers = false;       ///< likewise the numbers
    bool motion = true;  ///< pictures glide from setting to setting, and bytes travel while they play
    FigureForm figure;   ///< the dialog of exports, and how pictures are copied

    friend bool operator==(const Arrangement&, const Arrangement&) = default;
};

/// How the window is arranged and what it shows. It changes no numbers.
struct View : Arrangement {
    int focus = 0;                 ///< instruction in the large picture. -1 for all in small pictures.
    int hovered_lane = -1;         ///< highlighted in every picture. -1 for none.
    int hovered_instruction = -1;  ///< the instruction whose picture the mouse is in. -1 if it is in none.
    bool reading = false;          ///< the lesson takes the place of the plot, and the tabs do not show it
    bool reading_code = false;     ///< the code takes that place instead of the lesson
    static constexpr float kReadingShare = 0.5f;
    float reading_share = kReadingShare;  ///< share of the lesson or code in the place of the plot
    Section section = Section::picture;   ///< what a window with one column shows
    Section side = Section::set;  ///< what the side column shows if there are two: set, numbers or words
    bool plot_alone = false;  ///< whether a low window with two columns shows the plot instead of the picture
    bool projector = false;   ///< large type and few panels, for a class
    float projector_zoom = 1;  ///< on top of the size that fits the window, 0.6 to 1.6
    bool black = false;        ///< nothing is shown, so that a class looks at the teacher
    bool tour_due = false;     ///< the tour begins when the start page is left
    int tour = -1;             ///< the open card of the tour, from 0. -1 if none is open.
    bool help = false;
    HelpPage help_page = HelpPage::keys;
    std::string help_at;               ///< the word or place that was looked up. Empty if none was.
    bool start_page = false;           ///< all scenarios as pictures, instead of the panels
    bool requests = false;             ///< the page of files of other programs: recorded requests, counters
    bool counters = false;             ///< that page shows the counters rather than the requests
    bool finder = false;               ///< the list in which anything can be found is open
    bool editing = false;              ///< the text of a kernel stands where the code does, and can be typed
    bool fixes = false;                ///< the list of what would fix the setting is open
    const Knob* focus_knob = nullptr;  ///< gets the keyboard in the next frame. Null for none.
    bool reset_knob = false;           ///< the next frame resets the knob with the focus
    bool messages = false;             ///< the list of messages is open
    bool recordings = false;           ///< set to open the menu of recordings
    bool picture_menu = false;         ///< set to open the menu of the picture
    bool copy_menu = false;            ///< set to open the menu of what to copy
    bool learn_menu = false;           ///< set to open the menu of courses
    bool theme_menu = false;           ///< set to open the menu of themes
    std::string recording_path;        ///< what is typed into the menu of recordings
    std::string export_path;           ///< the path of the next figure, as typed or proposed
    std::string claim;                 ///< the worked number whose link was followed. Empty if there is none.
    bool demo_menu = false;            ///< set to open the menu of demos
    bool notes_window = false;         ///< the notes of a demo are in a window of their own
    std::size_t demo_stop = 0;         ///< the stop that is chosen there
    std::string demo_path;             ///< the file of the demo, as typed
    bool close_asked = false;          ///< the window may be closed although the demo would be lost with it
    std::string request_asked;         ///< the figure of a recorded request that may be replaced
    std::string demo_asked;            ///< the file that may be replaced if asked for again
    /// Hovered while the mouse is over no other. -1 for none.
    int kept_lane = -1, kept_instruction = -1;

    /// Whether the kernel's code is shown, in the tabs or below the picture.
    bool shows_code() const { return tab == 1 || (reading && reading_code); }
};

}  // namespace warplens
