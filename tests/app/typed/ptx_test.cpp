// What goes to the driver of a GPU: only what is on a list, whatever was typed.
#include "app/typed/ptx.h"
#include "app/typed/lower.h"
#include "app/typed/random_kernel.h"

#include "tests/app/typed/typed_examples.h"

#include <gtest/gtest.h>

#include <algorithm>
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

// A store of an element that could lie outside is tested against the array: its index as an unsigned number,
// or where a pointer may have moved, its place.
TEST(Ptx, EachAccessThatCouldLeaveItsArrayIsTested) {
    const std::string ptx = ptx_of(code_of("// launch grid=1 block=256\n"
                                           "__global__ void k(float* a) {  // out float[200]\n"
                                           "    if (threadIdx.x < 200) a[threadIdx.x] = 1.0f; }"),
                                   PtxKind::plain);
    const std::size_t test = ptx.find("setp.lt.u32 %p, "), store = ptx.find("@%p st.global.f32");
    ASSERT_NE(test, std::string::npos);
    ASSERT_NE(store, std::string::npos);
    EXPECT_LT(test, store);
    EXPECT_NE(ptx.find(", 200;\n", test), std::string::npos);
    EXPECT_EQ(ptx.find(" st.global", store + 5), std::string::npos) << "no store but this one";
    const std::string moved = ptx_of(code_of("// launch grid=1 block=128\n"
                                             "__global__ void k(float* a) {  // out float[256]\n"
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
