#pragma once

#include "app/experiment/evidence.h"
#include "app/experiment/recordings.h"
#include "app/learn/guess.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warplens {

/// The questions that are asked before the numbers are shown.
struct Asks {
    bool count = false, pace = false, speed = false;
    bool any() const { return count || pace || speed; }
    friend bool operator==(const Asks&, const Asks&) = default;
};

/// The right answers to guesses about a setting: quantities of its evidence, never others.
struct Truth {
    Quantity count;  ///< "sectors", "wavefronts", "requests" of the pictured request. Without a name if there
                     ///< is nothing to count.
    double ideal = 0;   ///< the least that the count could be
    std::string label;  ///< of the instruction: "load in, by rows"
    bool load = true;

    /// whether the setting is that of the defaults, so that there is nothing to compare
    bool at_defaults = false;
    /// How many times faster than the defaults the model predicts the setting to be; below 1 if it is slower,
    /// 0 if not known.
    double against = 0;
    std::optional<double> seen_against;  ///< the same on the GPU, if both were measured
    SpeedUnit speed_unit = SpeedUnit::gb_per_s;
    Quantity speed;                ///< by the model. Without an amount if it is not known.
    std::optional<Quantity> seen;  ///< the same on a GPU: measured here, or recorded

    /// Those of the requested questions that have an answer for this setting.
    Asks askable(const Asks& wanted) const;
};

/// @param instruction    the instruction whose request is counted. -1 for none.
/// @param seen_defaults  speed of the scenario's defaults on the GPU of evidence.observed
Truth truth_of(const State& state, const std::vector<DeviceFacts>& devices, const Evidence& evidence,
               int instruction, const std::optional<double>& seen_defaults = {});

/// Speeds within a tenth of each other count as the same.
Pace pace_of(double times_faster);
std::string_view pace_name(Pace pace);  ///< One of "faster", "the same", "slower".

/// How good a guess is. Counts are right or not, and near within a factor of 2. Speeds are right within a
/// factor of 2, and near within 4.
enum class Judged { right, near, off };
Judged judge_count(double guess, double truth);
Judged judge_speed(double guess, double truth);
std::string_view judged_name(Judged judged);  ///< One of "right", "near", "off".

/// A guess beside what it is compared with.
struct CheckedGuess {
    std::string guess;                  ///< Empty if nothing was guessed.
    Quantity model;                     ///< "sectors"
    Quantity seen;                      ///< on a GPU. Without text if it is not known.
    std::optional<Judged> judged = {};  ///< Empty if nothing was guessed.
};

/// Everything that was asked, guessed or not. Speeds are judged by the GPU where it was asked, else by the
/// model.
std::vector<CheckedGuess> compare(const Guess& guess, const Asks& asked, const Truth& truth);

/// Reads numbers as people type them, such as "12.5", "1 024" or "2,5"; spaces, not commas, may separate
/// thousands. Empty if it is no number, or if it is negative.
std::optional<double> parse_guess(std::string_view text);

/// The question about the count, for example "How many sectors does this load need?"
std::string count_question(const Truth& truth);

}  // namespace warplens
