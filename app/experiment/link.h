#pragma once

#include "app/experiment/codec.h"

#include <string>
#include <string_view>
#include <vector>

namespace warplens {

// A place in the program, as lessons, tables, kept windows and the command line name it:
//
//     transpose?variant=padded&matrix=512
//     global-stride?stride=8&op=load&device=RTX%204090&board=traffic
//     ?board=occupancy&occupancy.threads=256&occupancy.registers=33
//
// Before the question mark stands the scenario; if there is none, it is the present one as it is set. Behind
// it stand knobs of the scenario (all others are at their defaults), knobs of boards (those that are not
// named stay), and the fields of codec.h. `compare` names another setting to stand beside this one: what it
// sets otherwise, with commas ("padding=0,device=A100"), or a whole link, encoded; "none" ends a comparison.

/// Where a link leads to.
/// @param now  the present state: what the link does not say stays, except that the board is then the
///             pictures of the accesses.
/// Errors: UsageError with one sentence for anything that does not exist or is out of range.
Place follow_link(std::string_view link, const State& now, const std::vector<DeviceFacts>& devices);

/// The link to a state: its scenario and everything that is not as usual. Followed from a state as it is at
/// first, it leads to this one.
std::string link_to(const State& state, const std::vector<DeviceFacts>& devices);

/// A link cut into its parts, the values decoded. Takes any text.
struct LinkParts {
    std::string scenario;  ///< its id; empty if the link does not say one
    std::vector<Item> items;
};
LinkParts parts_of_link(std::string_view link);

/// Whether the text of a comparison is a link; else it is a list of items with commas.
bool is_link(std::string_view text);

/// The setting that stands beside a state, as `--compare` and `compare=` in links name it, looked at as that
/// state is; of another scenario along the axes that the text says.
/// @param text  items on top of the state's own, with commas: "padding=0,device=A100"; or a link.
/// Errors: UsageError as follow_link.
State compared_state(std::string_view text, const State& beside, const std::vector<DeviceFacts>& devices);

/// The text that compared_state reads, as short as can be.
/// @param other  looked at as `beside` is: state_of made one of the two from the other.
std::string compared_text(const State& other, const State& beside, const std::vector<DeviceFacts>& devices);

}  // namespace warplens
