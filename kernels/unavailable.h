#pragma once

#include <string>

namespace warplens {

/// Why something is not available here, as a value: one sentence for a person, with the reason and what would
/// help. It is never thrown.
struct Unavailable {
    std::string reason;
};

}  // namespace warplens
