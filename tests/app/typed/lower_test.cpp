// A typed kernel as instructions of single threads, executed one thread at a time, makes the accesses that
// the model makes a warp at a time.
#include "app/typed/lower.h"
#include "app/typed/random_kernel.h"
#include "app/typed/ranges.h"
#include "kernels/typed/code_step.h"
#include "tests/app/typed/typed_examples.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace warplens::test::lower_tests {
namespace {

using namespace typed;

/// Executes the threads of a block in turn, from one place where they wait to the next.
class Block {
public:
    Block(const Code& code, int x, int y) : code_(code) {
        const int threads = code.threads();
        threads_.resize(static_cast<std::size_t>(threads));
        for (int i = 0; i < threads; ++i) {
            Thread& one = threads_[static_cast<std::size_t>(i)];
            one.registers.resize(static_cast<std::size_t>(code.slots));
            one.at = {
                i % code.block_x, i / code.block_x % code.block_y, i / (code.block_x * code.block_y), x, y, 0,
                10'000'000};
        }
    }

    /// The accesses of each thread.
    std::vector<std::vector<std::pair<int, std::int64_t>>> run() {
        bool any = true;
        while (any) {
            any = false;
            for (std::size_t i = 0; i < threads_.size(); ++i) {
                Thread& one = threads_[i];
                if (one.stop == CodeStop::finished) continue;
                one.stop = run_code(code_.instructions.data(), code_.memories.data(), one.at, one.registers,
                                    [&](std::int64_t access, std::int64_t offset) {
                                        one.accesses.emplace_back(static_cast<int>(access), offset);
                                    });
                EXPECT_NE(one.stop, CodeStop::out_of_bounds);
                EXPECT_NE(one.stop, CodeStop::too_long);
                if (one.stop == CodeStop::out_of_bounds || one.stop == CodeStop::too_long) return {};
                any = any || one.stop != CodeStop::finished;
            }
            exchange();
        }
        std::vector<std::vector<std::pair<int, std::int64_t>>> all;
        for (Thread& one : threads_) all.push_back(std::move(one.accesses));
        return all;
    }

private:
    struct Thread {
        CodeThread at;
        std::vector<std::int64_t> registers;
        std::vector<std::pair<int, std::int64_t>> accesses;
        CodeStop stop = CodeStop::at_barrier;
    };

    void exchange() {
        for (std::size_t first = 0; first < threads_.size(); first += kWarpLanes) {
            const std::size_t lanes = std::min<std::size_t>(kWarpLanes, threads_.size() - first);
            std::vector<std::int64_t> values(kWarpLanes);
            for (std::size_t l = 0; l < lanes; ++l) {
                const Thread& one = threads_[first + l];
                if (one.stop == CodeStop::at_shuffle)
                    values[l] = one.registers[static_cast<std::size_t>(
                        code_.instructions[static_cast<std::size_t>(one.at.next)].a)];
            }
            for (std::size_t l = 0; l < lanes; ++l) {
                Thread& one = threads_[first + l];
                if (one.stop != CodeStop::at_shuffle) continue;
                const CodeInstr& instr = code_.instructions[static_cast<std::size_t>(one.at.next)];
                const int from = code_shuffle_source(instr, static_cast<int>(l),
                                                     one.registers[static_cast<std::size_t>(instr.b)]);
                one.registers[static_cast<std::size_t>(instr.to)] = values[static_cast<std::size_t>(from)];
                ++one.at.next;
            }
        }
    }

    const Code& code_;
    std::vector<Thread> threads_;
};

/// By access of the text: between which offsets it lies, where that is known of all its instructions.
std::map<int, CodeRange> ranges_by_access(const Code& code) {
    std::map<int, CodeRange> all;
    std::set<int> unknown;
    const auto offsets = ranges_of_offsets(code);
    for (std::size_t i = 0; i < offsets.size(); ++i) {
        const CodeInstr& instr = code.instructions[i];
        if ((instr.op != CodeOp::load && instr.op != CodeOp::store) || !instr.counted) continue;
        const int access = static_cast<int>(instr.value);
        if (!offsets[i]) {
            unknown.insert(access);
            continue;
        }
        const auto [found, is_new] = all.try_emplace(access, *offsets[i]);
        found->second.least = std::min(found->second.least, offsets[i]->least);
        found->second.most = std::max(found->second.most, offsets[i]->most);
    }
    for (const int access : unknown) all.erase(access);
    return all;
}

int in_known_range = 0;  // accesses of threads

void expect_in_range(const Code& code,
                     const std::vector<std::vector<std::pair<int, std::int64_t>>>& executed) {
    const std::map<int, CodeRange> ranges = ranges_by_access(code);
    for (const auto& thread : executed) {
        for (const auto& [access, offset] : thread) {
            const auto range = ranges.find(access);
            if (range == ranges.end()) continue;
            ++in_known_range;
            ASSERT_GE(offset, range->second.least) << "access " << access;
            ASSERT_LE(offset, range->second.most) << "access " << access;
        }
    }
}

/// @return  how many accesses of threads were compared
std::int64_t compare_block(const TypedLaunch& launch, const Code& code, int x, int y) {
    const auto trace = launch.block(x, y);
    std::vector<std::vector<std::pair<int, std::int64_t>>> expected(static_cast<std::size_t>(code.threads()));
    for (std::size_t warp = 0; warp < trace->warps.size(); ++warp)
        for (const Request& request : trace->warps[warp])
            for (std::size_t lane = 0; lane < kWarpLanes; ++lane)
                if ((request.active >> lane & 1u) != 0)
                    expected[kWarpLanes * warp + lane].emplace_back(launch.access_of(request),
                                                                    request.address[lane]);
    const auto executed = Block(code, x, y).run();
    expect_in_range(code, executed);
    for (std::size_t thread = 0; thread < expected.size(); ++thread) {
        if (thread < executed.size() && executed[thread] == expected[thread]) continue;
        EXPECT_EQ(executed.at(thread), expected[thread])
            << "block " << x << ", " << y << ", thread " << thread;
        break;
    }
    std::int64_t all = 0;
    for (const auto& thread : expected) all += static_cast<std::int64_t>(thread.size());
    return all;
}

std::int64_t compare_launch(const std::string& text) {
    const TypedProgram program(text, "");
    std::vector<std::int64_t> values;
    for (const TypedKnob& knob : program.knobs()) values.push_back(knob.initial);
    const auto launch = program.launch(values);
    const Code code = lower(*launch);
    std::int64_t all = compare_block(*launch, code, 0, 0);
    if (code.blocks() > 1) all += compare_block(*launch, code, code.grid_x - 1, code.grid_y - 1);
    return all;
}

TEST(Lower, ExamplesMakeTheAccessesOfTheModel) {
    for (const auto& [name, text] : shipped_kernels()) EXPECT_GT(compare_launch(text), 0) << name;
}

TEST(Lower, RandomKernelsMakeTheAccessesOfTheModel) {
    std::int64_t accesses = 0;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        const std::string text = random_kernel(seed);
        accesses += compare_launch(text);
        if (HasFailure()) {
            ADD_FAILURE() << "seed " << seed << '\n' << text;
            return;
        }
    }
    EXPECT_GT(accesses, 25'000);
    EXPECT_GT(in_known_range, accesses / 4) << "few offsets have a known range";
}

/// Whether the accesses of a kernel are known to lie inside, in the order of the text: "yn".
std::string inside(const std::string& body, const std::string& launch = "grid=4 block=64") {
    const TypedProgram program(
        "// let n = 200\n// launch " + launch +
            "\n__global__ void k(const int* at,  // index int[256] permuted\n"
            "float* a,  // inout float[256]\nint n) {\n"
            "__shared__ float s[8][33]; int t = threadIdx.x; int i = blockIdx.x * 64 + t;\n" +
            body + "\n}",
        "");
    std::vector<std::int64_t> values;
    for (const TypedKnob& knob : program.knobs()) values.push_back(knob.initial);
    const Code code = lower(*program.launch(values));
    std::string all;
    for (const CodeInstr& instr : code.instructions)
        if (instr.op == CodeOp::load || instr.op == CodeOp::store) all += instr.inside ? 'y' : 'n';
    return all;
}

TEST(Lower, KnowsWhatCannotLeaveItsMemory) {
    EXPECT_EQ(inside("a[i] = 1;"), "y");
    EXPECT_EQ(inside("if (i < n) a[i + 1] = 1;"), "n") << "nothing is concluded from guards";
    EXPECT_EQ(inside("if (t > 0) a[t - 1] = a[t];"), "yn");
    EXPECT_EQ(inside("a[(t - 1) & 255] = 1;"), "y");
    EXPECT_EQ(inside("a[(threadIdx.x + 192) % 256u] = s[t / 8][t % 8 + 25];"), "yy");
    EXPECT_EQ(inside("if (t < 63) a[t] = s[t / 8][t % 8 + 26];"), "ny");
    EXPECT_EQ(inside("s[t & 7][t ^ 5] = a[min(i, 255)];", "grid=4 block=33"), "yn");
    EXPECT_EQ(inside("for (int k = 0; k < n; ++k) a[k + 56] = 1;"), "y");
    EXPECT_EQ(inside("for (int k = 0; k <= n; ++k) a[k + 55] = 1;"), "y");
    EXPECT_EQ(inside("for (int k = 0; k <= n; ++k) if (k < n) a[k + 56] = 1;"), "n");
    EXPECT_EQ(inside("for (int k = t; k < 256; k += 64) a[k] = 1;"), "y");
    EXPECT_EQ(inside("for (int k = 0; k < n; ++k) { k += 1; if (k < n) a[k] = 1; }"), "n");
    EXPECT_EQ(inside("int k = 0; while (k < n) { a[k] = 1; ++k; }"), "y");
    EXPECT_EQ(inside("int k = 0; do { a[k] = 1; ++k; } while (k < n);"), "n");
    EXPECT_EQ(inside("a[at[t]] = 1;"), "yn") << "what lies in memory is not relied on";
    EXPECT_EQ(inside("a[at[t] & 127] = 1;"), "yy");
    EXPECT_EQ(inside("if (t < 16) a[(unsigned char)(t * 16)] = 1;"), "n") << "it may wrap round";
    EXPECT_EQ(inside("int j; if (t < 64) j = t; a[j] = 1;"), "n") << "it may have no value yet";
}

}  // namespace
}  // namespace warplens::test::lower_tests
