// Times products of cubins beside cuBLAS, which it loads when it runs: times LIST N...
// A line of LIST: the file of a cubin of kernel.cu, and what it is called. All of C is compared with cuBLAS.
#include <cuda_runtime.h>
#include <dlfcn.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#define CHECK(call) check(call, __LINE__)
void check(cudaError_t status, int line) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "times.cu:%d: %s\n", line, cudaGetErrorString(status));
    std::exit(1);
}

__global__ void fill(float* to, size_t count, unsigned seed) {
    for (size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x; i < count;
         i += size_t{gridDim.x} * blockDim.x) {
        unsigned bits = static_cast<unsigned>(i) * 2654435761u ^ seed;
        bits = (bits ^ bits >> 15) * 2246822519u;
        to[i] = (static_cast<int>((bits ^ bits >> 13) % 256) - 128) / 128.0f;  // sums are exact in any order
    }
}
__global__ void find_largest_difference(const float* a, const float* b, size_t count, unsigned* largest) {
    for (size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x; i < count;
         i += size_t{gridDim.x} * blockDim.x)
        atomicMax(largest, __float_as_uint(fabsf(a[i] - b[i])));
}

/// The median of 15 launches, after three [ms].
template <class Launch>
double median_ms(Launch launch) {
    static cudaEvent_t begin = nullptr, end = nullptr;
    if (begin == nullptr) CHECK(cudaEventCreate(&begin)), CHECK(cudaEventCreate(&end));
    for (int i = 0; i < 3; ++i) launch();
    std::vector<float> times(15);
    for (float& time : times) {
        CHECK(cudaEventRecord(begin));
        launch();
        CHECK(cudaEventRecord(end));
        CHECK(cudaEventSynchronize(end));
        CHECK(cudaEventElapsedTime(&time, begin, end));
    }
    std::nth_element(times.begin(), times.begin() + 7, times.end());
    return times[7];
}

struct Kernel {
    std::string name;
    cudaKernel_t function = nullptr;
    int shape[4] = {};  ///< rows, columns, threads, bytes of shared memory
    cudaFuncAttributes attributes{};
};

std::vector<Kernel> load(const char* list) {
    std::vector<Kernel> kernels;
    std::ifstream lines(list);
    for (std::string file, name; lines >> file && std::getline(lines, name);) {
        Kernel kernel{.name = name};
        cudaLibrary_t library;
        CHECK(cudaLibraryLoadFromFile(&library, file.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0));
        CHECK(cudaLibraryGetKernel(&kernel.function, library, "product"));
        void* shape = nullptr;
        size_t bytes = 0;
        CHECK(cudaLibraryGetGlobal(&shape, &bytes, library, "shape"));
        CHECK(cudaMemcpy(kernel.shape, shape, sizeof kernel.shape, cudaMemcpyDefault));
        const auto* function = reinterpret_cast<const void*>(kernel.function);
        CHECK(cudaFuncSetAttribute(function, cudaFuncAttributeMaxDynamicSharedMemorySize, kernel.shape[3]));
        CHECK(cudaFuncGetAttributes(&kernel.attributes, function));
        kernels.push_back(kernel);
    }
    return kernels;
}

int main(int count, char** words) {
    if (count < 3) return std::puts("usage: times LIST N..."), 2;
    void* cublas = dlopen("libcublas.so.13", RTLD_NOW);
    if (cublas == nullptr) cublas = dlopen("/usr/local/cuda/lib64/libcublas.so.13", RTLD_NOW);
    if (cublas == nullptr) return std::puts("no cuBLAS here"), 1;
    const auto create = reinterpret_cast<int (*)(void**)>(dlsym(cublas, "cublasCreate_v2"));
    const auto set_mode = reinterpret_cast<int (*)(void*, int)>(dlsym(cublas, "cublasSetMathMode"));
    const auto sgemm = reinterpret_cast<int (*)(void*, int, int, int, int, int, const float*, const float*,
                                                int, const float*, int, const float*, float*, int)>(
        dlsym(cublas, "cublasSgemm_v2"));
    void* handle = nullptr;
    constexpr int kPedantic = 2;  // no tensor cores, no other order of precision
    if (create(&handle) != 0 || set_mode(handle, kPedantic) != 0) return std::puts("cuBLAS fails"), 1;

    const std::vector<Kernel> kernels = load(words[1]);
    std::puts("n,kernel,registers,local bytes,TFLOP/s,% of cuBLAS,largest difference");
    for (int w = 2; w < count; ++w) {
        const int n = std::atoi(words[w]);
        const size_t elements = size_t(n) * n;
        float *a, *b, *c, *right;
        unsigned* largest;
        for (float** matrix : {&a, &b, &c, &right}) CHECK(cudaMalloc(matrix, elements * sizeof(float)));
        CHECK(cudaMalloc(&largest, sizeof(unsigned)));
        fill<<<1024, 256>>>(a, elements, 1);
        fill<<<1024, 256>>>(b, elements, 2);
        const float one = 1, zero = 0;
        const auto library = [&] { sgemm(handle, 0, 0, n, n, n, &one, b, n, a, n, &zero, right, n); };
        const double tera = 2.0 * n * n * n * 1e-9, of_library = tera / median_ms(library);
        std::printf("%d,cuBLAS,,,%.2f,100,\n", n, of_library);
        for (const Kernel& kernel : kernels) {
            if (n % kernel.shape[0] != 0 || n % kernel.shape[1] != 0) continue;
            int size = n;
            void* arguments[] = {&size, &a, &b, &c};
            const auto launch = [&] {
                CHECK(cudaLaunchKernel(reinterpret_cast<const void*>(kernel.function),
                                       dim3(n / kernel.shape[0] * (n / kernel.shape[1])),
                                       dim3(kernel.shape[2]), arguments, kernel.shape[3], nullptr));
            };
            CHECK(cudaMemset(c, 0xff, elements * sizeof(float)));
            CHECK(cudaMemset(largest, 0, sizeof(unsigned)));
            launch();
            find_largest_difference<<<1024, 256>>>(c, right, elements, largest);
            unsigned bits = 0;
            CHECK(cudaMemcpy(&bits, largest, sizeof bits, cudaMemcpyDefault));
            float difference;
            static_assert(sizeof difference == sizeof bits);
            std::copy_n(reinterpret_cast<char*>(&bits), sizeof bits, reinterpret_cast<char*>(&difference));
            const double speed = tera / median_ms(launch);
            std::printf("%d,%s,%d,%zu,%.2f,%.1f,%g\n", n, kernel.name.c_str(), kernel.attributes.numRegs,
                        kernel.attributes.localSizeBytes, speed, 100 * speed / of_library, difference);
        }
        std::printf("%d,cuBLAS again,,,%.2f,,\n", n, tera / median_ms(library));
        for (float* matrix : {a, b, c, right}) CHECK(cudaFree(matrix));
        CHECK(cudaFree(largest));
    }
}
