#include "app/model/access/hazard_run.h"

#include "kernels/scenarios/constant_convolution.h"
#include "kernels/scenarios/matrix_ladder.h"
#include "kernels/scenarios/matrix_multiply.h"
#include "kernels/scenarios/register_shuffle.h"
#include "kernels/scenarios/shared_reduction.h"
#include "kernels/scenarios/transpose.h"

#include <algorithm>
#include <array>
#include <climits>
#include <vector>

namespace warplens {
namespace {

/// What a thread holds in registers.
struct Registers {
    std::int64_t value = 0, other = 0;
    std::array<std::int64_t, kWarpLanes> row{};  ///< a product: of A's tile, for each k of the tile
    bool loaded = false;
};

/// One word that a thread loads or stores.
struct WordAccess {
    const Params& params;
    int instruction;
    ThreadId thread;
    int word;  ///< of the access; wide ones have several
};

/// What the instructions of a kernel do with values.
struct Meaning {
    std::string_view scenario;
    std::int64_t (*stored)(const WordAccess&, const Registers&);
    void (*loaded)(const WordAccess&, std::int64_t value, Registers&);
    /// Whether a load can change the result of a thread at all; it is left out if not.
    bool (*matters)(const WordAccess&);
    bool stores_what_it_loaded;
};

bool always(const WordAccess&) { return true; }
bool first_step(const WordAccess& a) { return a.thread.step == 0 && a.word == 0; }
void keep(const WordAccess&, std::int64_t value, Registers& r) { r.value = value; }

std::int64_t reduction_stores(const WordAccess& a, const Registers& r) {
    if (SharedReduction::shuffles(a.params)) return kWarpLanes;  // the sum of a warp
    return a.instruction == 1 ? 1 : r.value + r.other;
}
void reduction_loads(const WordAccess& a, std::int64_t value, Registers& r) {
    const bool other = !SharedReduction::shuffles(a.params) && a.instruction == 2;
    (other ? r.other : r.value) = value;
}

/// The number of the input's element, from 1.
std::int64_t transpose_stores(const WordAccess& a, const Registers&) {
    return static_cast<std::int64_t>(Transpose::access(a.params, 0, a.thread).byte_address /
                                     Transpose::kBytes) +
           1;
}

/// The result that is followed is a thread's first element of C; A is full of ones, row k of B of k + 1.
std::int64_t multiply_stores(const WordAccess& a, const Registers&) {
    if (a.instruction == MatrixMultiply::store_tile_a) return 1;
    const auto address = MatrixMultiply::access(a.params, MatrixMultiply::load_b, a.thread).byte_address;
    return static_cast<std::int64_t>(address / MatrixMultiply::kBytes) / a.params.matrix + 1;
}
int parts_of(const Params& p) { return multiply::per_thread(p) / multiply::width(p); }
bool multiply_matters(const WordAccess& a) {
    const bool joined = a.instruction == MatrixMultiply::load_tile_a && multiply::joined(a.params) > 1;
    return a.thread.step % parts_of(a.params) == 0 && (joined || a.word == 0);
}
void multiply_loads(const WordAccess& a, std::int64_t value, Registers& r) {
    const bool of_a = a.instruction == MatrixMultiply::load_tile_a;
    const int per_load = of_a ? multiply::joined(a.params) : 1;
    const int k = a.thread.step / parts_of(a.params) * per_load + (per_load > 1 ? a.word : 0);
    std::int64_t& from_a = r.row[k % multiply::depth(a.params)];
    if (of_a)
        from_a = value;
    else
        r.value += from_a * value;
}

// The same for the ladder.
std::int64_t ladder_stores(const WordAccess& a, const Registers&) {
    if (a.instruction == MatrixLadder::store_tile_a) return 1;
    const auto address = MatrixLadder::access(a.params, MatrixLadder::load_b, a.thread).byte_address;
    return static_cast<std::int64_t>(address / MatrixLadder::kBytes) / a.params.matrix + 1;
}
/// The k of a value that a step loads from A's tile or B's, if it is for a thread's first element of C.
/// `lean` also loads for a k behind the last one. -1 if it is for another element.
int ladder_k(const WordAccess& a) {
    using namespace ladder;
    const Params& p = a.params;
    const bool of_a = a.instruction == MatrixLadder::load_tile_a, by_k = of_a && by_rows(p);
    const int parts = !of_a ? across(p) / tile_b_width(p) : by_k ? down(p) : down(p) / tile_a_width(p);
    if (a.thread.step % parts != 0 || (a.word != 0 && !by_k)) return -1;
    const int k = by_k ? a.thread.step / parts * tile_a_width(p) + a.word : a.thread.step / parts;
    return k < p.matrix ? k : -1;
}
bool ladder_matters(const WordAccess& a) { return ladder_k(a) >= 0; }
void ladder_loads(const WordAccess& a, std::int64_t value, Registers& r) {
    std::int64_t& from_a = r.row[ladder_k(a) % ladder::depth(a.params)];
    if (a.instruction == MatrixLadder::load_tile_a)
        from_a = value;
    else
        r.value += from_a * value;
}

constexpr Meaning kMeanings[] = {
    {"shared-reduction", reduction_stores, reduction_loads, always, true},
    {"transpose", transpose_stores, keep, first_step, false},
    {"matrix-multiply", multiply_stores, multiply_loads, multiply_matters, false},
    {"matrix-ladder", ladder_stores, ladder_loads, ladder_matters, false},
    {"constant-convolution", [](const WordAccess&, const Registers&) -> std::int64_t { return 1; },
     [](const WordAccess&, std::int64_t value, Registers& r) { r.value += value; }, always, false},
    {"register-shuffle", [](const WordAccess& a, const Registers&) -> std::int64_t { return a.thread.x + 1; },
     keep, always, false},
    // The others only load what they have filled the memory with.
    {"", [](const WordAccess& a, const Registers&) -> std::int64_t { return a.thread.x + 1; }, keep,
     first_step, false}};

const Meaning& meaning_of(const Scenario& scenario) {
    const auto found = std::ranges::find(kMeanings, scenario.info->id, &Meaning::scenario);
    return found == std::end(kMeanings) ? *(std::end(kMeanings) - 1) : *found;
}

/// Who runs first, and whose loads are followed.
struct Schedule {
    int first_warp = 0, first_thread = -1;
    int watched_warp = -1;  ///< -1 for all
};

/// A block while it runs.
class Run {
public:
    Run(const Scenario& scenario, const Params& params, Extent block, LeftOut left_out,
        const Schedule& schedule)
        : scenario_(scenario),
          params_(params),
          block_(block),
          schedule_(schedule),
          shape_(scenario.launch(params)),
          order_(order_of(scenario, params)),
          meaning_(meaning_of(scenario)),
          threads_(shape_.block.x * shape_.block.y),
          warps_(warps_per_block(shape_)) {
        for (int i = 0; i < order_.count; ++i) {
            const OrderedLine& line = order_.lines[i];
            instructions_.push_back(line.kind == OrderedLine::Kind::access
                                        ? scenario.instruction(params, line.instruction)
                                        : Instruction{});
            if (instructions_.back().space == Space::cluster) blocks_ = 2;
        }
        registers_.resize(warps_ * kWarpLanes);
        run(unroll(order_, left_out, INT_MAX));
    }

    /// Of a thread of the block, or of the block.
    std::int64_t result(int thread) const {
        if (scenario_.info->id != SharedReduction::info.id || !SharedReduction::shuffles(params_))
            return registers_[thread].value;
        std::int64_t sum = 0;
        for (int i = 0; i < SharedReduction::warps(params_); ++i) sum += registers_[i].value;
        return sum;
    }
    /// Whether a thread has a result: it has loaded something.
    bool has_result(int thread) const { return registers_[thread].loaded; }

private:
    void run(const std::vector<Execution>& all) {
        // Between two barriers of the block, or of the cluster if there are two blocks, warps run one by one.
        const int scope = int(blocks_ > 1 ? Waits::cluster : Waits::block);
        for (std::size_t begin = 0, end = 0; begin < all.size(); begin = end) {
            while (end < all.size() && all[end].barriers[scope] == all[begin].barriers[scope]) ++end;
            const std::span interval = std::span(all).subspan(begin, end - begin);
            run_warp(schedule_.first_warp, interval);
            for (int warp = 0; warp < warps_ * blocks_; ++warp)
                if (warp != schedule_.first_warp) run_warp(warp, interval);
        }
    }

    /// Between two barriers of the warp one lane may run ahead.
    void run_warp(int warp, std::span<const Execution> interval) {
        constexpr int kScope = int(Waits::warp);
        const int ahead = schedule_.first_thread / kWarpLanes == warp ? schedule_.first_thread : -1;
        for (std::size_t begin = 0, end = 0; begin < interval.size(); begin = end) {
            while (end < interval.size() &&
                   interval[end].barriers[kScope] == interval[begin].barriers[kScope])
                ++end;
            const auto part = interval.subspan(begin, end - begin);
            if (schedule_.first_thread >= 0 && ahead >= 0) run_lanes(part, ahead, ahead + 1, -1);
            run_lanes(part, warp * kWarpLanes, (warp + 1) * kWarpLanes, ahead);
        }
    }

    void run_lanes(std::span<const Execution> part, int begin, int end, int without) {
        for (const Execution& execution : part) {
            const OrderedLine& line = order_.lines[execution.line];
            if (line.kind == OrderedLine::Kind::fill) {
                for (int thread = begin; thread < end; ++thread)
                    if (thread != without) fill(line, thread);
                continue;
            }
            const Instruction& what = instructions_[execution.line];
            const bool load = is_load(what.op);
            if (load && schedule_.watched_warp >= 0 && begin / kWarpLanes != schedule_.watched_warp) continue;
            for (int step = execution.first_step; step < execution.first_step + line.times; ++step)
                for (int thread = begin; thread < end; ++thread)
                    if (thread != without && thread < threads_) access(line.instruction, what, thread, step);
        }
    }

    std::int64_t& word(std::uint64_t index) {
        if (index >= memory_.size()) memory_.resize(index + 1);
        return memory_[index];
    }

    void fill(const OrderedLine& line, int thread) {
        const int own = thread - (blocks_ - 1) * warps_ * kWarpLanes, words = line.bytes / 4;
        if (own < 0 || own >= threads_) return;
        const auto units = int((shape_.shared_bytes + line.bytes - 1) / line.bytes);
        for (int i = own * words; i < units * words; i += threads_ * words)
            for (int k = i; k < i + words; ++k) word(static_cast<std::uint64_t>(k)) = k + 1;
    }

    void access(int instruction, const Instruction& what, int thread, int step) {
        const ThreadId id{block_.x, block_.y, thread % shape_.block.x, thread / shape_.block.x, step};
        WordAccess one{params_, instruction, id, 0};
        const int words = std::max(1, what.bytes_per_lane / 4);
        const bool load = is_load(what.op);
        if (load && words == 1 && !meaning_.matters(one)) return;
        const LaneAccess lane = scenario_.access(params_, instruction, id);
        if (!lane.active) return;
        Registers& own = registers_[thread];
        own.loaded = own.loaded || load;
        for (; one.word < words; ++one.word) {
            std::int64_t& at = word(lane.byte_address / 4 + static_cast<std::uint64_t>(one.word));
            if (!load)
                at = meaning_.stored(one, own);
            else if (meaning_.matters(one))
                meaning_.loaded(one, at, own);
        }
    }

    const Scenario& scenario_;
    const Params& params_;
    Extent block_;
    Schedule schedule_;
    LaunchShape shape_;
    KernelOrder order_;
    const Meaning& meaning_;
    int threads_, warps_;
    int blocks_ = 1;                         ///< the block, and the one of its cluster that it loads from
    std::vector<Instruction> instructions_;  ///< by line
    std::vector<Registers> registers_;
    std::vector<std::int64_t> memory_;
};

/// The run in which what is second in the program comes first.
Schedule schedule_of(const Hazard& hazard, bool watch_all) {
    const int first = hazard.second_thread / kWarpLanes, other = hazard.first_thread / kWarpLanes;
    const bool loads_second = hazard.kind == HazardKind::read_after_write;
    return {.first_warp = first,
            .first_thread = first == other ? hazard.second_thread : -1,
            .watched_warp = watch_all      ? -1
                            : loads_second ? first
                                           : other};
}

}  // namespace

RunWords run_words(const Scenario& scenario, const Params& params) {
    const std::string_view id = scenario.info->id;
    if (id == SharedReduction::info.id)
        return {"each element of the input is 1", "the sum of the block", true, true};
    if (id == Transpose::info.id)
        return {"element i of the input is i + 1", "the first element that * stores"};
    if (id == MatrixMultiply::info.id || id == MatrixLadder::info.id)
        return {"A is full of ones and row k of B of k + 1", "the first element of C of *", false, true};
    if (id == ConstantConvolution::info.id)
        return {"pixels and weights are 1", "the pixel of *", false, true};
    if (id == RegisterShuffle::info.id) return {"lane i starts with i + 1", "the value that * gets"};
    static_cast<void>(params);
    return {"word i of the tile is filled with i + 1", "the first value that * loads"};
}

std::optional<HazardRun> find_wrong_run(const Scenario& scenario, const Params& params,
                                        const HazardReport& report) {
    const RunWords words = run_words(scenario, params);
    const bool watch_all = meaning_of(scenario).stores_what_it_loaded;
    for (const LinePair& pair : report.pairs) {
        const Schedule schedule = schedule_of(pair.example, watch_all);
        if (schedule.watched_warp >= report.threads_per_block / kWarpLanes) continue;
        const Run now(scenario, params, report.block, report.left_out, schedule);
        const Run right(scenario, params, report.block, 0, schedule);
        HazardRun run{.first_warp = schedule.first_warp, .first_thread = schedule.first_thread};
        const int begin = words.of_block ? 0 : std::max(0, schedule.watched_warp) * kWarpLanes;
        const int end = words.of_block ? 1 : begin + kWarpLanes;
        for (int thread = begin; thread < end; ++thread) {
            if (!right.has_result(thread)) continue;
            ++run.results;
            if (now.result(thread) == right.result(thread)) continue;
            if (run.wrong_results++ > 0) continue;
            run.thread = thread;
            run.right = right.result(thread);
            run.wrong = now.result(thread);
        }
        if (run.wrong_results > 0) return run;
    }
    return std::nullopt;
}

std::int64_t result_of_run(const Scenario& scenario, const Params& params, Extent block, LeftOut left_out,
                           int first_warp, int first_thread, int thread) {
    return Run(scenario, params, block, left_out, {first_warp, first_thread, -1}).result(thread);
}

}  // namespace warplens
