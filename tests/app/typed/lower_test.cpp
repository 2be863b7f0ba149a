// A typed kernel as instructions of single threads, executed one thread at a time, makes the accesses that
// the model makes a warp at a time.
#include "app/typed/lower.h"
#include "app/base/assets.h"
#include "app/typed/random_kernel.h"
#include "kernels/typed/code_step.h"
#include "tests/source_dir.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

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
    int kernels = 0;
    for (const auto& entry : std::filesystem::directory_iterator(in_source("assets/typed"))) {
        if (entry.path().extension() != ".cu") continue;
        std::ifstream file(entry.path());
        std::stringstream text;
        text << file.rdbuf();
        EXPECT_GT(compare_launch(text.str()), 0) << entry.path();
        ++kernels;
    }
    EXPECT_GE(kernels, 11);
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
}

}  // namespace
}  // namespace warplens::test::lower_tests
