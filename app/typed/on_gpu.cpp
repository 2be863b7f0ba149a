#include "app/typed/on_gpu.h"

#include "app/model/access/report.h"
#include "app/typed/lower.h"
#include "app/typed/ptx.h"
#include "app/typed/scenario.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace warplens::typed {
namespace {

/// Calls work(launch, code) for a setting. What cannot be launched is a reason.
template <class Result>
std::variant<Result, Unavailable> with_code(const Scenario& scenario, const Params& params,
                                            const auto& work) {
    try {
        const auto launch = typed_launch(scenario, params);
        return work(*launch, lower(*launch));
    } catch (const SourceError& error) {
        return Unavailable{error.what()};
    }
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

using Accesses = std::vector<std::vector<CodeAccess>>;  ///< of each thread

Accesses of_model(const TypedLaunch& launch, int x, int y) {
    Accesses all(static_cast<std::size_t>(launch.launch().threads()));
    const auto trace = launch.block(x, y);
    for (std::size_t warp = 0; warp < trace->warps.size(); ++warp)
        for (const Request& request : trace->warps[warp])
            for (std::size_t lane = 0; lane < kWarpLanes; ++lane)
                if ((request.active >> lane & 1u) != 0)
                    all[kWarpLanes * warp + lane].push_back(
                        CodeAccess::of(launch.access_of(request), request.address[lane]));
    return all;
}

std::string access_text(const TypedLaunch& launch, const std::vector<CodeAccess>& all, std::size_t i) {
    if (i >= all.size()) return "nothing more";
    const std::size_t which = all[i].access();
    const std::string label =
        which < launch.accesses().size() ? launch.accesses()[which].label : "another access";
    return fmt::format("{} at byte {}", label, all[i].offset());
}

void compare_threads(ComparedAddresses& sum, const TypedLaunch& launch, const Accesses& model,
                     const Accesses& other, std::string_view who, std::int64_t block) {
    for (std::size_t thread = 0; thread < model.size(); ++thread) {
        const std::vector<CodeAccess> none;
        const auto &a = model[thread], &b = thread < other.size() ? other[thread] : none;
        for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
            if (i < a.size() && i < b.size() && a[i].packed == b[i].packed) continue;
            ++sum.off;
            if (sum.first.empty())
                sum.first = fmt::format("block {}, thread {}, access {}: the model has {}, {} has {}", block,
                                        thread, i, access_text(launch, a, i), who, access_text(launch, b, i));
        }
    }
}

}  // namespace

std::variant<Timing, Unavailable> GpuKernels::time(const Scenario& scenario, const Params& params,
                                                   const StopRule& rule, const std::atomic<bool>* cancel) {
    return with_code<Timing>(scenario, params, [&](const TypedLaunch&, const Code& code) {
        return runner_.time(code, ptx_of(code, PtxKind::plain), rule, wanted_bytes(scenario, params), cancel);
    });
}

std::variant<CounterReading, Unavailable> GpuKernels::count(const Scenario& scenario, const Params& params,
                                                            const std::vector<std::string>& metrics) {
    return with_code<CounterReading>(scenario, params, [&](const TypedLaunch&, const Code& code) {
        return runner_.count(code, ptx_of(code, PtxKind::counted), metrics);
    });
}

std::variant<KernelResources, Unavailable> GpuKernels::resources(const Scenario& scenario,
                                                                 const Params& params) {
    return with_code<KernelResources>(scenario, params, [&](const TypedLaunch&, const Code& code) {
        return runner_.resources(code, ptx_of(code, PtxKind::plain));
    });
}

std::variant<std::monostate, Unavailable> GpuKernels::launch_once(const Scenario& scenario,
                                                                  const Params& params) {
    return with_code<std::monostate>(scenario, params, [&](const TypedLaunch&, const Code& code) {
        return runner_.launch_once(code, ptx_of(code, PtxKind::plain));
    });
}

std::variant<ComparedAddresses, Unavailable> GpuKernels::compare(const Scenario& scenario,
                                                                 const Params& params,
                                                                 std::int64_t most_blocks) {
    using Result = std::variant<ComparedAddresses, Unavailable>;
    return with_code<ComparedAddresses>(
        scenario, params, [&](const TypedLaunch& launch, const Code& code) -> Result {
            const std::string ptx = ptx_of(code, PtxKind::traced);
            ComparedAddresses sum;
            const std::int64_t last = code.blocks() - 1;
            std::set<std::int64_t> chosen{last};
            for (std::int64_t block = 0; block < std::min(most_blocks, last); ++block) chosen.insert(block);
            for (const std::int64_t block : chosen) {
                const Accesses model = of_model(launch, int(block % code.grid_x), int(block / code.grid_x));
                CodeBlocks blocks{block, 1, 1};
                for (const auto& thread : model) {
                    sum.accesses += static_cast<std::int64_t>(thread.size());
                    blocks.kept = std::max(blocks.kept, int(thread.size()) + 1);
                }
                ++sum.blocks;
                const auto compiled = runner_.trace(code, ptx, blocks);
                if (const auto* why = std::get_if<Unavailable>(&compiled)) return *why;
                compare_threads(sum, launch, model, std::get<CodeTrace>(compiled).threads,
                                "the compiled kernel", block);
                if (block != 0 && block != last) continue;
                const auto executed = runner_.interpret(code, blocks);
                if (const auto* why = std::get_if<Unavailable>(&executed)) return *why;
                compare_threads(sum, launch, model, std::get<CodeTrace>(executed).threads, "the interpreter",
                                block);
            }
            return sum;
        });
}

}  // namespace warplens::typed
