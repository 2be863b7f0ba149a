#pragma once

// What a kernel loads and stores, to be compared with that of a plainer one.
#include "app/typed/scenario.h"
#include "tests/app/typed/typed_examples.h"

#include <gmock/gmock.h>

#include <array>
#include <string>
#include <vector>

namespace warplens::test {

using namespace typed;

/// What a block's warps load and store: where, how wide, by which lanes.
struct Done {
    bool store = false;
    int bytes = 0;
    std::uint32_t active = 0;
    std::array<std::int64_t, kWarpLanes> address{};
    friend bool operator==(const Done&, const Done&) = default;
};
inline std::vector<Done> done_by(const TypedLaunch& launch, int x = 0, int y = 0) {
    std::vector<Done> all;
    const std::shared_ptr<const BlockTrace> block = launch.block(x, y);
    for (const Requests& warp : block->warps) {
        for (const Request& one : warp) {
            Done& done = all.emplace_back(Done{one.store, one.bytes, one.active, {}});
            for (std::size_t l = 0; l < kWarpLanes; ++l)
                if ((one.active >> l & 1u) != 0)
                    done.address[l] = one.address(l) + launch.memories()[one.memory].begin;
        }
    }
    return all;
}

inline constexpr const char* kSignature = "(float* a, float* b, int n) {\n  int t = threadIdx.x;\n";

/// Bodies of two kernels, with what stands before the first one.
inline void expect_same(const std::string& before, const std::string& pasted, const std::string& plain) {
    const std::string launch = "// launch grid=4 block=64\n// let n = 64\n";
    const auto whole = [&](const std::string& first, const std::string& body) {
        return launch + first + "__global__ void k" + kSignature + body + "\n}\n";
    };
    SCOPED_TRACE(before + pasted);
    EXPECT_EQ(done_by(*launch_of(whole(before, pasted))), done_by(*launch_of(whole("", plain))));
}

}  // namespace warplens::test
