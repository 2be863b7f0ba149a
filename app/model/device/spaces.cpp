#include "app/model/device/spaces.h"

#include "app/base/format.h"
#include "app/model/time/limits.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace warplens {
namespace {

using nlohmann::json;

constexpr std::string_view kNotKnown = "not known";

struct ClosenessWords {
    std::string_view key, name;
};
constexpr std::array<ClosenessWords, 4> kCloseness{
    {{"core", "in the core"}, {"sm", "in the SM"}, {"chip", "on the chip"}, {"board", "in DRAM"}}};

}  // namespace

Closeness closeness_of(std::string_view key) {
    const auto found = std::ranges::find(kCloseness, key, &ClosenessWords::key);
    if (found == kCloseness.end())
        throw std::runtime_error("the table of memory spaces knows no closeness '" + std::string(key) + "'");
    return Closeness(found - kCloseness.begin());
}

namespace {

ComputeCapability capability_of(const json& text) {
    const auto cc = parse_capability(text.get<std::string>());
    if (!cc)
        throw std::runtime_error("the table of memory spaces: '" + text.dump() + "' should be such as 9.0");
    return *cc;
}

/// A text, or the last text of a list whose capability is reached. Empty if there is none.
std::string text_for(const json& row, const char* key, ComputeCapability cc) {
    const auto found = row.find(key);
    if (found == row.end()) return {};
    if (found->is_string()) return found->get<std::string>();
    std::string text;
    for (const json& item : *found) {
        if (capability_of(item.at("from")) <= cc) text = item.at("text").get<std::string>();
    }
    return text;
}

/// At most three significant digits: "0.62", "29.9", "834".
std::string short_number(double value) {
    const int digits = value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
    std::string text = std::to_string(std::round(value * std::pow(10, digits)) / std::pow(10, digits));
    text.erase(text.find_last_not_of('0') + 1);
    if (text.ends_with('.')) text.pop_back();
    return text;
}

double Latencies::*latency_field(std::string_view name) {
    struct Named {
        std::string_view name;
        double Latencies::*field;
    };
    static constexpr Named kMembers[] = {
        {"shared", &Latencies::shared},   {"l1", &Latencies::l1},      {"constant", &Latencies::constant_l1},
        {"texture", &Latencies::texture}, {"l2", &Latencies::l2},      {"l2-far", &Latencies::l2_far},
        {"dram", &Latencies::dram},       {"dsmem", &Latencies::dsmem}};
    const auto found = std::ranges::find(kMembers, name, &Named::name);
    if (found == std::end(kMembers))
        throw std::runtime_error("the table of memory spaces knows no latency '" + std::string(name) + "'");
    return found->field;
}

SpaceLatency read_latency(const json& row, const DeviceFacts& device) {
    const Latencies& known = device.latencies;
    SpaceLatency latency;
    const std::string first = text_for(row, "answers", device.cc), last = text_for(row, "misses", device.cc);
    if (first == "unknown") return latency;
    latency.in_instruction = first == "instruction";
    const auto near = latency.in_instruction ? &Latencies::multiply_add : latency_field(first);
    const auto far = last.empty() ? near : latency_field(last);
    (latency.in_instruction ? latency.next : latency.nearest) = known.*near;
    if (!latency.in_instruction) latency.farthest = known.*far > 0 ? known.*far : known.*near;
    const LatencyOrigin* origin = origin_of(known, near);
    if (origin == nullptr && !latency.in_instruction) origin = origin_of(known, far);
    if (origin == nullptr) return latency;
    latency.gpu = origin->gpu;
    latency.source = origin->source;
    latency.confidence = origin->confidence;
    return latency;
}

SpaceSizes sizes_of(std::string_view key, const DeviceFacts& device, const CapabilityFacts* cc) {
    constexpr std::int64_t kRegisterBytes = 4;
    constexpr std::int64_t kTensorMemoryBytes = 128 * 512 * 4;  // lanes, columns, PTX ISA
    SpaceSizes sizes;
    if (key == "global" || key == "texture") sizes.of_device = device.memory_bytes;
    if (key == "l2") sizes.of_device = device.l2_bytes;
    if (key == "l1") sizes.per_sm = device.l1_bytes;
    if (cc == nullptr) return sizes;
    if (key == "registers") {
        sizes.per_thread = cc->registers_per_thread * kRegisterBytes;
        sizes.per_sm = cc->registers_per_sm * kRegisterBytes;
    } else if (key == "local") {
        sizes.per_thread = cc->local_per_thread;
    } else if (key == "shared") {
        sizes.per_block = cc->shared_per_block;
        sizes.per_block_most = cc->shared_per_block_most;
        sizes.per_sm = cc->shared_per_sm;
    } else if (key == "tensor") {
        sizes.per_sm = kTensorMemoryBytes;
    } else if (key == "distributed") {
        sizes.per_block_most = cc->shared_per_block_most;
    } else if (key == "constant") {
        sizes.of_device = cc->constant_memory;
    }
    return sizes;
}

std::vector<std::string> size_words(std::string_view key, const SpaceSizes& sizes,
                                    const CapabilityFacts* cc) {
    const auto per_sm = [&] { return memory_text(sizes.per_sm) + " per SM"; };
    if (key == "registers" && cc != nullptr)
        return {std::to_string(cc->registers_per_thread) + " per thread", ", " + per_sm()};
    if (key == "local" && sizes.per_thread > 0) return {memory_text(sizes.per_thread) + " per thread"};
    if (key == "shared" && sizes.per_sm > 0) {
        std::vector<std::string> parts{per_sm(), "; " + memory_text(sizes.per_block) + " per block"};
        if (sizes.per_block_most > sizes.per_block)
            parts.push_back(", " + memory_text(sizes.per_block_most) + " if asked for");
        return parts;
    }
    if (key == "distributed" && sizes.per_block_most > 0)
        return {"up to " + memory_text(sizes.per_block_most) + " in each block"};
    if (key == "l1" && sizes.per_sm > 0) return {"up to " + memory_text(sizes.per_sm) + " per SM"};
    if (key == "tensor") return {per_sm()};
    if (key == "texture" && sizes.of_device > 0) return {"in " + memory_text(sizes.of_device)};
    if (sizes.of_device > 0) return {memory_text(sizes.of_device)};
    return {};
}

std::string all_parts(const std::vector<std::string>& parts) {
    std::string text;
    for (const std::string& part : parts) text += part;
    return parts.empty() ? std::string(kNotKnown) : text;
}

/// The bandwidth of the whole GPU at its highest clock, if the width is known.
void set_bandwidth(SpaceRow& row, const DeviceFacts& device, const CapabilityFacts* cc) {
    const double sm_clocks = double(device.sm_count) * device.clock_mhz * 1e6;
    const std::string sms =
        std::to_string(device.sm_count) + " SMs at " + short_number(device.clock_mhz / 1000) + " GHz, each ";
    const double bytes = bytes_per_clock(row.key, device, cc);
    if (bytes > 0) {
        row.gb_per_s = sm_clocks * bytes / 1e9;
        row.bandwidth_of =
            sms + short_number(bytes) +
            (row.key == "shared" ? " bytes per clock from its banks, without conflicts."
                                 : " bytes per clock for one operand of a multiply-add (it has three).");
    } else if (row.key == "l2" && has_l2(device) && sm_clocks > 0) {
        row.gb_per_s = sm_clocks * l2_bytes_per_clock(device) / 1e9;
        row.bandwidth_of = sms + short_number(l2_bytes_per_clock(device)) + " bytes per clock" +
                           (device.memory.l2_bytes_per_clock > 0
                                ? "."
                                : ", which is assumed: nothing measured on such a GPU is known here.");
    } else if (row.key == "global") {
        row.gb_per_s = device.peak_gb_per_s;
        row.bandwidth_of = "DRAM, by the datasheet; copies reach about " +
                           std::to_string(std::lround(
                               100 * (device.copy_share > 0 ? device.copy_share : limits::kCopyShare))) +
                           " % of it.";
    }
}

constexpr std::pair<const char*, std::string SpaceRow::*> kTexts[] = {
    {"lives", &SpaceRow::lives},         {"scope", &SpaceRow::scope},   {"lifetime", &SpaceRow::lifetime},
    {"cached", &SpaceRow::cached},       {"kernel", &SpaceRow::kernel}, {"host", &SpaceRow::host},
    {"qualifier", &SpaceRow::qualifier}, {"use", &SpaceRow::use},       {"more", &SpaceRow::more}};

SpaceRow read_row(const json& row, const DeviceFacts& device, const CapabilityFacts* capability) {
    SpaceRow space;
    space.key = row.at("key").get<std::string>();
    space.name = row.at("name").get<std::string>();
    space.closeness = closeness_of(row.at("closeness").get<std::string>());
    space.cache = row.value("cache", false);
    space.since = row.value("since", "");
    space.last = row.value("last", "");
    space.exists = (space.since.empty() || capability_of(row.at("since")) <= device.cc) &&
                   (space.last.empty() || device.cc <= capability_of(row.at("last")));
    if (!space.exists) return space;
    for (const auto& [key, field] : kTexts) space.*field = text_for(row, key, device.cc);
    space.link = row.at("link").get<std::string>();
    space.latency = read_latency(row, device);
    space.sizes = sizes_of(space.key, device, capability);
    space.size_parts = size_words(space.key, space.sizes, capability);
    set_bandwidth(space, device, capability);
    return space;
}

}  // namespace

std::string_view closeness_name(Closeness closeness) { return kCloseness[int(closeness)].name; }
std::string_view closeness_key(Closeness closeness) { return kCloseness[int(closeness)].key; }

double bytes_per_clock(std::string_view key, const DeviceFacts& device, const CapabilityFacts* capability) {
    constexpr double kRegisterBytes = 4;
    if (key == "registers") return kRegisterBytes * device.fp32_lanes_per_sm;
    if (key != "shared" || capability == nullptr) return 0;
    // Up to 2.x a bank delivers a word every two clocks.
    return double(capability->banks) * capability->bank_width / (capability->cc.major < 3 ? 2 : 1);
}

SpacesTable make_spaces(std::string_view words, const DeviceFacts& device,
                        const CapabilityFacts* capability) {
    SpacesTable table{.gpu = device.name, .cc = device.cc};
    try {
        const json text = json::parse(words);
        for (const json& row : text.at("rows")) table.rows.push_back(read_row(row, device, capability));
        for (const json& hint : text.at("hints")) {
            const auto word = [&hint](const char* key) { return hint.at(key).get<std::string>(); };
            if (capability_of(hint.at("from")) <= device.cc)
                table.hints.push_back({word("name"), word("code"), word("does"), word("more")});
        }
        table.source = text.at("source").get<std::string>();
    } catch (const json::exception& error) {
        throw std::runtime_error(std::string("the table of memory spaces cannot be read: ") + error.what());
    }
    table.device_source = device.source;
    if (capability != nullptr) table.size_source = capability->source;
    return table;
}

std::string SpaceRow::size() const { return exists ? all_parts(size_parts) : ""; }

std::string absent_words(const SpaceRow& row) {
    const std::string from = "not on this GPU; from compute capability " + row.since;
    return from + (row.last.empty() ? " on" : " to " + row.last);
}

bool latency_known(const SpaceRow& row) { return row.latency.in_instruction || row.latency.farthest > 0; }

std::vector<std::string> latency_parts(const SpaceRow& row) {
    const SpaceLatency& latency = row.latency;
    if (!latency_known(row)) return {};
    if (latency.in_instruction && latency.next <= 0) return {"no latency of its own"};
    if (latency.in_instruction) return {"none", "; next result after " + short_number(latency.next)};
    if (latency.nearest <= 0) return {"up to " + short_number(latency.farthest) + " cycles"};
    const std::string near = short_number(latency.nearest), far = short_number(latency.farthest);
    return {(near == far ? near : near + " to " + far) + " cycles"};
}

std::string latency_text(const SpaceRow& row) { return all_parts(latency_parts(row)); }

Provenance latency_provenance(const SpaceRow& row) {
    return row.latency.confidence > 0 ? Provenance::recorded : Provenance::approximate;
}

std::string latency_source(const SpaceRow& row) {
    constexpr std::array<std::string_view, 3> kConfidence{"low", "medium", "high"};
    const SpaceLatency& latency = row.latency;
    if (latency.source.empty()) return {};
    return latency.gpu + " (" + latency.source + "), confidence " +
           std::string(kConfidence[std::clamp(latency.confidence, 0, 2)]);
}

std::string bandwidth_text(const SpaceRow& row) {
    return row.gb_per_s <= 0 ? std::string(kNotKnown) : format_bandwidth(row.gb_per_s);
}

std::string memory_text(std::int64_t bytes) {
    constexpr std::int64_t kSoldUnit = 1'000'000'000;
    if (bytes > 0 && bytes % kSoldUnit == 0) return std::to_string(bytes / kSoldUnit) + " GB";
    return format_size(double(bytes));
}

}  // namespace warplens
