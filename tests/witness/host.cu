// What the host side of a program costs, and what managed memory does: times of the steps that the board
// "Host program" shows, and the strides of a published figure.
//
//   nvcc -O3 -std=c++17 -arch=sm_90 host.cu -o host && ./host > host.json
//
// The output is one entry of assets/witness.json. A step is timed by the host's clock, from its call until
// the GPU is idle, because a person waits that long. Each way runs 9 times on fresh arrays; given are the
// median, the least and the most. A first run, which also loads the kernels, is not counted.
//
//   copy      cudaMalloc, cudaMemcpy from ordinary host memory, two launches, cudaMemcpy back, cudaFree
//   managed   cudaMallocManaged, values written by the host, two launches, the result read by the host
//   prefetch  the same with cudaMemPrefetchAsync of the input and the result before the first launch
//
// wrapped/S is the kernel of NVIDIA's blog on global memory: output[tid] = input[(tid * S) % n] * 2 with 2^26
// elements; 8 bytes per thread count as useful. Median of 20 launches, by events.
//
// product/N/guarded is the tiled product that guides print, with guards for sizes that are no multiple of the
// tile; product/N/plain the same without guards. Microseconds, median of 20 launches, by events.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <map>
#include <string>
#include <vector>

#define CHECK(call)                                                                                        \
    do {                                                                                                   \
        const cudaError_t error = (call);                                                                  \
        if (error != cudaSuccess) {                                                                        \
            std::fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(error)); \
            std::exit(1);                                                                                  \
        }                                                                                                  \
    } while (0)

constexpr int kRuns = 9, kThreads = 256;

__global__ void add(const float* a, const float* b, float* c, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}

/// The index is computed in 64 bits: tid * stride would overflow an int.
__global__ void wrapped(const float* input, float* output, int n, int stride) {
    const int tid = blockIdx.x * blockDim.x + threadIdx.x;
    if (tid < n) {
        const int scattered = static_cast<int>(static_cast<long long>(tid) * stride % n);
        output[tid] = input[scattered] * 2.0f;
    }
}

constexpr int kTile = 32;

/// A tile for each block; elements outside the matrices are 0 in the tiles. All threads reach the barriers,
/// so the guard stands before the access and not before the loop.
template <bool kGuarded>
__global__ void multiply(const float* A, const float* B, float* C, int N) {
    __shared__ float As[kTile][kTile], Bs[kTile][kTile];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * kTile + ty, col = blockIdx.x * kTile + tx;
    float sum = 0;
    for (int t = 0; t < (N + kTile - 1) / kTile; ++t) {
        const int a_col = t * kTile + tx, b_row = t * kTile + ty;
        As[ty][tx] = !kGuarded || (row < N && a_col < N) ? A[row * N + a_col] : 0.0f;
        Bs[ty][tx] = !kGuarded || (b_row < N && col < N) ? B[b_row * N + col] : 0.0f;
        __syncthreads();
#pragma unroll
        for (int k = 0; k < kTile; ++k) sum += As[ty][k] * Bs[k][tx];
        __syncthreads();
    }
    if (!kGuarded || (row < N && col < N)) C[row * N + col] = sum;
}

std::map<std::string, std::vector<double>> times;  // name, and times of all counted runs

/// Runs a step until the GPU is idle. @param name  empty if it is not counted
void step(const std::string& name, const std::function<void()>& work) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    CHECK(cudaDeviceSynchronize());
    const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - begin;
    if (!name.empty()) times[name].push_back(took.count());
}

void launch(const float* a, const float* b, float* c, int n) {
    add<<<(n + kThreads - 1) / kThreads, kThreads>>>(a, b, c, n);
    CHECK(cudaGetLastError());
}

void verify(const float* c, int n) {
    for (int i = 0; i < n; ++i) {
        if (c[i] == static_cast<float>(i % 1000) + 1) continue;
        std::fprintf(stderr, "element %d is wrong\n", i);
        std::exit(1);
    }
}

void run_copy(int log2, bool counted) {
    const int n = 1 << log2;
    const size_t bytes = static_cast<size_t>(n) * sizeof(float);
    const auto name = [&](const char* what) {
        return counted ? "copy/" + std::to_string(log2) + "/" + what : std::string();
    };
    std::vector<float> a(n), b(n, 1), c(n);
    for (int i = 0; i < n; ++i) a[i] = static_cast<float>(i % 1000);
    float *da = nullptr, *db = nullptr, *dc = nullptr;
    step(name("allocate"), [&] {
        for (float** array : {&da, &db, &dc}) CHECK(cudaMalloc(array, bytes));
    });
    step(name("bring"), [&] {
        CHECK(cudaMemcpy(da, a.data(), bytes, cudaMemcpyHostToDevice));
        CHECK(cudaMemcpy(db, b.data(), bytes, cudaMemcpyHostToDevice));
    });
    step(name("first"), [&] { launch(da, db, dc, n); });
    step(name("second"), [&] { launch(da, db, dc, n); });
    step(name("fetch"), [&] { CHECK(cudaMemcpy(c.data(), dc, bytes, cudaMemcpyDeviceToHost)); });
    verify(c.data(), n);
    step(name("free"), [&] {
        for (float* array : {da, db, dc}) CHECK(cudaFree(array));
    });
}

void prefetch(const float* array, size_t bytes, int device) {
#if CUDART_VERSION >= 13000
    CHECK(cudaMemPrefetchAsync(array, bytes, cudaMemLocation{cudaMemLocationTypeDevice, device}, 0));
#else
    CHECK(cudaMemPrefetchAsync(array, bytes, device));
#endif
}

void run_managed(int log2, bool ahead, bool counted) {
    const int n = 1 << log2;
    const size_t bytes = static_cast<size_t>(n) * sizeof(float);
    const auto name = [&](const char* what) {
        return counted ? (ahead ? "prefetch/" : "managed/") + std::to_string(log2) + "/" + what
                       : std::string();
    };
    float *a = nullptr, *b = nullptr, *c = nullptr;
    step(name("allocate"), [&] {
        for (float** array : {&a, &b, &c}) CHECK(cudaMallocManaged(array, bytes));
    });
    step(name("fill"), [&] {
        for (int i = 0; i < n; ++i) a[i] = static_cast<float>(i % 1000), b[i] = 1;
    });
    if (ahead)
        step(name("bring"), [&] {
            for (const float* array : {a, b, c}) prefetch(array, bytes, 0);
        });
    step(name("first"), [&] { launch(a, b, c, n); });
    step(name("second"), [&] { launch(a, b, c, n); });
    volatile float sum = 0;
    step(name("fetch"), [&] {
        float all = 0;
        for (int i = 0; i < n; ++i) all += c[i];
        sum = all;
    });
    verify(c, n);
    step(name("free"), [&] {
        for (float* array : {a, b, c}) CHECK(cudaFree(array));
    });
}

/// Useful GB/s at each stride.
void run_wrapped() {
    constexpr int kLog2 = 26, kStrides = 32, kLaunches = 20;
    const int n = 1 << kLog2;
    const size_t bytes = static_cast<size_t>(n) * sizeof(float);
    float *input = nullptr, *output = nullptr;
    CHECK(cudaMalloc(&input, bytes));
    CHECK(cudaMalloc(&output, bytes));
    const std::vector<float> host(n, 1.5f);
    CHECK(cudaMemcpy(input, host.data(), bytes, cudaMemcpyHostToDevice));
    cudaEvent_t begin, end;
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreate(&end));
    for (int stride = 0; stride < kStrides; ++stride) {
        for (int i = 0; i < kLaunches + 3; ++i) {
            CHECK(cudaEventRecord(begin));
            wrapped<<<n / kThreads, kThreads>>>(input, output, n, stride);
            CHECK(cudaEventRecord(end));
            CHECK(cudaEventSynchronize(end));
            float milliseconds = 0;
            CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
            if (i < 3) continue;  // to warm up
            times["wrapped/" + std::to_string(stride)].push_back(2.0 * static_cast<double>(bytes) /
                                                                 (milliseconds * 1e6));
        }
    }
    CHECK(cudaFree(input));
    CHECK(cudaFree(output));
}

void run_product(int n, bool guarded) {
    constexpr int kLaunches = 20;
    const size_t elements = static_cast<size_t>(n) * n, bytes = elements * sizeof(float);
    std::vector<float> a(elements), b(elements), c(elements);
    for (size_t i = 0; i < elements; ++i) {
        a[i] = static_cast<float>(i % 7) - 3;
        b[i] = static_cast<float>(i % 5) - 2;
    }
    float *da = nullptr, *db = nullptr, *dc = nullptr;
    for (float** array : {&da, &db, &dc}) CHECK(cudaMalloc(array, bytes));
    CHECK(cudaMemcpy(da, a.data(), bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(db, b.data(), bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemset(dc, 0xff, bytes));
    cudaEvent_t begin, end;
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreate(&end));
    const int across = (n + kTile - 1) / kTile;
    const dim3 grid(across, across), block(kTile, kTile);
    for (int i = 0; i < kLaunches + 3; ++i) {
        CHECK(cudaEventRecord(begin));
        if (guarded)
            multiply<true><<<grid, block>>>(da, db, dc, n);
        else
            multiply<false><<<grid, block>>>(da, db, dc, n);
        CHECK(cudaEventRecord(end));
        CHECK(cudaEventSynchronize(end));
        float milliseconds = 0;
        CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
        if (i >= 3)
            times["product/" + std::to_string(n) + (guarded ? "/guarded" : "/plain")].push_back(milliseconds *
                                                                                                1e3);
    }
    CHECK(cudaMemcpy(c.data(), dc, bytes, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 2000; ++i) {  // some elements, those of the last row and column among them
        const int row = i < 500 ? n - 1 : i * 7919 % n, column = i < 1000 ? n - 1 - i % n : i * 104729 % n;
        float sum = 0;
        for (int k = 0; k < n; ++k)
            sum += a[static_cast<size_t>(row) * n + k] * b[static_cast<size_t>(k) * n + column];
        if (c[static_cast<size_t>(row) * n + column] == sum) continue;
        std::fprintf(stderr, "product of %d: element (%d, %d) is wrong\n", n, row, column);
        std::exit(1);
    }
    for (float* array : {da, db, dc}) CHECK(cudaFree(array));
}

void print(const cudaDeviceProp& gpu) {
    int driver = 0;
    CHECK(cudaDriverGetVersion(&driver));
    char date[32] = {};
    const std::time_t now = std::time(nullptr);
    std::strftime(date, sizeof date, "%Y-%m-%d", std::gmtime(&now));
    std::printf("{\"gpu\": \"%s\", \"cc\": \"%d.%d\", \"date\": \"%s\", \"driver_cuda\": \"%d.%d\",\n",
                gpu.name, gpu.major, gpu.minor, date, driver / 1000, driver % 1000 / 10);
    std::printf(" \"concurrent_managed_access\": %d, \"pageable_memory_access\": %d,\n \"values\": {",
                gpu.concurrentManagedAccess, gpu.pageableMemoryAccess);
    bool first = true;
    for (auto& [name, all] : times) {
        std::sort(all.begin(), all.end());
        std::printf("%s\n  \"%s\": [%.6g, %.6g, %.6g]", first ? "" : ",", name.c_str(), all[all.size() / 2],
                    all.front(), all.back());
        first = false;
    }
    std::printf("\n }}\n");
}

int main() {
    cudaDeviceProp gpu{};
    CHECK(cudaGetDeviceProperties(&gpu, 0));
    for (const int log2 : {16, 20, 24, 26}) {
        for (int run = 0; run <= kRuns; ++run) {
            run_copy(log2, run > 0);
            run_managed(log2, false, run > 0);
            run_managed(log2, true, run > 0);
        }
    }
    run_wrapped();
    run_product(1024, false);
    run_product(1024, true);
    run_product(1000, true);
    run_product(993, true);
    print(gpu);
}
