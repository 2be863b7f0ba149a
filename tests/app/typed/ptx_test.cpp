// What goes to the driver of a GPU: only what is on a list, whatever was typed.
#include "app/typed/ptx.h"
#include "app/typed/lower.h"
#include "app/typed/random_kernel.h"
#include "kernels/typed/code_step.h"

#include "tests/app/typed/typed_examples.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <regex>
#include <set>
#include <sstream>

namespace warplens::test::ptx_tests {
namespace {

using namespace typed;

Code code_of(const std::string& text) {
    const TypedProgram program(text, "");
    std::vector<std::int64_t> values;
    for (const TypedKnob& knob : program.knobs()) values.push_back(knob.initial);
    return lower(*program.launch(values));
}

/// Opcodes without their types.
const std::set<std::string>& opcodes() {
    static const std::set<std::string> all{
        "mov", "add",  "sub",  "mul", "div",  "rem", "and",  "or",   "xor",   "shl", "shr",       "min",
        "max", "setp", "selp", "abs", "popc", "clz", "brev", "sqrt", "rsqrt", "ex2", "lg2",       "sin",
        "cos", "cvt",  "cvta", "ld",  "st",   "bra", "shfl", "bar",  "red",   "ret", "activemask"};
    return all;
}

/// The first line that is not as expected. Empty if all are.
std::string first_wrong_line(const std::string& ptx) {
    static const std::regex directive(
        R"re(\.(version 6\.5|target sm_52|address_size 64|pragma "nounroll";|)re"
        R"re(visible \.entry typed_kernel\(|param \.u64 (memory\d+|trace|first_block|blocks|kept|status)[,)]|)re"
        R"re(reg \.(b32|b64|f32|f64|pred) [%a-z_0-9<>, ]+;|extern \.shared \.align 16 \.b8 shared_memory\[\];|)re"
        R"re(const \.align 16 \.b8 constants\[\d+\];|local \.align 16 \.b8 local_memory\[\d+\];))re");
    static const std::regex step(
        R"re((@!?%[pq] )?([a-z0-9]+)((\.[a-z0-9]+)*)( [-%A-Za-z0-9_.,\[\]{}+ ]+)?;)re");
    std::istringstream lines(ptx);
    std::smatch match;
    static std::set<std::string> known;  // lines that differ in a digit only are looked at once
    for (std::string line; std::getline(lines, line);) {
        std::string form;
        for (const char c : line) {
            const bool digit = c >= '0' && c <= '9';
            if (!digit || form.empty() || form.back() != '0') form += digit ? '0' : c;
        }
        if (!known.insert(form).second) continue;
        if (line == "{" || line == "}" || line == "END:") continue;
        if (line.size() > 1 && line[0] == 'L' && line.back() == ':' &&
            std::all_of(line.begin() + 1, line.end() - 1, [](char c) { return c >= '0' && c <= '9'; }))
            continue;
        if (std::regex_match(line, directive)) continue;
        if (std::regex_match(line, match, step) && opcodes().contains(match[2].str())) continue;
        known.erase(form);
        return line;
    }
    return {};
}

void expect_listed(const std::string& text) {
    const Code code = code_of(text);
    for (const PtxKind kind : {PtxKind::plain, PtxKind::counted, PtxKind::traced})
        ASSERT_EQ(first_wrong_line(ptx_of(code, kind)), "") << text;
}

TEST(Ptx, OnlyWhatIsOnTheList) {
    EXPECT_EQ(first_wrong_line("mov.b32 %r1, 4;\nexit;\n"), "exit;");
    EXPECT_EQ(first_wrong_line("call.uni printf;\n"), "call.uni printf;");
    for (const auto& [name, text] : shipped_kernels()) expect_listed(text);
    for (std::uint64_t seed = 0; seed < 60; ++seed) expect_listed(random_kernel(seed));
    expect_listed(R"(__global__ void k(const double* in, float* out) {
        double x = in[threadIdx.x];
        out[threadIdx.x] = sqrt(x) + rsqrtf(2.5f) + expf(1e30f) + log2(x) + sin(x) + cosf(0.1f) + tan(x) + pow(x, 2.0) +
                           fmod(x, 3.0) + hypot(x, x) + erf(x) + floor(x) + ceil(x) + round(x) + fma(x, x, x) +
                           fmin(x, 1.0) + fabsf(-1.0f) + __frcp_rn(3.0f);
    })");
}

TEST(Ptx, NothingOfTheTextIsInIt) {
    const std::string ptx = ptx_of(
        code_of("__global__ void secret_name(float* secret_array) { secret_array[threadIdx.x] = 7.0f; }"),
        PtxKind::plain);
    EXPECT_EQ(ptx.find("secret"), std::string::npos);
    EXPECT_NE(ptx.find("st.global.f32"), std::string::npos);
}

/// Executes what shifts, adds and masks whole numbers, and leaves out everything else.
std::int64_t executed(const std::string& ptx, const std::string& result,
                      std::map<std::string, std::int64_t> registers) {
    static const std::regex step(
        R"re((mov|shr|and|add|sub)\.([bsu])(32|64) (%\w+), ([-%\w]+)(, ([-%\w]+))?;)re");
    std::istringstream lines(ptx);
    std::smatch match;
    for (std::string line; std::getline(lines, line);) {
        if (!std::regex_match(line, match, step)) continue;
        const bool wide = match[3] == "64", is_unsigned = match[2] == "u";
        const auto wrapped = [&](std::int64_t value) -> std::int64_t {
            if (wide) return value;
            return is_unsigned ? std::int64_t{static_cast<std::uint32_t>(value)}
                               : std::int64_t{static_cast<std::int32_t>(value)};
        };
        const auto value = [&](const std::string& operand) {
            return wrapped(operand[0] == '%' ? registers[operand] : std::stoll(operand));
        };
        const std::string opcode = match[1];
        const std::int64_t a = value(match[5]), b = match[7].matched ? value(match[7]) : 0;
        const auto ua = static_cast<std::uint64_t>(a), ub = static_cast<std::uint64_t>(b);
        registers[match[4]] = wrapped(opcode == "mov"   ? a
                                      : opcode == "and" ? a & b
                                      : opcode == "add" ? static_cast<std::int64_t>(ua + ub)
                                      : opcode == "sub" ? static_cast<std::int64_t>(ua - ub)
                                      : is_unsigned     ? static_cast<std::int64_t>(ua >> b)
                                                        : a >> b);
    }
    return registers[result];
}

// By a power of two without a division, as nvcc writes it: also of numbers below 0, and of the least one.
TEST(Ptx, DivisionsByPowersOfTwoAreThose) {
    for (const CodeType type : {CodeType::s32, CodeType::u32, CodeType::s64, CodeType::u64}) {
        const bool wide = bytes_of(type) == 8, is_signed = type == CodeType::s32 || type == CodeType::s64;
        const int width = wide ? 64 : 32;
        const std::string prefix = wide ? "%d" : "%r";
        for (int power = 1; power < width - 1; ++power) {
            const std::int64_t divisor = std::int64_t{1} << power;
            Code code;
            code.registers.assign(4, type);
            code.instructions = {{.op = CodeOp::constant, .type = type, .to = 1, .value = divisor},
                                 {.op = CodeOp::div, .type = type, .to = 2, .a = 0, .b = 1},
                                 {.op = CodeOp::rem, .type = type, .to = 3, .a = 0, .b = 1},
                                 {.op = CodeOp::finish}};
            const std::string ptx = ptx_of(code, PtxKind::plain);
            ASSERT_EQ(ptx.find("div."), std::string::npos);
            ASSERT_EQ(ptx.find("rem."), std::string::npos);
            ASSERT_EQ(first_wrong_line(ptx), "");
            const std::int64_t least = wide ? std::numeric_limits<std::int64_t>::min()
                                            : std::int64_t{std::numeric_limits<std::int32_t>::min()};
            for (std::int64_t value :
                 {std::int64_t{0}, std::int64_t{1}, std::int64_t{1234567}, divisor - 1, divisor, divisor + 1,
                  -divisor, -divisor - 1, 1 - divisor, std::int64_t{-1}, std::int64_t{-987654}, least,
                  least + 1, -(least + 1)}) {
                if (!is_signed)
                    value = wide ? value : static_cast<std::int64_t>(static_cast<std::uint32_t>(value));
                const CodeInstr divides{.op = CodeOp::div, .type = type},
                    rests{.op = CodeOp::rem, .type = type};
                const auto bits = [&](std::int64_t of) {
                    return wide ? static_cast<std::uint64_t>(of) : static_cast<std::uint32_t>(of);
                };
                ASSERT_EQ(bits(executed(ptx, prefix + "2", {{prefix + "0", value}})),
                          bits(code_result(divides, value, divisor)))
                    << value << " / 2^" << power;
                ASSERT_EQ(bits(executed(ptx, prefix + "3", {{prefix + "0", value}})),
                          bits(code_result(rests, value, divisor)))
                    << value << " % 2^" << power;
            }
        }
    }
    // Other divisors are divided by.
    const std::string other = ptx_of(code_of("// launch grid=1 block=32\n"
                                             "__global__ void k(float* a) {  // out float[64]\n"
                                             "    a[threadIdx.x / 7 + threadIdx.x % 6] = 1.0f; }"),
                                     PtxKind::plain);
    EXPECT_NE(other.find("div."), std::string::npos);
    EXPECT_NE(other.find("rem."), std::string::npos);
}

// A store of an element that could lie outside is tested against the array: its index as an unsigned number,
// or where a pointer may have moved, its place.
TEST(Ptx, EachAccessThatCouldLeaveItsArrayIsTested) {
    const std::string ptx =
        ptx_of(code_of("// launch grid=1 block=256\n"
                       "__global__ void k(float* a) {  // out float[200]\n"
                       "    if (threadIdx.x * threadIdx.x < 40000) a[threadIdx.x] = 1.0f; }"),
               PtxKind::plain);
    const std::size_t test = ptx.find("setp.lt.u32 %p, "), store = ptx.find("@%p st.global.f32");
    ASSERT_NE(test, std::string::npos);
    ASSERT_NE(store, std::string::npos);
    EXPECT_LT(test, store);
    EXPECT_NE(ptx.find(", 200;\n", test), std::string::npos);
    EXPECT_EQ(ptx.find(" st.global", store + 5), std::string::npos) << "no store but this one";
    const std::string moved = ptx_of(code_of("// launch grid=1 block=256\n"
                                             "__global__ void k(float* a) {  // out float[256]\n"
                                             "    if (threadIdx.x * threadIdx.x >= 16384) return;\n"
                                             "    a += 2 * threadIdx.x; *a = 1.0f; }"),
                                     PtxKind::plain);
    EXPECT_NE(moved.find(", 1020;\n", moved.find("setp.le.u64 %p, ")), std::string::npos)
        << "256 floats, so that the last begins at byte 1020";
    const std::string inside = ptx_of(code_of("// launch grid=1 block=256\n"
                                              "__global__ void k(float* a) {  // out float[256]\n"
                                              "    a[threadIdx.x] = 1.0f; }"),
                                      PtxKind::plain);
    EXPECT_NE(inside.find("\nst.global.f32"), std::string::npos) << "no thread can leave it";
}

// Law: what is not known to lie inside (lower_test.cpp) is not executed without a test.
TEST(Ptx, NoAccessIsWithoutATestOrAReason) {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        const Code code = code_of(random_kernel(seed));
        const auto is_free = [](const CodeInstr& one) {
            return (one.op == CodeOp::load || one.op == CodeOp::store) && one.inside;
        };
        std::istringstream lines(ptx_of(code, PtxKind::plain));
        std::ptrdiff_t free = 0;
        for (std::string line; std::getline(lines, line);) {
            const bool access =
                line.starts_with("st.") || (line.starts_with("ld.") && !line.starts_with("ld.param"));
            free += access;
        }
        ASSERT_EQ(free, std::ranges::count_if(code.instructions, is_free)) << "seed " << seed;
    }
}

TEST(Ptx, OnlyCountedAccessesAreKeptAsTheyAreWritten) {
    const Code code =
        code_of("__global__ void k(float* a) { for (int i = threadIdx.x; i < 256; i += 64) a[i] += 1.0f; }");
    EXPECT_EQ(ptx_of(code, PtxKind::plain).find("volatile"), std::string::npos);
    EXPECT_EQ(ptx_of(code, PtxKind::plain).find("nounroll"), std::string::npos);
    EXPECT_NE(ptx_of(code, PtxKind::counted).find("ld.volatile.global.f32"), std::string::npos);
    EXPECT_NE(ptx_of(code, PtxKind::counted).find("nounroll"), std::string::npos);
}

}  // namespace
}  // namespace warplens::test::ptx_tests
