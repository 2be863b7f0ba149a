#include "app/typed/kernel_launch.h"

#include "app/model/access/report.h"
#include "app/typed/warp/warp_executor.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <tuple>

namespace warplens::typed {
namespace {

/// How far a launch goes into each of its memories [bytes]; of arrays whose size is known, that.
struct Extents {
    std::vector<std::int64_t> least, most;
};
/// Widens them by each request of the blocks of a range.
class Reach final : public WarpVisitor {
public:
    explicit Reach(Extents& extents) : extents_(extents) {}
    void begin(const BlockRange& range) { range_ = range; }
    void visit(const WarpRequest& one) override { add(one, 0); }
    void visit_rounds(const WarpRounds& rounds) override {
        for (const WarpRounds::One& one : rounds.requests)
            add(one.request(), one.offsets.per_round * (rounds.count - 1));
    }

private:
    void add(const WarpRequest& one, std::int64_t last_round) {
        std::int64_t low = 0, high = one.element.type.bytes();
        for (const std::int64_t far :
             {last_round, one.offsets.per_x * (range_.width - 1), one.offsets.per_y * (range_.height - 1)}) {
            low += std::min<std::int64_t>(far, 0);
            high += std::max<std::int64_t>(far, 0);
        }
        std::int64_t &least = extents_.least[one.memory], &most = extents_.most[one.memory];
        for (const int lane : LaneRange{one.active}) {
            least = std::min(least, one.offsets.of(lane) + low);
            most = std::max(most, one.offsets.of(lane) + high);
        }
    }

    Extents& extents_;
    BlockRange range_;
};

bool is_unknown(const Memory& one) { return one.storage == Storage::global && one.bytes == 0; }

/// @param whole  set to false if patience ended before the grid: then they are those of some blocks
InSteps<Extents> extents_of(const TypedLaunch& launch, Patience patience, bool& whole) {
    const std::vector<Memory>& memories = launch.memories();
    Extents extents{std::vector<std::int64_t>(memories.size(), 0), {}};
    for (std::size_t i = 0; i < memories.size(); ++i) {
        extents.least[i] = -memories[i].before;
        extents.most.push_back(memories[i].bytes);
    }
    whole = true;
    if (std::ranges::none_of(memories, is_unknown)) co_return extents;
    WarpExecutor executor(launch.bound());
    Reach reach(extents);
    StepClock clock;
    RangeWalk walk(launch.launch(), patience);
    while (const auto range = walk.next()) {
        try {
            reach.begin(*range);
            executor.begin(*range, reach);
            while (executor.step())
                if (clock.is_up()) co_yield 0;
            walk.did(executor.work());
        } catch (const RangeCut& cut) {
            walk.cut(cut);
        }
        if (clock.is_up()) co_yield 0;
    }
    whole = walk.complete();
    constexpr int kSamples = 16;
    const Extent grid{launch.launch().grid_x, launch.launch().rows()};
    std::vector<Extent> some{{0, 0}, {grid.x - 1, grid.y - 1}};
    for (int i = 0; i < kSamples; ++i) some.push_back(sampled_block(i, grid));
    for (std::size_t i = 0; !whole && i < some.size(); ++i) {
        reach.begin({some[i].x, some[i].y, 1, 1});
        executor.begin({some[i].x, some[i].y, 1, 1}, reach);
        while (executor.step())
            if (clock.is_up()) co_yield 0;
    }
    co_return extents;
}

Extents extents_of(const TypedLaunch& launch) {
    bool whole = true;
    Extents extents = extents_of(launch, {}, whole).done();
    if (whole) return extents;
    const std::string& name = std::ranges::find_if(launch.memories(), is_unknown)->name;
    throw SourceError(launch.bound().kernel->at,
                      fmt::format("say how large {} is, so that it can be launched: '// in {} [n]'",
                                  in_quotes(name), name));
}

/// Everything that a launch gives the kernel.
class Arguments {
public:
    Arguments(const TypedLaunch& launch, KernelLaunch& out)
        : launch_(launch), out_(out), extents_(extents_of(launch)), placed_(launch.memories().size()) {
        for (const int parameter : launch.bound().kernel->declared) {
            const Type& type = symbol(parameter).type;
            KernelLaunch::Parameter& one = out_.parameters.emplace_back();
            one.bytes.resize(static_cast<std::size_t>(type.pointer ? 8 : std::max(1, type.element_bytes())));
            add(one, parameter, 0);
        }
    }

    std::vector<PlacedMemory> placed() { return std::move(placed_); }

private:
    const Symbol& symbol(int index) const { return launch_.unit().symbol(index); }

    void add(KernelLaunch::Parameter& to, int parameter, std::size_t at) {
        const Symbol& one = symbol(parameter);
        const Type& type = one.type;
        if (type.pointer) return add_pointer(to, launch_.bound().memory_of[parameter], at);
        if (type.record >= 0) {
            const std::vector<Member>& members = launch_.unit().records[type.record].members;
            for (std::size_t i = 0; i < one.parts.size() && i < members.size(); ++i)
                add(to, one.parts[i], at + static_cast<std::size_t>(members[i].offset));
            return;
        }
        const auto size = static_cast<std::size_t>(bytes_of(type.scalar));
        const float single = 1;
        const double wide = 1;
        constexpr std::uint16_t kHalf = 0x3c00;
        for (std::int64_t i = 0; i < type.lanes * type.elements(); ++i) {
            const std::size_t place = at + static_cast<std::size_t>(i) * size;
            if (place + size > to.bytes.size()) return;
            const void* from = &launch_.bound().values[parameter];  // little-endian
            if (type.scalar == Scalar::float32) from = &single;
            if (type.scalar == Scalar::float64) from = &wide;
            if (type.scalar == Scalar::float16) from = &kHalf;
            std::memcpy(to.bytes.data() + place, from, size);
        }
    }

    void add_pointer(KernelLaunch::Parameter& to, int memory, std::size_t at) {
        if (memory < 0) return;
        const std::size_t index = memory;
        const Memory& one = launch_.memories()[index];
        PlacedMemory& placed = placed_[index];
        if (placed.array < 0) {
            placed = {int(out_.arrays.size()), -extents_.least[index]};
            // Addresses that nobody knows are assumed to be any of the array, here as in the model.
            const bool integers =
                !is_floating(one.scalar) && one.content == Content::unknown && launch_.assumes();
            out_.arrays.push_back(
                {.bytes = std::max<std::int64_t>(1, extents_.most[index] - extents_.least[index]),
                 .content = integers ? Content::random : one.content,
                 .element_bytes = std::max(1, bytes_of(one.scalar))});
        }
        to.pointers.push_back({.at = at, .array = placed.array, .behind = placed.behind});
    }

    const TypedLaunch& launch_;
    KernelLaunch& out_;
    Extents extents_;
    std::vector<PlacedMemory> placed_;  ///< by memory
};

/// Dynamic shared memory: what is left behind the arrays that the text declares [bytes].
int dynamic_shared(const TypedLaunch& launch) {
    std::int64_t declared = 0;
    for (std::size_t i = 0; i < launch.unit().symbols.size(); ++i) {
        const Symbol& one = launch.unit().symbols[i];
        if (one.storage != Storage::shared || one.dynamic) continue;
        const Memory& memory = launch.memories()[launch.bound().memory_of[i]];
        declared = std::max(declared, memory.begin + memory.bytes);
    }
    constexpr std::int64_t kAligned = 16;
    return int(launch.shared_bytes() - (declared + kAligned - 1) / kAligned * kAligned);
}

}  // namespace

InSteps<std::int64_t> least_global_bytes(const TypedLaunch& launch, Patience patience) {
    if (std::ranges::none_of(launch.memories(), is_unknown)) co_return launch.global_bytes();
    if (launch.assumes()) co_return 0;
    std::int64_t bytes = 0;
    try {
        bool whole = true;
        auto walk = extents_of(launch, patience, whole);
        while (walk.step()) co_yield 0;
        const Extents extents = walk.take();
        for (std::size_t i = 0; i < launch.memories().size(); ++i)
            if (launch.memories()[i].storage == Storage::global) bytes += extents.most[i] - extents.least[i];
    } catch (const SourceError&) {  // which is told when blocks are counted
    }
    co_return bytes;
}

KernelLaunch kernel_launch(const TypedLaunch& launch, CudaText text, std::vector<PlacedMemory>* placed) {
    const Launch& shape = launch.launch();
    KernelLaunch out{.text = std::move(text.text),
                     .name = std::move(text.name),
                     .grid = {shape.grid_x, shape.grid_y, shape.grid_z},
                     .block = {shape.block_x, shape.block_y, shape.block_z},
                     .dynamic_shared = dynamic_shared(launch)};
    std::vector<PlacedMemory> all = Arguments(launch, out).placed();
    if (placed != nullptr) *placed = std::move(all);
    return out;
}

BlockComparison::BlockComparison(const TypedLaunch& launch, const std::vector<const Expr*>& sites,
                                 std::int64_t block)
    : launch_(launch), block_(block) {
    for (std::size_t i = 0; i < sites.size(); ++i) number_of_[sites[i]] = static_cast<std::uint32_t>(i);
    const auto trace = launch.block(int(block % launch.launch().grid_x), int(block / launch.launch().grid_x));
    model_.resize(static_cast<std::size_t>(launch.launch().threads()));
    for (std::size_t warp = 0; warp < trace->warps.size(); ++warp) {
        for (const Request& request : trace->warps[warp]) {
            const auto number = number_of_.find(request.site);
            for (const int lane : LaneRange{request.active})
                model_[kWarpLanes * warp + static_cast<std::size_t>(lane)].push_back(
                    {number == number_of_.end() ? ~0u : number->second, request.store, request.memory,
                     request.address(lane)});
        }
    }
}

int BlockComparison::most() const {
    std::size_t most = 0;
    for (const auto& thread : model_) most = std::max(most, thread.size());
    return int(most);
}

struct BlockComparison::Comparing {
    const BlockComparison& block;
    const KernelTrace& trace;
    const std::vector<PlacedMemory>& placed;
    std::map<std::size_t, std::int64_t> bases;

    bool same(const Access& model, const TracedAccess& made) {
        if (model.site != made.site || model.store != made.store) return false;
        const std::size_t memory = model.memory;
        if (block.launch_.memories()[memory].storage == Storage::local) return true;
        const auto address = static_cast<std::int64_t>(made.address);
        const auto& [array, behind] = placed[memory];
        // All accesses to what the kernel declares have to agree where it begins.
        const std::int64_t base =
            array >= 0 ? static_cast<std::int64_t>(trace.arrays[static_cast<std::size_t>(array)]) + behind
                       : bases.emplace(memory, address - model.offset).first->second;
        return address - base == model.offset;
    }
    std::string text_of(const Access& one) const {
        return fmt::format("{} {} at byte {}", one.store ? "store" : "load",
                           block.launch_.memories()[std::size_t(one.memory)].name, one.offset);
    }
    std::string text_of(const TracedAccess& one) const {
        for (const auto& [site, number] : block.number_of_)
            if (number == one.site)
                return fmt::format("{} in line {} at address {:x}", one.store ? "store" : "load",
                                   site->at.line, one.address);
        return "another access";
    }
};

void BlockComparison::compare(const KernelTrace& trace, const std::vector<PlacedMemory>& placed,
                              ComparedAddresses& sum) {
    Comparing with{*this, trace, placed, {}};
    ++sum.blocks;
    for (std::size_t thread = 0; thread < model_.size(); ++thread) {
        std::vector<Access>& model = model_[thread];
        std::vector<TracedAccess> made =
            thread < trace.threads.size() ? trace.threads[thread] : std::vector<TracedAccess>();
        sum.accesses += static_cast<std::int64_t>(model.size());
        std::ranges::sort(model);
        std::ranges::sort(
            made, {}, [](const TracedAccess& one) { return std::tuple(one.site, one.store, one.address); });
        for (std::size_t i = 0; i < std::max(model.size(), made.size()); ++i) {
            if (i < model.size() && i < made.size() && with.same(model[i], made[i])) continue;
            ++sum.off;
            if (!sum.first.empty()) continue;
            sum.first =
                fmt::format("block {}, thread {}, access {}: the model has {}, the compiled kernel has {}",
                            block_, thread, i, i < model.size() ? with.text_of(model[i]) : "nothing more",
                            i < made.size() ? with.text_of(made[i]) : "nothing more");
        }
    }
}

}  // namespace warplens::typed
