#pragma once

#include <map>
#include <string>
#include <string_view>

namespace warplens {

/// Which of the numbers on screen have just changed, so that they can be marked for a moment. Knows no clock:
/// the time is told [s].
class ChangeMarks {
public:
    static constexpr double kSeconds = 1.6;    ///< that a mark takes to fade
    static constexpr double kStep = 1.0 / 12;  ///< from one shade to the next

    /// What is compared with what: another place (scenario, board, scope) starts anew, without marks.
    void begin(const std::string& place);
    /// @return  1: it has changed just now; falling to 0. A number that was not there before has not changed.
    float strength(std::string_view name, const std::string& value, double now);
    /// How soon the next shade is due [s]; 0: no mark is left, and the window can sleep.
    double due(double now) const;

private:
    struct Seen {
        std::string value;
        double changed = -1e9;
    };
    std::string place_;
    std::map<std::string, Seen, std::less<>> seen_;
    double latest_ = -1e9;
};

}  // namespace warplens
