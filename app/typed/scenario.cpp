#include "app/typed/scenario.h"

#include "app/model/access/hazards.h"
#include "app/model/time/traffic.h"
#include "app/typed/counts.h"
#include "app/typed/hazards.h"
#include "app/typed/kernel_launch.h"
#include "kernels/scenarios/shared_knobs.h"

#include <algorithm>
#include <bit>
#include <deque>
#include <mutex>
#include <set>
#include <utility>

namespace warplens::typed {
namespace {

constexpr int Params::*kFields[kMostKnobs] = {&Params::own0, &Params::own1, &Params::own2, &Params::own3,
                                              &Params::own4, &Params::own5, &Params::own6, &Params::own7};

int log2_of(std::int64_t power) { return std::countr_zero(static_cast<std::uint64_t>(power)); }

std::string upper_first(std::string text) {
    if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
    return text;
}

/// The words of the first line behind "// Lesson:", or else what the launch is.
std::string summary_of(const std::string& text, const std::string& kernel) {
    constexpr std::string_view kLesson = "// Lesson:";
    if (text.starts_with(kLesson)) {
        const std::string line = text.substr(kLesson.size(), text.find('\n') - kLesson.size());
        return upper_first(printable(std::string(trimmed(line)), kMostMessageBytes));
    }
    return "The kernel " + kernel + ", as it was typed.";
}

/// How long a change of a knob may execute blocks. Beyond it some blocks stand for all, until count_all.
const Patience kOfChange{.ranges = 384, .requests = 48'000, .steps = 1'000'000};
constexpr std::size_t kMostSettings = 24;
/// So many of these, the ones looked at last, keep what their blocks execute: two stand side by side.
constexpr std::size_t kMostWithBlocks = 2;

/// @return  whether all of them were visited
bool visit_range(const TypedLaunch& launch, const BlockTrace& trace,
                 const std::function<bool(const RepeatedRequest&)>& visit) {
    const BlockRange& range = trace.range;
    for (std::size_t warp = 0; warp < trace.warps.size(); ++warp) {
        std::vector<int> executed(launch.accesses().size());
        for (const Request& request : trace.warps[warp]) {
            const int access = launch.access_of(request);
            if (access < 0) continue;  // which makes the counts of the grid approximate
            const RepeatedRequest one{.first = {range.x, range.y},
                                      .blocks = {range.width, range.height},
                                      .instruction = access,
                                      .warp_in_block = int(warp),
                                      .step = executed[access]++,
                                      .interval = request.warp_interval,
                                      .access = warp_access(launch, request),
                                      .per_x = request.per_x,
                                      .per_y = request.per_y};
            if (!visit(one)) return false;
        }
    }
    return true;
}

class Kernel final : public TypedKernel {
public:
    Kernel(TypedProgram program, const std::string& name) : program_(std::move(program)), file_(name) {
        title_ = name.empty() ? program_.kernel() : name;
        summary_ = summary_of(program_.text(), program_.kernel());
        formula_ = program_.kernel() + "()";
        constexpr int kMostAxis = 1 << 16;  // as can_be_axis
        names_.reserve(program_.knobs().size());
        for (std::size_t i = 0; i < program_.knobs().size(); ++i) {
            const TypedKnob& knob = program_.knobs()[i];
            names_.push_back({.label = knob.name, .alias = lower_case(knob.name)});
            Names& names = names_.back();
            std::ranges::replace(names.label, '_', ' ');
            const auto same = [&](const TypedKnob& other) { return other.name == names.alias; };
            if (std::ranges::any_of(program_.knobs(), same)) names.alias.clear();
            const auto field_value = [&](std::int64_t value) {
                return knob.power ? log2_of(value) : int(value);
            };
            knobs_.push_back({.field = kFields[i],
                              .key = knob.name,
                              .alias = names.alias,
                              .label = names.label,
                              .unit = knob.unit,
                              .tooltip = knob.assumed ? "Assumed: the text does not say what it is."
                                                      : "Declared in the text of the kernel.",
                              .kind = knob.power ? KnobKind::power : KnobKind::slider,
                              .min = field_value(knob.least),
                              .max = field_value(knob.most),
                              .axis = field_value(knob.most) - field_value(knob.least) < kMostAxis,
                              .role = knob.remedy ? KnobRole::remedy : KnobRole::task});
            info_.defaults.*kFields[i] = field_value(knob.initial);
        }
        constexpr int kMost = (1 << 30) - 1;
        knobs_.push_back(warp_knob(kMost, [](const Params& p) { return p.launched_warps - 1; }));
        knobs_.push_back(step_knob("Which execution of each load and store the pictures show.", kMost,
                                   [](const Params& p) { return p.launched_steps - 1; }));
        knobs_.back().idle = [](const Params& p) -> std::string_view {
            return p.launched_steps > 1 ? std::string_view() : "Each load and store is executed once.";
        };
        settle(info_.defaults);
        info_.id = kTypedId;
        info_.title = title_;
        info_.formula = formula_;
        info_.summary = summary_;
        info_.knobs = knobs_;
        const auto launch = program_.launch(values_of(info_.defaults));
        info_.defaults.warp = busiest_warp(*launch);
        for (const TypedAccess& access : launch->accesses())
            info_.spaces |= space_bit(space_of(launch->memories()[access.memory].storage));
        info_.least_cc = launch->unit().least_cc;
        info_.needed_by = needed_by_ = launch->unit().needed_by;
        scenario_ = {&info_, this, this};
    }

    /// The first of block (0, 0) that makes most of the loads and stores: that at the edge of an image may
    /// make none.
    static int busiest_warp(const TypedLaunch& launch) {
        int most = 0, found = 0;
        for (int warp = 0; warp < launch.launch().warps(); ++warp) {
            int made = 0;
            for (int i = 0; i < int(launch.accesses().size()); ++i)
                made += launch.request(i, {0, 0}, warp, 0).active != 0 ? 1 : 0;
            if (made > most) found = warp;
            most = std::max(most, made);
        }
        return found;
    }

    const Scenario& scenario() const { return scenario_; }
    std::shared_ptr<const TypedLaunch> typed_launch(const Params& p) const {
        const auto launch = tried_launch(p)->launch;
        return launch != nullptr ? launch : program_.launch(values_of(p));  // which says why not
    }
    void forget() const {
        program_.forget_launches();
        const std::scoped_lock lock(mutex_);
        kept_.clear();
        counts_.clear();
    }

    LaunchShape launch(const Params& p) const override {
        const auto tried = tried_launch(p);
        LaunchShape shape;
        if (tried->launch == nullptr) {
            shape.block = {kWarpLanes, 1};
            return shape;
        }
        const TypedLaunch& launch = *tried->launch;
        shape.grid = {launch.launch().grid_x, launch.launch().rows()};
        shape.block = {launch.launch().block_x, launch.launch().block_y * launch.launch().block_z};
        shape.layers = launch.launch().grid_z;
        shape.cooperative = launch.unit().waits_for_grid;
        shape.shared_bytes = launch.shared_bytes();
        shape.local_bytes = int(launch.local_bytes());
        shape.buffer_bytes[0] = tried->global_bytes;
        return shape;
    }

    int instruction_count(const Params& p) const override {
        const auto tried = tried_launch(p);
        return tried->launch == nullptr ? 1 : int(tried->launch->accesses().size());
    }

    Instruction instruction(const Params& p, int index) const override {
        const auto tried = tried_launch(p);
        if (tried->launch == nullptr) return {.label = "nothing", .code = formula_};
        return tried->instructions.at(std::size_t(index));
    }

    WarpAccess warp(const Params& p, int index, Extent block, int warp, int step) const override {
        const auto tried = tried_launch(p);
        if (tried->launch == nullptr) return {.active = 0};
        try {
            return tried->launch->request(index, block, warp, step);
        } catch (const SourceError&) {  // another block does wrong; problem() says so when it is counted
            return {.active = 0};
        }
    }

    LaneAccess access(const Params& p, int index, const ThreadId& thread) const override {
        const int in_block = thread.y * launch(p).block.x + thread.x;
        const WarpAccess all =
            warp(p, index, {thread.block_x, thread.block_y}, in_block / kWarpLanes, thread.step);
        const std::size_t lane = in_block % kWarpLanes;
        return {.byte_address = all.byte_address[lane], .active = (all.active >> lane & 1u) != 0};
    }

    const std::string& text() const override { return program_.text(); }
    const std::string& file() const override { return file_; }
    const std::string& kernel() const override { return program_.kernel(); }
    const std::vector<std::string>& kernels() const override { return program_.kernels(); }

    int line_of(const Params& p, int index) const override {
        const auto tried = tried_launch(p);
        if (tried->launch == nullptr) return 0;
        return tried->launch->accesses().at(index).site->at.line;
    }

    bool has_index_arrays(const Params& p) const override {
        const auto tried = tried_launch(p);
        return tried->launch != nullptr &&
               std::ranges::any_of(tried->launch->memories(),
                                   [](const Memory& memory) { return memory.content != Content::unknown; });
    }

    void settle(Params& p) const override {
        for (std::size_t i = 0; i < knobs_.size() && i < program_.knobs().size(); ++i)
            p.*kFields[i] = std::clamp(p.*kFields[i], knobs_[i].min, knobs_[i].max);
        const auto tried = tried_launch(p);
        if (tried->launch == nullptr) return;
        const Launch& launch = tried->launch->launch();
        const std::int64_t warps = std::int64_t{launch.grid_x} * launch.rows() * launch.warps();
        p.launched_warps = int(std::min<std::int64_t>(warps, 1 << 30));
        p.launched_steps = tried->launch->most_steps();
    }

    std::string problem(const Params& p) const override { return tried_launch(p)->problem; }

    InSteps<bool> look_for_race(Params p) const override {
        const auto tried = tried_launch(p);
        if (tried->launch == nullptr) co_return false;
        auto look = tried->launch->look_for_race();
        while (look.step()) co_yield 0;
        co_return true;
    }

    std::string out_of_bounds(const Params& p) const override {
        const auto tried = tried_launch(p);
        return tried->launch == nullptr || tried->launch->out_of_bounds().empty()
                   ? std::string()
                   : upper_first(tried->launch->out_of_bounds()) + '.';
    }

    std::string race(const Params& p) const override {
        const auto tried = tried_launch(p);
        return tried->launch == nullptr || tried->launch->race().empty()
                   ? std::string()
                   : upper_first(tried->launch->race()) + '.';
    }

    std::vector<std::string> warnings(const Params& p) const override {
        const auto tried = tried_launch(p);
        return tried->launch == nullptr ? std::vector<std::string>() : tried->launch->warnings();
    }

    bool lanes_part(const Params& p) const override {
        const auto tried = tried_launch(p);
        return tried->launch != nullptr && tried->launch->lanes_part();
    }

    int never_executed(const Params& p) const override {
        const auto tried = tried_launch(p);
        return tried->launch == nullptr ? 0 : tried->launch->never_executed();
    }

    Totals count_grid(const Params& p, int index, const DeviceFacts& device, bool& exact) const override {
        const auto counts = typed_counts(p, device);
        exact = counts == nullptr || counts->kind == Provenance::exact;
        if (counts == nullptr || static_cast<std::size_t>(index) >= counts->grid.size()) return {};
        return counts->grid[index];
    }

    Totals count_first_block(const Params& p, int index, const DeviceFacts& device) const override {
        const auto counts = typed_counts(p, device);
        if (counts == nullptr || static_cast<std::size_t>(index) >= counts->block.size()) return {};
        return counts->block[index];
    }

    Arithmetic arithmetic(const Params& p, const DeviceFacts& device) const override {
        const auto counts = typed_counts(p, device);
        return counts == nullptr ? Arithmetic() : counts->arithmetic;
    }

    InSteps<bool> count_first(Params p, DeviceFacts device) const override {
        auto counting = first_counts(p, device);
        while (counting.step()) co_yield 0;
        co_return counting.take() != nullptr;
    }

    InSteps<bool> count_all(Params p, DeviceFacts device) const override {
        auto first = first_counts(p, device);
        while (first.step()) co_yield 0;
        const auto known = first.take();
        if (known == nullptr || known->kind == Provenance::exact || known->tried_all) co_return false;
        const auto tried = tried_launch(p);
        if (tried->launch == nullptr) co_return false;
        auto counting = count_launch(tried->launch, device);
        try {
            while (counting.step()) co_yield 0;
        } catch (const SourceError& error) {
            fail(values_of(p), error);
            co_return true;
        }
        TypedCounts counts = counting.take();
        counts.tried_all = true;
        co_return keep_counts(p, device, std::move(counts))->kind == Provenance::exact;
    }

    InSteps<bool> visit_grid(Params p, std::function<bool(const RepeatedRequest&)> visit) const override {
        const auto tried = tried_launch(p);
        if (tried->launch == nullptr) co_return true;
        const auto visit_one = [&](const std::shared_ptr<const BlockTrace>& trace) {
            return visit_range(*tried->launch, *trace, visit);
        };
        try {
            auto walk = tried->launch->visit_ranges(kOfChange, visit_one);
            while (walk.step()) co_yield 0;
            co_return walk.take();
        } catch (const SourceError&) {  // problem() says so when it is counted
        }
        co_return false;
    }

    KernelOrder order(const Params& p) const override {
        const auto tried = tried_launch(p);
        return tried->launch == nullptr ? KernelOrder() : shared_order(*tried->launch);
    }

    HazardReport hazards(const Params& p, Extent block) const override {
        const auto tried = tried_launch(p);
        if (tried->launch == nullptr) return {};
        try {
            return report_hazards(*tried->launch, tried->launch->block(block.x, block.y)).done();
        } catch (const SourceError&) {
            return {};
        }
    }

    HazardReport first_hazards(const Params& p, Extent block) const override {
        const auto tried = tried_launch(p);
        if (tried->launch == nullptr) return {};
        const auto searched = tried->launch->hazards_in_blocks();
        if (block == searched->block) return *searched;
        HazardReport own = hazards(p, block);
        if (own.total() == 0 && searched->total() > 0) return *searched;
        own.every_block = searched->every_block;
        return own;
    }

    HazardReport grid_hazards(const Params& p) const override {
        const auto tried = tried_launch(p);
        return tried->launch == nullptr ? HazardReport() : *tried->launch->hazards_in_grid();
    }

private:
    /// A launch, or what is wrong with it.
    struct Tried {
        std::shared_ptr<const TypedLaunch> launch;
        std::vector<Instruction> instructions;  ///< one for each of its accesses
        std::int64_t global_bytes = 0;          ///< see least_global_bytes
        std::string problem;
    };

    std::vector<std::int64_t> values_of(const Params& p) const {
        std::vector<std::int64_t> values;
        for (std::size_t i = 0; i < program_.knobs().size(); ++i) {
            const int value = p.*kFields[i];
            values.push_back(program_.knobs()[i].power ? std::int64_t{1} << value : value);
        }
        return values;
    }

    /// Null if it was not tried, or long ago. The lock is held.
    std::shared_ptr<const Tried> kept(const std::vector<std::int64_t>& values) const {
        // The latest stands last, and is asked for again at once.
        const auto found =
            std::find_if(kept_.rbegin(), kept_.rend(), [&](const auto& one) { return one.first == values; });
        if (found == kept_.rend()) return nullptr;
        if (found != kept_.rbegin()) {
            std::rotate(kept_.rbegin(), found, found + 1);
            forget_blocks_of_others();
        }
        return kept_.back().second;
    }

    std::shared_ptr<const Tried> tried_launch(const Params& p) const {
        const std::vector<std::int64_t> values = values_of(p);
        {
            const std::scoped_lock lock(mutex_);
            if (auto known = kept(values)) return known;
        }
        return try_launch(values).done();
    }

    InSteps<std::shared_ptr<const Tried>> try_launch(std::vector<std::int64_t> values) const {
        {
            const std::scoped_lock lock(mutex_);
            if (auto known = kept(values)) co_return known;
        }
        // Without the lock: the window must not wait while a thread tries other settings.
        auto tried = std::make_shared<Tried>();
        try {
            auto launching = program_.launch_in_steps(values);
            while (launching.step()) co_yield 0;
            tried->launch = launching.take();
            auto reaching = least_global_bytes(*tried->launch, kOfChange);
            while (reaching.step()) co_yield 0;
            tried->global_bytes = reaching.take();
        } catch (const SourceError& error) {
            tried->problem = upper_first(error.what()) + '.';
        }
        const std::scoped_lock lock(mutex_);
        if (auto known = kept(values))
            co_return known;  // it was tried before, or another thread was as quick
        if (tried->launch != nullptr)
            for (const TypedAccess& access : tried->launch->accesses())
                tried->instructions.push_back(instruction_of(*tried->launch, access));
        if (kept_.size() >= kMostSettings) kept_.pop_front();
        kept_.emplace_back(values, tried);
        forget_blocks_of_others();
        co_return tried;
    }

    /// The lock is held.
    Instruction instruction_of(const TypedLaunch& launch, const TypedAccess& access) const {
        return {
            .label = kept_text(access.label),
            .object = kept_text(launch.memories()[access.memory].name),
            .code = kept_text(access.code),
            .space = space_of(launch.memories()[access.memory].storage),
            .op = access.atomic  ? access.site->changed
                  : access.store ? Op::store
                                 : Op::load,
            .bytes_per_lane = access.bytes,
            .phase = access.phase,
            .steps = access.steps,
            .array_begin = launch.memories()[access.memory].begin - launch.memories()[access.memory].before,
            .intervals = access.intervals,
            .place_unknown = access.atomic && launch.assumes() &&
                             launch.memories()[access.memory].storage == Storage::global,
            .chooses = launch.memories()[access.memory].content != Content::unknown,
            .under_way = access.under_way,
            .vector_bytes = access.vector_bytes,
            .remade = access.remade,
            .may_change = !launch.memories()[access.memory].read_only};
    }

    /// The latest stands last, so one launch at a time gets so far back.
    void forget_blocks_of_others() const {
        if (kept_.size() <= kMostWithBlocks) return;
        const auto& [values, tried] = kept_[kept_.size() - 1 - kMostWithBlocks];
        if (tried->launch != nullptr) tried->launch->forget_blocks();
    }

    /// The counts that are kept, or of as many blocks as a change of a knob may execute. Null if there is no
    /// launch.
    std::shared_ptr<const TypedCounts> typed_counts(const Params& p, const DeviceFacts& device) const {
        if (auto known = known_counts(p, device)) return known;
        return first_counts(p, device).done();
    }

    InSteps<std::shared_ptr<const TypedCounts>> first_counts(Params p, DeviceFacts device) const {
        auto trying = try_launch(values_of(p));
        while (trying.step()) co_yield 0;
        const auto tried = trying.take();
        if (tried->launch == nullptr) co_return nullptr;
        auto known = known_counts(p, device);
        try {
            const Launch& launch = tried->launch->launch();
            for (const Extent block : neighbours({launch.grid_x, launch.rows()}, false, true)) {
                auto execution = tried->launch->execute_first(block);
                while (execution.step()) co_yield 0;
            }
            if (known) co_return known;
            auto counting = count_launch(tried->launch, device, kOfChange);
            while (counting.step()) co_yield 0;
            co_return keep_counts(p, device, counting.take());
        } catch (const SourceError& error) {
            fail(values_of(p), error);
        }
        co_return nullptr;
    }

    /// Null if they are not kept.
    std::shared_ptr<const TypedCounts> known_counts(const Params& p, const DeviceFacts& device) const {
        const Counted wanted = counted(p, device, nullptr);
        const std::scoped_lock lock(mutex_);
        const auto known = std::find_if(counts_.rbegin(), counts_.rend(),
                                        [&](const Counted& one) { return one.is_of_same(wanted); });
        return known == counts_.rend() ? nullptr : known->counts;
    }

    std::shared_ptr<const TypedCounts> keep_counts(const Params& p, const DeviceFacts& device,
                                                   TypedCounts counts) const {
        Counted one = counted(p, device, std::make_shared<const TypedCounts>(std::move(counts)));
        const std::scoped_lock lock(mutex_);
        std::erase_if(counts_, [&](const Counted& other) { return other.is_of_same(one); });
        if (counts_.size() >= kMostSettings) counts_.pop_front();
        return counts_.emplace_back(std::move(one)).counts;
    }

    /// Another block than those that were tried first does wrong: then there is no launch.
    void fail(const std::vector<std::int64_t>& values, const SourceError& error) const {
        const std::scoped_lock lock(mutex_);
        for (auto& [known, tried] : kept_) {
            if (known != values) continue;
            auto failed = std::make_shared<Tried>();
            failed->problem = upper_first(error.what()) + '.';
            tried = failed;
        }
    }

    /// A text that instructions can refer to. The lock is held.
    std::string_view kept_text(const std::string& text) const { return *texts_.insert(text).first; }

    struct Counted {
        std::vector<std::int64_t> values;
        std::string device;
        BankRules banks;
        SectorRules sectors;
        std::shared_ptr<const TypedCounts> counts;

        bool is_of_same(const Counted& other) const {
            return values == other.values && device == other.device && banks == other.banks &&
                   sectors == other.sectors;
        }
    };
    Counted counted(const Params& p, const DeviceFacts& device,
                    std::shared_ptr<const TypedCounts> counts) const {
        return {values_of(p), device.name, device.bank_rules, device.sector_rules, std::move(counts)};
    }

    TypedProgram program_;
    std::string file_, title_, summary_, formula_, needed_by_;
    struct Names {
        std::string label, alias;
    };
    std::vector<Names> names_;  ///< of knobs
    std::vector<Knob> knobs_;
    ScenarioInfo info_{};
    Scenario scenario_{};
    mutable std::mutex mutex_;
    mutable std::deque<std::pair<std::vector<std::int64_t>, std::shared_ptr<const Tried>>> kept_;
    mutable std::deque<Counted> counts_;
    mutable std::set<std::string> texts_;
};

/// The kernels that were opened. They stay.
class Kernels {
public:
    /// Null if this text was not opened yet.
    const Scenario* find(const std::string& text, const std::string& name) {
        const std::scoped_lock lock(mutex_);
        const auto found = all_.find({text, name});
        return found == all_.end() ? nullptr : &use(*found->second);
    }
    /// The first of those with its text.
    const Scenario& keep(std::unique_ptr<Kernel> kernel) {
        const std::scoped_lock lock(mutex_);
        return use(*all_.try_emplace({kernel->text(), kernel->file()}, std::move(kernel)).first->second);
    }

private:
    const Scenario& use(const Kernel& kernel) {
        constexpr std::size_t kMostBusy = 4;  // so many keep what they executed
        std::erase(busy_, &kernel);
        busy_.push_back(&kernel);
        if (busy_.size() > kMostBusy) {
            busy_.front()->forget();
            busy_.pop_front();
        }
        return kernel.scenario();
    }

    std::mutex mutex_;
    std::map<std::pair<std::string, std::string>, std::unique_ptr<Kernel>> all_;
    std::deque<const Kernel*> busy_;
};

}  // namespace

std::string with_kernel(std::string text, std::string_view kernel) {
    for (const Directive& one : read_source(text, {}).directives) {
        if (one.word != "kernel") continue;
        text.replace(std::size_t(one.rest.data() - text.data()), one.rest.size(), kernel);
        return text;
    }
    if (!text.empty() && text.back() != '\n') text += '\n';
    return text + "// kernel " + std::string(kernel) + "\n";
}

InSteps<const Scenario*> typed_scenario(std::string text, std::string name) {
    static Kernels kernels;
    if (const Scenario* known = kernels.find(text, name)) co_return known;
    auto reading = TypedProgram::read(text, name);
    while (reading.step()) co_yield 0;
    co_return &kernels.keep(std::make_unique<Kernel>(reading.take(), name));
}

InSteps<std::shared_ptr<const Scenario>> trial_scenario(std::string text, std::string name) {
    auto reading = TypedProgram::read(text, name);
    while (reading.step()) co_yield 0;
    const auto kernel = std::make_shared<Kernel>(reading.take(), name);
    co_return std::shared_ptr<const Scenario>(kernel, &kernel->scenario());
}

std::shared_ptr<const TypedLaunch> typed_launch(const Scenario& scenario, const Params& params) {
    return static_cast<const Kernel*>(scenario.typed)->typed_launch(params);  // there is no other kind
}

}  // namespace warplens::typed
