// Plain CUDA C++ kernels for the scenarios of Warplens: an independent reference for its times.
//
//   nvcc -O3 -std=c++17 -arch=sm_90 plain.cu -o plain && ./plain > plain.csv
//   ./plain transpose        only scenarios whose name contains the word
//
// One CSV line per setting: scenario,"settings",median_us,GB_per_s_or_GFLOP_per_s,verified
//   - settings: as given to `warplens measure <scenario> --set <settings>`; empty for the defaults
//   - GFLOP/s for matrix-multiply, constant-convolution and local-spill, else useful GB/s
//   - verified: 1 if the kernel's results agree with a computation on the CPU (samples where large)
//
// Times are warm: 3 warm-up launches, then 20 intervals of launches in a CUDA graph, at least 1 ms each;
// the median interval divided by its launches. So the time of a short kernel includes the start of a graph node.
//
// A kernel that only loads needs a use for what it loads, or the compiler drops the load. Those here search: the
// thread that meets `wanted` says so. While timed, `wanted` does not occur, so nothing is written.
//
// LEFT OUT, because they are microbenchmarks in cycles of one warp or one request, without a time of a whole grid
// that means anything (1,024 blocks of one warp and one request each are over before the launch is):
//   shared-stride, shared-broadcast, shared-tile, shared-matrix-load   cycles per request in shared memory; their
//                                          GB/s are bytes per request / cycles per request, scaled to all SMs
//   constant-lookup, register-shuffle      cycles of a chain of dependent requests
//   cluster-shared                         cycles of a load from another block's shared memory
//   cache-footprint, measure=latency       cycles per link of a pointer chain (measure=bandwidth is here)
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#define CHECK(call)                                                                                          \
    do {                                                                                                     \
        const cudaError_t error = (call);                                                                    \
        if (error != cudaSuccess) {                                                                          \
            std::fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(error));   \
            std::exit(1);                                                                                    \
        }                                                                                                    \
    } while (0)

// ---------------------------------------------------------------------------------------------------------------
// What all scenarios share: numbers, buffers, timing
// ---------------------------------------------------------------------------------------------------------------

__host__ __device__ inline uint32_t mix(uint32_t x) {
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return x ^ x >> 16;
}
/// The small whole number that input i holds: sums of them are exact in a float, in any order.
__host__ __device__ inline float small_number(size_t i) { return float(mix(uint32_t(i)) % 5) - 2; }

__global__ void fill_numbers(float* out, size_t n) {
    const size_t all = size_t(gridDim.x) * blockDim.x;
    for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n; i += all) out[i] = small_number(i);
}
/// No byte is 0xff, which is what the kernels search for.
__global__ void fill_words(uint32_t* out, size_t n) {
    const size_t all = size_t(gridDim.x) * blockDim.x;
    for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n; i += all)
        out[i] = mix(uint32_t(i)) & 0x7f7f7f7fu;
}

cudaStream_t stream;
const char* only = "";

template <class T>
struct Buffer {
    T* data = nullptr;
    size_t size;
    explicit Buffer(size_t n) : size(n) { CHECK(cudaMalloc(&data, (n * sizeof(T) + 255) / 256 * 256)); }
    ~Buffer() { cudaFree(data); }
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;
    void fill() {
        const size_t words = (size * sizeof(T) + 3) / 4;
        fill_words<<<4096, 256, 0, stream>>>(reinterpret_cast<uint32_t*>(data), words);
        CHECK(cudaGetLastError());
    }
    void numbers() {
        fill_numbers<<<4096, 256, 0, stream>>>(reinterpret_cast<float*>(data), size);
        CHECK(cudaGetLastError());
    }
    void zero() { CHECK(cudaMemsetAsync(data, 0, size * sizeof(T), stream)); }
    T get(size_t i) const {
        T value;
        CHECK(cudaStreamSynchronize(stream));
        CHECK(cudaMemcpy(&value, data + i, sizeof(T), cudaMemcpyDeviceToHost));
        return value;
    }
    void set(size_t i, T value) {
        CHECK(cudaStreamSynchronize(stream));
        CHECK(cudaMemcpy(data + i, &value, sizeof(T), cudaMemcpyHostToDevice));
    }
};

template <class T>
T all_bytes(int byte) {
    T value;
    std::memset(&value, byte, sizeof value);
    return value;
}
template <class T>
bool equal(const T& a, const T& b) {
    return std::memcmp(&a, &b, sizeof(T)) == 0;
}
__device__ inline bool same(unsigned a, unsigned b) { return a == b; }
__device__ inline bool same(uint2 a, uint2 b) { return ((a.x ^ b.x) | (a.y ^ b.y)) == 0; }
__device__ inline bool same(uint4 a, uint4 b) {
    return ((a.x ^ b.x) | (a.y ^ b.y) | (a.z ^ b.z) | (a.w ^ b.w)) == 0;
}

/// Some numbers below n, the first and the last among them.
std::vector<size_t> samples(size_t n, int count = 12) {
    std::vector<size_t> out{0, n - 1};
    for (int i = 0; i < count; ++i) out.push_back((size_t{mix(i + 1)} << 32 | mix(i + 1000)) % n);
    return out;
}

template <class Launch>
double median_us(Launch launch) {
    const auto check_launch = [&] { launch(); CHECK(cudaGetLastError()); };
    cudaEvent_t begin, end;
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreate(&end));
    const auto elapsed_ms = [&](auto work) {
        CHECK(cudaEventRecord(begin, stream));
        work();
        CHECK(cudaEventRecord(end, stream));
        CHECK(cudaEventSynchronize(end));
        float ms = 0;
        CHECK(cudaEventElapsedTime(&ms, begin, end));
        return double{ms};
    };
    for (int i = 0; i < 3; ++i) check_launch();
    double one_ms = 1e9;  // the better of two estimates, so that an interval does not become too short
    for (int i = 0; i < 2; ++i) one_ms = std::min(one_ms, elapsed_ms([&] { for (int k = 0; k < 4; ++k) launch(); }) / 4);
    const int nodes = std::clamp(int(std::ceil(1.5 / one_ms)), 1, 100);
    const int repeats = std::max(1, int(std::ceil(1.5 / (one_ms * nodes))));
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    for (int i = 0; i < nodes; ++i) launch();
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    CHECK(cudaGraphLaunch(exec, stream));
    std::vector<double> intervals;
    int times = repeats;
    while (intervals.size() < 20) {
        const double ms = elapsed_ms([&] { for (int i = 0; i < times; ++i) CHECK(cudaGraphLaunch(exec, stream)); });
        if (ms < 1 && times < 100000) {  // faster than estimated: begin again with more launches
            times = times * 2;
            intervals.clear();
            continue;
        }
        intervals.push_back(ms * 1000 / (double(times) * nodes));
    }
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaEventDestroy(begin));
    CHECK(cudaEventDestroy(end));
    std::sort(intervals.begin(), intervals.end());
    return (intervals[9] + intervals[10]) / 2;
}

/// Times a launch and prints its line. `work`: useful bytes or floating-point operations of one launch.
template <class Launch>
void report(const char* scenario, const std::string& settings, double work, bool verified, Launch launch) {
    const double us = median_us(launch);
    std::printf("%s,\"%s\",%.4f,%.2f,%d\n", scenario, settings.c_str(), us, work / us / 1000, verified ? 1 : 0);
    std::fflush(stdout);
}

/// Checks a kernel that searches. `place(i)`: puts what is wanted where thread i reads; `restore(i)`: takes it away.
/// `reads(found, i)`: whether thread `found` reads what thread i reads. `launch(found)`: runs it.
template <class Launch, class Place, class Restore, class Reads>
bool finds(size_t threads, Launch launch, Place place, Restore restore, Reads reads) {
    Buffer<int> found(1);
    const auto result = [&] {
        found.set(0, -1);
        launch(found.data);
        CHECK(cudaGetLastError());
        return found.get(0);
    };
    bool right = result() == -1;
    for (const size_t i : samples(threads, 6)) {
        place(i);
        const int thread = result();
        right = right && thread >= 0 && reads(size_t(thread), i);
        restore(i);
    }
    return right;
}

/// The same, if thread i reads element `element(i)` of an array.
template <class T, class Launch, class Element>
bool finds_in(Buffer<T>& in, size_t threads, Launch launch, Element element) {
    T kept{};
    return finds(
        threads, launch,
        [&](size_t i) {
            kept = in.get(element(i));
            in.set(element(i), all_bytes<T>(0xff));
        },
        [&](size_t i) { in.set(element(i), kept); },
        [&](size_t found, size_t i) { return found < threads && element(found) == element(i); });
}

template <class Action>
void with_element(int bytes, Action action) {
    if (bytes == 1) action(uint8_t{});
    if (bytes == 2) action(uint16_t{});
    if (bytes == 4) action(uint32_t{});
    if (bytes == 8) action(uint2{});
    if (bytes == 16) action(uint4{});
}

bool wants(const char* scenario) { return std::strstr(scenario, only) != nullptr; }
std::string power(int log2) { return "2^" + std::to_string(log2); }

// ---------------------------------------------------------------------------------------------------------------
// global-stride
// ---------------------------------------------------------------------------------------------------------------

template <class T>
__global__ void stride_load(const T* __restrict__ in, int n, int stride, int offset, T wanted, int* found) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const T value = in[offset + size_t(i) * stride];
    if (same(value, wanted)) *found = i;
}

template <class T>
__global__ void stride_store(T* __restrict__ out, int n, int stride, int offset, T value) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[offset + size_t(i) * stride] = value;
}

template <class T>
__global__ void stride_copy(const T* __restrict__ in, T* __restrict__ out, int n, int stride, int offset) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[offset + size_t(i) * stride];
}

template <class T>
__global__ void stride_copy_both(const T* __restrict__ in, T* __restrict__ out, int n, int stride, int offset) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const size_t element = offset + size_t(i) * stride;
    out[element] = in[element];
}

enum class Op { load, store, copy, copy_both };

void global_stride_case(const std::string& settings, Op op, int stride = 1, int offset = 0, int bytes = 4) {
    const int n = 1 << 25, threads = 256, blocks = (n + threads - 1) / threads;
    const size_t strided = offset + size_t(n - 1) * stride + 1;
    const auto element = [=](size_t i) { return offset + i * stride; };
    with_element(bytes, [&](auto example) {
        using T = decltype(example);
        const bool copies = op == Op::copy || op == Op::copy_both;
        Buffer<T> in(op == Op::store ? 1 : strided), out(op == Op::load ? 1 : op == Op::copy ? n : strided);
        in.fill();
        out.zero();
        const auto launch = [&](int* found) {
            if (op == Op::load)
                stride_load<T><<<blocks, threads, 0, stream>>>(in.data, n, stride, offset, all_bytes<T>(0xff), found);
            else if (op == Op::store)
                stride_store<T><<<blocks, threads, 0, stream>>>(out.data, n, stride, offset, all_bytes<T>(0x5a));
            else if (op == Op::copy)
                stride_copy<T><<<blocks, threads, 0, stream>>>(in.data, out.data, n, stride, offset);
            else
                stride_copy_both<T><<<blocks, threads, 0, stream>>>(in.data, out.data, n, stride, offset);
        };
        bool right = true;
        if (op == Op::load) {
            right = finds_in(in, n, launch, element);
        } else {
            launch(nullptr);
            for (const size_t i : samples(n)) {
                const size_t to = op == Op::copy ? i : element(i);
                right = right && equal(out.get(to), copies ? in.get(element(i)) : all_bytes<T>(0x5a));
                if (op != Op::copy && stride > 1 && i + 1 < size_t(n))  // what lies between stays as it was
                    right = right && equal(out.get(to + 1), all_bytes<T>(0));
            }
        }
        Buffer<int> found(1);
        report("global-stride", settings, double(n) * bytes * (copies ? 2 : 1), right, [&] { launch(found.data); });
    });
}

void global_stride() {
    if (!wants("global-stride")) return;
    global_stride_case("", Op::copy);
    global_stride_case("op=load", Op::load);
    global_stride_case("op=load,stride=2", Op::load, 2);
    global_stride_case("op=load,stride=8", Op::load, 8);
    global_stride_case("op=load,offset=1", Op::load, 1, 1);
    global_stride_case("op=load,element=16", Op::load, 1, 0, 16);
    global_stride_case("op=store", Op::store);
    global_stride_case("op=copy", Op::copy);
    global_stride_case("op=copy-both", Op::copy_both);
    for (const int bytes : {1, 2, 8, 16})
        global_stride_case("element=" + std::to_string(bytes), Op::copy, 1, 0, bytes);
    for (const int stride : {2, 4, 8, 16, 32})
        global_stride_case("stride=" + std::to_string(stride), Op::copy, stride);
    global_stride_case("op=load,stride=32", Op::load, 32);
    global_stride_case("op=store,stride=8", Op::store, 8);
    global_stride_case("op=copy-both,stride=2", Op::copy_both, 2);
}

// ---------------------------------------------------------------------------------------------------------------
// global-matrix
// ---------------------------------------------------------------------------------------------------------------

/// ByRows: threadIdx.x is the column, so neighbouring lanes access neighbouring elements; else it is the row.
template <class T, bool ByRows>
__global__ void matrix_load(const T* __restrict__ m, int width, int height, int pitch, T wanted, int* found) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    const int row = ByRows ? y : x, column = ByRows ? x : y;
    if (row >= height || column >= width) return;
    const T value = m[row * pitch + column];
    if (same(value, wanted)) *found = row * width + column;
}

template <class T, bool ByRows>
__global__ void matrix_store(T* __restrict__ m, int width, int height, int pitch, T value) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    const int row = ByRows ? y : x, column = ByRows ? x : y;
    if (row < height && column < width) m[row * pitch + column] = value;
}

struct MatrixCase {
    std::string settings;
    bool by_rows = true, store = false;
    int block_x = 32, block_y = 8, width = 4096, padding = 0, bytes = 4;
};

void global_matrix_case(const MatrixCase& c) {
    const int height = 4096, width = c.width, pitch = width + c.padding;
    const int along_x = c.by_rows ? width : height, along_y = c.by_rows ? height : width;
    const dim3 block(c.block_x, c.block_y);
    const dim3 grid((along_x + c.block_x - 1) / c.block_x, (along_y + c.block_y - 1) / c.block_y);
    with_element(c.bytes, [&](auto example) {
        using T = decltype(example);
        Buffer<T> m(size_t(pitch) * height);
        const auto load = c.by_rows ? matrix_load<T, true> : matrix_load<T, false>;
        const auto store = c.by_rows ? matrix_store<T, true> : matrix_store<T, false>;
        const auto launch = [&](int* found) {
            if (c.store)
                store<<<grid, block, 0, stream>>>(m.data, width, height, pitch, all_bytes<T>(0x5a));
            else
                load<<<grid, block, 0, stream>>>(m.data, width, height, pitch, all_bytes<T>(0xff), found);
        };
        const auto element = [=](size_t i) { return i / width * pitch + i % width; };
        bool right = true;
        if (c.store) {
            m.zero();
            launch(nullptr);
            for (const size_t i : samples(size_t(width) * height))
                right = right && equal(m.get(element(i)), all_bytes<T>(0x5a));
        } else {
            m.fill();
            right = finds_in(m, size_t(width) * height, launch, element);
        }
        Buffer<int> found(1);
        report("global-matrix", c.settings, double(width) * height * c.bytes, right, [&] { launch(found.data); });
    });
}

void global_matrix() {
    if (!wants("global-matrix")) return;
    global_matrix_case({""});
    global_matrix_case({"walk=rows"});
    global_matrix_case({"walk=columns", false});
    global_matrix_case({"walk=rows,block_x=8,block_y=32", true, false, 8, 32});
    global_matrix_case({"walk=rows,width=4095", true, false, 32, 8, 4095});
    global_matrix_case({"walk=rows,width=4095,padding=1", true, false, 32, 8, 4095, 1});
    global_matrix_case({"op=store", true, true});
    global_matrix_case({"walk=columns,op=store", false, true});
    for (const int bytes : {1, 2, 8, 16})
        global_matrix_case({"element=" + std::to_string(bytes), true, false, 32, 8, 4096, 0, bytes});
}

// ---------------------------------------------------------------------------------------------------------------
// global-struct
// ---------------------------------------------------------------------------------------------------------------

/// A record of 4-byte fields, padded to whole packs. A pack is what one load reads: 4, 8 or 16 bytes.
template <class Pack, int Packs>
struct Record {
    Pack pack[Packs];
};

/// Array of structures. All: the whole record, else the pack `k` alone.
template <class Pack, int Packs, bool All>
__global__ void read_structures(const Record<Pack, Packs>* __restrict__ in, int n, int k, Pack wanted, int* found) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    bool hit = false;
    if (All) {
#pragma unroll
        for (int step = 0; step < Packs; ++step) hit |= same(in[i].pack[step], wanted);
    } else {
        hit = same(in[i].pack[k], wanted);
    }
    if (hit) *found = i;
}

/// Structure of arrays: the same packs of all records are adjacent.
template <class Pack, int Packs, bool All>
__global__ void read_arrays(const Pack* __restrict__ in, int n, int k, Pack wanted, int* found) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    bool hit = false;
    if (All) {
#pragma unroll
        for (int step = 0; step < Packs; ++step) hit |= same(in[size_t(step) * n + i], wanted);
    } else {
        hit = same(in[size_t(k) * n + i], wanted);
    }
    if (hit) *found = i;
}

template <class Pack, int Packs>
void global_struct_case(const std::string& settings, bool arrays, bool all) {
    const int n = 1 << 24, threads = 256, blocks = (n + threads - 1) / threads, k = 0;
    Buffer<Pack> in(size_t(n) * Packs);
    in.fill();
    const auto* records = reinterpret_cast<const Record<Pack, Packs>*>(in.data);
    const auto soa = all ? read_arrays<Pack, Packs, true> : read_arrays<Pack, Packs, false>;
    const auto aos = all ? read_structures<Pack, Packs, true> : read_structures<Pack, Packs, false>;
    const Pack wanted = all_bytes<Pack>(0xff);
    const auto launch = [&](int* found) {
        if (arrays)
            soa<<<blocks, threads, 0, stream>>>(in.data, n, k, wanted, found);
        else
            aos<<<blocks, threads, 0, stream>>>(records, n, k, wanted, found);
    };
    bool right = true;
    for (int pack = 0; pack < (all ? Packs : 1); ++pack)
        right = right && finds_in(in, n, launch, [=](size_t i) { return arrays ? size_t(pack) * n + i : i * Packs + pack; });
    Buffer<int> found(1);
    report("global-struct", settings, double(n) * sizeof(Pack) * (all ? Packs : 1), right, [&] { launch(found.data); });
}

void global_struct() {
    if (!wants("global-struct")) return;
    global_struct_case<uint32_t, 6>("", false, false);
    global_struct_case<uint32_t, 6>("layout=structures", false, false);
    global_struct_case<uint32_t, 6>("layout=arrays", true, false);
    global_struct_case<uint32_t, 6>("layout=structures,read=all", false, true);
    global_struct_case<uint32_t, 6>("layout=arrays,read=all", true, true);
    global_struct_case<uint4, 2>("layout=structures,fields=8,read=all,pack=16", false, true);
    global_struct_case<uint4, 2>("layout=arrays,fields=8,read=all,pack=16", true, true);
    global_struct_case<uint32_t, 16>("layout=structures,fields=16", false, false);
    global_struct_case<uint32_t, 16>("layout=structures,fields=16,read=all", false, true);
    global_struct_case<uint32_t, 2>("fields=2", false, false);
    global_struct_case<uint32_t, 4>("fields=4", false, false);
    global_struct_case<uint32_t, 8>("fields=8", false, false);
    global_struct_case<uint2, 3>("pack=8", false, false);
    global_struct_case<uint4, 2>("pack=16", false, false);
}

// ---------------------------------------------------------------------------------------------------------------
// global-gather
// ---------------------------------------------------------------------------------------------------------------

template <class T>
__global__ void gather(const int* __restrict__ index, const T* __restrict__ in, int n, T wanted, int* found) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const T value = in[index[i]];
    if (same(value, wanted)) *found = i;
}

enum class Gather { random, permuted, sorted, clustered };

/// Which element of the block's window a thread reads. The hash is not Warplens' own, so the elements differ, but
/// not what is random about them.
int place_in_window(Gather pattern, int window_log2, int duplicates, int thread) {
    const uint32_t item = thread / duplicates, window = 1u << window_log2, noise = mix(item ^ mix(1));
    if (pattern == Gather::permuted) {  // each step is invertible, so no two items become the same
        uint32_t value = item;
        for (uint32_t round = 0; round < 3; ++round) {
            value = (value * 0x2c9277b5u + mix(1) + round) & (window - 1);
            value ^= value >> (window_log2 + 1) / 2;
        }
        return int(value);
    }
    if (pattern == Gather::sorted) {
        const uint32_t apart = window / (256 / duplicates);
        return int(item * apart + (noise & (apart - 1)));
    }
    if (pattern == Gather::clustered)
        return int((mix(item / 8 ^ mix(2)) & (window - 1)) / 32 * 32 + noise % 32);
    return int(noise & (window - 1));
}

template <class T>
void global_gather_case(const std::string& settings, Gather pattern, int window_log2 = 16, int duplicates = 1) {
    const int n = 1 << 24, threads = 256, blocks = (n + threads - 1) / threads;
    std::vector<int> indices(n);
    for (int i = 0; i < n; ++i)
        indices[i] = i < threads ? place_in_window(pattern, window_log2, duplicates, i) : indices[i - threads] + threads;
    Buffer<int> index(n);
    CHECK(cudaMemcpy(index.data, indices.data(), size_t(n) * sizeof(int), cudaMemcpyHostToDevice));
    Buffer<T> in(size_t(n) - threads + (size_t{1} << window_log2));
    in.fill();
    const auto launch = [&](int* found) {
        gather<T><<<blocks, threads, 0, stream>>>(index.data, in.data, n, all_bytes<T>(0xff), found);
    };
    const bool right = finds_in(in, n, launch, [&](size_t i) { return size_t(indices[i]); });
    Buffer<int> found(1);
    report("global-gather", settings, double(n) * (sizeof(int) + sizeof(T)), right, [&] { launch(found.data); });
}

void global_gather() {
    if (!wants("global-gather")) return;
    global_gather_case<uint32_t>("", Gather::random);
    global_gather_case<uint32_t>("pattern=random", Gather::random);
    global_gather_case<uint32_t>("pattern=permuted", Gather::permuted);
    global_gather_case<uint32_t>("pattern=sorted", Gather::sorted);
    global_gather_case<uint32_t>("pattern=clustered", Gather::clustered);
    global_gather_case<uint32_t>("pattern=sorted,window=2^9", Gather::sorted, 9);
    global_gather_case<uint32_t>("pattern=permuted,duplicates=8", Gather::permuted, 16, 8);
    global_gather_case<uint4>("pattern=random,element=16", Gather::random);
    global_gather_case<uint2>("element=8", Gather::random);
    global_gather_case<uint32_t>("window=2^8", Gather::random, 8);
    global_gather_case<uint32_t>("window=2^12", Gather::random, 12);
    global_gather_case<uint32_t>("window=2^20", Gather::random, 20);
}

// ---------------------------------------------------------------------------------------------------------------
// shared-reduction
// ---------------------------------------------------------------------------------------------------------------

/// Thread x adds word 2 s x + s to word 2 s x: the active threads stay together, their words drift apart.
template <int Block>
__global__ void reduce_interleaved(const float* __restrict__ in, float* __restrict__ out) {
    __shared__ float tile[Block];
    const int x = threadIdx.x;
    tile[x] = in[blockIdx.x * Block + x];
    __syncthreads();
#pragma unroll
    for (int s = 1; s < Block; s *= 2) {
        const int own = 2 * s * x;
        if (own < Block) tile[own] += tile[own + s];
        __syncthreads();
    }
    if (x == 0) out[blockIdx.x] = tile[0];
}

/// The threads with x % (2 s) == 0 work: in each warp ever fewer lanes.
template <int Block>
__global__ void reduce_divergent(const float* __restrict__ in, float* __restrict__ out) {
    __shared__ float tile[Block];
    const int x = threadIdx.x;
    tile[x] = in[blockIdx.x * Block + x];
    __syncthreads();
#pragma unroll
    for (int s = 1; s < Block; s *= 2) {
        if (x % (2 * s) == 0) tile[x] += tile[x + s];
        __syncthreads();
    }
    if (x == 0) out[blockIdx.x] = tile[0];
}

/// The threads with x < s work, s falling: whole warps retire, and lanes side by side access words side by side.
template <int Block>
__global__ void reduce_sequential(const float* __restrict__ in, float* __restrict__ out) {
    __shared__ float tile[Block];
    const int x = threadIdx.x;
    tile[x] = in[blockIdx.x * Block + x];
    __syncthreads();
#pragma unroll
    for (int s = Block / 2; s > 0; s /= 2) {
        if (x < s) tile[x] += tile[x + s];
        __syncthreads();
    }
    if (x == 0) out[blockIdx.x] = tile[0];
}

/// Within warps by shuffles; only one word per warp passes through shared memory.
template <int Block>
__global__ void reduce_shuffle(const float* __restrict__ in, float* __restrict__ out) {
    constexpr int Warps = Block / 32;
    __shared__ float tile[Warps];
    const int x = threadIdx.x, lane = x % 32, warp = x / 32;
    float sum = in[blockIdx.x * Block + x];
#pragma unroll
    for (int far = 16; far > 0; far /= 2) sum += __shfl_down_sync(~0u, sum, far);
    if (lane == 0) tile[warp] = sum;
    __syncthreads();
    if (warp != 0) return;
    sum = lane < Warps ? tile[lane] : 0;
#pragma unroll
    for (int far = Warps / 2; far > 0; far /= 2) sum += __shfl_down_sync(~0u, sum, far);
    if (lane == 0) out[blockIdx.x] = sum;
}

template <int Block>
void shared_reduction_case(const std::string& settings, void (*kernel)(const float*, float*), int blocks = 4096) {
    Buffer<float> in(size_t(blocks) * Block), out(blocks);
    in.numbers();
    out.zero();
    const auto launch = [&] { kernel<<<blocks, Block, 0, stream>>>(in.data, out.data); };
    launch();
    bool right = true;
    for (const size_t block : samples(blocks, 60)) {
        float sum = 0;
        for (int i = 0; i < Block; ++i) sum += small_number(block * Block + i);
        right = right && out.get(block) == sum;
    }
    report("shared-reduction", settings, 4.0 * (in.size + out.size), right, launch);
}

void shared_reduction() {
    if (!wants("shared-reduction")) return;
    shared_reduction_case<256>("", reduce_interleaved<256>);
    shared_reduction_case<256>("variant=interleaved", reduce_interleaved<256>);
    shared_reduction_case<256>("variant=divergent", reduce_divergent<256>);
    shared_reduction_case<256>("variant=sequential", reduce_sequential<256>);
    shared_reduction_case<256>("variant=shuffle", reduce_shuffle<256>);
    shared_reduction_case<1024>("variant=interleaved,block=1024", reduce_interleaved<1024>);
    shared_reduction_case<1024>("variant=divergent,block=1024", reduce_divergent<1024>);
    shared_reduction_case<1024>("variant=sequential,block=1024", reduce_sequential<1024>);
    shared_reduction_case<1024>("variant=shuffle,block=1024", reduce_shuffle<1024>);
    shared_reduction_case<64>("variant=sequential,block=64", reduce_sequential<64>);
    shared_reduction_case<64>("variant=shuffle,block=64", reduce_shuffle<64>);
    shared_reduction_case<256>("variant=interleaved,blocks=65536", reduce_interleaved<256>, 65536);
    shared_reduction_case<256>("variant=divergent,blocks=65536", reduce_divergent<256>, 65536);
    shared_reduction_case<256>("variant=sequential,blocks=65536", reduce_sequential<256>, 65536);
    shared_reduction_case<256>("variant=shuffle,blocks=65536", reduce_shuffle<256>, 65536);
}

// ---------------------------------------------------------------------------------------------------------------
// transpose
// ---------------------------------------------------------------------------------------------------------------

/// Whole: n is a multiple of Tile, so that no element needs a check. That keeps the loads of a thread free of
/// branches, and they overlap.
template <int Tile, int Rows, bool Whole>
__global__ void transpose_naive(const float* __restrict__ in, float* __restrict__ out, int n) {
    const int x = blockIdx.x * Tile + threadIdx.x, first = blockIdx.y * Tile + threadIdx.y;
#pragma unroll
    for (int j = 0; j < Tile; j += Rows) {
        const int y = first + j;
        if (Whole || (x < n && y < n)) out[x * n + y] = in[y * n + x];
    }
}

/// Both global accesses go by rows; the turn happens in shared memory, where Pad or Swizzle avoid bank conflicts.
template <int Tile, int Rows, int Pad, bool Swizzle, bool Whole>
__global__ void transpose_tiled(const float* __restrict__ in, float* __restrict__ out, int n) {
    __shared__ float tile[Tile][Tile + Pad];
    const int column = threadIdx.x;
    int x = blockIdx.x * Tile + column, first = blockIdx.y * Tile;
#pragma unroll
    for (int j = 0; j < Tile; j += Rows) {
        const int row = threadIdx.y + j, y = first + row;
        if (Whole || (x < n && y < n)) tile[row][Swizzle ? column ^ row : column] = in[y * n + x];
    }
    __syncthreads();
    x = blockIdx.y * Tile + column;  // the transposed tile: again by rows
    first = blockIdx.x * Tile;
#pragma unroll
    for (int j = 0; j < Tile; j += Rows) {
        const int row = threadIdx.y + j, y = first + row;
        if (Whole || (x < n && y < n)) out[y * n + x] = tile[column][Swizzle ? row ^ column : row];
    }
}

template <int Tile = 32, int Rows = 8>
void transpose_case(const std::string& settings, void (*kernel)(const float*, float*, int), int n = 4096) {
    Buffer<float> in(size_t(n) * n), out(size_t(n) * n);
    in.numbers();
    out.zero();
    const dim3 grid((n + Tile - 1) / Tile, (n + Tile - 1) / Tile), block(Tile, Rows);
    const auto launch = [&] { kernel<<<grid, block, 0, stream>>>(in.data, out.data, n); };
    launch();
    std::vector<float> result(out.size);
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaMemcpy(result.data(), out.data, out.size * sizeof(float), cudaMemcpyDeviceToHost));
    bool right = true;
    for (int y = 0; y < n; y += y % 32 < 31 ? 1 : 97)  // most rows of tiles are skipped, but none of a tile's rows
        for (int x = 0; x < n; ++x) right = right && result[size_t(y) * n + x] == small_number(size_t(x) * n + y);
    report("transpose", settings, 8.0 * n * n, right, launch);
}

void transpose() {
    if (!wants("transpose")) return;
    transpose_case("", transpose_tiled<32, 8, 0, false, true>);
    transpose_case("variant=naive", transpose_naive<32, 8, true>);
    transpose_case("variant=tile", transpose_tiled<32, 8, 0, false, true>);
    transpose_case("variant=padded", transpose_tiled<32, 8, 1, false, true>);
    transpose_case("variant=swizzled", transpose_tiled<32, 8, 0, true, true>);
    transpose_case<8, 8>("tile=8", transpose_tiled<8, 8, 0, false, true>);
    transpose_case<16, 8>("tile=16", transpose_tiled<16, 8, 0, false, true>);
    transpose_case<8, 8>("variant=padded,tile=8", transpose_tiled<8, 8, 1, false, true>);
    transpose_case<16, 8>("variant=padded,tile=16", transpose_tiled<16, 8, 1, false, true>);
    transpose_case<32, 4>("variant=padded,block_rows=4", transpose_tiled<32, 4, 1, false, true>);
    transpose_case<32, 16>("variant=padded,block_rows=16", transpose_tiled<32, 16, 1, false, true>);
    transpose_case<32, 32>("variant=padded,block_rows=32", transpose_tiled<32, 32, 1, false, true>);
    transpose_case("variant=padded,padding=2", transpose_tiled<32, 8, 2, false, true>);
    transpose_case("variant=padded,matrix=4095", transpose_tiled<32, 8, 1, false, false>, 4095);
    transpose_case("variant=padded,matrix=4097", transpose_tiled<32, 8, 1, false, false>, 4097);
    transpose_case("variant=naive,matrix=4095", transpose_naive<32, 8, false>, 4095);
    transpose_case("variant=naive,matrix=8192", transpose_naive<32, 8, true>, 8192);
    transpose_case("variant=padded,matrix=8192", transpose_tiled<32, 8, 1, false, true>, 8192);
}

// ---------------------------------------------------------------------------------------------------------------
// matrix-multiply: n is a multiple of every tile
// ---------------------------------------------------------------------------------------------------------------

/// Coalesced: lanes along a row of C; else down a column.
template <int Tile, bool Coalesced>
__global__ void multiply_naive(const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C, int n) {
    const int x = blockIdx.x * Tile + threadIdx.x, y = blockIdx.y * Tile + threadIdx.y;
    const int row = Coalesced ? y : x, col = Coalesced ? x : y;
    float sum = 0;
    for (int k = 0; k < n; ++k) sum += A[row * n + k] * B[k * n + col];
    C[row * n + col] = sum;
}

template <int Tile, int Pad>
__global__ void multiply_tiled(const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C, int n) {
    __shared__ float As[Tile][Tile + Pad], Bs[Tile][Tile];
    const int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * Tile + ty, col = blockIdx.x * Tile + tx;
    float sum = 0;
    for (int first = 0; first < n; first += Tile) {
        As[ty][tx] = A[row * n + first + tx];
        Bs[ty][tx] = B[(first + ty) * n + col];
        __syncthreads();
#pragma unroll
        for (int k = 0; k < Tile; ++k) sum += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }
    C[row * n + col] = sum;
}

/// A's tile is stored by columns: without padding all lanes of that store hit one bank.
template <int Tile, int Pad>
__global__ void multiply_tiled_transposed(const float* __restrict__ A, const float* __restrict__ B,
                                          float* __restrict__ C, int n) {
    __shared__ float As[Tile][Tile + Pad], Bs[Tile][Tile];
    const int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * Tile + ty, col = blockIdx.x * Tile + tx;
    float sum = 0;
    for (int first = 0; first < n; first += Tile) {
        As[tx][ty] = A[row * n + first + tx];
        Bs[ty][tx] = B[(first + ty) * n + col];
        __syncthreads();
#pragma unroll
        for (int k = 0; k < Tile; ++k) sum += As[k][ty] * Bs[k][tx];
        __syncthreads();
    }
    C[row * n + col] = sum;
}

/// Each thread keeps Each x Each sums, Across elements apart. While one pair of tiles is multiplied, the next one
/// is fetched into registers and then kept in the other buffer, so that one barrier per pair is enough.
template <int Tile, int Each, int Depth, int Pad>
__global__ void __launch_bounds__(Tile / Each* Tile / Each)
    multiply_register_blocked(const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C, int n) {
    constexpr int Across = Tile / Each, Threads = Across * Across, Loads = Tile * Depth / Threads;
    __shared__ float As[2][Depth][Tile + Pad], Bs[2][Depth][Tile];
    const int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * Tile, col = blockIdx.x * Tile;
    float sum[Each][Each] = {}, next_a[Loads], next_b[Loads];
    const auto fetch = [&](int first) {
        for (int i = 0, e = ty * Across + tx; i < Loads; ++i, e += Threads) {
            next_a[i] = A[(row + e / Depth) * n + first + e % Depth];
            next_b[i] = B[(first + e / Tile) * n + col + e % Tile];
        }
    };
    const auto keep = [&](int buffer) {
        for (int i = 0, e = ty * Across + tx; i < Loads; ++i, e += Threads) {
            As[buffer][e % Depth][e / Depth] = next_a[i];
            Bs[buffer][e / Tile][e % Tile] = next_b[i];
        }
        __syncthreads();
    };
    const auto multiply = [&](int buffer) {
#pragma unroll
        for (int k = 0; k < Depth; ++k) {
            float a[Each], b[Each];
            for (int i = 0; i < Each; ++i) a[i] = As[buffer][k][ty + i * Across];
            for (int j = 0; j < Each; ++j) b[j] = Bs[buffer][k][tx + j * Across];
            for (int i = 0; i < Each; ++i)
                for (int j = 0; j < Each; ++j) sum[i][j] += a[i] * b[j];
        }
    };
    fetch(0);
    keep(0);
    int buffer = 0;
    for (int first = Depth; first < n; first += Depth, buffer ^= 1) {
        fetch(first);
        multiply(buffer);
        keep(buffer ^ 1);
    }
    multiply(buffer);
    for (int i = 0; i < Each; ++i)
        for (int j = 0; j < Each; ++j) C[(row + ty + i * Across) * n + col + tx + j * Across] = sum[i][j];
}

__device__ inline float4& four(float& first) { return *reinterpret_cast<float4*>(&first); }
__device__ inline const float4& four(const float& first) { return *reinterpret_cast<const float4*>(&first); }

/// The same with 16 bytes per access. A warp computes 4 x 8 groups of 4 x 4 sums; with 8 x 8 sums per thread the
/// groups repeat at half of the tile. Each thread fetches one float4 of A and one of B per pair of tiles.
template <int Tile, int Each, int Depth, int Pad>
__global__ void __launch_bounds__(Tile / Each* Tile / Each)
    multiply_vectorized(const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C, int n) {
    constexpr int Across = Tile / Each, Half = 4 * Tile / Each;  // from one group of a thread to its next
    static_assert(Tile * Depth == 4 * Across * Across, "one float4 for each thread");
    alignas(16) __shared__ float As[2][Depth][Tile + Pad], Bs[2][Depth][Tile];
    const int thread = threadIdx.y * Across + threadIdx.x, lane = thread % 32, warp = thread / 32;
    const int y = (warp / (Across / 8) * 4 + lane / 8) * 4, x = (warp % (Across / 8) * 8 + lane % 8) * 4;
    const int a_row = thread / (Depth / 4), a_k = thread % (Depth / 4) * 4;
    const int b_k = thread / (Tile / 4), b_col = thread % (Tile / 4) * 4;
    const int row = blockIdx.y * Tile, col = blockIdx.x * Tile;
    float sum[Each][Each] = {};
    float4 next_a, next_b;
    const auto fetch = [&](int first) {
        next_a = four(A[(row + a_row) * n + first + a_k]);
        next_b = four(B[(first + b_k) * n + col + b_col]);
    };
    const auto keep = [&](int buffer) {
        const float a[4] = {next_a.x, next_a.y, next_a.z, next_a.w};
        for (int i = 0; i < 4; ++i) As[buffer][a_k + i][a_row] = a[i];
        four(Bs[buffer][b_k][b_col]) = next_b;
        __syncthreads();
    };
    const auto multiply = [&](int buffer) {
#pragma unroll
        for (int k = 0; k < Depth; ++k) {
            alignas(16) float a[Each], b[Each];
            for (int i = 0; i < Each; i += 4) four(a[i]) = four(As[buffer][k][i / 4 * Half + y]);
            for (int j = 0; j < Each; j += 4) four(b[j]) = four(Bs[buffer][k][j / 4 * Half + x]);
            for (int i = 0; i < Each; ++i)
                for (int j = 0; j < Each; ++j) sum[i][j] += a[i] * b[j];
        }
    };
    fetch(0);
    keep(0);
    int buffer = 0;
    for (int first = Depth; first < n; first += Depth, buffer ^= 1) {
        fetch(first);
        multiply(buffer);
        keep(buffer ^ 1);
    }
    multiply(buffer);
    for (int i = 0; i < Each; ++i)
        for (int j = 0; j < Each; j += 4)
            four(C[(row + i / 4 * Half + y + i % 4) * n + col + j / 4 * Half + x]) =
                make_float4(sum[i][j], sum[i][j + 1], sum[i][j + 2], sum[i][j + 3]);
}

using Multiply = void (*)(const float*, const float*, float*, int);

/// Tile: rows and columns of C that one block computes. Across: threads of a block in x and in y.
void matrix_multiply_case(const std::string& settings, Multiply kernel, int tile, int across, int n = 1024) {
    const size_t size = size_t(n) * n;
    Buffer<float> a(size), b(size), c(size);
    a.numbers();
    fill_numbers<<<4096, 256, 0, stream>>>(b.data, size);
    c.zero();
    const dim3 grid(n / tile, n / tile), block(across, across);
    const auto launch = [&] { kernel<<<grid, block, 0, stream>>>(a.data, b.data, c.data, n); };
    launch();
    std::vector<float> result(size);
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaMemcpy(result.data(), c.data, size * sizeof(float), cudaMemcpyDeviceToHost));
    bool right = true;
    const auto check = [&](size_t row, size_t col) {
        float sum = 0;
        for (size_t k = 0; k < size_t(n); ++k) sum += small_number(row * n + k) * small_number(k * n + col);
        right = right && result[row * n + col] == sum;
    };
    for (const size_t i : samples(size, 1000)) check(i / n, i % n);
    for (int i = 0; i < 256; ++i) check(i % n, n - 1 - i % n), check(i / 16 % n, i % 16);
    report("matrix-multiply", settings, 2.0 * n * n * n, right, launch);
}

void matrix_multiply() {
    if (!wants("matrix-multiply")) return;
    matrix_multiply_case("", multiply_tiled<32, 0>, 32, 32);
    for (const int n : {1024, 4096}) {
        const std::string size = n == 1024 ? "" : ",matrix=" + std::to_string(n);
        const auto run = [&](const std::string& settings, Multiply kernel, int tile, int across) {
            matrix_multiply_case("variant=" + settings + size, kernel, tile, across, n);
        };
        run("naive", multiply_naive<32, true>, 32, 32);
        run("naive-uncoalesced", multiply_naive<32, false>, 32, 32);
        run("tiled", multiply_tiled<32, 0>, 32, 32);
        run("tiled-transposed", multiply_tiled_transposed<32, 0>, 32, 32);
        run("tiled-transposed,padding=1", multiply_tiled_transposed<32, 1>, 32, 32);
        run("register-blocked", multiply_register_blocked<128, 8, 8, 0>, 128, 16);
        run("register-blocked,padding=4", multiply_register_blocked<128, 8, 8, 4>, 128, 16);
        run("vectorized", multiply_vectorized<128, 8, 8, 0>, 128, 16);
        run("vectorized,padding=4", multiply_vectorized<128, 8, 8, 4>, 128, 16);
    }
    matrix_multiply_case("variant=naive,tile=8", multiply_naive<8, true>, 8, 8);
    matrix_multiply_case("variant=naive,tile=16", multiply_naive<16, true>, 16, 16);
    matrix_multiply_case("variant=tiled,tile=8", multiply_tiled<8, 0>, 8, 8);
    matrix_multiply_case("variant=tiled,tile=16", multiply_tiled<16, 0>, 16, 16);
    matrix_multiply_case("variant=register-blocked,tile=8", multiply_register_blocked<32, 4, 8, 0>, 32, 8);
    matrix_multiply_case("variant=register-blocked,tile=16", multiply_register_blocked<64, 4, 16, 0>, 64, 16);
    matrix_multiply_case("variant=vectorized,tile=8", multiply_vectorized<32, 4, 8, 0>, 32, 8);
    matrix_multiply_case("variant=vectorized,tile=16", multiply_vectorized<64, 4, 16, 0>, 64, 16);
}

// ---------------------------------------------------------------------------------------------------------------
// constant-convolution
// ---------------------------------------------------------------------------------------------------------------

enum class Weights { constant, shared, global };

__constant__ float constant_weights[81];

/// One thread per output element, 32 x 8 threads per block. The stored image has a halo, so no load needs a check.
template <int Filter, Weights Where>
__global__ void convolve(const float* __restrict__ in, const float* __restrict__ weights, float* __restrict__ out,
                         int n, int pitch) {
    __shared__ float shared_weights[Where == Weights::shared ? Filter * Filter : 1];
    if (Where == Weights::shared) {
        const int thread = threadIdx.y * 32 + threadIdx.x;
        if (thread < Filter * Filter) shared_weights[thread] = weights[thread];
        __syncthreads();
    }
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x >= n || y >= n) return;
    float sum = 0;
#pragma unroll
    for (int dy = 0; dy < Filter; ++dy)
#pragma unroll
        for (int dx = 0; dx < Filter; ++dx) {
            const int tap = dy * Filter + dx;
            const float weight = Where == Weights::constant ? constant_weights[tap]
                                 : Where == Weights::shared ? shared_weights[tap]
                                                            : weights[tap];
            sum += in[(y + dy) * pitch + x + dx] * weight;
        }
    out[y * n + x] = sum;
}

template <int Filter, Weights Where>
void convolution_case(const std::string& settings, int n = 4096) {
    const int pitch = (n + Filter - 1 + 63) / 64 * 64;
    std::vector<float> filter(Filter * Filter);
    for (int i = 0; i < Filter * Filter; ++i) filter[i] = float((i * 73 + 29) % 256 - 128) / 128;
    Buffer<float> in(size_t(pitch) * (n + Filter - 1)), out(size_t(n) * n), weights(filter.size());
    in.numbers();
    out.zero();
    CHECK(cudaMemcpy(weights.data, filter.data(), filter.size() * sizeof(float), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpyToSymbol(constant_weights, filter.data(), filter.size() * sizeof(float)));
    const dim3 grid((n + 31) / 32, (n + 7) / 8), block(32, 8);
    const auto launch = [&] {
        convolve<Filter, Where><<<grid, block, 0, stream>>>(in.data, weights.data, out.data, n, pitch);
    };
    launch();
    bool right = true;
    for (const size_t i : samples(out.size, 300)) {
        const size_t y = i / n, x = i % n;
        float sum = 0;
        for (int tap = 0; tap < Filter * Filter; ++tap)
            sum += small_number((y + tap / Filter) * pitch + x + tap % Filter) * filter[tap];
        right = right && out.get(i) == sum;
    }
    report("constant-convolution", settings, 2.0 * Filter * Filter * n * n, right, launch);
}

template <int Filter>
void convolution_cases(const std::string& filter) {
    convolution_case<Filter, Weights::constant>("memory=constant" + filter);
    convolution_case<Filter, Weights::shared>("memory=shared" + filter);
    convolution_case<Filter, Weights::global>("memory=global" + filter);
}

void constant_convolution() {
    if (!wants("constant-convolution")) return;
    convolution_case<5, Weights::constant>("");
    convolution_case<9, Weights::constant>("filter=9x9");
    convolution_cases<5>("");
    convolution_cases<3>(",filter=3x3");
    convolution_cases<7>(",filter=7x7");
    convolution_cases<9>(",filter=9x9");
}

// ---------------------------------------------------------------------------------------------------------------
// texture-walk
// ---------------------------------------------------------------------------------------------------------------

enum class Order { row, column, wide, tall, z_order, random };

__host__ __device__ inline int every_second_bit(int value) {
    int packed = 0;
    for (int bit = 0; bit < 5; ++bit) packed |= (value >> 2 * bit & 1) << bit;
    return packed;
}

/// The texel of a 32 x 32 tile that is number i in the walk. A warp fetches 32 consecutive ones.
template <Order order>
__host__ __device__ inline int2 in_tile(int i) {
    const int lane = i % 32, warp = i / 32;
    if (order == Order::column) return {warp, lane};
    if (order == Order::wide) return {warp % 4 * 8 + lane % 8, warp / 4 * 4 + lane / 8};
    if (order == Order::tall) return {warp % 8 * 4 + lane % 4, warp / 8 * 8 + lane / 4};
    if (order == Order::z_order) return {every_second_bit(i), every_second_bit(i >> 1)};
    if (order == Order::random) {
        unsigned value = i;
        for (unsigned round = 0; round < 3; ++round) {
            value = (value * 0x2c5u + 0x9e5u + round * 0x155u) & 1023;  // 0x9e5: times the seed, 1
            value ^= value >> 5;
        }
        return {int(value % 32), int(value / 32)};
    }
    return {lane, warp};
}

/// A block fetches a tile of 32 x 32 texels in 4 steps. `scale` is 1, or 1 / size for normalized coordinates.
template <Order order>
__global__ void walk_texture(cudaTextureObject_t image, int offset, float scale, unsigned wanted, int* found) {
    unsigned value[4];
#pragma unroll
    for (int step = 0; step < 4; ++step) {
        const int2 at = in_tile<order>(step * 256 + threadIdx.x);
        const int x = blockIdx.x * 32 + at.x + offset, y = blockIdx.y * 32 + at.y + offset;
        value[step] = tex2D<unsigned>(image, (x + 0.5f) * scale, (y + 0.5f) * scale);
    }
#pragma unroll
    for (int step = 0; step < 4; ++step)
        if (value[step] == wanted) *found = (blockIdx.y * gridDim.x + blockIdx.x) * 256 + threadIdx.x;
}

/// The same image as an array in global memory, row by row; coordinates outside are clamped.
template <Order order>
__global__ void walk_linear(const unsigned* __restrict__ image, int size, int offset, unsigned wanted, int* found) {
    unsigned value[4];
#pragma unroll
    for (int step = 0; step < 4; ++step) {
        const int2 at = in_tile<order>(step * 256 + threadIdx.x);
        const int x = min(int(blockIdx.x) * 32 + at.x + offset, size - 1);
        const int y = min(int(blockIdx.y) * 32 + at.y + offset, size - 1);
        value[step] = image[y * size + x];
    }
#pragma unroll
    for (int step = 0; step < 4; ++step)
        if (value[step] == wanted) *found = (blockIdx.y * gridDim.x + blockIdx.x) * 256 + threadIdx.x;
}

struct Texture {
    cudaArray_t array = nullptr;
    cudaTextureObject_t object = 0;
    int size;
    template <class T>
    Texture(const T* texels, int side, cudaTextureAddressMode address, bool linear, bool normalized) : size(side) {
        const cudaChannelFormatDesc format = cudaCreateChannelDesc<T>();
        CHECK(cudaMallocArray(&array, &format, side, side));
        CHECK(cudaStreamSynchronize(stream));
        CHECK(cudaMemcpy2DToArray(array, 0, 0, texels, side * sizeof(T), side * sizeof(T), side, cudaMemcpyDefault));
        cudaResourceDesc resource{};
        resource.resType = cudaResourceTypeArray;
        resource.res.array.array = array;
        cudaTextureDesc description{};
        for (auto& mode : description.addressMode) mode = address;
        description.filterMode = linear ? cudaFilterModeLinear : cudaFilterModePoint;
        description.readMode = cudaReadModeElementType;
        description.normalizedCoords = normalized;
        CHECK(cudaCreateTextureObject(&object, &resource, &description, nullptr));
    }
    ~Texture() {
        cudaDestroyTextureObject(object);
        cudaFreeArray(array);
    }
    Texture(const Texture&) = delete;
    Texture& operator=(const Texture&) = delete;
};

/// Which texel of a row answers for coordinate i, or -1.
int inside(int i, int size, cudaTextureAddressMode mode) {
    if (i >= 0 && i < size) return i;
    if (mode == cudaAddressModeBorder) return -1;
    if (mode == cudaAddressModeClamp) return std::clamp(i, 0, size - 1);
    const int period = mode == cudaAddressModeWrap ? size : 2 * size, rest = (i % period + period) % period;
    return rest < size ? rest : period - 1 - rest;
}

template <Order order>
void texture_walk_case(const std::string& settings, bool linear, int size = 4096, int offset = 0,
                       cudaTextureAddressMode mode = cudaAddressModeClamp) {
    const int across = size / 32;
    const size_t threads = size_t(across) * across * 256;
    const bool normalized = mode == cudaAddressModeWrap || mode == cudaAddressModeMirror;
    Buffer<unsigned> image(size_t(size) * size);
    image.fill();
    Texture texture(image.data, size, mode, false, normalized);
    const dim3 grid(across, across);
    const auto launch = [&](int* found) {
        if (linear)
            walk_linear<order><<<grid, 256, 0, stream>>>(image.data, size, offset, ~0u, found);
        else
            walk_texture<order><<<grid, 256, 0, stream>>>(texture.object, offset, normalized ? 1.0f / size : 1, ~0u, found);
    };
    const auto texel = [&](size_t thread, int step) {  // the texel that a thread fetches in a step, or -1
        const int2 at = in_tile<order>(step * 256 + int(thread % 256));
        const int block = int(thread / 256);
        const int x = inside(block % across * 32 + at.x + offset, size, mode);
        const int y = inside(block / across * 32 + at.y + offset, size, mode);
        return x < 0 || y < 0 ? -1 : y * size + x;
    };
    const auto put = [&](int at, unsigned value) {
        if (at < 0) return;
        image.set(at, value);
        CHECK(cudaMemcpy2DToArray(texture.array, at % size * 4, at / size, &value, 4, 4, 1, cudaMemcpyHostToDevice));
    };
    bool right = true;
    unsigned kept = 0;
    for (int step = 0; step < 4; ++step)
        right = right && finds(threads, launch,
                               [&](size_t i) {
                                   i -= texel(i, step) < 0 ? i : 0;  // thread 0 reads inside
                                   kept = image.get(texel(i, step));
                                   put(texel(i, step), ~0u);
                               },
                               [&](size_t i) { put(texel(texel(i, step) < 0 ? 0 : i, step), kept); },
                               [&](size_t found, size_t i) {
                                   const int wanted = texel(texel(i, step) < 0 ? 0 : i, step);
                                   bool reads = false;
                                   for (int s = 0; s < 4; ++s) reads = reads || texel(found, s) == wanted;
                                   return reads;
                               });
    Buffer<int> found(1);
    report("texture-walk", settings, 4.0 * size * size, right, [&] { launch(found.data); });
}

template <Order order>
void texture_walk_both(const std::string& walk) {
    texture_walk_case<order>("walk=" + walk, false);
    texture_walk_case<order>("walk=" + walk + ",memory=linear", true);
}

void texture_walk() {
    if (!wants("texture-walk")) return;
    texture_walk_case<Order::column>("", false);
    texture_walk_both<Order::row>("row");
    texture_walk_both<Order::column>("column");
    texture_walk_both<Order::wide>("block-8x4");
    texture_walk_both<Order::tall>("block-4x8");
    texture_walk_both<Order::z_order>("z-order");
    texture_walk_both<Order::random>("random");
    texture_walk_case<Order::column>("memory=linear", true);
    texture_walk_case<Order::row>("walk=row,offset=1", false, 4096, 1);
    texture_walk_case<Order::column>("border=border", false, 4096, 0, cudaAddressModeBorder);
    texture_walk_case<Order::column>("border=wrap", false, 4096, 0, cudaAddressModeWrap);
    texture_walk_case<Order::column>("border=mirror", false, 4096, 0, cudaAddressModeMirror);
    texture_walk_case<Order::row>("walk=row,size=64,offset=8,border=mirror", false, 64, 8, cudaAddressModeMirror);
}

// ---------------------------------------------------------------------------------------------------------------
// texture-filter
// ---------------------------------------------------------------------------------------------------------------

/// Pixel (x, y) shows the point first + x * right + y * down of the texture, in units of the whole texture.
struct View {
    float2 first, right, down;
    __host__ __device__ float2 at(int x, int y) const {
        return {first.x + x * right.x + y * down.x, first.y + x * right.y + y * down.y};
    }
};

/// Draws a square image of 512 pixels a side, 16 times one below the other, in blocks of 8 x 8.
__global__ void draw(cudaTextureObject_t card, View view, float* __restrict__ out) {
    const int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    const float2 at = view.at(x, y % 512);
    out[y * 512 + x] = tex2D<float>(card, at.x, at.y);
}

float texel_of(const std::vector<float>& texels, int size, int x, int y, cudaTextureAddressMode mode) {
    const int column = inside(x, size, mode), row = inside(y, size, mode);
    return column < 0 || row < 0 ? 0 : texels[size_t(row) * size + column];
}

void texture_filter_case(const std::string& settings, bool linear, int zoom = 600, int angle = 20, int size = 64,
                         cudaTextureAddressMode mode = cudaAddressModeBorder) {
    const int image = 512, images = 16;
    std::vector<float> texels(size_t(size) * size);
    for (size_t i = 0; i < texels.size(); ++i) texels[i] = float(mix(uint32_t(i)) % 256) / 255;
    Texture card(texels.data(), size, mode, linear, true);
    Buffer<float> out(size_t(image) * image * images);
    out.zero();
    // The middle of the image shows the middle of the texture. One pixel is 100 / zoom texels.
    const double step = 100.0 / zoom / size, turn = angle * 3.14159265358979323846 / 180;
    const double c = std::cos(turn) * step, s = std::sin(turn) * step, middle = (image - 1) / 2.0;
    const View view{{float(0.5 - middle * (c + s)), float(0.5 - middle * (c - s))},
                    {float(c), float(-s)},
                    {float(s), float(c)}};
    const dim3 grid(image / 8, image / 8 * images), block(8, 8);
    const auto launch = [&] { draw<<<grid, block, 0, stream>>>(card.object, view, out.data); };
    launch();
    bool right = true;
    for (const size_t i : samples(out.size, 500)) {
        const float2 at = view.at(int(i % image), int(i / image) % image);
        const double x = double{at.x} * size - (linear ? 0.5 : 0), y = double{at.y} * size - (linear ? 0.5 : 0);
        const int left = int(std::floor(x)), top = int(std::floor(y));
        const double fx = x - left, fy = y - top;
        const auto texel = [&](int dx, int dy) { return texel_of(texels, size, left + dx, top + dy, mode); };
        if (linear) {  // the texture unit's weights have 8 bits
            const double blend = (1 - fy) * ((1 - fx) * texel(0, 0) + fx * texel(1, 0)) +
                                 fy * ((1 - fx) * texel(0, 1) + fx * texel(1, 1));
            right = right && std::fabs(out.get(i) - blend) < 0.02;
        } else if (std::min({fx, fy, 1 - fx, 1 - fy}) > 0.01) {  // not too near to another texel
            right = right && out.get(i) == texel(0, 0);
        }
    }
    report("texture-filter", settings, 4.0 * image * image * images, right, launch);
}

void texture_filter() {
    if (!wants("texture-filter")) return;
    texture_filter_case("", true);
    texture_filter_case("filter=nearest", false);
    texture_filter_case("filter=linear", true);
    texture_filter_case("zoom=100,angle=0,texture=512", true, 100, 0, 512);
    texture_filter_case("zoom=25,texture=1024,filter=nearest", false, 25, 20, 1024);
    texture_filter_case("zoom=25,texture=1024", true, 25, 20, 1024);
    texture_filter_case("zoom=400,border=mirror,texture=32", true, 400, 20, 32, cudaAddressModeMirror);
    texture_filter_case("border=clamp", true, 600, 20, 64, cudaAddressModeClamp);
    texture_filter_case("border=wrap", true, 600, 20, 64, cudaAddressModeWrap);
    texture_filter_case("border=mirror", true, 600, 20, 64, cudaAddressModeMirror);
}

// ---------------------------------------------------------------------------------------------------------------
// local-array
// ---------------------------------------------------------------------------------------------------------------

/// The indices are known when the kernel is compiled, once the loops are unrolled: the array stays in registers.
template <int Words>
__global__ void array_known(float factor, float wanted, int* found) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float a[Words], value = i, sum = 0;
#pragma unroll
    for (int step = 0; step < Words; ++step) a[step] = value = fmaf(value, factor, 1);
#pragma unroll
    for (int step = 0; step < Words; ++step) sum = fmaf(sum, factor, a[step]);
    if (sum == wanted) *found = i;
}

/// The index is known at run time only, the same in all lanes: local memory. `words` equals Words.
template <int Words>
__global__ void array_uniform(int words, float factor, float wanted, int* found) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float a[Words], value = i, sum = 0;
    for (int step = 0; step < words; ++step) a[step] = value = fmaf(value, factor, 1);
    for (int step = 0; step < words; ++step) sum = fmaf(sum, factor, a[step]);
    if (sum == wanted) *found = i;
}

/// Each lane begins at another word: local memory, and other lines for each lane.
template <int Words>
__global__ void array_different(int words, int stride, float factor, float wanted, int* found) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned first = threadIdx.x % 32 * stride;
    float a[Words], value = i, sum = 0;
    for (int step = 0; step < words; ++step) a[(first + step) % Words] = value = fmaf(value, factor, 1);
    for (int step = 0; step < words; ++step) sum = fmaf(sum, factor, a[(first + step) % Words]);
    if (sum == wanted) *found = i;
}

enum class Index { known, uniform, different };

template <int Words>
void local_array_case(const std::string& settings, Index index, int stride = 1) {
    const int blocks = 1024, threads = 256;
    const float factor = 0.75f;
    const auto launch = [&](float wanted, int* found) {
        if (index == Index::known)
            array_known<Words><<<blocks, threads, 0, stream>>>(factor, wanted, found);
        else if (index == Index::uniform)
            array_uniform<Words><<<blocks, threads, 0, stream>>>(Words, factor, wanted, found);
        else
            array_different<Words><<<blocks, threads, 0, stream>>>(Words, stride, factor, wanted, found);
    };
    const auto sum_of = [&](size_t i) {
        float value = float(i), sum = 0;
        std::vector<float> a;
        for (int step = 0; step < Words; ++step) a.push_back(value = std::fma(value, factor, 1.0f));
        for (int step = 0; step < Words; ++step) sum = std::fma(sum, factor, a[step]);
        return sum;
    };
    const float absent = -1;  // all sums are positive
    float wanted = absent;
    const bool right = finds(
        size_t(blocks) * threads, [&](int* found) { launch(wanted, found); }, [&](size_t i) { wanted = sum_of(i); },
        [&](size_t) { wanted = absent; }, [&](size_t found, size_t i) { return sum_of(found) == sum_of(i); });
    Buffer<int> found(1);
    const double accesses = index == Index::known ? 1 : 2;  // as Warplens counts: kept once, or stored and loaded
    report("local-array", settings, accesses * 4 * Words * blocks * threads, right, [&] { launch(absent, found.data); });
}

template <int Words>
void local_array_cases() {
    const std::string words = ",words=" + std::to_string(Words);
    local_array_case<Words>("index=known" + words, Index::known);
    local_array_case<Words>("index=uniform" + words, Index::uniform);
    local_array_case<Words>("index=different" + words, Index::different);
}

void local_array() {
    if (!wants("local-array")) return;
    local_array_case<32>("", Index::different);
    local_array_case<32>("index=known", Index::known);
    local_array_case<32>("index=uniform", Index::uniform);
    for (const int stride : {1, 2, 4, 8, 16, 32})
        local_array_case<32>("index=different,stride=" + std::to_string(stride), Index::different, stride);
    local_array_cases<8>();
    local_array_cases<16>();
    local_array_cases<64>();
    local_array_cases<128>();
}

// ---------------------------------------------------------------------------------------------------------------
// local-spill
// ---------------------------------------------------------------------------------------------------------------

/// A chain of multiply-adds through Live values, so that none can be dropped or computed again. What does not fit
/// into the registers that a thread may have is spilled.
template <int Live, int Registers>
__global__ void __maxnreg__(Registers) spill(float factor, float* __restrict__ out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float value[Live], carry = i;
#pragma unroll
    for (int k = 0; k < Live; ++k) value[k] = i + k;
#pragma unroll 1
    for (int round = 0; round < 256; ++round)
#pragma unroll
        for (int k = 0; k < Live; ++k) value[k] = carry = fmaf(carry, factor, value[k]);
    out[i] = carry;
}

template <int Live, int Registers>
void local_spill_case(const std::string& settings) {
    const int blocks = 2048, threads = 256;
    const float factor = 0.01f;
    Buffer<float> out(size_t(blocks) * threads);
    out.zero();
    const auto launch = [&] { spill<Live, Registers><<<blocks, threads, 0, stream>>>(factor, out.data); };
    launch();
    bool right = true;
    for (const size_t i : samples(out.size, 6)) {
        float value[Live], carry = float(i);
        for (int k = 0; k < Live; ++k) value[k] = float(i + k);
        for (int round = 0; round < 256; ++round)
            for (int k = 0; k < Live; ++k) value[k] = carry = std::fma(carry, factor, value[k]);
        right = right && out.get(i) == carry;
    }
    report("local-spill", settings, 2.0 * Live * 256 * threads * blocks, right, launch);
}

template <int Registers>
void local_spill_registers() {
    local_spill_case<128, Registers>("registers=" + std::to_string(Registers));
}
template <int Live>
void local_spill_live() {
    local_spill_case<Live, 64>("registers=64,live=" + std::to_string(Live));
}

void local_spill() {
    if (!wants("local-spill")) return;
    local_spill_case<128, 64>("");
    local_spill_registers<24>();
    local_spill_registers<32>();
    local_spill_registers<40>();
    local_spill_registers<48>();
    local_spill_registers<64>();
    local_spill_registers<80>();
    local_spill_registers<96>();
    local_spill_registers<128>();
    local_spill_registers<168>();
    local_spill_registers<255>();
    local_spill_live<16>();
    local_spill_live<32>();
    local_spill_live<64>();
    local_spill_live<96>();
    local_spill_live<128>();
    local_spill_live<160>();
    local_spill_case<64, 80>("registers=80,live=64");
    local_spill_case<64, 48>("registers=48,live=64");
    local_spill_case<160, 32>("registers=32,live=160");
    local_spill_case<16, 24>("registers=24,live=16");
}

// ---------------------------------------------------------------------------------------------------------------
// cache-footprint, measure=bandwidth
// ---------------------------------------------------------------------------------------------------------------

/// Each column of blocks reads its own slice of 64 x 4 KB; a smaller footprint (a power of two) is read repeatedly.
__global__ void read_slice(const uint4* __restrict__ in, unsigned footprint, unsigned wanted, int* found) {
    const uint4* slice = in + blockIdx.x * (64u * 256u);
    unsigned sum = 0;
#pragma unroll 16
    for (unsigned step = 0; step < 64; ++step) {
        const uint4 value = slice[(step * 256 & (footprint - 1)) + threadIdx.x];
        sum += value.x + value.y + value.z + value.w;
    }
    if (sum == wanted) *found = blockIdx.x * 256 + threadIdx.x;
}

void cache_footprint_case(int log2) {
    const size_t bytes = size_t{1} << log2, slice = 64 * 4096;
    const unsigned vectors = unsigned(bytes / 16);
    const int columns = bytes > slice ? int(bytes / slice) : 1;
    Buffer<uint4> in(vectors);
    in.fill();
    unsigned wanted = 0x12345678;  // whether a sum happens to be this does not matter
    const auto launch = [&](int* found) {
        read_slice<<<dim3(columns, 8192 / columns), 256, 0, stream>>>(in.data, vectors, wanted, found);
    };
    const auto sum_of = [&](size_t thread) {
        unsigned sum = 0;
        for (unsigned step = 0; step < 64; ++step) {
            const size_t vector = thread / 256 * 64 * 256 + (step * 256 & (vectors - 1)) + thread % 256;
            for (int word = 0; word < 4; ++word) sum += mix(uint32_t(vector * 4 + word)) & 0x7f7f7f7fu;
        }
        return sum;
    };
    bool right = true;
    Buffer<int> found(1);
    for (const size_t i : samples(size_t(columns) * 256, 6)) {
        wanted = sum_of(i);
        found.set(0, -1);
        launch(found.data);
        const int thread = found.get(0);
        right = right && thread >= 0 && sum_of(thread) == wanted;
    }
    wanted = 0x12345678;
    report("cache-footprint", "measure=bandwidth,footprint=" + power(log2), 8192.0 * slice, right,
           [&] { launch(found.data); });
}

void cache_footprint() {
    if (!wants("cache-footprint")) return;
    for (int log2 = 12; log2 <= 30; ++log2) cache_footprint_case(log2);
}

// ---------------------------------------------------------------------------------------------------------------

/// Keeps the GPU busy for about half a second, so that its clock has risen before the first setting is timed.
void raise_clock() {
    Buffer<float> out(2048 * 256);
    for (int i = 0; i < 2000; ++i) spill<16, 64><<<2048, 256, 0, stream>>>(0.01f, out.data);
    CHECK(cudaStreamSynchronize(stream));
}

int main(int argc, char** argv) {
    if (argc > 1) only = argv[1];
    cudaDeviceProp device{};
    CHECK(cudaGetDeviceProperties(&device, 0));
    CHECK(cudaStreamCreate(&stream));
    std::fprintf(stderr, "%s, compute capability %d.%d\n", device.name, device.major, device.minor);
    raise_clock();
    std::printf("scenario,settings,median_us,useful_GB_per_s_or_GFLOP_per_s,verified\n");
    global_stride();
    global_matrix();
    global_struct();
    global_gather();
    shared_reduction();
    transpose();
    matrix_multiply();
    constant_convolution();
    texture_walk();
    texture_filter();
    local_array();
    local_spill();
    cache_footprint();
    CHECK(cudaDeviceSynchronize());
}
