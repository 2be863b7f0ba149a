#pragma once

#include "app/model/catalogue.h"
#include "app/typed/program.h"

#include <memory>
#include <string>

namespace warplens::typed {

/// A kernel that a person typed as a scenario. It lives as long as the program, because states of the window,
/// undo steps and comparisons refer to it; the same text and name give the same scenario.
/// @param name  of its file, without a folder; empty for none
/// Errors: SourceError for the first thing that is wrong with the text, at the initial values of its knobs.
InSteps<const Scenario*> typed_scenario(std::string text, std::string name);

/// The same of a text that is only tried: it lives for as long as somebody holds it.
InSteps<std::shared_ptr<const Scenario>> trial_scenario(std::string text, std::string name);

/// A text in which the comment "// kernel NAME" says which of its kernels is shown.
std::string with_kernel(std::string text, std::string_view kernel);

/// The launch that a setting of such a scenario is. Errors: SourceError for what is wrong with it.
std::shared_ptr<const TypedLaunch> typed_launch(const Scenario& scenario, const Params& params);

/// The id of all of these, as in links: "kernel".
inline constexpr std::string_view kTypedId = "kernel";
}  // namespace warplens::typed
