#pragma once

#include <optional>

namespace warplens {

/// Compared with the scenario's defaults.
enum class Pace { slower, same, faster };

/// A person's guess about a setting before its numbers are shown. Empty members were not guessed.
struct Guess {
    std::optional<double>
        count;  ///< what the pictured request costs: sectors, wavefronts, passes; or a share [%]
    std::optional<Pace> pace;
    std::optional<double> speed;  ///< in the unit of the plot

    bool empty() const { return !count && !pace && !speed; }
    friend bool operator==(const Guess&, const Guess&) = default;
};

}  // namespace warplens
