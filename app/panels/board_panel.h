#pragma once

#include "app/panels/picture_panel.h"

namespace warplens {

/// The names of the boards in a row above the middle; where they do not fit, a list to choose from.
/// @param width  room [pixels]
void show_board_strip(const PanelStyle& style, const Frame& frame, float width, Actions& actions);

/// The chosen board's picture among the items.
inline constexpr const char* kBoardPicture = "board.picture";

/// The chosen board.
void show_board(const PanelStyle& style, const Frame& frame, const View& view, PictureCache& cache,
                Actions& actions);

/// Whether it may not be seen yet: it says what is to be guessed, or what a quiz asks about the machine.
bool hides_board(const Frame& frame);

/// Its picture alone, over what is left of the panel.
/// @param below  room to leave under it [pixels]
void show_board_picture(const PanelStyle& style, const Frame& frame, const View& view, PictureCache& cache,
                        float below, Actions& actions);

/// A board's parts in the window besides its picture and the list of its knobs. Null for parts that it does
/// not have.
struct BoardPanel {
    std::string_view board;                                                          ///< its key
    void (*head)(const PanelStyle&, const Frame&, const View&, Actions&) = nullptr;  ///< above the picture
    void (*body)(const PanelStyle&, ClaimRows&, Actions&) = nullptr;      ///< in place of a picture
    bool (*controls)(const PanelStyle&, const Frame&, State&) = nullptr;  ///< in place of the list of knobs
    bool says_verdict = false;  ///< the head says what the verdict does
};
/// The BoardPanel of a board. All functions are null for boards that need none.
const BoardPanel& panel_of(const BoardInfo& board);
/// The part above the picture of the chosen board, if there is one.
void show_board_head(const PanelStyle& style, const Frame& frame, const View& view, Actions& actions);

// Parts of single boards, one file each.
/// The left column with the knobs of a board instead of the scenario's. @return  whether one was changed.
bool show_board_controls(const PanelStyle& style, const Frame& frame, State& state, Actions& actions);
/// One slider of them, with its name and value above it.
/// @param limit  the largest value at present
/// @param text   the value in words, instead of its number and unit. Empty for number and unit.
bool show_board_slider(const PanelStyle& style, const Frame& frame, const BoardKnob& knob,
                       BoardValues& values, int limit, const std::string& text = {});
/// The knobs of the board of occupancy.
bool show_occupancy_controls(const PanelStyle& style, const Frame& frame, State& state);
/// The players of boards that go step by step.
void show_phase_player(const PanelStyle& style, const Frame& frame, const View& view, Actions& actions);
void show_journey_player(const PanelStyle& style, const Frame& frame, const View& view, Actions& actions);
void show_program_player(const PanelStyle& style, const Frame& frame, const View& view, Actions& actions);
/// Which of the kernel's barriers are kept.
void show_barriers(const PanelStyle& style, const Frame& frame, const View& view, Actions& actions);
/// Questions about a piece of data, the answers given so far, and where it should live.
void show_questions(const PanelStyle& style, const Frame& frame, const View& view, Actions& actions);
/// The list of worked numbers.
void show_claims(const PanelStyle& style, ClaimRows& shown, Actions& actions);
/// One of them, where the window shows it.
void show_claim_card(const PanelStyle& style, std::string_view id);

}  // namespace warplens
