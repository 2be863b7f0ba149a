#pragma once

#include "app/boards/journey/journey.h"
#include "app/pictures/kit/canvas.h"

namespace warplens {

/// The journey at one step, on one GPU.
struct JourneyView {
    JourneySetting setting;
    JourneyStep step = JourneyStep::ask;
    const DeviceFacts& device;
};

/// The stations in a row, DRAM at the left and the arithmetic at the right, with the factors where they are;
/// below it the cycles of a multiply-add without and with a tile. A click on a bar chooses it.
Picture draw_journey(const JourneyView& view, const Style& style);

/// What happens in the step, and what it costs.
Explanation explain_journey(const JourneyView& view);

/// Cycles until a value that is found there is in a register. 0 if not known, or if it has none.
double cycles_from(Station station, const Latencies& latencies);
/// "663", "29.9": the same digits wherever a latency or a sum of them stands.
std::string latency_digits(double cycles);
/// "29.9 cycles", "not known".
std::string latency_words(double cycles);

}  // namespace warplens
