#include "app/measure/accesses/access_list.h"

#include "app/base/csv.h"
#include "app/base/errors.h"
#include "app/base/text.h"
#include "app/model/access/counts.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <unordered_map>

namespace warplens {
namespace {

/// Rows that are equal in all of this are of one instruction.
struct GroupKey {
    std::string name, kernel;
    Space space;
    Op op;
    int bytes_per_lane;
    friend bool operator==(const GroupKey&, const GroupKey&) = default;
};
struct HashKey {
    std::size_t operator()(const GroupKey& key) const {
        const std::size_t kinds =
            std::size_t(key.space) * 64 + std::size_t(key.op) * 32 + std::size_t(key.bytes_per_lane);
        return (std::hash<std::string>()(key.name) * 31 + std::hash<std::string>()(key.kernel)) * 131 + kinds;
    }
};
using Groups = std::unordered_map<GroupKey, AccessGroup, HashKey>;

std::int64_t excess(const Totals& totals, Space space, const SectorRules& rules) {
    const CostWords cost = cost_of(space, rules);
    return cost.cost(totals) - cost.ideal(totals);
}

/// One piece of a file, summed up. Kernels have their launch's number in place of their name.
struct CountedPiece {
    Groups groups;
    std::int64_t rows = 0, skipped = 0;
    std::string skipped_opcode;
    std::vector<std::pair<std::int64_t, std::string>> launches;
};

void add(AccessGroup& group, const AccessGroup& more, const SectorRules& rules) {
    const Space space = more.space();
    if (group.rows == 0 ||
        excess(more.worst_totals, space, rules) > excess(group.worst_totals, space, rules)) {
        group.worst = more.worst;
        group.worst_totals = more.worst_totals;
        group.place = more.place;
        group.line = more.line;
    }
    group.rows += more.rows;
    group.totals += more.totals;
}

CountedPiece count_piece(const AccessChunk& chunk, const DeviceFacts& device) {
    CountedPiece piece;
    AccessRows rows(chunk);
    const bool mem_trace = chunk.columns == nullptr;
    GroupKey key;
    for (AccessRow row; rows.next(row); ++piece.rows) {
        key.name.assign(mem_trace ? row.id : plain(row.id));
        if (mem_trace) key.kernel = std::to_string(row.place.launch);
        key.space = row.access.space;
        key.op = row.access.op;
        key.bytes_per_lane = row.access.bytes_per_lane;
        AccessGroup& group = piece.groups[key];
        const Totals totals = count_access(row.access, device);
        if (group.rows == 0 || excess(totals, key.space, device.sector_rules) >
                                   excess(group.worst_totals, key.space, device.sector_rules)) {
            group.worst = row.access;
            group.worst_totals = totals;
            group.place = row.place;
            group.line = row.line;
        }
        ++group.rows;
        group.totals += totals;
    }
    piece.skipped = rows.skipped();
    piece.skipped_opcode = printable(rows.skipped_opcode());
    for (const MemTraceLaunch& launch : rows.launches())
        piece.launches.emplace_back(launch.launch, printable(launch.kernel));
    return piece;
}

/// The list while it is made.
class Collected {
public:
    Collected(const DeviceFacts& device, AccessList& list) : device_(device), list_(list) {}

    void add_piece(CountedPiece&& piece) {
        for (auto& [launch, kernel] : piece.launches) {
            constexpr std::size_t kMostLaunches = 100000;  // later ones go by their number
            if (kernels_.size() < kMostLaunches) kernels_[launch] = std::move(kernel);
        }
        list_.rows += piece.rows;
        if (list_.skipped == 0) list_.skipped_opcode = piece.skipped_opcode;
        list_.skipped += piece.skipped;
        while (!piece.groups.empty()) {
            auto node = piece.groups.extract(piece.groups.begin());
            GroupKey& key = node.key();
            if (!key.kernel.empty()) key.kernel = kernel_name(key.kernel);
            add(groups_[key], node.mapped(), device_.sector_rules);
        }
        if (groups_.size() > 2 * AccessList::kKept) keep_worst();
    }

    void finish() {
        keep_worst();
        for (auto& [key, group] : groups_) {
            group.name = printable(key.name);
            group.kernel = key.kernel;
            list_.groups.push_back(std::move(group));
        }
        std::ranges::sort(list_.groups, [this](const AccessGroup& a, const AccessGroup& b) {
            const std::int64_t excess_a = excess_of(a, device_.sector_rules),
                               excess_b = excess_of(b, device_.sector_rules);
            return excess_a != excess_b ? excess_a > excess_b : a.line < b.line;
        });
    }

private:
    std::string kernel_name(const std::string& number) const {
        const auto found = kernels_.find(std::stoll(number));
        return found == kernels_.end() ? fmt::format("launch {}", number) : found->second;
    }

    /// Forgets those that cost the least, when there are too many. One of them that comes again is counted
    /// anew.
    void keep_worst() {
        if (groups_.size() <= AccessList::kKept) return;
        std::vector<std::pair<std::int64_t, long>> order;  // excess, and the later line first
        for (const auto& [key, group] : groups_)
            order.emplace_back(excess_of(group, device_.sector_rules), -group.line);
        const auto last = order.begin() + std::ptrdiff_t(AccessList::kKept - 1);
        std::nth_element(order.begin(), last, order.end(), std::greater<>());
        const auto least = *last;
        std::erase_if(groups_, [&](const auto& one) {
            const bool drop =
                std::pair(excess_of(one.second, device_.sector_rules), -one.second.line) < least;
            if (drop) list_.others += one.second.rows;
            return drop;
        });
    }

    const DeviceFacts& device_;
    AccessList& list_;
    Groups groups_;
    std::map<std::int64_t, std::string> kernels_;  ///< by launch
};

}  // namespace

std::int64_t excess_of(const AccessGroup& group, const SectorRules& rules) {
    return excess(group.totals, group.space(), rules);
}

struct AccessLister::Parts {
    Parts(AccessFile& file, const std::string& name, DeviceFacts facts)
        : device(std::move(facts)),
          list{.name = printable(name), .mem_trace = file.is_mem_trace()},
          collected(device, list),
          counting(
              file, [this](const AccessChunk& chunk) { return count_piece(chunk, device); },
              [this](CountedPiece&& piece) { collected.add_piece(std::move(piece)); }) {}

    const DeviceFacts device;
    AccessList list;
    Collected collected;
    CountInOrder<std::function<CountedPiece(const AccessChunk&)>, std::function<void(CountedPiece&&)>>
        counting;
};

AccessLister::AccessLister(AccessFile& file, const std::string& name, const DeviceFacts& device)
    : parts_(std::make_unique<Parts>(file, name, device)) {}
AccessLister::~AccessLister() = default;

bool AccessLister::step() {
    if (parts_->counting.step()) return true;
    parts_->collected.finish();
    const AccessList& list = parts_->list;
    if (list.groups.empty() && list.mem_trace)
        throw UsageError(fmt::format(
            "{}: expected requests to memory as NVBit's mem_trace prints them, found {}", list.name,
            list.skipped == 0
                ? std::string("none")
                : fmt::format("only ones that are not counted, such as {}", list.skipped_opcode)));
    return false;
}

AccessList AccessLister::take() { return std::move(parts_->list); }

AccessList list_accesses(std::istream& input, const std::string& name, const DeviceFacts& device) {
    AccessFile file(input, name);
    return list_accesses(file, name, device);
}

AccessList list_accesses(AccessFile& file, const std::string& name, const DeviceFacts& device) {
    AccessLister lister(file, name, device);
    while (lister.step()) {
    }
    return lister.take();
}

InstructionReport report_of(const AccessGroup& group, const DeviceFacts& device) {
    InstructionReport report;
    report.instruction.label = group.name;
    report.instruction.space = group.space();
    report.instruction.op = group.worst.op;
    report.instruction.bytes_per_lane = group.worst.bytes_per_lane;
    report.access = group.worst;
    report.warp = group.worst_totals;
    report.block = report.grid = group.totals;
    const CountBasis basis = count_basis(report.instruction, device);
    report.kind = basis.kind;
    report.source = basis.source;
    return report;
}

}  // namespace warplens
