#include "app/model/device/capability.h"

#include "app/base/parse_number.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <stdexcept>

namespace warplens {
namespace {

using nlohmann::json;

constexpr const char* kCoarseRegisters = "register_allocation_unit_128_for_regs";
constexpr int kCoarseUnit = 128;  // as the key says

int number(const json& row, const char* key, int otherwise = 0) {
    const auto found = row.find(key);
    return found == row.end() || !found->is_number() ? otherwise : found->get<int>();
}

std::vector<int> numbers(const json& row, const char* key) {
    const auto found = row.find(key);
    return found == row.end() || !found->is_array() ? std::vector<int>{} : found->get<std::vector<int>>();
}

void read_registers(const json& row, CapabilityFacts& facts) {
    facts.registers_per_sm = row.at("registers_per_sm").get<int>();
    facts.registers_per_block = row.at("max_registers_per_block").get<int>();
    facts.registers_per_thread = row.at("max_registers_per_thread").get<int>();
    facts.registers_per_thread_checked =
        number(row, "max_registers_per_thread_checked", facts.registers_per_thread);
    facts.register_unit = row.at("register_allocation_unit_registers").get<int>();
    facts.registers_by_block = row.at("register_allocation_granularity").get<std::string>() == "block";
    facts.warp_unit = number(row, "warp_allocation_granularity_warps", 1);
    facts.coarse_registers = numbers(row, kCoarseRegisters);
    if (!facts.coarse_registers.empty()) facts.coarse_register_unit = kCoarseUnit;
}

void read_shared(const json& row, CapabilityFacts& facts) {
    facts.shared_per_sm = row.at("shared_per_sm_bytes").get<int>();
    facts.shared_per_block = row.at("shared_per_block_default_bytes").get<int>();
    facts.shared_per_block_most = number(row, "shared_per_block_optin_bytes", facts.shared_per_block);
    facts.shared_unit = row.at("shared_allocation_unit_bytes").get<int>();
    facts.shared_reserved = number(row, "shared_reserved_per_block_bytes");
    facts.shared_launch = number(row, "shared_launch_bytes");
    facts.most_arguments = number(row, "shared_arguments_max_bytes");
    facts.shared_sizes = numbers(row, "shared_carveout_sizes_bytes");
    facts.l1_and_shared = number(row, "l1_plus_shared_bytes");
    facts.banks = number(row, "shared_banks");
    facts.bank_width = number(row, "shared_bank_width_bytes");
    facts.request_lanes = number(row, "shared_request_lanes");
}

/// NVIDIA's header describes compute capabilities from 3.0 on, and the table was checked against it. What
/// only other tables say, and what is older, is approximate.
Provenance kind_of(ComputeCapability cc, std::string_view confidence) {
    const bool checked = cc >= ComputeCapability{3, 0} && confidence_of(confidence) == 2;
    return checked ? Provenance::exact : Provenance::approximate;
}

CapabilityFacts read_row(const json& row) {
    CapabilityFacts facts;
    const auto name = row.at("compute_capability").get<std::string>();
    const auto cc = parse_capability(name);
    if (!cc)
        throw std::runtime_error("the table of compute capabilities has a row '" + name +
                                 "': expected such as 9.0");
    facts.cc = *cc;
    facts.architecture = row.value("architecture", "");
    facts.max_warps = row.at("max_warps_per_sm").get<int>();
    facts.max_threads = row.at("max_threads_per_sm").get<int>();
    facts.max_blocks = row.at("max_blocks_per_sm").get<int>();
    facts.max_threads_per_block = row.at("max_threads_per_block").get<int>();
    facts.max_barriers = number(row, "block_barriers_per_sm");
    facts.partitions = number(row, "sm_subpartitions", 1);
    facts.partitions_checked = number(row, "sm_subpartitions_checked", facts.partitions);
    read_registers(row, facts);
    read_shared(row, facts);
    facts.local_per_thread = number(row, "max_local_memory_per_thread_bytes");
    facts.constant_memory = number(row, "constant_memory_bytes");
    facts.clusters = row.value("thread_block_clusters", false);
    facts.kind = kind_of(facts.cc, row.value("confidence", ""));
    facts.source = row.value("source", "");
    const json notes = row.value("notes", json());
    facts.notes = notes.is_string() ? notes.get<std::string>() : "";
    return facts;
}

}  // namespace

int confidence_of(std::string_view words) {
    const std::string_view first = words.substr(0, words.find(' '));
    return first == "high" ? 2 : first == "medium" ? 1 : 0;
}

std::optional<ComputeCapability> parse_capability(std::string_view text) {
    const auto cc = parse_pair<int>(text, '.');
    if (!cc || cc->first < 1 || cc->second < 0 || cc->second > 9) return std::nullopt;
    return ComputeCapability{cc->first, cc->second};
}

std::vector<CapabilityFacts> load_capabilities(std::string_view text) {
    std::vector<CapabilityFacts> rows;
    try {
        const json table = json::parse(text);
        for (const json& row : table.at("compute_capabilities")) rows.push_back(read_row(row));
    } catch (const json::exception& error) {
        throw std::runtime_error(std::string("the table of compute capabilities cannot be read: ") +
                                 error.what());
    }
    std::ranges::stable_sort(rows, {}, &CapabilityFacts::cc);
    return rows;
}

const CapabilityFacts* find_capability(std::span<const CapabilityFacts> rows, ComputeCapability cc) {
    const auto found = std::ranges::find(rows, cc, &CapabilityFacts::cc);
    return found == rows.end() ? nullptr : &*found;
}

}  // namespace warplens
