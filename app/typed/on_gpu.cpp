#include "app/typed/on_gpu.h"

#include "app/model/access/report.h"
#include "app/typed/cuda_text.h"
#include "app/typed/scenario.h"

#include <algorithm>
#include <set>

namespace warplens::typed {
namespace {

/// Calls work(launch) for a setting. What cannot be launched is a reason.
template <class Result>
std::variant<Result, Unavailable> with_launch(const Scenario& scenario, const Params& params,
                                              const auto& work) {
    try {
        return work(*typed_launch(scenario, params));
    } catch (const SourceError& error) {
        return Unavailable{error.what()};
    }
}
KernelLaunch plain(const TypedLaunch& launch) {
    return kernel_launch(launch, cuda_text(launch, TextKind::plain));
}

/// The bytes that the active lanes request from global memory.
double wanted_bytes(const Scenario& scenario, const Params& params) {
    std::int64_t bytes = 0;
    const DeviceFacts any{};
    for (int i = 0; i < scenario.instruction_count(params); ++i)
        if (scenario.instruction(params, i).space == Space::global)
            bytes += count_grid(scenario, params, i, any).bytes_wanted;
    return double(bytes);
}

}  // namespace

std::variant<Timing, Unavailable> GpuKernels::time(const Scenario& scenario, const Params& params,
                                                   const StopRule& rule, const std::atomic<bool>* cancel) {
    return with_launch<Timing>(scenario, params, [&](const TypedLaunch& launch) {
        return runner_.time(plain(launch), rule, wanted_bytes(scenario, params), cancel);
    });
}

std::variant<CounterReading, Unavailable> GpuKernels::count(const Scenario& scenario, const Params& params,
                                                            const std::vector<std::string>& metrics,
                                                            bool as_compiled) {
    return with_launch<CounterReading>(scenario, params, [&](const TypedLaunch& launch) {
        const TextKind kind = as_compiled ? TextKind::plain : TextKind::counted;
        return runner_.count(kernel_launch(launch, cuda_text(launch, kind)), metrics);
    });
}

std::variant<KernelResources, Unavailable> GpuKernels::resources(const Scenario& scenario,
                                                                 const Params& params) {
    return with_launch<KernelResources>(
        scenario, params, [&](const TypedLaunch& launch) { return runner_.resources(plain(launch)); });
}

std::variant<std::monostate, Unavailable> GpuKernels::launch_once(const Scenario& scenario,
                                                                  const Params& params) {
    return with_launch<std::monostate>(
        scenario, params, [&](const TypedLaunch& launch) { return runner_.launch_once(plain(launch)); });
}

std::variant<ComparedAddresses, Unavailable> GpuKernels::compare(const Scenario& scenario,
                                                                 const Params& params,
                                                                 std::int64_t most_blocks) {
    using Result = std::variant<ComparedAddresses, Unavailable>;
    return with_launch<ComparedAddresses>(scenario, params, [&](const TypedLaunch& launch) -> Result {
        CudaText text = cuda_text(launch, TextKind::traced);
        const std::vector<const Expr*> sites = text.sites;
        std::vector<PlacedMemory> placed;
        const KernelLaunch traced = kernel_launch(launch, std::move(text), &placed);
        ComparedAddresses sum;
        const std::int64_t last = traced.blocks() - 1;
        std::set<std::int64_t> chosen{last};
        for (std::int64_t block = 0; block < std::min(most_blocks, last); ++block) chosen.insert(block);
        for (const std::int64_t block : chosen) {
            BlockComparison comparison(launch, sites, block);
            const auto made = runner_.trace(traced, {block, 1, comparison.most() + 1});
            if (const auto* why = std::get_if<Unavailable>(&made)) return *why;
            comparison.compare(std::get<KernelTrace>(made), placed, sum);
        }
        return sum;
    });
}

}  // namespace warplens::typed
