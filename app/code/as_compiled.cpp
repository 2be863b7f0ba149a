#include "app/code/as_compiled.h"

#include "app/base/format.h"
#include "app/model/access/counts.h"
#include "app/model/access/period_shifts.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <compare>
#include <functional>
#include <optional>
#include <tuple>
#include <utility>

namespace warplens {
namespace {

/// How many bytes of a lane a load or store of the machine moves. 0 if its name does not say.
int width_of(std::string_view machine) {
    const std::string_view name = machine.substr(0, machine.find('.')), width = machine.substr(name.size());
    constexpr std::string_view kNames[] = {"LDG", "STG", "LDS", "STS", "LDL", "STL", "LDC"};
    if (std::ranges::find(kNames, name) == std::ranges::end(kNames)) return 0;
    return width.empty() ? 4 : width == ".128" ? 16 : width == ".64" ? 8 : width.ends_with("16") ? 2 : 1;
}

/// Joins as many executions of some instructions as one of the machine does, and counts what that takes.
class Joining {
public:
    Joining(std::string machine, std::vector<int> members, int times, const DeviceFacts& device)
        : machine_(std::move(machine)), members_(std::move(members)), times_(times), device_(&device) {}

    void add(const RepeatedRequest& request) {
        if (times_ == 1 || !joins_ || std::ranges::find(members_, request.instruction) == members_.end())
            return;
        if (!begun_.empty() && !is_of_same_warp(begun_.front(), request)) joins_ = false;
        begun_.push_back(request);
        if (int(begun_.size()) < times_) return;
        join();
        begun_.clear();
    }
    /// Each thread's words are neighbours, after all requests were added.
    bool joins() const { return joins_ && begun_.empty(); }
    const Totals& sum() const { return sum_; }
    const std::string& machine() const { return machine_; }
    const std::vector<int>& members() const { return members_; }
    int times() const { return times_; }

    static bool is_of_same_warp(const RepeatedRequest& a, const RepeatedRequest& b) {
        return a.first.x == b.first.x && a.first.y == b.first.y && a.warp_in_block == b.warp_in_block;
    }

private:
    void join() {
        const auto lane = std::size_t(std::countr_zero(begun_.front().access.active));
        std::ranges::sort(begun_, {}, [&](const auto& one) { return one.access.byte_address[lane]; });
        const RepeatedRequest& first = begun_.front();
        std::vector<WarpAccess> parts;
        for (const RepeatedRequest& one : begun_) {
            joins_ = joins_ && one.per_x == first.per_x && one.per_y == first.per_y;
            parts.push_back(one.access);
        }
        const std::optional<WarpAccess> all = joined_access(parts);
        joins_ = joins_ && all && (first.blocks.x == 1 || first.per_x % all->bytes_per_lane == 0) &&
                 (first.blocks.y == 1 || first.per_y % all->bytes_per_lane == 0);
        if (!joins_) return;
        PeriodShifts shifts;
        shifts.repeat(first.per_x, first.blocks.x);
        shifts.repeat(first.per_y, first.blocks.y);
        for (const auto& [shift, times] : shifts.times()) {
            WarpAccess moved = *all;
            for (std::uint64_t& address : moved.byte_address) address += std::uint64_t(shift);
            sum_ += count_access(moved, *device_) * times;
        }
    }

    std::string machine_;
    std::vector<int> members_;
    int times_;
    const DeviceFacts* device_;
    std::vector<RepeatedRequest> begun_;
    bool joins_ = true;
    Totals sum_;
};

/// Finds the instructions by which threads ask for words that they had before. A barrier lies between what
/// they may have had, and what others may have written.
class Repeats {
public:
    void add(const RepeatedRequest& request, std::string_view object) {
        if (!last_ || !Joining::is_of_same_warp(*last_, request)) seen_.clear();
        last_ = request;
        const bool load = is_load(request.access.op);
        const auto [place, is_new] =
            seen_.try_emplace({object, request.interval, request.access.active, request.access.byte_address},
                              request.instruction, load);
        if (is_new) return;
        const auto [before, loaded] = std::exchange(place->second, {request.instruction, load});
        if (load || !loaded) repeated_.insert({before, request.instruction});
    }
    bool has(int instruction) const { return repeated_.contains(instruction); }

private:
    struct Place {
        std::string_view object;
        int interval;
        std::uint32_t active;
        std::array<std::uint64_t, kWarpLanes> address;
        friend auto operator<=>(const Place&, const Place&) = default;
    };
    std::map<Place, std::pair<int, bool>> seen_;
    std::optional<RepeatedRequest> last_;
    std::set<int> repeated_;
};

/// Accesses of a line that one kind of machine instruction executes: all loads of shared memory.
struct LineAccesses {
    std::vector<int> members;
    MemoryInstructions made;  ///< of this kind
    std::vector<Joining> joinings = {};
};

class Counting {
public:
    Counting(const Scenario& scenario, const Params& params, const DeviceFacts& device)
        : scenario_(scenario), params_(params), device_(device) {
        for (int k = 0; k < scenario.instruction_count(params); ++k)
            instructions_.push_back(scenario.instruction(params, k));
    }

    std::vector<AsCompiled> count(const std::map<int, MemoryInstructions>& made);

private:
    std::vector<LineAccesses> lines_of(const std::map<int, MemoryInstructions>& made) const;
    std::vector<Joining> joinings_of(const LineAccesses& line) const;
    void add_line(const LineAccesses& line);
    void add(const std::vector<int>& members, const Joining* joining, std::string_view unknown = {});
    bool same_array(int a, int b) const {
        const Instruction &one = instructions_[a], &other = instructions_[b];
        return one.space == other.space && one.op == other.op && one.object == other.object &&
               one.bytes_per_lane == other.bytes_per_lane;
    }

    const Scenario& scenario_;
    const Params& params_;
    const DeviceFacts& device_;
    std::vector<Instruction> instructions_;
    Repeats repeats_;
    bool followed_ = false;  ///< whether all requests of the grid were
    std::vector<AsCompiled> counts_;
};

std::vector<LineAccesses> Counting::lines_of(const std::map<int, MemoryInstructions>& made) const {
    std::map<std::tuple<int, Space, Op>, LineAccesses> lines;
    for (int k = 0; k < int(instructions_.size()); ++k) {
        const Instruction& one = instructions_[k];
        const int at = scenario_.typed->line_of(params_, k);
        LineAccesses& line = lines[{at, one.space, one.op}];
        line.members.push_back(k);
        if (const auto there = made.find(at); there != made.end())
            for (const auto& [name, times] : there->second)
                if (can_execute(name, one)) line.made[name] = times;
    }
    std::vector<LineAccesses> all;
    for (auto& at : lines) {
        LineAccesses& line = at.second;
        // nvcc joins accesses of lines that follow each other into instructions of the first one.
        const auto first = std::ranges::find_if(all, [&](const LineAccesses& other) {
            return line.made.empty() && !other.made.empty() && std::ranges::all_of(line.members, [&](int k) {
                       return same_array(k, other.members.front());
                   });
        });
        if (first == all.end())
            all.push_back(std::move(line));
        else
            first->members.insert(first->members.end(), line.members.begin(), line.members.end());
    }
    return all;
}

/// Whatever its machine instructions can be: the widest first, several accesses before each of them alone.
std::vector<Joining> Counting::joinings_of(const LineAccesses& line) const {
    std::vector<Joining> joinings;
    for (const int k : line.members) {
        std::vector<int> together;
        for (const int other : line.members)
            if (same_array(k, other)) together.push_back(other);
        const int bytes = instructions_[k].bytes_per_lane;
        for (const auto& [name, count] : line.made) {
            const int width = width_of(name), times = width / bytes;
            if (times == 0 || times * bytes != width) continue;
            joinings.emplace_back(name, std::vector{k}, times, device_);
            if (times > 1 && together.size() > 1 && together.front() == k)
                joinings.emplace_back(name, together, times, device_);
        }
    }
    std::ranges::stable_sort(joinings, std::greater(), [](const Joining& one) {
        return std::pair(width_of(one.machine()), one.members().size());
    });
    return joinings;
}

void Counting::add(const std::vector<int>& members, const Joining* joining, std::string_view unknown) {
    const Instruction& first = instructions_[members.front()];
    AsCompiled one{.instructions = members,
                   .label = std::string(first.label),
                   .space = first.space,
                   .unknown = std::string(unknown)};
    for (const int k : members) {
        one.lines.insert(scenario_.typed->line_of(params_, k));
        bool exact = true;
        one.written += scenario_.typed->count_grid(params_, k, device_, exact);
        if (!exact) one.kind = Provenance::approximate;
    }
    if (joining != nullptr) {
        one.machine = joining->machine();
        one.joined = joining->times();
        one.compiled = one.joined > 1 ? joining->sum() : one.written;
    }
    counts_.push_back(std::move(one));
}

/// Each access has the widest instructions that can do it, if these are then as many as it needs.
void Counting::add_line(const LineAccesses& line) {
    const auto give_up = [&](std::string_view why) {
        for (const int k : line.members) add({k}, nullptr, why);
    };
    if (is_atomic(instructions_[line.members.front()].op)) return give_up("it is an atomic operation");
    if (line.made.empty())
        return give_up("nvcc makes no memory instruction of it, or joins it with another line's");
    if (!followed_)
        return give_up("too many blocks do something of their own to follow all of their accesses");
    std::vector<const Joining*> chosen;
    std::set<int> missing(line.members.begin(), line.members.end());
    std::map<std::string, std::int64_t> needed;
    std::int64_t all_needed = 0, all_made = 0;
    for (const Joining& one : line.joinings) {
        if (!one.joins() || !std::ranges::all_of(one.members(), [&](int k) { return missing.contains(k); }))
            continue;
        chosen.push_back(&one);
        std::int64_t executions = 0;
        for (const int k : one.members()) {
            missing.erase(k);
            executions += instructions_[k].steps;
        }
        needed[one.machine()] += executions / one.times();
        all_needed += executions / one.times();
    }
    for (const auto& [name, count] : line.made) all_made += count;
    const bool as_many = std::ranges::all_of(line.made, [&](const auto& one) {
        return needed[one.first] > 0 && one.second * all_needed == needed[one.first] * all_made;
    });
    if (!missing.empty() || !as_many)
        return give_up("nvcc makes other pieces of it than single or neighbouring words of each thread");
    if (all_made != all_needed && std::ranges::any_of(line.members, [&](int k) { return repeats_.has(k); }))
        return give_up("threads ask for the same words again, and nvcc may keep them in registers");
    for (const Joining* one : chosen) add(one->members(), one);
}

std::vector<AsCompiled> Counting::count(const std::map<int, MemoryInstructions>& made) {
    std::vector<LineAccesses> lines = lines_of(made);
    for (LineAccesses& line : lines) line.joinings = joinings_of(line);
    const auto follow = [&](const RepeatedRequest& request) {
        repeats_.add(request, instructions_[request.instruction].object);
        for (LineAccesses& line : lines)
            for (Joining& one : line.joinings) one.add(request);
        return true;
    };
    followed_ = scenario_.typed->visit_grid(params_, follow).done();
    for (const LineAccesses& line : lines) add_line(line);
    std::ranges::sort(counts_, {}, [](const AsCompiled& one) { return one.instructions.front(); });
    return std::move(counts_);
}

}  // namespace

CompiledKernel compiled_kernel(const Scenario& scenario, const Params& params, const CompiledCode& code,
                               const DeviceFacts& device) {
    AccessLines accesses;
    for (int k = 0; k < scenario.instruction_count(params); ++k)
        accesses[scenario.typed->line_of(params, k)].push_back(k);
    CompiledKernel kernel{summary_of(code), instructions_of_lines(code, scenario, params, accesses), {}};
    kernel.counts = Counting(scenario, params, device).count(kernel.made);
    return kernel;
}

std::string compiled_line(const CompiledKernel& kernel, int line) {
    const auto there = kernel.made.find(line);
    if (there == kernel.made.end()) return {};
    std::string text = there->second.empty() ? "no memory instruction" : instructions_text(there->second);
    std::string_view before = ": ";
    for (const AsCompiled& one : kernel.counts) {
        if (!one.lines.contains(line)) continue;
        const CostWords cost = cost_of(one.space);
        const std::string what =
            !one.unknown.empty() ? fmt::format(" is not counted as compiled, because {}", one.unknown)
            : one.joined == 1    ? std::string(" as written")
                                 : fmt::format(", {} in one {}: {} {}, not {}", one.joined, one.machine,
                                               format_count(cost.cost(one.compiled)), cost.name,
                                               format_count(cost.cost(one.written)));
        text += fmt::format("{}{}{}", std::exchange(before, "; "), one.label, what);
    }
    return text;
}

}  // namespace warplens
