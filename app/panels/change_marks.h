#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <string_view>

namespace warplens {

/// Which of the numbers on screen have just changed, so that they can be marked for a moment. It reads no
/// clock: callers pass the time [s].
class ChangeMarks {
public:
    static constexpr double kSeconds = 1.6;    ///< how long a mark takes to fade
    static constexpr double kStep = 1.0 / 12;  ///< from one shade to the next

    /// Name what is shown: scenario, board and scope. If that has changed, all marks are removed, because the
    /// numbers then mean something else.
    void begin(const std::string& place) {
        if (place == place_) return;
        *this = {};
        place_ = place;
    }
    /// @return  1 if the number has just changed, later less, down to 0. 0 for a number that was not there
    /// before.
    float strength(std::string_view name, const std::string& value, double now) {
        const auto [found, is_new] = seen_.try_emplace(std::string(name), Seen{value});
        Seen& seen = found->second;
        if (seen.value != value) {
            seen.value = value;
            seen.changed = latest_ = now;
        }
        return is_new ? 0 : float(std::clamp(1 - (now - seen.changed) / kSeconds, 0.0, 1.0));
    }
    /// The time until marks must be drawn again [s]. 0 if no mark is left, so that the window can sleep.
    double due(double now) const { return now - latest_ < kSeconds ? kStep : 0; }

private:
    struct Seen {
        std::string value;
        double changed = -1e9;
    };
    std::string place_;
    std::map<std::string, Seen> seen_;
    double latest_ = -1e9;
};

}  // namespace warplens
