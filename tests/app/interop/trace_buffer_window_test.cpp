// Wherever OpenGL runs, with any driver: the buffer holds the trace, whichever way it came.
#include "app/interop/textures.h"

#include "app/gl/context.h"
#include "tests/kernels/trace/expected_trace.h"

#include <gtest/gtest.h>

namespace warplens::test::trace_buffer_window_tests {
namespace {

TraceRequest request_for(std::string_view scenario, int stride) {
    TraceRequest request{
        .scenario = scenario, .params = find_scenario(scenario)->info->defaults, .block = {}, .rules = {}};
    request.params.stride = stride;
    return request;
}

TEST(TraceBufferWindow, HoldsTheTraceInEveryMode) {
    auto context = HeadlessContext::create();
    if (const auto* why = std::get_if<Unavailable>(&context)) GTEST_SKIP() << why->reason;
    for (const TraceMode wanted : {TraceMode::model, TraceMode::copy, TraceMode::interop}) {
        TraceBuffer buffer(wanted);
        EXPECT_NE(buffer.gl_texture(), 0u);
        for (const int stride : {1, 2, 32, 33}) {
            const TraceRequest request = request_for("shared-stride", stride);
            const Trace expected = test::expected_trace(request);
            buffer.update(request, expected);
            EXPECT_TRUE(test::same_trace(buffer.read_back(), expected)) << "stride " << stride;
            EXPECT_EQ(buffer.why().empty(), buffer.mode() == TraceMode::interop);
        }
        EXPECT_EQ(take_gl_errors(), "");
    }
}

TEST(TraceBufferWindow, ModelModeNeverAsksTheGpu) {
    auto context = HeadlessContext::create();
    if (const auto* why = std::get_if<Unavailable>(&context)) GTEST_SKIP() << why->reason;
    TraceBuffer buffer(TraceMode::model);
    EXPECT_EQ(buffer.mode(), TraceMode::model);
    Trace mark{};
    mark.instructions[0].wavefront[3] = 1234;  // no kernel would write this
    buffer.update(request_for("shared-stride", 2), mark);
    EXPECT_TRUE(test::same_trace(buffer.read_back(), mark));
}

TEST(TraceBufferWindow, ARefusedRequestIsFilledByTheModel) {
    auto context = HeadlessContext::create();
    if (const auto* why = std::get_if<Unavailable>(&context)) GTEST_SKIP() << why->reason;
    TraceBuffer buffer(TraceMode::interop);
    TraceRequest request = request_for("shared-stride", 2);
    request.rules.wide_banks = true;
    const Trace by_model = test::expected_trace(request);
    buffer.update(request, by_model);
    EXPECT_TRUE(test::same_trace(buffer.read_back(), by_model));
    EXPECT_EQ(buffer.mode(), TraceMode::model);
    EXPECT_FALSE(buffer.why().empty());
}

}  // namespace
}  // namespace warplens::test::trace_buffer_window_tests
