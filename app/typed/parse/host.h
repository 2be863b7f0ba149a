#pragma once

#include "app/typed/parse/declarations.h"

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace warplens::typed {

/// The value that host code gives a kernel's parameter.
struct HostArgument {
    std::optional<std::int64_t> value;       ///< an integer
    std::int64_t bytes = 0;                  ///< of an array that was allocated; 0 if not known
    std::int64_t offset = 0;                 ///< how far into it the argument points [bytes]
    int array = -1;                          ///< which one: two parameters may be the same
    std::vector<HostArgument> members = {};  ///< of a record, as far as they are known
};

/// One "kernel<<<grid, block, shared>>>(arguments)" of the text, as far as its numbers are known.
struct HostLaunch {
    std::string kernel;
    std::vector<std::vector<Token>> template_arguments;
    std::optional<std::array<std::int64_t, 3>> grid, block;
    std::optional<std::int64_t> shared;
    std::vector<HostArgument> arguments;
    Position at;
    bool guessed = false;  ///< it follows from an if that the text does not decide, or stands in a loop
    std::shared_ptr<std::deque<std::string>> made =
        std::make_shared<std::deque<std::string>>();  ///< of tokens

    int known() const;  ///< how much of it is
};

/// Follows host code from main, or else from each function, through constants and simple assignments. Both
/// ways of an `if` whose condition is not known are followed in the order of the text, loops once. What
/// follows from files, arguments of the program or results of other libraries is not known.
/// @param values  numbers that names have whatever the text says
std::vector<HostLaunch> find_launches(const std::vector<Token>& tokens, const Declarations& declarations,
                                      const Values& values);

}  // namespace warplens::typed
