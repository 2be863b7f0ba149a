#pragma once

#include "app/figures/figure_form.h"
#include "app/learn/guess.h"
#include "app/learn/tour.h"
#include "app/pictures/kit/palette.h"
#include "kernels/scenario.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <string_view>

namespace warplens {

/// Which of the numbers on screen have just changed, so that they can be marked for a moment. It reads no
/// clock: callers pass the time [s].
class ChangeMarks {
public:
    static constexpr double kSeconds = 1.6;    ///< how long a mark takes to fade
    static constexpr double kStep = 1.0 / 12;  ///< from one shade to the next

    /// Name what is shown: scenario, board and scope. If that has changed, all marks are removed, because the
    /// numbers then mean something else.
    void begin(const std::string& place) {
        if (place == place_) return;
        *this = {};
        place_ = place;
    }
    /// @return  1 if the number has just changed, later less, down to 0. 0 for a number that was not there
    /// before.
    float strength(std::string_view name, const std::string& value, double now) {
        const auto [found, is_new] = seen_.try_emplace(std::string(name), Seen{value});
        Seen& seen = found->second;
        if (seen.value != value) {
            seen.value = value;
            seen.changed = latest_ = now;
        }
        return is_new ? 0 : float(std::clamp(1 - (now - seen.changed) / kSeconds, 0.0, 1.0));
    }
    /// The time until marks must be drawn again [s]. 0 if no mark is left, so that the window can sleep.
    double due(double now) const { return now - latest_ < kSeconds ? kStep : 0; }

private:
    struct Seen {
        std::string value;
        double changed = -1e9;
    };
    std::string place_;
    std::map<std::string, Seen> seen_;
    double latest_ = -1e9;
};

/// How many columns stand side by side. With fewer than three, some parts share one place and take turns.
enum class LayoutMode { three, two, one };

/// What of a window's arrangement is kept from run to run.
struct Arrangement {
    ThemeChoice look;
    int scope = 0;                  ///< scope of the numbers: 0 warp, 1 block, 2 grid, 3 hardware counters
    int tab = 0;                    ///< 0 why, 1 code, 2 lesson
    float left = 252, right = 348;  ///< widths of the side columns [points]
    float plot_share = 0.52f;       ///< share of the middle column's height for the plot, 0.2 to 0.7
    bool motion = true;  ///< pictures glide from setting to setting, and bytes travel while they play
    FigureForm figure;   ///< the dialog of exports, and how pictures are copied

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
    bool verdict_in_picture =
        false;                 ///< a board's picture said its verdict in the last frame, or its head did
    float board_head = 0;      ///< height of what stands above a board's picture, in the last frame [pixels]
    float projector_zoom = 1;  ///< on top of the size that fits the window, 0.6 to 1.6
    bool black = false;        ///< nothing is shown, so that a class looks at the teacher
    bool tour_due = false;     ///< the tour begins when the start page is left
    int tour = -1;             ///< the open card of the tour, from 0. -1 if none is open.
    bool help = false;
    bool help_words = false;           ///< the help page shows words instead of keys
    std::string help_term;             ///< the word that was looked up. Empty if none was.
    bool help_scroll = false;          ///< the help page is still to be scrolled to it
    bool start_page = false;           ///< all scenarios as pictures, instead of the panels
    bool requests = false;             ///< the page of files of other programs: recorded requests, counters
    bool counters = false;             ///< that page shows the counters rather than the requests
    bool finder = false;               ///< the list in which anything can be found is open
    bool editing = false;              ///< the text of a kernel stands where the code does, and can be typed
    bool fixes = false;                ///< the list of what would fix the setting is open
    const Knob* focus_knob = nullptr;  ///< gets the keyboard in the next frame. Null for none.
    bool messages = false;             ///< the list of messages is open
    bool help_shown = false, messages_shown = false, fixes_shown = false;  ///< open in the last frame
    bool recordings = false;                  ///< set to open the menu of recordings
    bool copy_menu = false;                   ///< set to open the menu of what to copy
    bool learn_menu = false;                  ///< set to open the menu of courses
    bool theme_menu = false;                  ///< set to open the menu of themes
    ChangeMarks changes = {};                 ///< numbers that have just changed
    std::array<char, 1024> recording_path{};  ///< what is typed into the menu of recordings
    std::array<char, 1024> export_path{};     ///< the path of the next figure, as typed or proposed
    // The list of worked numbers.
    int claim_verdict = -1;               ///< lists only those with this verdict. -1 for all.
    std::array<char, 128> claim_words{};  ///< lists only those that contain these words
    std::string claim_open;               ///< the one that is unfolded. Empty if there is none.
    std::string claim;                    ///< the one whose link was followed. Empty if there is none.
    bool demo_menu = false;               ///< set to open the menu of demos
    bool notes_window = false;            ///< the notes of a demo are in a window of their own
    std::size_t demo_stop = 0;            ///< the stop that is chosen there
    std::array<char, 1024> demo_path{};   ///< the file of the demo, as typed
    bool close_asked = false;   ///< the window may be closed although the demo would be lost with it
    std::string request_asked;  ///< the figure of a recorded request that may be replaced
    std::string demo_asked;     ///< the file that may be replaced if asked for again
    LearnInputs learn;          ///< what is typed into courses, predictions and quizzes
};

}  // namespace warplens
