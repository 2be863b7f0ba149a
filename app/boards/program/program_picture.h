#pragma once

#include "app/boards/program/program.h"
#include "app/measure/witness.h"
#include "app/model/quantity.h"
#include "app/pictures/kit/canvas.h"

namespace warplens {

/// The program at one step.
struct ProgramView {
    ProgramSetting setting;
    ProgramStep step = ProgramStep::begin;
    const Witness* witness = nullptr;  ///< recorded times. Null if there are none.

    /// The recorded time of a step. Null if there is none.
    const WitnessValue* time(ProgramStep of) const {
        const std::string name = program_time(setting, of);
        return witness == nullptr || name.empty() ? nullptr : witness->find(name);
    }
};

/// A row for each variable, with a bar for as long as it lives, and a column for each step; below it recorded
/// times, and the line of code of the step. A click on a column leads to its step.
Picture draw_program(const ProgramView& view, const Style& style);

/// What happens in the step.
Explanation explain_program(const ProgramView& view);

/// "1.24 ms", "850 µs".
std::string microseconds_text(double us);

}  // namespace warplens
