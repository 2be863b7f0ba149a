#include "app/base/errors.h"
#include "app/cli/ncu/csv_records.h"
#include "app/cli/occupancy.h"
#include "app/experiment/devices.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <utility>

namespace warplens {
namespace {

enum Column { kCapability, kBlock, kRegisters, kShared, kColumns };
constexpr std::array<std::string_view, kColumns> kNames{"cc", "block", "regs", "smem_dyn"};
constexpr std::string_view kExpectedHeader = "cc,block,regs,smem_dyn";

/// Reads launches from CSV rows, in any order of columns.
class LaunchReader {
public:
    LaunchReader(std::istream& input, const std::string& name) : records_(input, name) { read_header(); }

    /// @return  false at the end. Errors: UsageError with line and column.
    bool next(const CapabilityFacts*& facts, OccupancyInput& input) {
        std::string_view record;
        if (!records_.next(record)) return false;
        split(record);
        facts = capability();
        input.threads = number(kBlock, 1, 65536);
        input.registers = number(kRegisters, 0, 65535);
        input.dynamic_shared = number(kShared, 0, 1 << 28);
        return true;
    }

private:
    [[noreturn]] void fail(const std::string& what) const {
        throw UsageError(fmt::format("{}, line {}: {}", records_.name(), records_.line(), what));
    }
    [[noreturn]] void fail_at(int column, const std::string& expected) const {
        throw UsageError(fmt::format("{}, line {}, column {}: expected {}, found {}", records_.name(),
                                     records_.line(), kNames[static_cast<std::size_t>(column)], expected,
                                     shown(field(column))));
    }
    std::string_view field(int column) const { return fields_[static_cast<std::size_t>(column)]; }

    void read_header() {
        std::string_view rest;
        if (!records_.next(rest))
            throw UsageError(fmt::format("{}, line 1: expected a header {}, found nothing", records_.name(),
                                         kExpectedHeader));
        std::array<bool, kColumns> found{};
        for (bool more = true; more;) {
            const std::string_view name = plain(take_field(rest, more));
            int column = -1;
            for (int i = 0; i < kColumns; ++i) {
                if (name == kNames[static_cast<std::size_t>(i)]) column = i;
            }
            if (column >= 0 && std::exchange(found[static_cast<std::size_t>(column)], true))
                fail(fmt::format("the header names column {} twice", name));
            column_of_field_.push_back(column);
        }
        for (std::size_t i = 0; i < kColumns; ++i) {
            if (!found[i])
                fail(fmt::format("the header has no column {}: expected {}", kNames[i], kExpectedHeader));
        }
    }

    void split(std::string_view record) {
        std::size_t count = 0;
        for (bool more = true; more; ++count) {
            const std::string_view text = plain(take_field(record, more));
            const int column = count < column_of_field_.size() ? column_of_field_[count] : -1;
            if (column >= 0) fields_[static_cast<std::size_t>(column)] = text;
        }
        if (count != column_of_field_.size())
            fail(fmt::format("expected {} columns as in the header, found {}", column_of_field_.size(),
                             count));
    }

    const CapabilityFacts* capability() const {
        const auto cc = parse_capability(field(kCapability));
        const CapabilityFacts* facts = cc ? find_capability(capability_table(), *cc) : nullptr;
        if (facts == nullptr)
            fail_at(kCapability,
                    fmt::format("a compute capability of the table, {} to {}",
                                capability_table().front().cc.text(), capability_table().back().cc.text()));
        return facts;
    }

    int number(int column, int least, int most) const {
        const std::string_view text = field(column);
        int value = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        const bool whole = error == std::errc() && end == text.data() + text.size();
        if (!whole || value < least || value > most)
            fail_at(column, fmt::format("a whole number from {} to {}", least, most));
        return value;
    }

    CsvRecords records_;
    std::vector<int> column_of_field_;
    std::array<std::string_view, kColumns> fields_;
};

void append_limiter(std::string& text, const Occupancy& occupancy) {
    bool first = true;
    for (int k = 0; k < kResources; ++k) {
        if (!occupancy.limits(static_cast<Resource>(k))) continue;
        if (!first) text += '+';
        text += resource_name(static_cast<Resource>(k));
        first = false;
    }
}

}  // namespace

std::string occupancy_rows(std::istream& input, const std::string& name) {
    LaunchReader reader(input, name);
    std::string answer = "cc,block,regs,smem_dyn,blocks,limiter\n";
    const CapabilityFacts* facts = nullptr;
    OccupancyInput launch;
    while (reader.next(facts, launch)) {
        const Occupancy occupancy = compute_occupancy(*facts, launch);
        fmt::format_to(std::back_inserter(answer), "{}.{},{},{},{},{},", facts->cc.major, facts->cc.minor,
                       launch.threads, launch.registers, launch.dynamic_shared, occupancy.blocks);
        append_limiter(answer, occupancy);
        answer += '\n';
    }
    return answer;
}

}  // namespace warplens
