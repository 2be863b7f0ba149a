#pragma once

#include <string>

namespace warplens {

/// Compile and link "shaders/<name>.vert" and "shaders/<name>.frag".
/// @return  GL name of the program.
/// Errors: std::runtime_error with the driver's log.
unsigned load_program(const std::string& name);

}  // namespace warplens
