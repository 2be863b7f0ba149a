#pragma once

#include "app/experiment/state.h"
#include "app/learn/guess.h"
#include "app/panels/change_marks.h"
#include "app/panels/code_editor.h"
#include "app/panels/learn/claim_words.h"
#include "app/pictures/kit/canvas.h"
#include "app/pictures/kit/motion.h"
#include "app/window/finder.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace warplens {

// Panels remember here, from frame to frame, what nobody else has to know: pictures and lists as laid out,
// words that are being typed, the heights of the last frame.

/// Whether pictures look the same. One more member of Style does not compile here.
inline bool operator==(const Style& a, const Style& b) {
    const auto members = [](const Style& style) {
        const auto& [theme, measure, size, lane, embedded, compact, hidden, silent, far, wordless, slow,
                     whole] = style;
        return std::tuple(theme, measure, size.x, size.y, lane, embedded, compact, hidden, silent, far,
                          wordless, slow, whole);
    };
    return members(a) == members(b);
}

/// All that a picture depends on. It is made again if its key is another one.
struct PictureKey {
    std::shared_ptr<const void> answers;  ///< what it shows: Frame::answers
    State state;
    Style look;
    float scale = 1;  ///< pixels per point, by which its texts are measured
    bool projector = false;

    friend bool operator==(const PictureKey&, const PictureKey&) = default;
};

/// A picture, kept until its key changes. It glides to another setting of the same scenario, and to another
/// step of a board.
struct CachedPicture {
    PictureMotion motion;
    std::optional<PictureKey> key;  ///< empty if it was never drawn
};

/// The place of the code.
struct ShownCode {
    std::string brought_in;  ///< the kernel and the instruction whose line was last brought into view
    ShownEditor editor = {};
};

/// The middle of the window, or one side of a comparison.
struct PictureCache {
    std::vector<CachedPicture> instructions;
    CachedPicture plot;
    float plot_head = 0;   ///< from the top of the plot's panel to the plot; 0 if not known yet [pixels]
    float plot_needs = 0;  ///< height of a plot whose data can be read [points]
    std::optional<PictureKey> plot_needs_key;
    CachedPicture board;
    float board_head = 0;  ///< height of what stands above a board's picture [pixels]
    ClaimRows claims;
    ShownCode code;
};

/// The table of numbers.
struct NumbersMemory {
    ChangeMarks changes;
    float height = 400;  ///< that it takes if there is room [points]
};

/// The fields of courses, predictions and quizzes while they are filled in.
struct LearnInputs {
    std::array<char, 16> count{}, speed{}, answer{};
    std::optional<Pace> pace;
    std::string of;  ///< the setting or question that they belong to. For another one they are cleared.
    std::array<char, 12> seed{'2', '0', '2', '6'};
    int questions = 10;
    int space = -1;  ///< the Space of a quiz. -1 for all.
    std::array<char, 1024> csv_path{};
};

/// The start page, while it is open.
struct StartPage {
    std::vector<CachedPicture> thumbnails;  ///< of all scenarios; those that are not on screen may be missing
    std::optional<std::size_t> chosen;      ///< index of a scenario. Empty before the first frame.
    CachedPicture living;                   ///< the large picture
    Explanation verdict;                    ///< of it
    std::optional<int> padding;             ///< of it, as somebody set it. Empty while it plays by itself.
    double since = 0;                       ///< when the page was opened, by the clock of ImGui [s]
};
/// The page of recorded requests, while it is open.
struct RequestsPage {
    CachedPicture picture;
    std::optional<std::size_t> scrolled;  ///< the instruction to which the list was scrolled last
};
/// The page of counters, while it is open.
struct CountersPage {
    std::optional<std::size_t> scrolled;  ///< the launch to which the list was scrolled last
};

struct PanelMemory {
    PictureCache a, b;  ///< the sides of a comparison. Only b without one.
    CachedPicture grid_map;
    NumbersMemory numbers;
    LearnInputs learn;
    Finder finder;
    StartPage start_page;
    RequestsPage requests;
    CountersPage counters;
};

}  // namespace warplens
