#pragma once

#include "app/experiment/codec.h"

#include <string>
#include <string_view>
#include <vector>

namespace warplens {

// A place in the program, as lessons, tables, saved states and the command line name it:
//
//     transpose?variant=padded&matrix=512
//     global-stride?stride=8&op=load&device=RTX%204090&board=traffic
//     ?board=occupancy&occupancy.threads=256&occupancy.registers=33
//
// Before the question mark is the scenario; if there is none, it is the present one as it is set. After it
// are knobs of the scenario (all others get their defaults), knobs of boards (the others are unchanged), and
// the fields of codec.h. `compare` names a setting that is compared with this one: its differences, separated
// by commas ("padding=0,device=A100"), or a whole encoded link. "none" ends a comparison.

/// The place that a link leads to.
/// @param now  the present state. What the link does not say stays as it is there, except the board: a link
///             without a board leads to the pictures of the accesses.
/// Errors: UsageError with one sentence for anything that does not exist or is out of range.
Place follow_link(std::string_view link, const State& now, const std::vector<DeviceFacts>& devices);

/// The link to a state: its scenario and its device, and everything else that differs from the scenario's
/// initial state. From an initial state it leads to this one.
std::string link_to(const State& state, const std::vector<DeviceFacts>& devices);

/// The same with what the place says beside its state.
std::string link_to(const Place& place, const std::vector<DeviceFacts>& devices);

/// The address that opens a page of Warplens (app/web/) at a link:
/// "https://a.org/warplens.html?transpose&tile=16".
/// @param page  its address without a question mark. If empty, the result is the link itself.
std::string web_link(const std::string& page, const std::string& link);
/// Errors: UsageError unless it is the address of such a page, without a setting.
void check_web_address(const std::string& page);

/// The link to a scenario alone: its id; of a kernel that a person typed also its text.
std::string scenario_link(const Scenario& scenario);

/// A link cut into its parts, the values decoded. Takes any text.
struct LinkParts {
    std::string scenario;  ///< its id; empty if the link does not say one
    std::vector<Item> items;
};
LinkParts parts_of_link(std::string_view link);

/// The scenario that a link names. A kernel that a person typed is in the items, which are taken out.
/// Errors: UsageError as require_scenario and take_kernel (typed_kernel.h).
const Scenario& take_scenario(LinkParts& link);

/// Whether the text of a comparison is a link. Otherwise it is a list of items separated by commas.
bool is_link(std::string_view text);

/// The setting that `--compare`, or `compare=` in a link, names, shown in the same way as the state that it
/// is compared with. For another scenario the text may name the axes.
/// @param text  differences from that state, separated by commas: "padding=0,device=A100"; or a link.
/// Errors: UsageError as follow_link.
State compared_state(std::string_view text, const State& beside, const std::vector<DeviceFacts>& devices);

/// The shortest text from which compared_state makes `other`.
/// @param other  shown like `beside`: state_of made one of the two from the other.
std::string compared_text(const State& other, const State& beside, const std::vector<DeviceFacts>& devices);

/// Whether a link leads out of the program: "https://…".
bool leads_out(std::string_view link);

/// The effect of a link, for a tooltip: "Sets Matrix transpose: Variant padded, Tile 16." Unknown names
/// are unchanged; following such a link reports the error. For links that lead out of the program: "Copies
/// the address: https://…".
/// @param sets  stands before settings; where only settings are listed, it says nothing
std::string describe_link(std::string_view link, std::string_view sets = "Sets ");

/// The value of `compare` in a link (compared_state, link.h) in words: "Padding 0, device A100". Takes any
/// text.
/// @param scenario  scenario of the link. Null if it is unknown.
std::string describe_compared(std::string_view text, const Scenario* scenario);

}  // namespace warplens
