#pragma once

#include "app/model/catalogue.h"

#include <string>

namespace warplens::typed {

/// A kernel that a person typed as a scenario. It lives as long as the program, because states of the window,
/// undo steps and comparisons refer to it; the same text and name give the same scenario.
/// @param name  of its file, without a folder; empty for none
/// Errors: SourceError for the first thing that is wrong with the text, at the initial values of its knobs.
const Scenario& typed_scenario(const std::string& text, const std::string& name);

/// The id of all of these, as in links: "kernel".
inline constexpr std::string_view kTypedId = "kernel";
}  // namespace warplens::typed
