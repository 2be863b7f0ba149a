#include "app/experiment/devices.h"

#include "app/base/assets.h"
#include "app/base/errors.h"
#include "app/base/parse_number.h"
#include "app/base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace warplens {
namespace {

/// The table's row of the same model: one with the same compute capability and a name that begins alike. Of
/// several, the one nearest in memory size.
std::optional<std::size_t> row_of(const std::vector<DeviceFacts>& devices, const GpuInfo& gpu) {
    const std::string model = driver_words(gpu.name);
    const std::string first_word = model.substr(0, model.find(' '));
    std::optional<std::size_t> best;
    double best_difference = 0;
    for (std::size_t i = 0; i < devices.size(); ++i) {
        const std::string name = lower_case(devices[i].name);
        const bool same_name = lower_case(devices[i].driver_name) == lower_case(gpu.name) ||
                               name.starts_with(model) || model.starts_with(name) ||
                               (first_word != "geforce" && name.starts_with(first_word + " "));
        if (devices[i].here || devices[i].cc != ComputeCapability{gpu.cc_major, gpu.cc_minor} || !same_name)
            continue;
        const double difference = std::abs(double(devices[i].memory_bytes - gpu.memory_bytes));
        if (best && difference >= best_difference) continue;
        best = i;
        best_difference = difference;
    }
    return best;
}

DeviceFacts bare_device(ComputeCapability cc) {
    DeviceFacts device;
    device.name = "CC " + cc.text();
    device.cc = cc;
    device.bank_rules = bank_rules_for(cc);
    device.sector_rules = sector_rules_for(cc);
    device.source = "rules of the compute capability only";
    return device;
}

/// "9.0", "CC 9.0", "sm_90", where the last digit is the minor one, "sm_90a", and "90" if there is such a
/// one: "480" is a card.
std::optional<ComputeCapability> parse_cc(std::string_view text) {
    std::string word = lower_case(text);
    bool named = false;
    for (std::string_view prefix : {"cc ", "cc", "sm_", "compute_"}) {
        if (!word.starts_with(prefix)) continue;
        word.erase(0, prefix.size());
        named = true;
        break;
    }
    const bool of_family = word.ends_with('a') || word.ends_with('f');  // as nvcc calls what only they have
    if (of_family) word.pop_back();
    const bool digits = word.size() >= 2 && word.find('.') == std::string::npos;
    if (digits) word.insert(word.size() - 1, ".");
    const auto cc = parse_pair<int>(word, '.');
    if (!cc) return std::nullopt;
    const ComputeCapability found{cc->first, cc->second};
    if (digits && !named && find_capability(capability_table(), found) == nullptr) return std::nullopt;
    return found;
}

std::size_t device_of_cc(std::vector<DeviceFacts>& devices, ComputeCapability cc) {
    if (const auto found = find_device(devices, cc.text())) return *found;
    if (find_capability(capability_table(), cc) == nullptr)
        throw UsageError(
            fmt::format("no GPU has compute capability {}: expected {}", cc.text(), capability_names()));
    devices.push_back(bare_device(cc));
    return devices.size() - 1;
}

std::size_t device_here_or(std::vector<DeviceFacts>& devices, bool cpu, bool required) {
    if (!cpu) {
        const auto gpus = list_gpus();
        if (const auto* list = std::get_if<std::vector<GpuInfo>>(&gpus))
            return add_gpu_here(devices, list->front());
        if (required) throw NoGpu(std::get<Unavailable>(gpus).reason);
    }
    if (required) throw UsageError("--device here asks for the GPU of this machine, and --cpu forbids it");
    return find_device(devices, kDefaultDevice).value();
}

}  // namespace

const std::vector<DeviceFacts>& device_table() {
    static const std::vector<DeviceFacts> devices = load_devices(asset("assets/gpus.json"));
    return devices;
}

const std::vector<CapabilityFacts>& capability_table() {
    static const std::vector<CapabilityFacts> rows = load_capabilities(asset("assets/gpus.json"));
    return rows;
}

std::string capability_names() {
    std::vector<std::string> names;
    for (const CapabilityFacts& row : capability_table()) names.push_back(row.cc.text());
    return join_names(std::vector<std::string_view>(names.begin(), names.end()));
}

std::optional<CapabilityFacts> rules_of(ComputeCapability cc) {
    const std::vector<CapabilityFacts>& rows = capability_table();
    if (const CapabilityFacts* own = find_capability(rows, cc)) return *own;
    const CapabilityFacts* nearest = nullptr;
    for (const CapabilityFacts& row : rows) {
        if (row.cc.major == cc.major && row.cc < cc) nearest = &row;
    }
    if (nearest == nullptr) return std::nullopt;
    CapabilityFacts facts = *nearest;
    facts.kind = Provenance::approximate;
    facts.notes = fmt::format("Compute capability {} is not in the table: these are the facts of {}.",
                              cc.text(), nearest->cc.text());
    return facts;
}

std::size_t add_gpu_here(std::vector<DeviceFacts>& devices, const GpuInfo& gpu) {
    DeviceFacts facts = bare_device({gpu.cc_major, gpu.cc_minor});
    facts.source = "driver";
    if (const auto row = row_of(devices, gpu)) {
        facts = devices[*row];
        facts.source = "driver; " + facts.source;
    }
    facts.name = gpu.name;
    facts.here = true;
    facts.sm_count = gpu.sm_count;
    facts.memory_bytes = gpu.memory_bytes;
    if (gpu.l2_bytes > 0) facts.l2_bytes = gpu.l2_bytes;
    if (gpu.clock_mhz > 0) facts.clock_mhz = gpu.clock_mhz;
    if (gpu.shared_per_block_optin_bytes > 0) facts.shared_per_block_bytes = gpu.shared_per_block_optin_bytes;
    if (gpu.l2_fetch_granularity_bytes > 0) facts.fetch_bytes = std::max(32, gpu.l2_fetch_granularity_bytes);
    if (gpu.max_threads_per_block > 0) facts.max_threads_per_block = gpu.max_threads_per_block;
    // If there is a datasheet's peak it is kept, because plots and measurements elsewhere refer to it.
    if (facts.peak_gb_per_s <= 0) facts.peak_gb_per_s = gpu.peak_gb_per_s;

    const auto known = std::find_if(devices.begin(), devices.end(),
                                    [&](const DeviceFacts& d) { return d.here && d.name == gpu.name; });
    const auto place = known == devices.end() ? devices.insert(devices.end(), facts) : known;
    *place = facts;
    return std::size_t(place - devices.begin());
}

bool is_model(const std::vector<DeviceFacts>& devices, std::size_t device, const GpuInfo& gpu) {
    const DeviceFacts& facts = devices.at(device);
    if (facts.here)
        return facts.name == gpu.name && facts.cc == ComputeCapability{gpu.cc_major, gpu.cc_minor};
    return row_of(devices, gpu) == device;
}

std::size_t choose_device(std::vector<DeviceFacts>& devices, std::string_view wanted, bool cpu) {
    if (wanted.empty() || wanted == "here") return device_here_or(devices, cpu, !wanted.empty());
    if (const auto cc = parse_cc(wanted)) return device_of_cc(devices, *cc);
    if (const auto found = find_device(devices, wanted)) return *found;
    throw UsageError(no_such_device(devices, wanted));
}

}  // namespace warplens
