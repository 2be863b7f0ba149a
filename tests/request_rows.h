#pragma once

#include <fmt/format.h>

#include <string>

namespace warplens::test {

// A file of requests as people write it.
inline std::string header() {
    std::string text = "id,space,op,width,mask";
    for (int lane = 0; lane < 32; ++lane) text += fmt::format(",a{}", lane);
    return text + '\n';
}
/// Lane i at i * step.
inline std::string row(std::string text, int step) {
    for (int lane = 0; lane < 32; ++lane) text += fmt::format(",{}", lane * step);
    return text + '\n';
}

}  // namespace warplens::test
