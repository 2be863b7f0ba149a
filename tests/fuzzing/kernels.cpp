// Kernels that somebody typed.

#include "app/typed/cuda_text.h"
#include "tests/fuzzing/targets.h"

namespace warplens::fuzz {

void typed(std::string_view bytes) {
    try_to([&] {
        const warplens::typed::TypedProgram program{std::string(bytes), "my.cu"};
        std::vector<std::int64_t> least;
        for (const warplens::typed::TypedKnob& knob : program.knobs()) least.push_back(knob.least);
        const auto launch = program.launch(least);
        const auto block = launch->block(0, 0);
        std::int64_t requests = 0;
        for (const auto& warp : block->warps) {
            for (const warplens::typed::Request& request : warp) {
                ++requests;
                require(request.active != 0, "a request has an active lane");
                const auto& memory = launch->memories().at(static_cast<std::size_t>(request.memory));
                for (std::size_t lane = 0; lane < kWarpLanes; ++lane) {
                    if ((request.active >> lane & 1u) == 0) continue;
                    const std::int64_t at = request.address(lane);
                    require(at % request.bytes == 0, "accesses are aligned");
                    // What has no length may begin before the pointer that the kernel gets.
                    require(memory.bytes == 0 || (at >= 0 && at + request.bytes <= memory.bytes),
                            "accesses lie inside");
                }
            }
        }
        require(requests == block->work.requests, "requests are counted");
        if (launch->only_counted().empty())
            require(!cuda_text(*launch, warplens::typed::TextKind::plain).text.empty(),
                    "what is understood can be launched");
    });
}

}  // namespace warplens::fuzz
