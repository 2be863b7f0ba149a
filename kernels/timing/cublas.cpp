// Uses cuBLAS if this machine has it. It is loaded with dlopen, so that the program starts without it and
// says what is missing.
#include "kernels/timing/cublas.h"

#include "kernels/cuda/check.h"
#include "kernels/cuda/device_buffer.cuh"
#include "kernels/cuda/gpu.h"
#include "kernels/cuda/multiply_data.cuh"
#include "kernels/timing/timing.cuh"

#include <cuda_runtime.h>
#include <dlfcn.h>

#include <string>

namespace warplens {
namespace {

/// The functions that are called, as cublas_api.h declares them; statuses and enums are ints there.
struct Cublas {
    using Handle = void*;
    int (*create)(Handle*) = nullptr;
    int (*destroy)(Handle) = nullptr;
    int (*set_stream)(Handle, cudaStream_t) = nullptr;
    int (*set_math_mode)(Handle, int) = nullptr;
    int (*sgemm)(Handle, int turn_a, int turn_b, int m, int n, int k, const float* alpha, const float* a,
                 int lda, const float* b, int ldb, const float* beta, float* c, int ldc) = nullptr;
    std::string name;  ///< file name of the library
    std::string why;   ///< What is missing; empty if nothing is.
};

template <class Function>
void find(void* library, const char* name, Function& function, std::string& why) {
    function = reinterpret_cast<Function>(dlsym(library, name));
    if (function == nullptr && why.empty()) why = std::string("this cuBLAS has no ") + name;
}

Cublas load() {
    Cublas cublas;
    void* library = nullptr;
    for (const char* name : {"libcublas.so.13", "libcublas.so.12"}) {
        for (const char* folder : {"", "/usr/local/cuda/lib64/"}) {
            if (library != nullptr) break;
            cublas.name = std::string(folder) + name;
            library = dlopen(cublas.name.c_str(), RTLD_NOW | RTLD_LOCAL);
        }
    }
    if (library == nullptr) {
        cublas.why =
            "cuBLAS is not on this machine: neither libcublas.so.13 nor libcublas.so.12 was found; install the CUDA "
            "libraries, or set LD_LIBRARY_PATH to their folder";
        return cublas;
    }
    find(library, "cublasCreate_v2", cublas.create, cublas.why);
    find(library, "cublasDestroy_v2", cublas.destroy, cublas.why);
    find(library, "cublasSetStream_v2", cublas.set_stream, cublas.why);
    find(library, "cublasSetMathMode", cublas.set_math_mode, cublas.why);
    find(library, "cublasSgemm_v2", cublas.sgemm, cublas.why);
    return cublas;
}

/// Loaded once and never unloaded, because the library owns GPU state.
const Cublas& cublas() {
    static const Cublas loaded = load();
    return loaded;
}

struct CublasFailed : std::runtime_error {
    CublasFailed(const char* call, int status)
        : std::runtime_error(std::string(call) + " of cuBLAS failed with status " + std::to_string(status)) {}
};

void check(int status, const char* call) {
    constexpr int kInternalError = 14;  // CUBLAS_STATUS_INTERNAL_ERROR
    if (must_fail()) status = kInternalError;
    if (status != 0) throw CublasFailed(call, status);
}

/// Multiplies matrices on one stream.
class Multiplier {
public:
    explicit Multiplier(cudaStream_t stream) {
        constexpr int kDefaultMath = 0;  // CUBLAS_DEFAULT_MATH: FP32 stays FP32, never TF32
        check(cublas().create(&handle_), "cublasCreate");
        try {
            check(cublas().set_stream(handle_, stream), "cublasSetStream");
            check(cublas().set_math_mode(handle_, kDefaultMath), "cublasSetMathMode");
        } catch (...) {
            cublas().destroy(handle_);
            throw;
        }
    }
    ~Multiplier() { cublas().destroy(handle_); }
    Multiplier(const Multiplier&) = delete;
    Multiplier& operator=(const Multiplier&) = delete;

    /// cuBLAS stores matrices by columns, so it sees each of ours transposed: it is asked for B^T A^T = C^T.
    void multiply(int n, const float* a, const float* b, float* c) const {
        constexpr int kNotTurned = 0;
        const float one = 1, zero = 0;
        check(cublas().sgemm(handle_, kNotTurned, kNotTurned, n, n, n, &one, b, n, a, n, &zero, c, n),
              "cublasSgemm");
    }

private:
    Cublas::Handle handle_ = nullptr;
};

/// Three matrices on the GPU, and the cuBLAS handle that multiplies them.
struct Product {
    int n;
    Stopwatch watch;
    DeviceBuffer a, b, c;
    Multiplier multiplier;

    explicit Product(int size) : n(size), multiplier(watch.stream()) {
        for (DeviceBuffer* buffer : {&a, &b, &c}) buffer->reserve(bytes(), watch.stream());
    }
    std::int64_t bytes() const { return std::int64_t{n} * n * static_cast<std::int64_t>(sizeof(float)); }
    static float* floats(const DeviceBuffer& buffer) { return reinterpret_cast<float*>(buffer.data()); }
    void run() const { multiplier.multiply(n, floats(a), floats(b), floats(c)); }
};

Timing time_product(int n, const StopRule& rule, const std::string& gpu) {
    Product product(n);
    fill_matrices(n, Product::floats(product.a), Product::floats(product.b), product.watch.stream());
    const auto launch = [&] { product.run(); };
    for (int i = 0; i < rule.warm_up; ++i) product.watch.time_us(1, launch);
    const int launches = launches_per_interval(product.watch.time_us(1, launch));
    const Repeats repeats =
        repeat_until(rule, nullptr, [&] { return product.watch.time_us(launches, launch) / launches; });
    const Spread spread = spread_of(repeats.samples);
    Timing timing;
    timing.median_us = spread.median;
    timing.lower_us = spread.lower;
    timing.upper_us = spread.upper;
    timing.repeats = int(repeats.samples.size());
    timing.flop = 2.0 * n * n * n;
    timing.gpu = gpu;
    timing.method = "cublasSgemm of " + cublas().name + " in plain FP32; CUDA events round " +
                    std::to_string(launches) + (launches == 1 ? " launch" : " launches") +
                    ", median and quartiles of " + std::to_string(timing.repeats) + " repeats";
    return timing;
}

std::vector<float> product_of(int n, std::span<const float> a, std::span<const float> b) {
    Product product(n);
    const std::size_t bytes = product.bytes();
    const cudaStream_t stream = product.watch.stream();
    CUDA_CHECK(cudaMemcpyAsync(product.a.data(), a.data(), bytes, cudaMemcpyHostToDevice, stream));
    CUDA_CHECK(cudaMemcpyAsync(product.b.data(), b.data(), bytes, cudaMemcpyHostToDevice, stream));
    product.run();
    product.watch.wait();
    std::vector<float> c(static_cast<std::size_t>(n) * static_cast<std::size_t>(n));
    CUDA_CHECK(cudaMemcpy(c.data(), product.c.data(), bytes, cudaMemcpyDeviceToHost));
    return c;
}

/// Run `action` with the name of the GPU, and turn exceptions into a reason.
template <class Result, class Action>
std::variant<Result, Unavailable> guarded_cublas(Action action) {
    const auto gpus = list_gpus();
    if (const auto* why = std::get_if<Unavailable>(&gpus)) return *why;
    if (!cublas().why.empty()) return Unavailable{cublas().why};
    try {
        int current = 0;
        CUDA_CHECK(cudaGetDevice(&current));
        return action(std::get<0>(gpus).at(current).name);
    } catch (const CudaError& error) {
        return Unavailable{error.what()};
    } catch (const GpuStuck& error) {
        return Unavailable{error.what()};
    } catch (const CublasFailed& error) {
        return Unavailable{error.what()};
    }
}

}  // namespace

std::variant<Timing, Unavailable> time_cublas(int n, const StopRule& rule) {
    return guarded_cublas<Timing>([&](const std::string& gpu) { return time_product(n, rule, gpu); });
}

std::variant<std::vector<float>, Unavailable> multiply_with_cublas(int n, std::span<const float> a,
                                                                   std::span<const float> b) {
    return guarded_cublas<std::vector<float>>([&](const std::string&) { return product_of(n, a, b); });
}

}  // namespace warplens
