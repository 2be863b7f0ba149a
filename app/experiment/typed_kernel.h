#pragma once

#include "app/base/in_steps.h"
#include "app/experiment/codec.h"
#include "app/typed/text_fixes.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace warplens {

/// Whether a name on the command line is a file with a kernel: it ends in ".cu" or ".cuh".
bool is_kernel_file(std::string_view name);

/// The scenario that a text is (app/typed/scenario.h).
/// Errors: typed::SourceError for the text; UsageError for a knob whose name means something else in links.
InSteps<const Scenario*> open_kernel_in_steps(std::string text, std::string name);
const Scenario& open_kernel(const std::string& text, const std::string& name);

/// The same of a text that is only tried: it lives for as long as somebody holds it.
InSteps<std::shared_ptr<const Scenario>> try_kernel(std::string text, std::string name);

/// The same of a file. Errors: UsageError with the file's name for each of these, and for one that cannot be
/// read or is too large; typed::SourceError as it is for a kernel that accesses nothing.
const Scenario& open_kernel_file(const std::string& path, std::string_view kernel = {});

/// A text in which the comment "// kernel NAME" says which of its kernels is shown.
std::string text_with_kernel(const std::string& text, std::string_view kernel);

/// "13 x 13 x 13 blocks of 8 x 8 x 4 threads", of any scenario.
std::string launch_words(const Scenario& scenario, const Params& params);

/// Whether its text is that of a kernel that comes with the program.
bool comes_with_program(const Scenario& scenario);

/// The params of a kernel whose text was changed: knobs of the same name keep their values, unless these are
/// what the text says.
Params params_after_typing(const Scenario& now, const Scenario& before, const Params& params);

/// The text that NVIDIA's compiler is given for a launch; its lines are those of the kernel's
/// text. Errors: UsageError for what is not compiled.
std::string text_to_compile(const Scenario& scenario, const Params& params);

/// Links and figures carry this of a typed kernel: its text, compressed, and its name; or which of the
/// kernels that come with the program it is.
std::vector<Item> kernel_items(const Scenario& scenario);

/// The scenario that such items are. They are taken out of the list. Nothing of the text is executed but by
/// the model.
/// Errors: UsageError for items that are damaged, too large or missing, and for what is wrong with the text.
const Scenario& take_kernel(std::vector<Item>& items);

}  // namespace warplens
