#pragma once

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

namespace warplens::test {

/// A launch as Nsight Compute prints it: metrics with their values, in order.
struct PrintedLaunch {
    std::string kernel = "kernel";
    std::string block = "(256, 1, 1)", grid = "(64, 1, 1)";
    std::vector<std::pair<std::string, std::string>> metrics;
};

inline const std::string kNcuColumns =
    R"("ID","Process ID","Process Name","Host Name","Kernel Name","Context","Stream","Block Size","Grid Size",)"
    R"("Device","CC")";

inline std::string ncu_start(std::size_t id, const PrintedLaunch& launch) {
    return fmt::format(R"("{}","4711","app","127.0.0.1","{}","1","7","{}","{}","0","9.0")", id, launch.kernel,
                       launch.block, launch.grid);
}

/// One row per launch; all launches have the first one's metrics.
inline std::string ncu_raw(const std::vector<PrintedLaunch>& launches) {
    std::string text = kNcuColumns, units = R"("","","","","","","","","","","")";
    for (const auto& [metric, value] : launches.front().metrics) {
        text += fmt::format(",\"{}\"", metric);
        units += ",\"\"";
    }
    text += '\n' + units + '\n';
    for (std::size_t i = 0; i < launches.size(); ++i) {
        text += ncu_start(i, launches[i]);
        for (const auto& [metric, value] : launches[i].metrics) text += fmt::format(",\"{}\"", value);
        text += '\n';
    }
    return text;
}

/// One row per metric.
inline std::string ncu_details(const std::vector<PrintedLaunch>& launches) {
    std::string text = kNcuColumns + R"(,"Section Name","Metric Name","Metric Unit","Metric Value")" + '\n';
    for (std::size_t i = 0; i < launches.size(); ++i) {
        for (const auto& [metric, value] : launches[i].metrics) {
            text += fmt::format(R"({},"Command line profiler metrics","{}","","{}")",
                                ncu_start(i, launches[i]), metric, value) +
                    '\n';
        }
    }
    return text;
}

}  // namespace warplens::test
