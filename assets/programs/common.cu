#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#define CHECK(call) check(call, __FILE__, __LINE__)

/// Ends the program if a call of CUDA has failed.
void check(cudaError_t status, const char* file, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
    std::exit(1);
}

/// Says whether the result is right, and ends the program if it is not.
void verify(bool right) {
    std::printf(right ? "verified\n" : "WRONG RESULT\n");
    if (!right) std::exit(1);
}

/// Numbers that look random, the same ones in every run. Their top bit is clear.
unsigned random_word(unsigned long long index) {
    index = (index + 1) * 0x9e3779b97f4a7c15u;
    index = (index ^ index >> 30) * 0xbf58476d1ce4e5b9u;
    index = (index ^ index >> 27) * 0x94d049bb133111ebu;
    return static_cast<unsigned>(index >> 33);
}

/// Random multiples of 1/128 from -1 to just below 1: sums of not too many products are exact.
std::vector<float> random_floats(size_t count, unsigned long long seed) {
    std::vector<float> numbers(count);
    for (size_t i = 0; i < count; ++i)
        numbers[i] = (static_cast<int>(random_word(seed << 32 | i) % 256) - 128) / 128.0f;
    return numbers;
}

/// Random elements. The top bit of each is clear.
template <class Element>
std::vector<Element> random_elements(size_t count) {
    const unsigned kept = sizeof(Element) == 1 ? 0x7f7f7f7f : sizeof(Element) == 2 ? 0x7fff7fff : 0x7fffffff;
    std::vector<Element> elements(count);
    const size_t bytes = count * sizeof(Element);
    for (size_t at = 0; at < bytes; at += sizeof(unsigned)) {
        const unsigned word = random_word(at / sizeof(unsigned)) & kept;
        std::memcpy(reinterpret_cast<char*>(elements.data()) + at, &word, std::min(sizeof word, bytes - at));
    }
    return elements;
}

/// The value to look for while a kernel is verified: the top bit of an element (of its first 4 bytes).
template <class Element>
constexpr unsigned top_bit() {
    return 1u << (8 * (sizeof(Element) < 4 ? sizeof(Element) : 4) - 1);
}
constexpr unsigned kNever = 0xffffffff;  // and while it is timed: no element has this value

/// The 4-byte words of an element, XOR-ed, as the kernel folds them.
template <class Element>
unsigned folded(const Element& element) {
    unsigned words[4] = {};
    std::memcpy(words, &element, sizeof element);
    return words[0] ^ words[1] ^ words[2] ^ words[3];
}

template <class Element>
Element* device_array(size_t count) {
    Element* array = nullptr;
    CHECK(cudaMalloc(&array, count * sizeof(Element)));
    return array;
}

template <class Element>
Element* to_device(const std::vector<Element>& elements) {
    Element* array = device_array<Element>(elements.size());
    CHECK(cudaMemcpy(array, elements.data(), elements.size() * sizeof(Element), cudaMemcpyHostToDevice));
    return array;
}

/// Waits for the kernels that were launched before.
template <class Element>
std::vector<Element> to_host(const Element* array, size_t count) {
    std::vector<Element> elements(count);
    CHECK(cudaMemcpy(elements.data(), array, count * sizeof(Element), cudaMemcpyDeviceToHost));
    return elements;
}

/// Some indices below a number, the first and the last among them.
std::vector<size_t> samples(size_t count) {
    return {0, count / 7, count / 3, count / 2, count * 4 / 5, count - 1};
}

/// Launches a kernel that looks for `wanted`.
/// @return  what it has written to *found; kNever if nothing
template <class Launch>
unsigned look(unsigned* found, Launch launch) {
    CHECK(cudaMemset(found, 0xff, sizeof *found));
    launch(0);
    return to_host(found, 1)[0];
}

/// Lets a kernel find one element that differs from all others.
/// @param element  in the memory of the GPU; it gets its old value back
template <class Element, class Launch>
unsigned find(Element* element, unsigned* found, Launch launch) {
    const Element old = to_host(element, 1)[0];
    const unsigned top = top_bit<Element>();
    CHECK(cudaMemset(element, 0, sizeof(Element)));
    CHECK(cudaMemcpy(element, &top, std::min(sizeof top, sizeof(Element)), cudaMemcpyHostToDevice));
    const unsigned seen = look(found, launch);
    CHECK(cudaMemcpy(element, &old, sizeof old, cudaMemcpyHostToDevice));
    return seen;
}

/// The time of one launch [us], the median of 20 times: between two events run as many launches as take 1 ms, at
/// most 100, in a graph, so that the host does not slow them down.
template <class Launch>
double time_us(Launch launch) {
    cudaStream_t stream;
    cudaEvent_t begin, end;
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreate(&end));
    const auto elapsed_us = [&](auto work) {
        CHECK(cudaEventRecord(begin, stream));
        work();
        CHECK(cudaEventRecord(end, stream));
        CHECK(cudaEventSynchronize(end));
        float milliseconds = 0;
        CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
        return milliseconds * 1e3;
    };
    for (int i = 0; i < 3; ++i) launch(stream);  // to warm up
    const double one = elapsed_us([&] { launch(stream); });
    const int launches = static_cast<int>(std::min(std::max(1000 / one, 1.0), 100.0));

    cudaGraph_t graph;
    cudaGraphExec_t replay;
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    for (int i = 0; i < launches; ++i) launch(stream);
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphInstantiateWithFlags(&replay, graph, 0));
    std::vector<double> times(20);
    for (double& time : times) time = elapsed_us([&] { CHECK(cudaGraphLaunch(replay, stream)); }) / launches;
    std::sort(times.begin(), times.end());

    CHECK(cudaGraphExecDestroy(replay));
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaEventDestroy(begin));
    CHECK(cudaEventDestroy(end));
    CHECK(cudaStreamDestroy(stream));
    return (times[9] + times[10]) / 2;
}

/// @param bytes  what the threads of one launch ask for
void print_bandwidth(double bytes, double us) {
    std::printf("useful bandwidth: %.1f GB/s (%.0f bytes in %.2f us)\n", bytes / us * 1e-3, bytes, us);
}

/// @param operations  floating-point operations of one launch; a multiply-add counts as two
void print_speed(double operations, double us) {
    std::printf("speed: %.1f GFLOP/s (%.0f operations in %.2f us)\n", operations / us * 1e-3, operations, us);
}

/// The folded value of an element of a tile whose words are filled_word(0), filled_word(1), ...
template <class Element>
unsigned folded_in_tile(size_t element) {
    unsigned all = 0;
    for (size_t byte = 0; byte < sizeof(Element); ++byte) {
        const size_t at = element * sizeof(Element) + byte;
        all ^= (filled_word(at / 4) >> at % 4 * 8 & 255) << byte % 4 * 8;
    }
    return all;
}

/// What the lanes of a warp access at once: numbers of elements, -1 for a lane that takes no part.
struct Request {
    int element[32];
};

constexpr int kWarps = 8, kTurns = 512, kUnrolled = 16;

/// Eight warps load the same elements again and again, so that the banks are always busy.
/// @param zero    0, which the compiler must not know: else it would load only once
/// @param cycles  gets the cycles of the SM's clock that all of it took
template <class Element>
__global__ void repeat_loads(Request request, int zero, long long* cycles, unsigned* found) {
    extern __shared__ uint4 shared[];
    const int element = request.element[threadIdx.x % 32];
    int at = element * static_cast<int>(sizeof(Element));
    unsigned sum = 0;
    __syncthreads();
    const long long begin = clock64();
#pragma unroll 1
    for (int turn = 0; turn < kTurns; ++turn) {
        if (element < 0) continue;
#pragma unroll
        for (int i = 0; i < kUnrolled; ++i, at += zero)
            sum ^= fold(*reinterpret_cast<const Element*>(reinterpret_cast<const char*>(shared) + at));
    }
    __syncthreads();
    if (threadIdx.x == 0) *cycles = clock64() - begin;
    if (sum == kNever) *found = sum;
}

/// The same with stores.
template <class Element>
__global__ void repeat_stores(Request request, int zero, long long* cycles) {
    extern __shared__ uint4 shared[];
    const int element = request.element[threadIdx.x % 32];
    int at = element * static_cast<int>(sizeof(Element));
    __syncthreads();
    const long long begin = clock64();
#pragma unroll 1
    for (int turn = 0; turn < kTurns; ++turn) {
        if (element < 0) continue;
#pragma unroll
        for (int i = 0; i < kUnrolled; ++i, at += zero)
            *reinterpret_cast<Element*>(reinterpret_cast<char*>(shared) + at) = unfold<Element>(at);
    }
    __syncthreads();
    if (threadIdx.x == 0) *cycles = clock64() - begin;
}

/// The median of what a kernel writes to *cycles in 9 launches, after one to warm up.
template <class Launch>
double median_cycles(Launch launch) {
    long long* cycles = device_array<long long>(1);
    std::vector<long long> all;
    for (int i = 0; i < 10; ++i) {
        launch(cycles);
        CHECK(cudaGetLastError());
        all.push_back(to_host(cycles, 1)[0]);
    }
    CHECK(cudaFree(cycles));
    std::sort(all.begin() + 1, all.end());
    return static_cast<double>(all[5]);
}

/// @param cycles  of all turns of all warps
void print_requests(const Request& request, size_t element_bytes, double cycles) {
    const double each = cycles / (kWarps * kTurns * kUnrolled);
    std::vector<int> elements;  // distinct ones
    for (const int element : request.element)
        if (element >= 0 && std::count(elements.begin(), elements.end(), element) == 0) elements.push_back(element);
    int sms = 0, clock_khz = 0;
    CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    CHECK(cudaDeviceGetAttribute(&clock_khz, cudaDevAttrClockRate, 0));
    std::printf("cycles per request: %.2f\n", each);
    std::printf("useful bandwidth: %.1f GB/s (%zu bytes per request, all %d SMs at %d MHz)\n",
                elements.size() * element_bytes / each * sms * clock_khz * 1e-6, elements.size() * element_bytes, sms,
                clock_khz / 1000);
}

constexpr int kRounds = 64, kLinks = 8;

/// @param requests  how many were made one after the other
void print_latency(double cycles, int requests) {
    std::printf("latency: %.1f cycles per request\n", cycles / requests);
}
