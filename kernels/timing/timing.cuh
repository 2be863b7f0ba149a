#pragma once

// How every time is taken: by CUDA events on a separate stream, after some launches to warm up. If a launch
// is short, several are timed together. They are repeated until the median is known well enough
// (kernels/timing/statistics.h).
#include "kernels/cuda/check.h"
#include "kernels/loop_shape.h"
#include "kernels/timing/statistics.h"

#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <thread>

namespace warplens {

/// The GPU did not finish in time. A running kernel can only be stopped by ending the program.
struct GpuStuck : std::runtime_error {
    GpuStuck() : std::runtime_error("the GPU did not finish a kernel within 30 seconds") {}
};

/// A stream and two events, and a wait with a time limit.
class Stopwatch {
public:
    Stopwatch() {
        CUDA_CHECK(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
        try {
            CUDA_CHECK(cudaEventCreate(&begin_));
            CUDA_CHECK(cudaEventCreate(&end_));
        } catch (...) {
            release();
            throw;
        }
    }
    ~Stopwatch() { release(); }
    Stopwatch(const Stopwatch&) = delete;
    Stopwatch& operator=(const Stopwatch&) = delete;

    cudaStream_t stream() const { return stream_; }

    /// Wait for everything that was queued. Errors: CudaError, GpuStuck.
    void wait() {
        CUDA_CHECK(cudaEventRecord(end_, stream_));
        wait_for_end();
    }

    /// The time on the GPU from before the first to after the last of some launches [microseconds].
    template <class Launch>
    double time_us(int launches, Launch launch) {
        CUDA_CHECK(cudaEventRecord(begin_, stream_));
        for (int i = 0; i < launches; ++i) launch();
        CUDA_CHECK(cudaEventRecord(end_, stream_));
        wait_for_end();
        float milliseconds = 0;
        CUDA_CHECK(cudaEventElapsedTime(&milliseconds, begin_, end_));
        return milliseconds * 1e3;
    }

private:
    void wait_for_end() {
        using Clock = std::chrono::steady_clock;
        const auto begin = Clock::now();
        while (true) {
            const cudaError_t status = cudaEventQuery(end_);
            if (status != cudaErrorNotReady) {
                CUDA_CHECK(status);
                return;
            }
            cudaGetLastError();
            const auto waited = Clock::now() - begin;
            if (waited > std::chrono::seconds(30)) throw GpuStuck();
            if (waited > std::chrono::microseconds(200))
                std::this_thread::sleep_for(std::chrono::microseconds(50));
        }
    }

    void release() noexcept {
        if (end_ != nullptr) CUDA_FORGET(cudaEventDestroy(end_));
        if (begin_ != nullptr) CUDA_FORGET(cudaEventDestroy(begin_));
        if (stream_ != nullptr) CUDA_FORGET(cudaStreamDestroy(stream_));
    }

    cudaStream_t stream_ = nullptr;
    cudaEvent_t begin_ = nullptr, end_ = nullptr;
};

/// The number of launches between two events. It makes the interval long compared with what the events add, a
/// few microseconds.
inline int launches_per_interval(double one_launch_us) {
    constexpr double kWanted = 1000, kMost = 100;
    if (one_launch_us >= kShortLaunchUs) return 1;
    return int(std::clamp(kWanted / std::max(one_launch_us, 0.1), 1.0, kMost));
}

}  // namespace warplens
