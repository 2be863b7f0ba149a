#pragma once

#include "app/cli/run.h"

#include <sstream>
#include <string>
#include <vector>

namespace warplens::test {

inline std::string printed(const std::vector<std::string>& arguments) {
    std::istringstream none;
    std::ostringstream out;
    run_command_line(arguments, none, out);
    return out.str();
}

}  // namespace warplens::test
