// Rounds of loops that are executed at once, against the same rounds one by one.
#include "app/base/assets.h"
#include "app/model/catalogue.h"
#include "app/typed/counts.h"
#include "app/typed/kernel_launch.h"
#include "app/typed/program.h"
#include "app/typed/random_kernel.h"
#include "app/typed/warp/warp_counts.h"
#include "app/typed/warp/warp_executor.h"
#include "tests/app/typed/typed_examples.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace warplens::test::warp_rounds_tests {
namespace {

using namespace typed;

/// All that a warp does, in its order, as text that a failure shows.
class Sequence final : public WarpVisitor {
public:
    void begin_warp() override { lines.emplace_back("warp"); }
    void visit(const WarpRequest& one) override {
        const LaneValues offsets(one.offsets);
        std::string line =
            fmt::format("{}:{} {}{} interval {} {} lanes {:08x}", one.element.at.line, one.memory, one.store,
                        one.atomic, one.interval, one.warp_interval, one.active);
        for (std::size_t l = 0; l < kWarpLanes; ++l)
            if ((one.active >> l & 1u) != 0) line += fmt::format(" {}", offsets[l]);
        line += fmt::format(" + {} x + {} y", one.offsets.per_x, one.offsets.per_y);
        lines.push_back(std::move(line));
    }
    void visit_rounds(const WarpRounds& rounds) override {
        for (std::int64_t round = 0; round < rounds.count; ++round) {
            for (WarpRounds::One one : rounds.requests) {
                one.offsets.settle_in(round);
                one.interval += int(round) * rounds.intervals;
                one.warp_interval += int(round) * rounds.warp_intervals;
                visit(one.request());
            }
        }
    }
    std::vector<std::string> lines;
};

struct Run {
    std::vector<std::string> lines;
    std::string error;  ///< empty: none
    std::int64_t steps = 0;
};
Run run(const Bound& launched, const BlockRange& range, bool leaps) {
    Bound bound = launched;
    bound.leaps = leaps;
    WarpExecutor executor(bound);
    Sequence sequence;
    Run run;
    try {
        executor.run(range, sequence);
    } catch (const SourceError& error) {
        run.error = error.what();
    } catch (const RangeCut& cut) {
        run.error = "cut";
        for (const BlockRange& part : cut.parts)
            run.error += fmt::format(" {} {} {} {}", part.x, part.y, part.width, part.height);
    }
    run.lines = std::move(sequence.lines);
    run.steps = executor.work().steps;
    return run;
}

void expect_same(const TypedLaunch& launch, const std::string& name) {
    const Launch& shape = launch.launch();
    for (const BlockRange range :
         {BlockRange{0, 0, 1, 1}, BlockRange{shape.grid_x - 1, shape.rows() - 1, 1, 1}}) {
        const Run walked = run(launch.bound(), range, false), leapt = run(launch.bound(), range, true);
        EXPECT_EQ(walked.error, leapt.error) << name;
        ASSERT_EQ(walked.lines.size(), leapt.lines.size()) << name;
        for (std::size_t i = 0; i < walked.lines.size(); ++i)
            ASSERT_EQ(walked.lines[i], leapt.lines[i]) << name;
    }
}

std::string loop(std::string_view body) {
    return fmt::format(
        "// let n = 1000\n// launch grid=(4,3) block=(16,8)\n"
        "__global__ void k(float* a, float* b, int* c, int n) {{\n"
        "__shared__ float s[1024]; int t = threadIdx.x + threadIdx.y * 16, g = blockIdx.x * 128 + t; float sum = 0;\n"
        "{}\nb[g] = sum; }}\n",
        body);
}

constexpr std::string_view kEven[] = {
    "for (int i = 0; i < n; ++i) sum += a[i * 512 + g];",
    "for (int i = g; i < n * 50; i += 512) sum += a[i];",
    "for (int i = n; i-- > 0;) sum += a[i];",
    "int i = 0; while (i < n) { sum += a[i + t]; i += 2; }",
    "int i = 0; do { sum += a[3 * i]; ++i; } while (i != n);",
    "for (int i = 0; i < n; ++i) { s[t] = a[i * 128 + t]; __syncthreads(); for (int k = 0; k < 16; ++k) sum += s[threadIdx.y * 16 + k]; __syncthreads(); }",
    "float* p = a + g; for (int i = 0; i < n; ++i, p += 512) sum += *p;",
    "for (int i = 0, j = n; i < j; ++i, --j) sum += a[i] * a[j * 4];",
    "for (int i = 0; i < n; ++i) { int row = i * 32 + t; sum += a[row]; b[row] = 1; }",
    "for (int i = 0; i < n; ++i) for (int j = 0; j < 20; ++j) sum += a[i * n + j];",
    "for (unsigned i = 0; i < n; ++i) { if (g < 300) sum += a[i]; else sum += a[i + 64]; }",
    "for (int i = 0; i < n; ++i) atomicAdd(&c[i], 1);",
    "for (int i = 0; i < n; ++i) { if (i == 700) continue; sum += a[i]; }",
    "for (int i = 0; i < n; ++i) { if (i == 700) break; sum += a[i]; }",
    "for (unsigned i = 0; i < n; ++i) sum += a[i + 4294967295u + 1u];",
    "for (int i = 0; i < n; ++i) { float4 v = reinterpret_cast<float4*>(a)[i]; sum += v.x; }",
};
constexpr std::string_view kUneven[] = {
    "for (int i = 0; i < n; ++i) sum += a[i % 7];",
    "for (int i = 0; i < n; ++i) sum += a[(i * i) & 1023];",
    "for (int i = 1; i < n; i *= 2) sum += a[i];",
    "for (int i = 0; i < n; ++i) if (i % 3 == t % 3) sum += a[i];",
    "for (int i = 0; i < t * 20; ++i) sum += a[i];",
    "int x = 1; for (int i = 0; i < n; ++i) { x = (x * 75 + 74) % 65537; sum += a[x]; }",
    "int last = 0; for (int i = 0; i < n; ++i) { sum += a[last]; last = (i & 1) ? 5 : i; }",
    "for (int i = 0; i < n; ++i) { int j = i < 500 ? i : 2 * i; sum += a[j]; }",
    "for (int i = 0; i < n; ++i) { if (c[i] > 0) sum += a[i]; }",
    "for (int i = 0; i < n; ++i) sum += a[c[i] & 1023];",
    "for (unsigned char i = 0; i < 250; ++i) sum += a[(unsigned char)(i * 3)];",
    "int k[4] = {0, 1, 2, 3}; for (int i = 0; i < n; ++i) { sum += a[k[i & 3]]; k[i & 3] += 4; }",
    "for (int i = 0; i < n; ++i) { if (t > i) return; sum += a[i]; }",
    "int i = 0; while (true) { if (++i > n) break; sum += a[i]; }",
    "for (short i = 0; i < 32000; i += 1000) sum += a[i + t];",
    "for (int i = 0; i < n; ++i) sum += s[(t + i) % 1024];",
    "for (int i = 0; i < n; ++i) { int w = i / 32, l = i % 32; sum += s[w * 32 + (l ^ w)]; }",
};

TEST(WarpRounds, AtOnceTheyAreWhatTheyAreOneByOne) {
    for (const auto& all : {std::vector<std::string_view>(std::begin(kEven), std::end(kEven)),
                            std::vector<std::string_view>(std::begin(kUneven), std::end(kUneven))})
        for (const std::string_view body : all) {
            const TypedProgram program(loop(body), "loop");
            std::vector<std::int64_t> values;
            for (const TypedKnob& knob : program.knobs()) values.push_back(knob.initial);
            expect_same(*program.launch(values), std::string(body));
        }
    for (std::uint64_t seed = 0; seed < 150; ++seed)
        expect_same(*TypedProgram(random_kernel(seed), "random").launch({}), fmt::format("random {}", seed));
    for (const TypedExample& example : typed_examples()) {
        const TypedProgram program(example.text, example.name);
        std::vector<std::int64_t> values;
        for (const TypedKnob& knob : program.knobs()) values.push_back(knob.initial);
        expect_same(*program.launch(values), example.name);
    }
}

// Worked example: what a loop costs does not follow from how often it goes round, where its rounds do the
// same.
TEST(WarpRounds, EvenLoopsAreNotWalked) {
    for (const std::string_view body : kEven) {
        const TypedProgram program(loop(body), "loop");
        const auto launch = program.launch({});
        EXPECT_LT(run(launch->bound(), {0, 0, 1, 1}, true).steps * 4,
                  run(launch->bound(), {0, 0, 1, 1}, false).steps)
            << body;
    }
}

// Law: what is counted of rounds at once is what is counted of each alone.
TEST(WarpRounds, CountAsOftenAsTheyAreExecuted) {
    const std::vector<DeviceFacts> devices = load_devices(asset("assets/gpus.json"));
    for (const std::string_view gpu : {"H200", "GTX 480", "8800 GTX"}) {
        const DeviceFacts& device = devices.at(find_device(devices, gpu).value());
        for (const std::string_view body : kEven) {
            const TypedProgram program(loop(body), "loop");
            const auto launch = program.launch({});
            std::vector<Totals> walked(launch->accesses().size()), leapt = walked;
            for (const bool leaps : {false, true}) {
                Bound bound = launch->bound();
                bound.leaps = leaps;
                WarpExecutor executor(bound);
                WarpCounter counter(*launch, device);
                executor.run({1, 2, 1, 1}, counter);
                counter.add_to(leaps ? leapt : walked);
            }
            EXPECT_EQ(walked, leapt) << body << " on " << gpu;
        }
    }
}

// Worked example: from k = 32768 on, k * n is below 0, as in a kernel of 32 bits. It took 65536 rounds of
// each warp.
TEST(WarpRounds, AProductThatWrapsRoundIsNotWalked) {
    std::int64_t steps[2] = {};
    for (const int n : {32768, 65536}) {
        const TypedProgram program(fmt::format("// let n = {}\n// launch grid=2 block=32\n"
                                               "__global__ void sum(const float* b, float* c, int n) {{\n"
                                               "int column = blockIdx.x * 32 + threadIdx.x; float sum = 0;\n"
                                               "for (int k = 0; k < n; ++k) sum += b[k * n + column];\n"
                                               "c[column] = sum; }}\n",
                                               n),
                                   "sum");
        const auto launch = program.launch({});
        steps[n == 65536] = run(launch->bound(), {0, 0, 1, 1}, true).steps;
        const DeviceFacts device = load_devices(asset("assets/gpus.json")).front();
        EXPECT_EQ(count_launch(launch, device).done().grid[0].instructions, std::int64_t{2} * n);
    }
    EXPECT_LT(steps[1], 20 * steps[0]);
}

// Worked example: the product of matrices of 4096 rows takes no longer than that of 512, and all of it is
// counted: 2 n^3 loads of 32 lanes in n^3 / 16 requests, and n^2 / 32 stores.
TEST(WarpRounds, ALargeProductIsCountedWhole) {
    const std::string text =
        "// launch grid=(n/32,n/32) block=(32,32)\n"
        "__global__ void multiply(const float* a, const float* b, float* c, int n) {\n"
        "int row = blockIdx.y * 32 + threadIdx.y, column = blockIdx.x * 32 + threadIdx.x; float sum = 0;\n"
        "for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];\n"
        "c[row * n + column] = sum; }\n";
    const std::vector<DeviceFacts> devices = load_devices(asset("assets/gpus.json"));
    const DeviceFacts& device = devices.at(find_device(devices, "H200").value());
    std::int64_t steps_of_512 = 0;
    for (const std::int64_t n : {512, 4096}) {
        const TypedProgram program("// let n = " + std::to_string(n) + "\n" + text, "multiply");
        const auto launch = program.launch({});
        const TypedCounts counts = count_launch(launch, device).done();
        EXPECT_EQ(counts.kind, Provenance::exact);
        ASSERT_EQ(counts.grid.size(), 3u);
        EXPECT_EQ(counts.grid[0].instructions, n * n * n / 32);
        EXPECT_EQ(counts.grid[0].sectors, n * n * n / 32);
        EXPECT_EQ(counts.grid[1].sectors, n * n * n / 8);
        EXPECT_EQ(counts.grid[2].sectors, n * n / 8);
        const std::int64_t steps = run(launch->bound(), {0, 0, 1, 1}, true).steps;
        if (n == 512) steps_of_512 = steps;
        for (const KernelLaunch::Array& array : kernel_launch(*launch, {}, nullptr).arrays)
            EXPECT_EQ(array.bytes, n * n * 4) << "which nothing says";
        EXPECT_LE(steps, steps_of_512 * 5 / 4);
    }
}

}  // namespace
}  // namespace warplens::test::warp_rounds_tests
