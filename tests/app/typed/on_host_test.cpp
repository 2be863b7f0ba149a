// Kernels access what the model says, by a compiler that knows nothing of it: their texts, in which each
// access notes its address, are compiled as C++ and executed a thread at a time.
#include "app/base/process.h"
#include "app/typed/kernel_launch.h"
#include "app/typed/random_kernel.h"
#include "tests/app/typed/typed_examples.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>

namespace warplens::test::on_host_tests {
namespace {

namespace fs = std::filesystem;
using namespace typed;

/// What became of kernels that the host's compiler compiled.
struct OnHost {
    int compared = 0;
    std::int64_t accesses = 0;
    std::vector<std::string> off;      ///< of each kernel that accesses something else: one sentence
    std::vector<std::string> refused;  ///< of each that the compiler does not take: why
};

/// CUDA C++ for a compiler of C++: one thread at a time.
constexpr std::string_view kCuda = R"(
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <algorithm>
#include <type_traits>
#include <vector>
#define __global__
#define __device__
#define __host__
#define __constant__
#define __managed__
#define __shared__ static
#define __forceinline__
#define __inline__
#define __noinline__
#define __launch_bounds__(...)
#define __align__(n) alignas(n)
#define assert(...) ((void)0)
struct Three { unsigned x, y, z; };
static Three threadIdx, blockIdx, blockDim, gridDim;
constexpr int warpSize = 32;
struct dim3 { unsigned x, y, z; dim3(unsigned a = 1, unsigned b = 1, unsigned c = 1) : x(a), y(b), z(c) {} };
#define VECTOR2(T, name, align) struct alignas(align) name##2 { T x, y; }; \
    inline name##2 make_##name##2(T x, T y) { return {x, y}; }
#define VECTOR3(T, name) struct name##3 { T x, y, z; }; \
    inline name##3 make_##name##3(T x, T y, T z) { return {x, y, z}; }
#define VECTOR4(T, name, align) struct alignas(align) name##4 { T x, y, z, w; }; \
    inline name##4 make_##name##4(T x, T y, T z, T w) { return {x, y, z, w}; }
#define VECTORS(T, name) VECTOR2(T, name, 2 * sizeof(T)) VECTOR3(T, name) VECTOR4(T, name, (sizeof(T) < 8 ? 4 * sizeof(T) : 16))
VECTORS(float, float) VECTORS(int, int) VECTORS(unsigned, uint) VECTORS(double, double) VECTORS(signed char, char)
VECTORS(unsigned char, uchar) VECTORS(short, short) VECTORS(unsigned short, ushort) VECTORS(long long, longlong)
VECTORS(unsigned long long, ulonglong)
inline void __syncthreads() {}
inline void __syncwarp(unsigned = 0) {}
inline unsigned __activemask() { return ~0u; }
inline void __threadfence() {}
inline void __threadfence_block() {}
template <class T> T __ldg(const T* p) { return *p; }
template <class T> T __ldcg(const T* p) { return *p; }
template <class T> T __ldca(const T* p) { return *p; }
template <class T> T __ldcs(const T* p) { return *p; }
template <class T> T __shfl_sync(unsigned, T v, int, int = 32) { return v; }
template <class T> T __shfl_down_sync(unsigned, T v, int, int = 32) { return v; }
template <class T> T __shfl_up_sync(unsigned, T v, int, int = 32) { return v; }
template <class T> T __shfl_xor_sync(unsigned, T v, int, int = 32) { return v; }
template <class T, class U> T atomicAdd(T* p, U v) { T old = *p; *p = T(old + v); return old; }
template <class T, class U> T atomicSub(T* p, U v) { T old = *p; *p = T(old - v); return old; }
template <class T, class U> T atomicMax(T* p, U v) { T old = *p; *p = old < T(v) ? T(v) : old; return old; }
template <class T, class U> T atomicMin(T* p, U v) { T old = *p; *p = old > T(v) ? T(v) : old; return old; }
template <class T, class U> T atomicOr(T* p, U v) { T old = *p; *p = T(old | v); return old; }
template <class T, class U> T atomicExch(T* p, U v) { T old = *p; *p = T(v); return old; }
template <class T, class U, class V> T atomicCAS(T* p, U c, V v) { T old = *p; if (old == T(c)) *p = T(v); return old; }
inline int __popc(unsigned x) { return __builtin_popcount(x); }
inline int __clz(unsigned x) { return x == 0 ? 32 : __builtin_clz(x); }
inline int __ffs(int x) { return __builtin_ffs(x); }
inline float __int_as_float(int x) { float f; memcpy(&f, &x, 4); return f; }
inline float rsqrtf(float x) { return 1 / std::sqrt(x); }
inline double rsqrt(double x) { return 1 / std::sqrt(x); }
inline float __expf(float x) { return std::exp(x); }
inline float __fdividef(float a, float b) { return a / b; }
inline float __fmul_rn(float a, float b) { return a * b; }
inline int __mul24(int a, int b) { return a * b; }
inline float __saturatef(float x) { return x < 0 ? 0 : x > 1 ? 1 : x; }
template <class T, class U> std::common_type_t<T, U> min(T a, U b) { using C = std::common_type_t<T, U>; return C(b) < C(a) ? C(b) : C(a); }
template <class T, class U> std::common_type_t<T, U> max(T a, U b) { using C = std::common_type_t<T, U>; return C(a) < C(b) ? C(b) : C(a); }
using std::abs;
alignas(256) static unsigned char warplens_dynamic[1 << 18];
struct Noted { unsigned site; bool store; unsigned long long address; };
static std::vector<Noted> warplens_noted;
inline void warplens_note(unsigned site, bool store, const volatile void* p) {
    warplens_noted.push_back({site, store, (unsigned long long)(uintptr_t)p});
}
template <int space, class T> T warplens_load(unsigned site, const volatile T* p) {
    warplens_note(site, false, p);
    return *(const T*)p;
}
template <class T> T* warplens_pointer(unsigned site, bool loads, bool stores, T* p) {
    if (loads) warplens_note(site, false, p);
    if (stores) warplens_note(site, true, p);
    return p;
}
template <class T> struct warplens_element;
template <class T> struct warplens_pointer_to {
    unsigned site;
    const T* p;
    warplens_element<T> operator*() const { return {*this}; }
};
template <class T> struct warplens_element {
    warplens_pointer_to<T> p;
    warplens_pointer_to<T> operator&() const { return p; }
};
template <class T> warplens_pointer_to<T> warplens_cached(unsigned site, const T* p) { return {site, p}; }
template <class T> T __ldg(const warplens_pointer_to<T>& of) { return warplens_load<0>(of.site, of.p); }
template <class T> T __ldcg(const warplens_pointer_to<T>& of) { return warplens_load<0>(of.site, of.p); }
template <class T> T __ldca(const warplens_pointer_to<T>& of) { return warplens_load<0>(of.site, of.p); }
template <class T> T __ldcs(const warplens_pointer_to<T>& of) { return warplens_load<0>(of.site, of.p); }
template <int space, class T> struct warplens_place {
    unsigned site;
    T* p;
    operator T() const { return warplens_load<space>(site, p); }
    T operator=(const T& value) { warplens_note(site, true, p); return *p = value; }
    T operator=(const warplens_place& other) { return *this = T(other); }
#define SIGN(sign) template <class U> T operator sign(const U& by) { T value = *this; value sign by; return *this = value; }
    SIGN(+=) SIGN(-=) SIGN(*=) SIGN(/=) SIGN(%=) SIGN(&=) SIGN(|=) SIGN(^=) SIGN(<<=) SIGN(>>=)
    T operator++() { T value = *this; ++value; return *this = value; }
    T operator--() { T value = *this; --value; return *this = value; }
    T operator++(int) { T old = *this, value = old; ++value; *this = value; return old; }
    T operator--(int) { T old = *this, value = old; --value; *this = value; return old; }
};
template <int space, class T> warplens_place<space, T> warplens_to(unsigned site, volatile T* p) { return {site, (T*)p}; }
template <class... P, std::size_t... i> void warplens_call(void (*kernel)(P...), unsigned char** bytes, std::index_sequence<i...>) {
    kernel(*(std::remove_reference_t<P>*)bytes[i]...);
}
template <class... P> void warplens_call(void (*kernel)(P...), unsigned char** bytes) {
    warplens_call(kernel, bytes, std::index_sequence_for<P...>());
}
)";

struct Prepared {
    std::shared_ptr<const TypedLaunch> launch;
    std::vector<const Expr*> sites;
    std::vector<PlacedMemory> placed;
    std::vector<std::int64_t> blocks;
    std::string source;  ///< its text, and a function that executes it
};

/// What stands behind our own functions of a text: the person's kernel.
std::string kernel_text(const std::string& text) {
    const std::size_t at = text.rfind("namespace user {");
    std::string kernel = std::regex_replace(text.substr(at), std::regex("static __shared__"), "__shared__");
    kernel = std::regex_replace(kernel, std::regex(R"(extern __shared__ ([\w ]*?)(\w+) (\w+) \[ \] ;)"),
                                "$2 * $3 = ($2 *) warplens_dynamic ;");
    return kernel;
}

Prepared prepare(const std::shared_ptr<const TypedLaunch>& launch, std::size_t index) {
    Prepared out{.launch = launch};
    CudaText text = cuda_text(*launch, TextKind::traced);
    out.sites = text.sites;
    const std::string space = fmt::format("user{}", index);
    out.source =
        std::regex_replace(kernel_text(text.text), std::regex("namespace user"), "namespace " + space);
    const std::string name = std::regex_replace(text.name, std::regex("^user"), space);
    const KernelLaunch what = kernel_launch(*launch, std::move(text), &out.placed);
    const std::int64_t last = what.blocks() - 1;
    out.blocks = {0};
    for (const std::int64_t block : {last / 2, last})
        if (block > out.blocks.back()) out.blocks.push_back(block);
    std::string body;
    for (std::size_t i = 0; i < what.arrays.size(); ++i) {
        const KernelLaunch::Array& array = what.arrays[i];
        body += fmt::format("  unsigned char* array{} = (unsigned char*)std::aligned_alloc(256, {});\n", i,
                            (array.bytes + 255) / 256 * 256);
        body += fmt::format("  std::printf(\"a %llu\\n\", (unsigned long long)(uintptr_t)array{});\n", i);
        if (array.content == Content::unknown) continue;
        body += fmt::format(
            "  for (long long i = 0; i < {}; ++i) {{ long long v = content({}, i, {}); "
            "std::memcpy(array{} + i * {}, &v, {}); }}\n",
            array.bytes / array.element_bytes, int(array.content), array.bytes / array.element_bytes, i,
            array.element_bytes, array.element_bytes);
    }
    body += fmt::format("  unsigned char* given[{}];\n", what.parameters.size() + 1);
    for (std::size_t i = 0; i < what.parameters.size(); ++i) {
        const KernelLaunch::Parameter& one = what.parameters[i];
        body += fmt::format("  alignas(256) static unsigned char p{}[] = {{{}}};\n  given[{}] = p{};\n", i,
                            fmt::join(one.bytes, ","), i, i);
        for (const KernelLaunch::Pointer& pointer : one.pointers)
            body +=
                fmt::format("  {{ unsigned char* at = array{} + {}LL; std::memcpy(p{} + {}, &at, 8); }}\n",
                            pointer.array, pointer.behind, i, pointer.at);
    }
    body += fmt::format("  gridDim = {{{}, {}, {}}};\n  blockDim = {{{}, {}, {}}};\n", what.grid[0],
                        what.grid[1], what.grid[2], what.block[0], what.block[1], what.block[2]);
    for (const std::int64_t block : out.blocks)
        body += fmt::format("  run_block({}LL, [&] {{ warplens_call({}, given); }});\n", block, name);
    out.source += fmt::format("static void run{}() {{\n{}}}\n", index, body);
    return out;
}

constexpr std::string_view kRunBlock = R"(
static unsigned mix(unsigned x) { x ^= x >> 16; x *= 0x7feb352du; x ^= x >> 15; x *= 0x846ca68bu; return x ^ x >> 16; }
static long long content(int kind, long long i, long long count) {
    if (kind == 1) return i;
    if (kind == 2) return count - 1 - i;
    if (kind == 4) return mix((unsigned)i + 1) % count;
    int bits = 2;
    while (bits < 31 && (1LL << bits) < count) ++bits;
    const unsigned mask = (1u << bits) - 1;
    auto shuffle = [&](unsigned x) {
        x = (x * 0x9e3779b1u + mix(1)) & mask; x ^= x >> bits / 2; x = x * 0x85ebca6bu & mask; return x ^ x >> bits / 2;
    };
    unsigned item = shuffle((unsigned)i);
    while (item >= (unsigned long long)count) item = shuffle(item);
    return item;
}
template <class Call> void run_block(long long block, Call call) {
    blockIdx = {unsigned(block % gridDim.x), unsigned(block / gridDim.x % gridDim.y), unsigned(block / gridDim.x / gridDim.y)};
    std::puts("b");
    for (threadIdx.z = 0; threadIdx.z < blockDim.z; ++threadIdx.z)
        for (threadIdx.y = 0; threadIdx.y < blockDim.y; ++threadIdx.y)
            for (threadIdx.x = 0; threadIdx.x < blockDim.x; ++threadIdx.x) {
                warplens_noted.clear();
                call();
                std::puts("t");
                for (const Noted& one : warplens_noted) std::printf("%u %d %llu\n", one.site, one.store, one.address);
            }
}
)";

/// What the program said about one kernel.
void compare(const Prepared& of, std::istream& said, OnHost& sum) {
    KernelTrace trace;
    ComparedAddresses compared;
    std::size_t block = 0;
    const auto end_block = [&] {
        if (!trace.threads.empty())
            BlockComparison(*of.launch, of.sites, of.blocks[block++]).compare(trace, of.placed, compared);
        trace.threads.clear();
    };
    for (std::string line; std::getline(said, line) && line != "k";) {
        if (line[0] == 'a') {
            trace.arrays.push_back(std::stoull(line.substr(2)));
        } else if (line == "b") {
            end_block();
        } else if (line == "t") {
            trace.threads.emplace_back();
        } else {
            TracedAccess& one = trace.threads.back().emplace_back();
            int store = 0;
            unsigned long long address = 0;
            std::sscanf(line.c_str(), "%u %d %llu", &one.site, &store, &address);
            one.store = store != 0;
            one.address = address;
        }
    }
    end_block();
    ++sum.compared;
    sum.accesses += compared.accesses;
    if (block != of.blocks.size()) compared.first = "it ended before its last block";
    if (!compared.first.empty()) sum.off.push_back(compared.first);
}

void run(const std::vector<Prepared>& all, const std::string& compiler, OnHost& sum) {
    const fs::path folder = fs::path(testing::TempDir()) / fmt::format("warplens_on_host_{}", getpid());
    fs::create_directories(folder);
    std::string source = std::string(kCuda) + std::string(kRunBlock), main = "int main() {\n";
    for (const Prepared& one : all) source += one.source;
    for (std::size_t i = 0; i < all.size(); ++i) main += fmt::format("    run{}(); std::puts(\"k\");\n", i);
    std::ofstream(folder / "kernels.cpp") << source << main << "}\n";
    const std::string program = (folder / "kernels").string(), log = (folder / "log.txt").string(),
                      said = (folder / "said.txt").string();
    constexpr std::chrono::seconds kLongest{300};
    // Overflow of signed integers is undefined in C++; on GPUs it wraps round.
    const std::optional<int> compiled =
        run_program({compiler, "-std=c++17", "-O0", "-fwrapv", "-w", "-fmax-errors=3", "-o", program,
                     (folder / "kernels.cpp").string()},
                    log, kLongest);
    if (compiled != 0 || run_program({program}, said, kLongest) != 0) {
        std::ifstream text(log);
        std::string why, line;
        while (std::getline(text, line))
            if (line.find("error") != std::string::npos && why.empty()) why = line;
        sum.refused.push_back(why.empty() ? "it did not end well" : why);
    } else {
        std::ifstream answers(said);
        for (const Prepared& one : all) compare(one, answers, sum);
    }
    fs::remove_all(folder);
}

/// Whether kernels access what the model says, by a compiler that knows nothing of it: their texts, in which
/// each access notes its address, are compiled as C++ and executed a thread at a time. A barrier does
/// nothing, because no address follows from what another thread stored. Empty if there is no C++ compiler.
/// @param together  in one program; then all have to be taken
OnHost run_on_host(const std::vector<std::shared_ptr<const TypedLaunch>>& launches, bool together) {
    OnHost sum;
    const std::string compiler = find_program("c++");
    if (compiler.empty()) return sum;
    std::vector<Prepared> all;
    for (std::size_t i = 0; i < launches.size(); ++i) {
        try {
            all.push_back(prepare(launches[i], together ? i : 0));
        } catch (const SourceError& error) {
            sum.refused.push_back(error.what());
        }
        if (together || all.empty()) continue;
        run(all, compiler, sum);
        all.clear();
    }
    if (!all.empty()) run(all, compiler, sum);
    return sum;
}

// Law: compiled by a compiler that knows nothing of the model, kernels access what the model says.
TEST(OnHost, KernelsAccessWhatTheModelSays) {
    std::vector<std::shared_ptr<const TypedLaunch>> launches;
    for (const auto& [name, text] : shipped_kernels()) {
        const auto launch = launch_of(text);
        if (!launch->assumes()) launches.push_back(launch);  // its counter of blocks begins with 0
    }
    for (std::uint64_t seed = 0; seed < 24; ++seed) launches.push_back(launch_of(random_kernel(seed)));

    const OnHost on_host = run_on_host(launches, true);
    if (on_host.compared == 0 && on_host.refused.empty()) GTEST_SKIP() << "there is no c++ here";
    EXPECT_THAT(on_host.refused, testing::IsEmpty());
    EXPECT_THAT(on_host.off, testing::IsEmpty());
    EXPECT_EQ(on_host.compared, int(launches.size()));
    EXPECT_GT(on_host.accesses, 10'000);
}

}  // namespace
}  // namespace warplens::test::on_host_tests
