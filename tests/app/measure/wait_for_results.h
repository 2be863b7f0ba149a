#pragma once

#include "app/measure/worker.h"

#include <chrono>
#include <thread>
#include <utility>
#include <vector>

namespace warplens::test {

/// Everything the worker delivers until nothing is waiting, or until `seconds` have passed.
inline std::vector<MeasureResult> wait_for_results(MeasureWorker& worker, double seconds = 60) {
    using Clock = std::chrono::steady_clock;
    const auto end = Clock::now() + std::chrono::duration<double>(seconds);
    std::vector<MeasureResult> results;
    for (bool more = true; more && Clock::now() < end;) {
        more =
            worker.waiting() > 0;  // asked first: what finishes after this is taken below or in the next turn
        for (MeasureResult& result : worker.take_results()) results.push_back(std::move(result));
        if (more) std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    return results;
}

}  // namespace warplens::test
