#include "app/typed/hazards.h"

#include <fmt/format.h>

#include <algorithm>

namespace warplens::typed {
namespace {

/// So many accesses of threads to words are looked at, at most.
constexpr std::size_t kMostTouches = 400'000;

bool in_shared_memory(const TypedLaunch& launch, int memory) {
    return launch.memories()[memory].storage == Storage::shared;
}

/// The line of the order that an access is; -1 if it is not to shared memory.
std::vector<int> lines_of_accesses(const TypedLaunch& launch, const KernelOrder& order) {
    std::vector<int> lines(launch.accesses().size(), -1);
    for (int i = 0; i < order.count; ++i) {
        const OrderedLine& line = order.lines[i];
        if (line.kind == OrderedLine::Kind::access) lines[line.instruction] = i;
    }
    return lines;
}

std::string thread_text(int thread) {
    return fmt::format("thread {} (warp {}, lane {})", thread, thread / kWarpLanes, thread % kWarpLanes);
}

}  // namespace

KernelOrder shared_order(const TypedLaunch& launch) {
    KernelOrder order;
    int interval = -1;
    for (std::size_t i = 0; i < launch.accesses().size(); ++i) {
        const TypedAccess& access = launch.accesses()[i];
        if (!in_shared_memory(launch, access.memory)) continue;
        if (order.count + 2 > KernelOrder::kMostLines) break;
        if (interval >= 0 && access.interval != interval) order.barrier();
        interval = access.interval;
        order.access(int(i));
    }
    return order;
}

HazardReport report_hazards(const TypedLaunch& launch, const BlockTrace& trace) {
    HazardReport report{.order = shared_order(launch),
                        .block = {trace.range.x, trace.range.y},
                        .threads_per_block = launch.launch().warps() * kWarpLanes};
    report.all_found = trace.assumed.empty() && trace.whole && !launch.unit().leaves_out;
    if (!trace.assumed.empty()) return report;  // lanes and addresses that nobody knows would be said to race
    const std::vector<int> lines = lines_of_accesses(launch, report.order);
    std::vector<Touch> touches;
    for (std::size_t warp = 0; warp < trace.warps.size(); ++warp) {
        int position = 0;
        for (const Request& request : trace.warps[warp]) {
            ++position;
            const int access = launch.access_of(request);
            const int line = access < 0 ? -1 : lines[access];
            if (!in_shared_memory(launch, request.memory) || (request.atomic && !request.store)) continue;
            if (line < 0 || touches.size() > kMostTouches) {
                report.all_found = false;
                continue;
            }
            const Memory& memory = launch.memories()[request.memory];
            for (int lane = 0; lane < kWarpLanes; ++lane) {
                if ((request.active >> lane & 1u) == 0) continue;
                const std::int64_t at = memory.begin + request.address(lane);
                add_touches(touches, static_cast<std::uint64_t>(at), request.bytes,
                            {.store = request.store,
                             .atomic = request.atomic,
                             .thread = int(warp) * kWarpLanes + lane,
                             .line = line,
                             .position = position,
                             .barriers = {request.warp_interval, request.interval, request.interval}});
            }
        }
    }
    std::ranges::stable_sort(touches, {}, &Touch::position);
    add_hazards(report, touches, launch.shared_bytes(), 1);
    return report;
}

std::string race_sentence(const TypedLaunch& launch, const HazardReport& report) {
    if (report.pairs.empty()) return {};
    const LinePair& pair = report.pairs.front();
    const auto access_of_line = [&](int line) -> const TypedAccess& {
        return launch.accesses()[report.order.lines[line].instruction];
    };
    const TypedAccess &first = access_of_line(pair.first_line), &second = access_of_line(pair.second_line);
    if (pair.kind == HazardKind::uninitialized)
        return fmt::format("{} loads word {} of shared memory in line {}, and no thread has stored it before",
                           thread_text(pair.example.first_thread), pair.example.word, first.site->at.line);
    return fmt::format(
        "a race: {} {} word {} of shared memory in line {}, {} {} it in line {}, and no barrier "
        "stands between them",
        thread_text(pair.example.first_thread), first.store ? "stores to" : "loads", pair.example.word,
        first.site->at.line, thread_text(pair.example.second_thread), second.store ? "stores to" : "loads",
        second.site->at.line);
}

}  // namespace warplens::typed
