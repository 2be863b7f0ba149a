#pragma once

#include "app/experiment/evidence.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warplens {

/// One thing that has to hold: "sectors <= 8".
struct Condition {
    enum class Relation { equal, less, greater, at_most, at_least };
    std::string name;
    Relation relation = Relation::equal;
    std::string value;
};

/// The task of a person in a step of a course. The program checks it by the numbers of the report.
///
///     sectors = 4          a count of the step's request, by its key in files
///     share >= 50          bytes used, as a share of the bytes moved [%]
///     excess = 0           wavefronts, sectors and passes above the ideal, of all instructions together
///     speed > 2000         predicted, in the unit of the plot
///     stride = 8           a knob of the scenario, its value as --set takes it
///     scenario = transpose, board = traffic, occupancy.registers <= 32
///
/// Several conditions are separated by commas and must all hold.
struct Goal {
    std::vector<Condition> conditions;
};

/// Errors: std::runtime_error with one sentence that names what cannot be read.
Goal parse_goal(std::string_view text);

/// A number of the pictured request, by the name that a goal uses. Empty if it has no such number.
std::optional<double> number_named(std::string_view name, const Evidence& evidence, int instruction);

/// Whether all conditions hold. A condition about a number that the setting does not have is false.
bool reached(const Goal& goal, const State& state, const Evidence& evidence, int instruction);

/// The present values of the conditions that are about counts: "sectors: 8". Empty if there are none.
std::string progress_text(const Goal& goal, const State& state, const Evidence& evidence, int instruction);

}  // namespace warplens
