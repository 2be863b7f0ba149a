// A typed kernel as instructions of single threads, executed one thread at a time, makes the accesses that
// the model makes a warp at a time.
#include "app/typed/lower.h"
#include "app/typed/random_kernel.h"
#include "app/typed/ranges.h"
#include "kernels/typed/code_step.h"
#include "tests/app/typed/typed_examples.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
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
    EXPECT_EQ(inside("if (t * t < 3969) a[i + 1] = 1;"), "n");
    EXPECT_EQ(inside("a[(t - 1) & 255] = 1;"), "y");
    EXPECT_EQ(inside("a[(threadIdx.x + 192) % 256u] = s[t / 8][t % 8 + 25];"), "yy");
    EXPECT_EQ(inside("if (t < 63) a[t] = s[t / 8][t % 8 + 26];"), "ny");
    EXPECT_EQ(inside("s[t & 7][t ^ 5] = a[min(i, 255)];", "grid=4 block=33"), "yn");
    EXPECT_EQ(inside("for (int k = 0; k < n; ++k) a[k + 56] = 1;"), "y");
    EXPECT_EQ(inside("for (int k = 0; k <= n; ++k) a[k + 55] = 1;"), "y");
    EXPECT_EQ(inside("for (int k = 0; k <= n; ++k) if (k * k < n * n) a[k + 56] = 1;"), "n");
    EXPECT_EQ(inside("for (int k = t; k < 256; k += 64) a[k] = 1;"), "y");
    EXPECT_EQ(inside("for (int k = 0; k < n; ++k) { k += 1; if (k < n) a[k] = 1; }"), "n");
    EXPECT_EQ(inside("int k = 0; while (k < n) { a[k] = 1; ++k; }"), "y");
    EXPECT_EQ(inside("int k = 0; do { a[k] = 1; ++k; } while (k < n);"), "n");
    EXPECT_EQ(inside("a[at[t]] = 1;"), "yn") << "what lies in memory is not relied on";
    EXPECT_EQ(inside("a[at[t] & 127] = 1;"), "yy");
    EXPECT_EQ(inside("if (t < 16) a[(unsigned char)(t * 16)] = 1;"), "n") << "it may wrap round";
    EXPECT_EQ(inside("int j; if (t < 64) j = t; a[j] = 1;"), "n") << "it may have no value yet";
}

TEST(Lower, KnowsWhatGuardsKeepInside) {
    EXPECT_EQ(inside("if (i < n) a[i + 56] = 1;"), "y");
    EXPECT_EQ(inside("if (i < n && i != 199) a[i + 57] = 1;"), "n") << "one too many, as far as is known";
    EXPECT_EQ(inside("if (i <= n) a[i + 55] = 1;"), "y");
    EXPECT_EQ(inside("if (n > i) a[i + 56] = 1; else if (i != 255) a[i + 1] = 1;"), "yn");
    EXPECT_EQ(inside("if (i >= n) a[i] = 1; else a[i + 56] = 1;"), "yy");
    EXPECT_EQ(inside("if (i >= n) return; a[i + 56] = 1;"), "y");
    EXPECT_EQ(inside("if (i > n) return; if (i != n) a[i + 56] = 1;"), "n");
    EXPECT_EQ(inside("int j = 0; if (i < n) j = i; a[j + 56] = 1;"), "n") << "others come here as well";
    EXPECT_EQ(inside("if (t > 0) a[t - 1] = a[t];"), "yy");
    EXPECT_EQ(inside("if (t != 0) a[t - 1] = a[t];"), "yn");
    EXPECT_EQ(inside("if (i > 4 && i < 251) a[i + 5] = a[i - 5];"), "yy");
    EXPECT_EQ(inside("if ((i > 4 || t > 70) && (i < 251 || t > 70)) a[i + 5] = a[i - 5];"), "nn");
    EXPECT_EQ(inside("if (i < 5 || i >= 251) return; a[i + 5] = a[i - 5];"), "yy");
    EXPECT_EQ(inside("if (threadIdx.x < 8) a[i + 56] = 1;"), "y") << "i was made of it";
    EXPECT_EQ(inside("if (threadIdx.x < 9 && i != n) a[i + 56] = 1;"), "n");
    EXPECT_EQ(inside("if (t > 2) if (t < 8) a[i + 56] = a[t - 3];"), "yy");
    EXPECT_EQ(inside("for (int k = 0; k <= n; ++k) if (k < n) a[k + 56] = 1;"), "y");
    EXPECT_EQ(
        inside("for (int k = 0; k < n; ++k) { if (k > 55) a[k - 56] = 1; if (k != 199) a[k + 57] = 1; }"),
        "yn");
}

TEST(Lower, KnowsWhichNumbersGuardsAreAbout) {
    // The same expression, written twice.
    EXPECT_EQ(inside("if (i + 7 < n) a[i + 7 + 56] = 1;"), "y");
    EXPECT_EQ(inside("for (int k = 0; k < n; k += 40) if (i + k < n) a[i + k + 56] = 1;"), "y");
    EXPECT_EQ(inside("if (t * 4 + i < n && t * 4 + i != 199) a[t * 4 + i + 57] = 1;"), "n");
    // A variable that is set again.
    EXPECT_EQ(inside("int j = t; a[j] = 1; j = i; a[j] = 1;"), "yy");
    EXPECT_EQ(inside("int j = t; if (i > 9) j = i; a[j] = 1;"), "n");
    EXPECT_EQ(inside("int j = t; for (int k = 0; k < n - 192; ++k) { a[j + 100] = 1; j = j + 8; }"), "n");
    EXPECT_EQ(inside("int j = i; if (j < n) { j += 56; a[j] = 1; }"), "y");
    EXPECT_EQ(inside("for (int k = 0; k < 250; ++k) { int j = k; if (j < n) a[j + 56] = 1; }"), "y");
    // It has changed since.
    EXPECT_EQ(inside("int j = t; if (j < 9) { j = i; if (i * i < n * n) a[j + 56] = 1; }"), "n");
    EXPECT_EQ(inside("for (int k = 0; k < 250; ++k) { if (k < n) { k += 56; a[k] = 1; } }"), "n");
    EXPECT_EQ(inside("int j = i; bool low = j < n; j = i + 1; if (low && i != 199) a[j + 56] = 1;"), "n");
    EXPECT_EQ(inside("int j = i; bool low = j < n; j = i + 1; if (low) a[j + 55] = 1;"), "y");
    // What lies in memory is not relied on: where a load is not made, its register may contain anything.
    EXPECT_EQ(inside("int j = at[t]; if (j >= 0 && j < n) a[j] = 1;"), "yn");
    EXPECT_EQ(inside("int j = at[t] & 511; if (j < n) a[j] = 1;"), "yn");
}

/// A kernel whose accesses stand behind guards of all kinds, about numbers that change on the way.
class GuardedKernel {
public:
    explicit GuardedKernel(std::uint64_t seed) : random_(seed) {}

    std::string text() {
        std::string body;
        for (int i = 0; i < 6; ++i) body += statement(3);
        return "// launch grid=3 block=(16, 4)\n__global__ void k(float* a  /* inout [16384] */) {\n"
               "int t = threadIdx.x; int i = blockIdx.x * 64 + threadIdx.y * 16 + t; int j = i - 40; int v = 7;\n" +
               body + "a[v & 1023] = 1;\n}";
    }

private:
    int below(int count) { return static_cast<int>(random_() % static_cast<unsigned>(count)); }
    std::string number() { return std::to_string(below(120) - 20); }
    std::string term() {
        static const std::string kTerms[] = {"t", "i", "j", "v", "(int)threadIdx.y", "(int)threadIdx.x", "k"};
        return kTerms[below(loops_ > 0 ? 7 : 6)];
    }
    std::string value() {
        switch (below(6)) {
            case 0:
                return "(" + term() + " + " + number() + ")";
            case 1:
                return "(" + term() + " - " + term() + ")";
            case 2:
                return "(" + term() + " * " + std::to_string(below(4)) + ")";
            case 3:
                return "(" + term() + " & 63)";
            default:
                return term();
        }
    }
    std::string condition() {
        static const std::string kSigns[] = {" < ", " <= ", " > ", " >= ", " == ", " != "};
        const std::string one = value() + kSigns[below(6)] + (below(3) == 0 ? value() : number());
        if (below(3) > 0) return one;
        return "(" + one + (below(2) == 0 ? " && " : " || ") + condition() + ")";
    }
    std::string access() { return "a[8192 + " + value() + "] = 1;\n"; }
    std::string statement(int depth) {
        switch (depth > 0 ? below(8) : 0) {
            case 1:
                return "if (" + condition() + ") {\n" + statement(depth - 1) + access() + "}\n";
            case 2:
                return "if (" + condition() + ") {\n" + access() + "} else {\n" + statement(depth - 1) +
                       access() + "}\n";
            case 3:
                return loops_ > 0 ? "if (" + condition() + ") continue;\n" + access()
                                  : "if (" + condition() + " && i > 150) return;\n" + access();
            case 4: {
                if (loops_ > 0) return access();
                ++loops_;
                const std::string body = statement(depth - 1) + access() + statement(depth - 1);
                --loops_;
                return "for (int k = " + std::to_string(below(5)) + "; k < " + std::to_string(40 + below(9)) +
                       "; k += " + std::to_string(1 + below(9)) + ") {\n" + body + "}\n";
            }
            case 5:
                return "v = " + value() + " & 255;\n" + access();
            case 6:
                return "if (" + condition() + ") j = " + value() + " & 127;\n" + access();
            default:
                return access();
        }
    }

    std::mt19937_64 random_;
    int loops_ = 0;
};

// Law: whatever stands in guards, no thread leaves the range that is concluded from them.
TEST(Lower, GuardsSayNothingThatIsNotSo) {
    std::int64_t accesses = 0;
    const int before = in_known_range;
    for (std::uint64_t seed = 0; seed < 150; ++seed) {
        const std::string text = GuardedKernel(seed).text();
        accesses += compare_launch(text);
        if (HasFailure()) {
            ADD_FAILURE() << "seed " << seed << '\n' << text;
            return;
        }
    }
    EXPECT_GT(accesses, 50'000);
    EXPECT_GT(in_known_range - before, accesses / 4) << "few offsets have a known range";
}

}  // namespace
}  // namespace warplens::test::lower_tests
