#pragma once

#include "app/experiment/link.h"
#include "app/window/session.h"

#include <optional>
#include <string>

namespace warplens {

// Where a person goes in a session: scenarios, links, presets, and back.

/// The instruction that a scenario's picture begins with; -1: all of them, small. Few instructions, or those
/// of a copy through another memory, stand side by side; of many, the one that costs the most.
int first_focus(const State& state, const DeviceFacts& device);

/// Another setting, or another look at it. A scenario comes with the knobs that it was left with.
void change(Session& session, State to);
void go_to(Session& session, const Scenario& scenario);
/// A link's place; where the link leads nowhere, its error is said and nothing changes.
void follow(Session& session, const std::string& link);
void go_to_place(Session& session, const Place& place);
/// A state that was left before; empty: stay.
void go_back_to(Session& session, const std::optional<State>& there);
/// A state as it is, with its scenario's memory space.
void set_state(Session& session, const State& state);
/// The knobs that are on screen, back to their defaults: the scenario's or the board's.
void reset_all(Session& session);

/// What is set becomes A, or nothing is compared any longer.
void toggle_compare(Session& session);
void swap_sides(Session& session);

// The player of a board that has steps, such as the tile phases; else that of the wavefronts.
void show_board_step(Session& session, int step);
void step_player(Session& session, int by);
/// Play from here, at the end from the start; or stop.
void play_board(Session& session, bool play);
/// The wavefront to show: in the picture in front, or in all small ones. In projector mode it goes round,
/// because a clicker has one key for it.
void step_wavefront(Session& session, int by);

// Projector mode and talks.
void toggle_projector(Session& session);
/// The same on the whole screen, as slide programs do. A clicker's start button says this again.
void present_in_full(Session& session);
void leave_projector(Session& session);
/// The next (1) or previous (-1) stop of a talk. On a board with a player its steps are the stops.
void present(Session& session, int direction);

}  // namespace warplens
