#pragma once

#include <string>

namespace warplens {

/// "Not here" as a value: one sentence for a person, saying why and what would help. Never an exception.
struct Unavailable {
    std::string reason;
};

}  // namespace warplens
