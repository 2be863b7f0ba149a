#include "app/model/access/grid_map.h"

#include "app/model/access/grid_cells.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace warplens {
namespace {

/// How many blocks are executed at most if those of a typed kernel stand for all: each takes some time.
constexpr int kMostTypedBlocks = 48;
constexpr int kAnyBlocks = kMapColumns * kMapRows * 4;

/// If all blocks but the last of a row or column are whole, these parts do the same but for shifts.
std::vector<Neighbours> whole_and_last(int blocks) {
    if (blocks == 1) return {{0, 1}};
    return {{0, blocks - 1}, {blocks - 1, 1}};
}

class MapMaker {
public:
    MapMaker(const Scenario& scenario, const Params& params, const DeviceFacts& device, int instruction)
        : scenario_(scenario), params_(params), device_(device), shape_(scenario.launch(params)) {
        const int count = scenario.instruction_count(params);
        for (int k = 0; k < count; ++k)
            if (instruction < 0 || instruction == k) chosen_.push_back({k, scenario.instruction(params, k)});
        map_.grid = shape_.grid;
        map_.warps_per_block = warps_per_block(shape_);
        map_.can_picture = std::ranges::find(scenario.info->knobs, &Params::warp, &Knob::field) !=
                           scenario.info->knobs.end();
        if (const int rows = shape_.image.y / shape_.block.y; rows > 0 && map_.grid.y % rows == 0) {
            map_.repeats = map_.grid.y / rows;
            map_.grid.y = rows;
        }
    }

    InSteps<GridMap> make() {
        lay_out(kAnyBlocks);
        auto counting = count_all();
        while (counting.step()) co_yield 0;
        if (!counting.take()) {
            map_.sampled = true;
            auto sampling = sample();
            while (sampling.step()) co_yield 0;
        }
        describe();
        co_return std::move(map_);
    }

private:
    struct Chosen {
        int index;
        Instruction what;
        std::vector<RequestSums> first_warp =
            {};  ///< what it takes in the first warp; empty if not known yet
    };

    void lay_out(int most_blocks) {
        layout_ = lay_out_grid(map_.grid, map_.warps_per_block, most_blocks);
        map_.columns = layout_.columns();
        map_.rows = layout_.rows();
        map_.cells.assign(std::size_t(map_.columns) * map_.rows, {});
        map_.counted = 0;
        map_.alike = true;
        for (Chosen& one : chosen_) one.first_warp.clear();
        for (std::size_t y = 0; y < layout_.y.size(); ++y)
            for (std::size_t x = 0; x < layout_.x.size(); ++x)
                for (std::size_t w = 0; w < layout_.warps.size(); ++w)
                    map_.cells[layout_.cell(x, y, w)] = {.first = {layout_.x[x].first, layout_.y[y].first},
                                                         .blocks = {layout_.x[x].count, layout_.y[y].count},
                                                         .first_warp = layout_.warps[w].first,
                                                         .warps = layout_.warps[w].count};
    }

    InSteps<bool> count_all() {
        if (scenario_.typed != nullptr) {
            auto counting = count_typed();
            while (counting.step()) co_yield 0;
            co_return counting.take();
        }
        const Extent grid = map_.grid;
        if (scenario_.info->irregular) {
            if (requests_of_block() * grid.x * grid.y > kMostOfMap) co_return false;
            for (int y = 0; y < grid.y; ++y) {
                for (int x = 0; x < grid.x; ++x)
                    for (Chosen& one : chosen_) count_blocks(one, {{x, y}, {1, 1}, 0, 0});
                co_yield double(y) / grid.y;
            }
            co_return true;
        }
        for (Chosen& one : chosen_) {
            const int shift_x = shift_to(scenario_, params_, one.index, {1, 0}),
                      shift_y = shift_to(scenario_, params_, one.index, {0, 1});
            for (const Neighbours& y : whole_and_last(grid.y)) {
                for (const Neighbours& x : whole_and_last(grid.x)) {
                    const ShiftedBlocks blocks({x.first, y.first}, {x.count, y.count}, shift_x, shift_y);
                    const auto different = std::int64_t(blocks.different().size());
                    if (map_.counted + different * requests_of_block(one) > kMostOfMap) co_return false;
                    count_blocks(one, blocks);
                }
            }
        }
        co_return true;
    }

    int period_of(const Chosen& one) const {
        const int steps = steps_of(shape_, one.what);
        return one.what.step_period > 0 ? std::min(one.what.step_period, steps) : steps;
    }
    std::int64_t requests_of_block(const Chosen& one) const {
        return std::int64_t{period_of(one)} * map_.warps_per_block;
    }
    std::int64_t requests_of_block() const {
        std::int64_t all = 0;
        for (const Chosen& one : chosen_) all += requests_of_block(one);
        return all;
    }

    RequestSums count(const Chosen& one, const WarpAccess& access, const WarpPlace& place, int step) {
        ++map_.counted;
        if (access.active == 0) return {};
        const Cost cost = cost_of(one.what, count_access(access, device_), device_.sector_rules);
        if (cost.words.name.empty()) return {};
        RequestSums sums{
            cost.requests, cost.cost,  cost.ideal, cost.cost,
            cost.cost,     cost.ideal, cost.ideal, {place, one.index, step, cost.cost, cost.ideal}};
        return sums;
    }

    /// All executions of an instruction by one warp.
    RequestSums count_warp(const Chosen& one, const WarpPlace& place) {
        const int steps = steps_of(shape_, one.what), period = period_of(one);
        RequestSums sums;
        for (int step = 0; step < period; ++step) {
            const int times = steps / period + (step < steps % period ? 1 : 0);
            sums.add(count(one, scenario_.warp(params_, one.index, place.block, place.warp_in_block, step),
                           place, step),
                     times);
        }
        return sums;
    }

    void compare_warp(Chosen& one, const RequestSums& sums) {
        if (one.first_warp.empty()) one.first_warp.push_back(sums);
        map_.alike = map_.alike && sums.same_costs(one.first_warp.front());
    }

    void count_blocks(Chosen& one, const ShiftedBlocks& blocks) {
        std::vector<std::vector<RequestSums>> each(layout_.warps.size(),
                                                   std::vector<RequestSums>(blocks.different().size()));
        for (std::size_t i = 0; i < blocks.different().size(); ++i) {
            for (int w = 0; w < map_.warps_per_block; ++w) {
                const RequestSums sums = count_warp(one, {blocks.different()[i], w});
                compare_warp(one, sums);
                each[layout_.group_of(w)][i].add(sums);
            }
        }
        for (std::size_t group = 0; group < each.size(); ++group)
            blocks.deal_out(map_.cells, layout_, group, each[group]);
    }

    /// The cost of the warps of a range of a typed kernel's blocks, until the next range begins.
    struct TypedRange {
        using Shifts = std::pair<int, int>;
        Extent first = {-1, -1}, blocks = {0, 0};
        std::map<Shifts, ShiftedBlocks> shifted = {};
        std::map<std::pair<Shifts, std::size_t>, std::vector<RequestSums>> sums = {};  ///< by group of warps
        std::vector<RequestSums> warps = {};  ///< by chosen instruction and warp, in the first block
    };

    InSteps<bool> count_typed() {
        TypedRange range;
        std::int64_t visited = 0;
        const auto count_one = [&](const RepeatedRequest& request) {
            if (request.first.x != range.first.x || request.first.y != range.first.y) {
                end_range(range);
                range = {.first = request.first, .blocks = request.blocks};
                range.warps.resize(chosen_.size() * map_.warps_per_block);
                visited += std::int64_t{range.blocks.x} * range.blocks.y;
            }
            for (std::size_t i = 0; i < chosen_.size(); ++i)
                if (chosen_[i].index == request.instruction) count_repeated(range, i, request);
            return map_.counted <= kMostOfMap;
        };
        auto walk = scenario_.typed->visit_grid(params_, count_one);
        while (walk.step()) co_yield 0;
        end_range(range);
        if (visited != std::int64_t{map_.grid.x} * map_.grid.y && visited > 0) map_.alike = false;
        co_return walk.take();
    }

    void count_repeated(TypedRange& range, std::size_t chosen, const RepeatedRequest& request) {
        constexpr auto within = [](std::int64_t shift) {
            return int((shift % kPeriodBytes + kPeriodBytes) % kPeriodBytes);
        };
        const TypedRange::Shifts shifts{within(request.per_x), within(request.per_y)};
        const ShiftedBlocks& blocks =
            range.shifted.try_emplace(shifts, range.first, range.blocks, shifts.first, shifts.second)
                .first->second;
        auto& sums = range.sums[{shifts, layout_.group_of(request.warp_in_block)}];
        sums.resize(blocks.different().size());
        RequestSums first;
        for (std::size_t i = 0; i < sums.size(); ++i) {
            const Extent block = blocks.different()[i];
            const RequestSums one =
                count(chosen_[chosen], request.in_block(block.x - range.first.x, block.y - range.first.y),
                      {block, request.warp_in_block}, request.step);
            if (i == 0) first = one;
            map_.alike = map_.alike && one.same_costs(first);
            sums[i].add(one);
        }
        range.warps[chosen * map_.warps_per_block + request.warp_in_block].add(first);
    }

    void end_range(const TypedRange& range) {
        for (const auto& [key, sums] : range.sums)
            range.shifted.at(key.first).deal_out(map_.cells, layout_, key.second, sums);
        for (std::size_t i = 0; i < range.warps.size(); ++i)
            compare_warp(chosen_[i / map_.warps_per_block], range.warps[i]);
    }

    /// Some blocks of each cell stand for all of it.
    InSteps<bool> sample() {
        const std::int64_t most = scenario_.typed != nullptr ? kMostTypedBlocks : kAnyBlocks;
        const auto blocks = int(
            std::clamp<std::int64_t>(kMostOfMap / std::max<std::int64_t>(1, requests_of_block()), 1, most));
        lay_out(std::min(blocks, kMapColumns * kMapRows));
        const int each = std::max(1, blocks / int(layout_.x.size() * layout_.y.size()));
        for (std::size_t y = 0; y < layout_.y.size(); ++y)
            for (std::size_t x = 0; x < layout_.x.size(); ++x) {
                sample_cell(x, y, each);
                co_yield double(y) / double(layout_.y.size());
            }
        co_return true;
    }

    void sample_cell(std::size_t x, std::size_t y, int most) {
        const Extent size{layout_.x[x].count, layout_.y[y].count};
        const std::int64_t all = std::int64_t{size.x} * size.y;
        const int taken = int(std::min<std::int64_t>(all, most));
        for (int i = 0; i < taken; ++i) {
            const Extent in_cell = taken == all ? Extent{i % size.x, i / size.x} : sampled_block(i, size);
            const Extent block{layout_.x[x].first + in_cell.x, layout_.y[y].first + in_cell.y};
            for (Chosen& one : chosen_) {
                for (int w = 0; w < map_.warps_per_block; ++w) {
                    const RequestSums sums = count_warp(one, {block, w});
                    compare_warp(one, sums);
                    map_.cells[layout_.cell(x, y, layout_.group_of(w))].sums.add(sums);
                }
            }
        }
        for (std::size_t group = 0; group < layout_.warps.size(); ++group) {
            RequestSums& sums = map_.cells[layout_.cell(x, y, group)].sums;
            for (std::int64_t* sum : {&sums.requests, &sums.cost, &sums.ideal})
                *sum = (*sum * all + taken / 2) / taken;
        }
    }

    void describe() {
        std::int64_t worst = 0;
        for (std::size_t i = 0; i < map_.cells.size(); ++i) {
            RequestSums& sums = map_.cells[i].sums;
            for (std::int64_t* sum : {&sums.requests, &sums.cost, &sums.ideal}) *sum *= map_.repeats;
            if (sums.worst.excess() <= worst) continue;
            worst = sums.worst.excess();
            map_.worst = int(i);
        }
        std::vector<std::string_view> names;
        for (const Chosen& one : chosen_) {
            const CostWords words = cost_of(one.what, {}, device_.sector_rules).words;
            const std::string_view name = words.name;
            if (name.empty() || std::ranges::find(names, name) != names.end()) continue;
            map_.unit += (names.empty() ? "" : " or ") + std::string(name);
            map_.per = names.empty() ? words.each : "an instruction";
            names.push_back(name);
        }
        for (const Chosen& one : chosen_) {
            add_basis(rules_basis(one.what, device_));
            if (!is_sure_of_sectors(scenario_, params_, one.index, device_))
                add_basis({Provenance::approximate, kMoreLines});
        }
        bool exact = true;
        if (scenario_.typed != nullptr && !chosen_.empty())
            scenario_.typed->count_grid(params_, chosen_.front().index, device_, exact);
        if (!exact)
            add_basis({Provenance::approximate,
                       "Some of what the kernel accesses was assumed, or only some blocks access it."});
        if (map_.sampled) {
            map_.kind = Provenance::approximate;
            map_.source = "Too many warps do something of their own: some of each cell are counted for all.";
        }
    }

    void add_basis(const CountBasis& basis) {
        if (map_.kind != Provenance::exact || basis.kind == Provenance::exact) return;
        map_.kind = basis.kind;
        map_.source = basis.source;
    }

    const Scenario& scenario_;
    const Params& params_;
    const DeviceFacts& device_;
    const LaunchShape shape_;
    std::vector<Chosen> chosen_;
    GridLayout layout_;
    GridMap map_;
};

}  // namespace

void RequestSums::add(const RequestSums& more, std::int64_t times) {
    if (more.requests == 0) return;
    const bool first = requests == 0;
    requests += more.requests * times;
    cost += more.cost * times;
    ideal += more.ideal * times;
    least = first ? more.least : std::min(least, more.least);
    most = std::max(most, more.most);
    least_ideal = first ? more.least_ideal : std::min(least_ideal, more.least_ideal);
    most_ideal = std::max(most_ideal, more.most_ideal);
    const auto badness = [](const Worst& one) { return std::pair(one.excess(), one.cost); };
    if (first || badness(more.worst) > badness(worst)) worst = more.worst;
}

bool RequestSums::same_costs(const RequestSums& other) const {
    const auto costs = [](const RequestSums& s) {
        return std::tuple(s.requests, s.cost, s.ideal, s.least, s.most, s.least_ideal, s.most_ideal);
    };
    return costs(*this) == costs(other);
}

bool GridCell::contains(const WarpPlace& place) const {
    return place.block.x >= first.x && place.block.x < first.x + blocks.x && place.block.y >= first.y &&
           place.block.y < first.y + blocks.y && place.warp_in_block >= first_warp &&
           place.warp_in_block < first_warp + warps;
}

std::int64_t GridMap::number_of(const WarpPlace& place) const {
    return (std::int64_t{place.block.y} * grid.x + place.block.x) * warps_per_block + place.warp_in_block;
}

int GridMap::cell_of(std::int64_t warp) const {
    const std::int64_t block = warp / warps_per_block;
    const WarpPlace place{{int(block % grid.x), int(block / grid.x)}, int(warp % warps_per_block)};
    const auto found =
        std::ranges::find_if(cells, [&](const GridCell& cell) { return cell.contains(place); });
    return found == cells.end() ? -1 : int(found - cells.begin());
}

RequestSums GridMap::sums() const {
    RequestSums all;
    for (const GridCell& cell : cells) all.add(cell.sums);
    return all;
}

GridMap map_grid(const Scenario& scenario, const Params& params, const DeviceFacts& device, int instruction) {
    return map_grid_in_steps(scenario, params, device, instruction).done();
}

InSteps<GridMap> map_grid_in_steps(const Scenario& scenario, Params params, DeviceFacts device,
                                   int instruction) {
    if (scenario.typed != nullptr) {
        auto counting = scenario.typed->count_first(params, device);
        while (counting.step()) co_yield 0;
    }
    MapMaker maker(scenario, params, device, instruction);
    auto making = maker.make();
    while (making.step()) co_yield making.how_far();
    co_return making.take();
}

Params picture_worst(const Scenario& scenario, Params params, const GridCell& cell) {
    const RequestSums::Worst& worst = cell.sums.worst;
    const LaunchShape shape = scenario.launch(params);
    const WarpPlace place = cell.sums.requests > 0 ? worst.place : WarpPlace{cell.first, cell.first_warp};
    const std::int64_t warp =
        (std::int64_t{place.block.y} * shape.grid.x + place.block.x) * warps_per_block(shape) +
        place.warp_in_block;
    for (const Knob& knob : scenario.info->knobs) {
        if (!knob.picture_only) continue;
        if (knob.field == &Params::warp)
            params.warp = int(warp % (std::int64_t{knob_limit(knob, params)} + 1));
        if (knob.field == &Params::step && cell.sums.requests > 0)
            params.step = worst.step * scenario.instruction(params, worst.instruction).joined;
    }
    clamp_knobs(scenario, params);
    return params;
}

}  // namespace warplens
