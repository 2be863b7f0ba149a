#include "app/model/time/flow.h"

#include "app/model/access/constant.h"
#include "app/model/access/demand.h"
#include "app/model/time/arithmetic.h"
#include "app/model/time/spilling.h"
#include "app/model/time/traffic.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace warplens {
namespace {

std::size_t index_of(Memory memory) { return static_cast<std::size_t>(memory); }

/// Which of the models of the memories beyond the SM applies to a scenario.
enum class Beyond { traffic, product, walk };

Beyond beyond_of(const Scenario& scenario, const Prediction& prediction) {
    if (scenario.info->time == TimeModel::walk) return Beyond::walk;
    const bool computes = prediction.speed_unit == SpeedUnit::gflop_per_s;
    return computes && scenario.info->time != TimeModel::spills ? Beyond::product : Beyond::traffic;
}

/// One instruction of the report whose bytes are followed.
struct Row {
    const Instruction& instruction;
    const Totals& grid;
    Provenance kind;
    bool load() const { return is_load(instruction.op); }
};

class Follower {
public:
    Follower(const Scenario& scenario, const Params& params, const DeviceFacts& device, const Report& report,
             const Prediction& prediction, bool cold)
        : scenario_(scenario),
          params_(params),
          device_(device),
          report_(report),
          cold_(cold),
          beyond_(beyond_of(scenario, prediction)),
          launch_(scenario, params, device) {
        result_.transfer = prediction.transfer;
    }

    FlowReport follow() {
        for (std::size_t k = 0; k < report_.instructions.size(); ++k) {
            const InstructionReport& one = report_.instructions[k];
            add_instruction({one.instruction, one.grid, one.kind}, int(k));
        }
        if (beyond_ == Beyond::product) add_product();
        if (beyond_ == Beyond::traffic && all_.useful > 0) add_dram();
        return std::move(result_);
    }

private:
    void add(const Flow& flow) {
        if (flow.bytes > 0 || flow.wanted > 0) result_.flows.push_back(flow);
    }

    /// Adds a flow between the registers and a memory.
    void add_near(const Row& row, Memory memory, FlowRule rule, double bytes) {
        Flow flow{.from = memory,
                  .to = Memory::registers,
                  .space = row.instruction.space,
                  .rule = rule,
                  .kind = row.kind,
                  .bytes = bytes,
                  .wanted = double(row.grid.bytes_wanted),
                  .requests = double(row.grid.requests)};
        if (!row.load()) std::swap(flow.from, flow.to);
        add(flow);
    }

    /// Adds a flow between two memories, the nearer one first.
    void add_far(Space space, Memory near, Memory far, bool load, FlowRule rule, double bytes) {
        Flow flow{.from = far, .to = near, .space = space, .rule = rule, .bytes = bytes, .wanted = bytes};
        if (!load) std::swap(flow.from, flow.to);
        add(flow);
    }

    void add_instruction(const Row& row, int index) {
        switch (row.instruction.space) {
            case Space::registers:
                result_.kept += double(row.grid.bytes_wanted);
                return;
            case Space::shared:
                return add_near(row, Memory::shared, FlowRule::words, double(row.grid.bytes_used));
            case Space::cluster:
                return add_near(row, Memory::other_shared, FlowRule::words, double(row.grid.bytes_used));
            case Space::constant:
                return add_near(row, Memory::constant, FlowRule::constants, double(row.grid.bytes_used));
            case Space::local:
                return add_local(row, index);
            case Space::texture:
            case Space::global:
            case Space::l2:
                return add_global(row, index);
        }
    }

    void add_global(const Row& row, int index) {
        const Memory first = first_memory(row.instruction, device_);
        const Memory last = has_l2(device_) ? Memory::l2 : Memory::dram;
        add_near(row, first, first == Memory::dram ? FlowRule::uncached : FlowRule::sectors,
                 double(row.grid.bytes_moved));
        if (beyond_ == Beyond::product) return;
        if (beyond_ == Beyond::walk) return add_walk(row, first);
        const Traffic& traffic = launch_.traffic(index);
        all_ += traffic;
        if (first == last) return;
        if (last == Memory::dram)  // textures of CC 1.x have a separate L2, so each piece is fetched once
            return add_far(row.instruction.space, first, last, true, FlowRule::fetch_size, traffic.read);
        const double sectors = sectors_past_l1(row.instruction, traffic, row.grid, device_);
        add_far(row.instruction.space, first, last, row.load(),
                row.load() ? FlowRule::fetched : FlowRule::passing, sectors * kSectorBytes);
    }

    void add_walk(const Row& row, Memory first) {
        const WalkTraffic traffic = count_walk_traffic(row.grid, report_.shape, device_);
        if (first == Memory::l1 || first == Memory::texture)
            add_far(Space::global, first, Memory::l2, true, FlowRule::walking, traffic.past_l1);
        if (first != Memory::dram)
            add_far(Space::global, Memory::l2, Memory::dram, true, FlowRule::fetch_size, traffic.of_dram);
        result_.touched = double(report_.shape.buffer_bytes[0]);
        result_.in_l2 = has_l2(device_) ? 1 - missed_by_walk(report_.shape, device_).l2 : 0;
    }

    void add_local(const Row& row, int index) {
        const bool spills = row.instruction.by_assembler;
        const Missed missed =
            spills ? missed_by_spills(scenario_, params_, device_)
                   : missed_by_private(resident_private_bytes(report_.shape, device_), device_);
        const double fresh = spills ? 1 : fresh_share(scenario_, params_, index, report_.shape);
        const LocalTraffic traffic =
            count_local_traffic(row.instruction.op, row.grid, missed, fresh, device_);
        const auto moved = double(row.grid.bytes_moved);
        if (!has_l2(device_)) return add_near(row, Memory::dram, FlowRule::uncached, moved);
        const Memory first = device_.memory.l1_keeps_local ? Memory::l1 : Memory::l2;
        add_near(row, first, FlowRule::sectors, moved);
        if (first == Memory::l1)
            add_far(Space::local, Memory::l1, Memory::l2, row.load(),
                    row.load() ? FlowRule::missed : FlowRule::passing, traffic.past_l1);
        add_far(Space::local, Memory::l2, Memory::dram, true,
                row.load() ? FlowRule::missed : FlowRule::filled, traffic.read);
        add_far(Space::local, Memory::l2, Memory::dram, false, FlowRule::written, traffic.written);
    }

    /// Adds what DRAM delivers and receives, for all instructions to global memory and textures together.
    void add_dram() {
        result_.touched = all_.footprint;
        result_.in_l2 = share_in_l2(all_.footprint, device_);
        const Space space = main_space();
        const bool in_place = result_.transfer.carrier == Carrier::sectors;
        add_far(space, in_place ? Memory::l2 : Memory::dram, Memory::host, true, FlowRule::link,
                result_.transfer.bytes);
        if (in_place || !has_l2(device_)) return;  // without, the requests themselves were followed to DRAM
        const Traffic dram = beyond_l2(all_, device_, cold_);
        add_far(space, Memory::l2, Memory::dram, true, FlowRule::fetch_size, dram.read);
        add_far(space, Memory::l2, Memory::dram, true, FlowRule::filled, dram.filled);
        add_far(space, Memory::l2, Memory::dram, false, FlowRule::written, dram.written);
    }

    void add_product() {
        const ProductTraffic traffic = count_product_traffic(scenario_, params_, device_, cold_);
        result_.touched = traffic.footprint;
        result_.in_l2 = share_in_l2(traffic.footprint, device_);
        if (!has_l2(device_)) return;
        if (const Memory first = first_memory(Instruction{}, device_); first != Memory::l2)
            add_far(Space::global, first, Memory::l2, true, FlowRule::fetched_by_block, traffic.l2_read);
        if (l1_keeps_global(device_))
            add_far(Space::global, Memory::l1, Memory::l2, false, FlowRule::passing, traffic.l2_written);
        add_far(Space::global, Memory::l2, Memory::dram, true, FlowRule::fetch_size, traffic.dram_read);
        add_far(Space::global, Memory::l2, Memory::dram, false, FlowRule::written, traffic.dram_written);
    }

    Space main_space() const {
        for (const InstructionReport& one : report_.instructions) {
            if (one.instruction.space == Space::global) return Space::global;
        }
        return Space::texture;
    }

    const Scenario& scenario_;
    const Params& params_;
    const DeviceFacts& device_;
    const Report& report_;
    bool cold_;
    Beyond beyond_;
    Traffic all_;
    LaunchCounts launch_;
    FlowReport result_;
};

void add_allocations(FlowReport& result, const Report& report, const DeviceFacts& device) {
    const LaunchShape& shape = report.shape;
    bool seen[kMaxBuffers] = {}, texture = false, constant = false;
    for (const InstructionReport& one : report.instructions) {
        const Instruction& instruction = one.instruction;
        if (instruction.space == Space::texture && !texture) {
            texture = true;
            result.allocations.push_back(
                {"the texture", Memory::dram, 4.0 * shape.texture.x * shape.texture.y});
        }
        if (instruction.space == Space::constant && !constant) {
            constant = true;
            result.allocations.push_back({"the constant bank", Memory::dram, double{kConstantBankBytes}});
        }
        const std::size_t buffer = instruction.buffer;
        if (instruction.space != Space::global || seen[buffer] || shape.buffer_bytes[buffer] <= 0) continue;
        seen[buffer] = true;
        constexpr std::string_view kBuffers[kMaxBuffers] = {"in", "out", "the second input"};
        const std::string_view name = instruction.object.empty() ? kBuffers[buffer] : instruction.object;
        const auto bytes = double(shape.buffer_bytes[buffer]);
        if (shape.device_bytes(int(buffer)) > 0)
            result.allocations.push_back({std::string(name), Memory::dram, bytes});
        if (buffer == 0 && shape.host != HostKind::none)
            result.allocations.push_back({std::string(name), Memory::host, bytes});
    }
    if (shape.local_bytes > 0)
        result.allocations.push_back(
            {"per-thread arrays", Memory::dram, resident_private_bytes(shape, device)});
    if (shape.shared_bytes > 0)
        result.allocations.push_back({"each block's part", Memory::shared, double(shape.shared_bytes)});
}

void add_busy(FlowReport& result, const Prediction& prediction, const DeviceFacts& device) {
    result.time_us = prediction.time_us;
    if (prediction.value > 0) result.limiter = prediction.limiter;
    result.limiting = memory_of(result.limiter, device);
    // The pipe of the L1 also serves loads that are not cached there; then no byte is shown in it.
    if (result.limiting && *result.limiting != Memory::registers && result.through(*result.limiting) <= 0)
        result.limiting.reset();
    for (const Memory memory : {Memory::dram, Memory::l2, Memory::host})
        result.gb_per_s[index_of(memory)] = memory_info(memory, device).gb_per_s;
    for (const limits::Limit& limit : prediction.limits) {
        if (const auto memory = memory_of(limit.limiter, device)) {
            double& busy = result.busy[index_of(*memory)];
            busy = std::max(busy, limit.seconds);
        }
    }
}

}  // namespace

double FlowReport::bytes(Memory from, Memory to) const {
    double sum = 0;
    for (const Flow& flow : flows) sum += flow.from == from && flow.to == to ? flow.bytes : 0;
    return sum;
}

double FlowReport::wanted(Memory from, Memory to) const {
    double sum = 0;
    for (const Flow& flow : flows) sum += flow.from == from && flow.to == to ? flow.wanted : 0;
    return sum;
}

Provenance FlowReport::kind(Memory from, Memory to) const {
    const bool exact = std::ranges::all_of(flows, [&](const Flow& flow) {
        return flow.from != from || flow.to != to || flow.kind == Provenance::exact;
    });
    return exact ? Provenance::exact : Provenance::approximate;
}

double FlowReport::through(Memory memory) const {
    double sum = 0;
    for (const Flow& flow : flows) {
        const bool near = flow.is_store() ? flow.to == memory : flow.from == memory;
        sum += near ? flow.bytes : 0;
    }
    return sum;
}

double FlowReport::utilization(Memory memory) const {
    if (time_us <= 0) return 0;
    const double peak = gb_per_s[index_of(memory)];
    return std::min(
        1.0, peak > 0 ? through(memory) / time_us * 1e-3 / peak : busy[index_of(memory)] / (time_us * 1e-6));
}

FlowReport follow_bytes(const Scenario& scenario, const Params& params, const DeviceFacts& device,
                        const Report& report, const Prediction& prediction, bool cold) {
    FlowReport result = Follower(scenario, params, device, report, prediction, cold).follow();
    std::ranges::stable_sort(result.flows, {},
                             [](const Flow& flow) { return std::min(int(flow.from), int(flow.to)); });
    add_allocations(result, report, device);
    add_busy(result, prediction, device);
    return result;
}

}  // namespace warplens
