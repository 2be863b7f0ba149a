// Replaces the kernels in a build without CUDA: every function says that it is unavailable.
#include "kernels/cuda/gpu.h"
#include "kernels/timing/cublas.h"
#include "kernels/timing/timed.h"
#include "kernels/timing/timeline.h"
#include "kernels/trace/image_filter.h"
#include "kernels/trace/trace.h"
#include "kernels/typed/kernel_runner.h"

namespace warplens {
namespace {

Unavailable no_cuda() {
    return {
        "this build has no CUDA; build it with nvcc (-DWARPLENS_CUDA=ON) to run kernels on an NVIDIA GPU"};
}

}  // namespace

CudaVersions cuda_versions() { return {}; }

double sm_clock_mhz() { return 0; }
GpuConditions gpu_conditions() { return {}; }

std::optional<Unavailable> set_l2_fetch_granularity(int) { return no_cuda(); }

std::variant<std::vector<GpuInfo>, Unavailable> list_gpus() { return no_cuda(); }

std::optional<Unavailable> launch_trace(const TraceRequest&, Trace*, void*) { return no_cuda(); }

struct HostTracer::State {};
HostTracer::HostTracer() = default;
HostTracer::~HostTracer() = default;
std::optional<Unavailable> HostTracer::trace(std::span<const TraceRequest>, std::span<Trace>) {
    return no_cuda();
}

std::optional<Unavailable> trace_to_host(std::span<const TraceRequest>, std::span<Trace>) {
    return no_cuda();
}

struct ImageFilter::State {};
ImageFilter::ImageFilter() = default;
ImageFilter::~ImageFilter() = default;
std::optional<Unavailable> ImageFilter::draw(const Params&, std::uint64_t, void*) { return no_cuda(); }
std::optional<Unavailable> ImageFilter::draw_to_host(const Params&, std::span<std::uint8_t>) {
    return no_cuda();
}

std::variant<SpillFacts, Unavailable> spill_facts(const Params&) { return no_cuda(); }

std::variant<Timeline, Unavailable> measure_timeline(int) { return no_cuda(); }

std::variant<Timing, Unavailable> time_cublas(int, const StopRule&) { return no_cuda(); }
std::variant<std::vector<float>, Unavailable> multiply_with_cublas(int, std::span<const float>,
                                                                   std::span<const float>) {
    return no_cuda();
}

struct TimedKernels::State {};

TimedKernels::TimedKernels() = default;
TimedKernels::~TimedKernels() = default;

std::variant<Timing, Unavailable> TimedKernels::time(std::string_view, const Params&, const StopRule&,
                                                     const std::atomic<bool>*) {
    return no_cuda();
}

std::variant<std::monostate, Unavailable> TimedKernels::launch_once(std::string_view, const Params&) {
    return no_cuda();
}

std::variant<CounterReading, Unavailable> TimedKernels::count(std::string_view, const Params&,
                                                              const std::vector<std::string>&) {
    return no_cuda();
}

std::variant<CounterReading, Unavailable> TimedKernels::count_addresses(std::string_view, const Params&,
                                                                        const std::vector<std::string>&) {
    return no_cuda();
}

void TimedKernels::release_counters() {}

std::variant<std::vector<KernelResources>, Unavailable> TimedKernels::resources(std::string_view,
                                                                                const Params&) {
    return no_cuda();
}

struct KernelRunner::State {};
KernelRunner::KernelRunner() = default;
KernelRunner::~KernelRunner() = default;
std::variant<Timing, Unavailable> KernelRunner::time(const KernelLaunch&, const StopRule&, double,
                                                     const std::atomic<bool>*) {
    return no_cuda();
}
std::variant<std::monostate, Unavailable> KernelRunner::launch_once(const KernelLaunch&) { return no_cuda(); }
std::variant<CounterReading, Unavailable> KernelRunner::count(const KernelLaunch&,
                                                              const std::vector<std::string>&) {
    return no_cuda();
}
std::variant<KernelTrace, Unavailable> KernelRunner::trace(const KernelLaunch&, const TracedBlocks&) {
    return no_cuda();
}
std::variant<KernelResources, Unavailable> KernelRunner::resources(const KernelLaunch&) { return no_cuda(); }

}  // namespace warplens
