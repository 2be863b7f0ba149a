#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace warplens {

/// A number that a program of tests/witness/ measured, several times.
struct WitnessValue {
    double median = 0, least = 0, most = 0;  ///< times in microseconds, speeds in 10^9 bytes/s
};

/// Measurements of the programs of tests/witness/ on one GPU: times of the host side of a program, which no
/// scenario can time, because a scenario is launched again and again.
struct Witness {
    std::string gpu;   ///< as its driver names it: "NVIDIA H200"
    std::string date;  ///< "2026-11-24"
    std::string cuda;  ///< the newest CUDA that its driver knows: "13.0"
    std::map<std::string, WitnessValue, std::less<>> values;

    /// Null if there is no such value. tests/witness/host.cu says what the names mean:
    /// "managed/20/first", "wrapped/31".
    const WitnessValue* find(std::string_view name) const;
    std::string where() const;  ///< "NVIDIA H200, 2026-11-24, driver for CUDA 13.0"
};

/// Those that come with the program: assets/witness.json, as host.cu prints it for each GPU.
const std::vector<Witness>& shipped_witness();

}  // namespace warplens
