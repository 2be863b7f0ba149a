// Random programs, executed by the interpreter and by the processor: the same text, compiled by the host's
// compiler.
#include "app/base/process.h"
#include "app/typed/program.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

namespace warplens::test::typed_native_tests {
namespace {

namespace fs = std::filesystem;

constexpr int kPrograms = 60, kBlocks = 23, kThreads = 64;

/// Statements of integers and an address that follows from them.
class Generator {
public:
    explicit Generator(unsigned seed) : random_(seed) {}

    struct Made {
        std::string statements, address;
    };
    Made make() {
        names_ = {"i", "b", "n"};
        Made made;
        for (unsigned s = 0, count = 1 + below(4); s < count; ++s) {
            made.statements += statement(fmt::format("v{}", s));
            names_.push_back(fmt::format("v{}", s));
        }
        made.address = fmt::format("(unsigned)(({}) & 0xffff)", expression(3));
        return made;
    }

private:
    unsigned below(unsigned end) { return static_cast<unsigned>(random_()) % end; }
    std::string any(const std::vector<std::string>& list) {
        return list[below(static_cast<unsigned>(list.size()))];
    }

    std::string type() {
        return any({"int", "unsigned", "long long", "unsigned char", "short", "unsigned long long"});
    }

    std::string leaf() {
        switch (below(6)) {
            case 0:
                return std::to_string(below(10));
            case 1:
                return std::to_string(below(70000));
            case 2:
                return fmt::format("{}u", below(300));
            default:
                return any(names_);
        }
    }

    std::string expression(int depth) {
        if (depth == 0 || below(7) == 0) return leaf();
        const std::string a = expression(depth - 1);
        const unsigned kind = below(100);
        if (kind < 55)
            return fmt::format("({} {} {})", a, any({"+", "-", "*", "&", "|", "^"}), expression(depth - 1));
        if (kind < 62) return fmt::format("({} {} ({} & 7))", a, any({"<<", ">>"}), expression(depth - 1));
        if (kind < 70)
            return fmt::format("({} {} (({} & 15) + 1))", a, any({"/", "%"}), expression(depth - 1));
        if (kind < 78)
            return fmt::format("({} {} {} ? {} : {})", a, any({"<", ">", "==", "!=", "<=", ">="}),
                               expression(depth - 1), expression(depth - 1), expression(depth - 1));
        if (kind < 84) return fmt::format("(({}){})", type(), a);
        if (kind < 90) return fmt::format("(~{})", a);
        if (kind < 95) return fmt::format("({} && {})", a, expression(depth - 1));
        return fmt::format("(-{})", a);
    }

    std::string statement(const std::string& name) {
        switch (below(3)) {
            case 0:
                return fmt::format("{} {} = {};\n", type(), name, expression(3));
            case 1:
                return fmt::format("{} {} = {}; if ({}) {} {}= {}; else {} = {};\n", type(), name,
                                   expression(2), expression(2), name, any({"+", "-", "^", "*"}),
                                   expression(2), name, expression(2));
            default: {
                const std::string rounds = expression(2), skipped = std::to_string(below(5));
                names_.push_back("k");
                const std::string added = expression(2);
                names_.pop_back();
                return fmt::format(
                    "{} {} = 0; for (int k = 0; k < (int)({} & 7); ++k) {{ if (k == {}) continue; {} += {}; }}\n",
                    type(), name, rounds, skipped, name, added);
            }
        }
    }

    std::mt19937 random_;
    std::vector<std::string> names_;
};

// Law: an address is what C++ says, in every block and lane, whether blocks are executed at once or not.
TEST(TypedNative, AddressesAreThoseOfTheProcessor) {
    const std::string compiler = find_program("c++");
    if (compiler.empty()) GTEST_SKIP() << "there is no c++ here";
    const fs::path folder = fs::path(testing::TempDir()) / "warplens_typed_native";
    fs::create_directories(folder);
    Generator generator(19);
    std::vector<Generator::Made> programs;
    std::string source = "#include <cstdio>\n";
    for (int p = 0; p < kPrograms; ++p) {
        programs.push_back(generator.make());
        source += fmt::format("static long long f{}(unsigned i, unsigned b, int n) {{\n{}return {};\n}}\n", p,
                              programs.back().statements, programs.back().address);
    }
    source += fmt::format(
        "int main() {{\n    for (unsigned b = 0; b < {}; ++b)\n        for (unsigned i = 0; i < {}; ++i) {{\n",
        kBlocks, kThreads);
    for (int p = 0; p < kPrograms; ++p)
        source += fmt::format("            std::printf(\"%lld\\n\", f{}(i, b, 1000));\n", p);
    source += "        }\n}\n";
    std::ofstream(folder / "native.cpp") << source;
    const std::string program = (folder / "native").string(), output = (folder / "native.txt").string();
    constexpr std::chrono::seconds kLongest{120};
    // Overflow of signed integers is undefined in C++; on GPUs it wraps round.
    const std::string log = (folder / "log.txt").string();
    ASSERT_EQ(run_program({compiler, "-fwrapv", "-w", "-o", program, (folder / "native.cpp").string()}, log,
                          kLongest),
              0)
        << log;
    ASSERT_EQ(run_program({program}, output, kLongest), 0);
    std::ifstream answers(output);
    std::vector<std::int64_t> native;
    for (std::int64_t value = 0; answers >> value;) native.push_back(value);
    ASSERT_EQ(native.size(), static_cast<std::size_t>(kPrograms * kBlocks * kThreads));
    const auto wanted = [&](int p, int block, int thread) {
        return native[static_cast<std::size_t>((block * kThreads + thread) * kPrograms + p)];
    };
    for (int p = 0; p < kPrograms; ++p) {
        const Generator::Made& made = programs[static_cast<std::size_t>(p)];
        const typed::TypedProgram typed(
            fmt::format("// let n = 1000\n// launch grid={} block={}\n__global__ void k(char* a, int n) {{\n"
                        "const unsigned i = threadIdx.x, b = blockIdx.x;\n{}a[{}] = 0;\n}}\n",
                        kBlocks, kThreads, made.statements, made.address),
            "random.cu");
        int compared = 0;
        const auto compare = [&](const std::shared_ptr<const typed::BlockTrace>& one) {
            const typed::BlockTrace& trace = *one;
            for (int x = 0; x < trace.range.width; ++x) {
                for (std::size_t warp = 0; warp < trace.warps.size(); ++warp) {
                    for (int lane = 0; lane < kWarpLanes; ++lane, ++compared) {
                        const typed::Request request = trace.warps[warp][0];
                        EXPECT_EQ(request.address(static_cast<std::size_t>(lane)) + x * request.per_x,
                                  wanted(p, trace.range.x + x, static_cast<int>(warp) * kWarpLanes + lane))
                            << typed.text();
                    }
                }
            }
            return !testing::Test::HasFailure();
        };
        const auto launch = typed.launch({});
        const bool all = launch->visit_ranges({}, compare).done();
        ASSERT_TRUE(all) << typed.text();
        EXPECT_EQ(compared, kBlocks * kThreads);
    }
    fs::remove_all(folder);
}

}  // namespace
}  // namespace warplens::test::typed_native_tests
