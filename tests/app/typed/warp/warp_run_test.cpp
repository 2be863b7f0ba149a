// Blocks that are executed a warp at a time make the requests that the interpreter makes, in its order, and
// are left to it where something is wrong with them.
#include "app/typed/warp/warp_run.h"
#include "app/experiment/devices.h"
#include "app/typed/random_kernel.h"
#include "app/typed/warp/warp_counts.h"
#include "tests/app/typed/typed_examples.h"

#include <gtest/gtest.h>

namespace warplens::test::warp_run_tests {
namespace {

using namespace typed;

const DeviceFacts& h200() {
    static const std::vector<DeviceFacts> devices = device_table();
    return devices.at(find_device(devices, "H200").value());
}

std::shared_ptr<const TypedLaunch> launch_of(const std::string& text) {
    const TypedProgram program(text, "");
    std::vector<std::int64_t> values;
    for (const TypedKnob& knob : program.knobs()) values.push_back(knob.initial);
    return program.launch(values);
}

std::optional<WarpMachine> machine_of(const TypedLaunch& launch) {
    auto code = warp_code(launch.bound());
    if (!code) return std::nullopt;
    return std::optional<WarpMachine>(std::in_place, launch.bound(), std::move(*code));
}

/// Compares what is visited with what the interpreter did.
class Comparer final : public WarpVisitor {
public:
    Comparer(const BlockTrace& trace, const std::vector<ModelCode::Site>& sites)
        : trace_(trace), sites_(sites) {}

    void begin_warp() override {
        end_warp();
        ++warp_;
        next_ = 0;
    }
    void visit(const WarpRequest& made) override {
        const std::vector<Request>& warp = trace_.warps.at(static_cast<std::size_t>(warp_));
        ASSERT_LT(next_, warp.size()) << "warp " << warp_;
        const Request& expected = warp[next_++];
        const ModelCode::Site& site = sites_.at(static_cast<std::size_t>(made.site));
        ASSERT_EQ(site, (ModelCode::Site{expected.site, expected.memory, expected.store}));
        ASSERT_EQ(made.active, expected.active) << "line " << site.element->at.line;
        ASSERT_EQ(made.interval, expected.interval);
        ASSERT_EQ(made.warp_interval, expected.warp_interval);
        need_lanes(made.offsets);
        for (int lane = 0; lane < kWarpLanes; ++lane) {
            if ((made.active >> lane & 1u) != 0) {
                ASSERT_EQ(made.offsets.at[lane], expected.address[static_cast<std::size_t>(lane)])
                    << "line " << site.element->at.line << ", lane " << lane;
            }
        }
    }
    void end_warp() const {
        if (warp_ < 0) return;
        EXPECT_EQ(next_, trace_.warps.at(static_cast<std::size_t>(warp_)).size());
    }

private:
    const BlockTrace& trace_;
    const std::vector<ModelCode::Site>& sites_;
    int warp_ = -1;
    std::size_t next_ = 0;
};

/// @return  how many requests were compared
std::int64_t compare_blocks(const std::string& text) {
    const auto launch = launch_of(text);
    auto machine = machine_of(*launch);
    EXPECT_TRUE(machine.has_value());
    if (!machine) return 0;
    std::int64_t all = 0;
    const int last_x = launch->launch().grid_x - 1, last_y = launch->launch().grid_y - 1;
    for (const auto& [x, y] : {std::pair(0, 0), std::pair(last_x / 2, last_y), std::pair(last_x, last_y)}) {
        const BlockTrace trace = run_blocks(launch->bound(), {x, y, 1, 1});
        Comparer comparer(trace, machine->sites());
        EXPECT_TRUE(machine->run_block(x, y, comparer)) << "it gave up";
        comparer.end_warp();
        EXPECT_EQ(machine->requests(), trace.requests);
        EXPECT_GE(machine->steps(), trace.steps) << "a block that takes too long would not be refused";
        all += trace.requests;
    }
    return all;
}

TEST(WarpRun, ExamplesMakeTheRequestsOfTheInterpreter) {
    for (const auto& [name, text] : shipped_kernels()) EXPECT_GT(compare_blocks(text), 0) << name;
}

TEST(WarpRun, RandomKernelsMakeTheRequestsOfTheInterpreter) {
    std::int64_t requests = 0;
    for (std::uint64_t seed = 0; seed < 80; ++seed) {
        const std::string text = random_kernel(seed);
        requests += compare_blocks(text);
        if (HasFailure()) {
            ADD_FAILURE() << "seed " << seed << '\n' << text;
            return;
        }
    }
    EXPECT_GT(requests, 5'000);
}

std::string kernel_of(const std::string& body, const std::string& before = "") {
    return "// let n = 1000\n// launch grid=5 block=(24, 3) shared=2048\n" + before +
           "\n__global__ void k(const int* at,  // index int[1000] permuted\n"
           "const unsigned char* small,  // index unsigned char[1000] random\n"
           "float* a,  // inout float[4096]\nconst float* b,  // in float[4096]\nint n) {\n"
           "__shared__ float s[8][33]; int t = threadIdx.x + 24 * threadIdx.y; int i = blockIdx.x * 72 + t;\n" +
           body + "\n}";
}

// Each of these is about one rule of the language, or about one place where lanes part and meet.
TEST(WarpRun, EachRuleOfTheLanguage) {
    const std::pair<std::string, std::string> kKernels[] = {
        {"int x; if (t & 1) x = 5; else x = i; a[x] = 0;", ""},
        {"for (int r = 0; r < 3; ++r) { int x = r; if (t > 8) x += 2; a[x] = 0; }", ""},
        {"int x = 0; do { a[x] = 0; x += 3; } while (x < (t & 15));", ""},
        {"for (int r = 0; r < 9; ++r) { if (r == (t & 7)) continue; if (r > (t & 3) + 3) break; a[r] = 0; } a[i] = 0;",
         ""},
        {"if (t % 3 == 0) return; a[t] = 0; if (t % 3 == 1) { a[i] = 0; return; } a[2 * i] = 0;", ""},
        {"int x = 0; while (true) { if (x++ > (t & 3)) break; a[x * 5] = b[x]; }", ""},
        {"a[f(t, 3)] = b[f(i, t & 7)] + s[f(t, 1) & 7][g(i)];",
         "__device__ int f(int x, int y) { if (x > 20) return x - y; for (int r = 0; r < y; ++r) if (r == 2) "
         "return r; return x + y; }\n__device__ int g(int x) { return f(x & 15, 2); }"},
        {"int x = t; x <<= 2; x >>= 1; x ^= 21; x |= 8; x %= 97; x -= 3; a[x + 3] = 0;", ""},
        {"a[(-t % 7) + 8] = b[(-t / 5) + 20] + b[(-i >> 2) + 100];", ""},
        {"char c = (char)(t * 5); unsigned char u = (unsigned char)(i * 3); a[c + 128] = b[u];", ""},
        {"short v = (short)(i * 300); unsigned w = (unsigned)-i; a[v & 4095] = b[w % 4096u] + b[w >> 20];",
         ""},
        {"long long v = (long long)i * 100000007; unsigned long long w = (unsigned long long)v * v; a[v & 4095] = "
         "b[w % 4096] + b[w >> 52];",
         ""},
        {"bool even = t % 2 == 0, low = !even && t < 40; if (low || (even && i > 50)) a[even + 2 * low] = 0; "
         "a[low ? t : i] = 0;",
         ""},
        {"float x = b[t]; if (b[i] > 0.5f) { float y = x; x += y; } a[t] = x;", ""},
        {"float x = b[t]; if (x > 1) x = 1; else if (x < 0) x = 0; a[i] = x;", ""},
        {"float m = 0; for (int r = 0; r < 4; ++r) { float v = b[r * 32 + t]; if (v > m) m = v; } a[t] = m;",
         ""},
        {"a[at[at[i % 1000]]] = b[small[t]] + b[at[t] * 2 + 1];", ""},
        {"int x = at[t]; int y = __popc(x) + __clz(x) + __ffs(x) + abs(t - 30) + min(x, i) + max(x, 7); a[y] = 0;",
         ""},
        {"int x = at[t]; if (x & 1) { if (x & 2) a[x] = 0; else b[x]; } else if (x & 4) s[x & 7][x & 31] = 0; a[t] = 0;",
         ""},
        {"float own[4]; for (int r = 0; r < 4; ++r) own[r] = b[t + r]; own[t & 3] = 1; a[t] = own[2];", ""},
        {"float4 v = reinterpret_cast<const float4*>(b)[t]; reinterpret_cast<float4*>(a)[t + 3] = v; a[t] = v.x;",
         ""},
        {"const float* p = b + t; p += 2; ++p; a[t] = *p + p[i]; float* q = &a[3]; q[t] = 0; *(q + i) = 1;",
         ""},
        {"extern __shared__ int d[]; d[t] = 0; __syncthreads(); a[t] = d[71 - t]; __syncthreads(); d[t + 100] = 1;",
         ""},
        {"a[t] = table[t % 5]; a[i] = table[3];", "__constant__ int table[5];"},
        {"s[t / 33][t % 33] = 0; __syncthreads(); a[t] = s[t % 8][t / 8]; __syncwarp(); a[i] = s[7][t % 32];",
         ""},
        {"int x = 5; if (t > 1000) x = t / (n - 1000); a[x] = 0;", ""},
        {"int x = 1 << (t & 11), y = t << 31, z = (int)(3000000000u + t) >> 20; a[x] = b[(y != 0) + 4] + b[z + 2048];",
         ""},
    };
    for (const auto& [body, before] : kKernels) {
        const std::string text = kernel_of(body, before);
        try {
            EXPECT_GT(compare_blocks(text), 0) << body;
        } catch (const SourceError& error) {
            ADD_FAILURE() << body << '\n' << error.what();
        }
    }
}

// What the interpreter refuses is not executed to its end. It goes wrong if n is 7.
TEST(WarpRun, GivesUpWhereSomethingIsWrong) {
    const char* const kBodies[] = {
        "if (n == 7) t += 4096; a[t] = 0;",
        "if (n == 7) t = -1 - t; a[t] = 0;",
        "unsigned column = n == 7 ? 4294967295u : 0; s[t & 7][column] = 0;",
        "int x = 2; if (n == 7) x = 5 / (t / 100); if (x) a[x] = 0;",
        "int x = 5 % (n - 7); a[t] = 0;",
        "if (n == 7) t = 1 << (t + 60); a[t] = 0;",
        "a[t] = 0; for (int r = 0; n == 7 || r < 3; r = (r + 1) & 7) t += r;",
        "a[t] = 0; if (n != 7 || t < 5) __syncthreads();",
        "a[t] = 0; if (n != 7 || t >= 32) __syncthreads();",
        "int x; if (n != 7) x = 1; a[x] = 0;",
        "for (int r = 0; r < 2; ++r) { int x; if (n != 7 || r == 0) x = 1; a[x] = 0; }",
        "int x = t; if (n == 7) x = (int)b[t]; a[x] = 0;",
        "int x = t; if (n == 7) x = __shfl_down_sync(0xffffffff, (int)b[t], 3); a[x] = 0;",
        "a[t] = 0; bool yes = n != 7 || b[t] > 0; if (yes) a[t] = 0;",
        "a[t] = 0; if (n == 7) { float x = 0; if (b[t] > 0) for (int r = 0; r < 3; ++r) x += 1; }",
        "reinterpret_cast<float2*>(a + n % 2)[t] = make_float2(0, 0);",
        "int2 v = make_int2(t, 1); int x = n == 7 ? v.x : t; a[x] = 0;",
        "for (int r = 0; r < (n == 7 ? 500000 : 5); ++r) a[r & 7] = 0;",
    };
    for (const std::string body : kBodies) {
        try {
            const auto launch = launch_of(kernel_of(body));
            for (const bool wrong : {false, true}) {
                Bound bound = launch->bound();
                const auto& symbols = bound.unit->symbols;
                const auto n = std::ranges::find(symbols, "n", &Symbol::name);
                if (wrong) bound.values.at(static_cast<std::size_t>(n - symbols.begin())) = 7;
                if (wrong) {
                    bool gives_up = false;  // or it assumes what nobody knows
                    try {
                        gives_up = !run_blocks(bound, {3, 0, 1, 1}).assumed.empty();
                    } catch (const SourceError&) {
                        gives_up = true;
                    }
                    EXPECT_TRUE(gives_up) << body;
                }
                auto code = warp_code(bound);
                ASSERT_TRUE(code.has_value()) << body;
                WarpMachine machine(bound, std::move(*code));
                class : public WarpVisitor {
                    void visit(const WarpRequest&) override {}
                } nobody;
                EXPECT_EQ(machine.run_block(3, 0, nobody), !wrong) << body;
            }
        } catch (const SourceError& error) {
            ADD_FAILURE() << body << '\n' << error.what();
        }
    }
}

/// Block by block, by the interpreter alone.
std::vector<Totals> count_by_interpreter(const TypedLaunch& launch) {
    std::vector<Totals> sums(launch.accesses().size());
    for (int y = 0; y < launch.launch().grid_y; ++y)
        for (int x = 0; x < launch.launch().grid_x; ++x)
            for (const auto& warp : run_blocks(launch.bound(), {x, y, 1, 1}).warps)
                for (const Request& request : warp)
                    sums.at(static_cast<std::size_t>(launch.access_of(request))) +=
                        count_access(warp_access(launch, request), h200());
    return sums;
}

TEST(WarpRun, GridsAreCountedAsTheInterpreterDoes) {
    const std::string kTexts[] = {
        kernel_of("a[at[i % 1000]] = b[at[t] * 3]; s[at[i % 1000] & 7][t & 31] = 0;"),
        // The same site with more steps and begins than are remembered.
        kernel_of("int x = at[blockIdx.x]; for (int r = 0; r < 200; ++r) a[(r & 7) * t + r + x] = 0;"),
        // What is computed of lanes that do not ask for it divides by 0 in some blocks.
        kernel_of(
            "int x = at[i % 1000] & 7; a[t] = 0; int y = 2; if (blockIdx.x & 1) y = x ? 5 / x : 1; a[y] = 0;"),
    };
    for (std::string text : kTexts) {
        text.replace(text.find("grid=5"), 6, "grid=(60, 3)");
        const auto launch = launch_of(text);
        const TypedCounts counts = count_launch(*launch, h200());
        EXPECT_EQ(counts.kind, Provenance::exact);
        EXPECT_EQ(counts.grid, count_by_interpreter(*launch)) << text;
        QuickBlocks quick(*launch, h200(), 1'000'000);
        int by_warps = 0;
        for (int x = 0; x < 60; ++x) by_warps += quick.count(x, 0).has_value();
        EXPECT_GT(by_warps, 2) << text;
    }
}

TEST(WarpRun, RandomGridsAreCountedAsTheInterpreterDoes) {
    for (std::uint64_t seed = 1000; seed < 1010; ++seed) {
        const auto launch = launch_of(random_kernel(seed));
        const TypedCounts counts = count_launch(*launch, h200());
        if (counts.kind != Provenance::exact) continue;
        EXPECT_EQ(counts.grid, count_by_interpreter(*launch)) << random_kernel(seed);
    }
}

// So many blocks in which each does something else were sampled when all of them left a trace.
TEST(WarpRun, PatienceIsEnoughForAGatherOf4MillionThreads) {
    const auto launch = launch_of(
        "// let n = 4194304\n// launch grid=n/256 block=256\n"
        "__global__ void k(const float* in, const int* at, float* out, int n) {\n"
        "    // in [n]\n    // index at int[n] permuted\n    // out [n]\n"
        "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i < n) out[i] = in[at[i]];\n}");
    const TypedCounts counts = count_launch(*launch, h200());
    EXPECT_EQ(counts.kind, Provenance::exact);
    ASSERT_EQ(counts.grid.size(), 3u);
    EXPECT_EQ(counts.grid[0].sectors, 4194304 / 8);
    EXPECT_GT(counts.grid[1].sectors, 4194304 / 2) << "nearly every element lies in a sector of its own";
    for (const Totals& sum : counts.grid) EXPECT_EQ(sum.instructions, 4194304 / kWarpLanes);
}

// The same where each block's addresses follow from its number by an operation that does not move evenly.
TEST(WarpRun, PatienceIsEnoughForBlocksInAnotherOrder) {
    const auto launch = launch_of(
        "// let n = 4194304\n// launch grid=n/256 block=256\n"
        "__global__ void k(float* out, int n) {\n    // out [n]\n"
        "    int block = blockIdx.x ^ (blockIdx.x >> 3);\n"
        "    out[block * blockDim.x + threadIdx.x] = 0;\n}");
    const TypedCounts counts = count_launch(*launch, h200());
    EXPECT_EQ(counts.kind, Provenance::exact);
    ASSERT_EQ(counts.grid.size(), 1u);
    EXPECT_EQ(counts.grid[0].sectors, 4194304 / 8);
}

}  // namespace
}  // namespace warplens::test::warp_run_tests
