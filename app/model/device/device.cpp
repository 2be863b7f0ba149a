#include "app/model/device/device.h"

#include "app/base/text.h"
#include "app/model/device/capability.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <stdexcept>

namespace warplens {
namespace {

using nlohmann::json;

template <class T>
T number(const json& row, const char* key) {
    const auto found = row.find(key);
    return found == row.end() || !found->is_number() ? T{} : found->get<T>();
}

/// The largest L1, which a kernel without shared memory has: the unified memory without the smallest part
/// that can hold what the driver reserves of it for a block. On an H200 it is 248 KiB.
std::int64_t largest_l1(const json& capability) {
    const auto own = number<std::int64_t>(capability, "l1_bytes");
    const auto unified = number<std::int64_t>(capability, "l1_plus_shared_bytes");
    if (own > 0 || unified == 0) return own;
    const auto reserved = number<std::int64_t>(capability, "shared_reserved_per_block_bytes");
    for (const json& part : capability.at("shared_carveout_sizes_bytes")) {
        if (part.get<std::int64_t>() >= reserved) return unified - part.get<std::int64_t>();
    }
    return unified;
}

/// Bytes that DRAM delivers at a time: stacked memory more than a sector.
int fetch_bytes_of(std::string_view memory_type) {
    constexpr std::array<std::string_view, 4> kStacked{"HBM2", "HBM2e", "HBM3", "HBM3e"};
    return std::ranges::find(kStacked, memory_type) == kStacked.end() ? kSectorBytes : 64;
}

std::vector<LatencyRow> read_latencies(const json& table) {
    std::vector<LatencyRow> rows;
    for (const json& row : table) {
        const auto cycles = [&row](const char* key) { return number<double>(row, key); };
        rows.push_back({row.at("gpu").get<std::string>(),
                        row.at("compute_capability").get<std::string>(),
                        confidence_of(row.value("confidence", "")),
                        {.shared = cycles("shared_cycles"),
                         .l1 = cycles("l1_hit_cycles"),
                         .constant_l1 = cycles("constant_l1_cycles"),
                         .constant_l15 = cycles("constant_l15_cycles"),
                         .texture = cycles("texture_hit_cycles"),
                         .l2 = cycles("l2_hit_cycles"),
                         .l2_far = cycles("l2_hit_far_partition_cycles"),
                         .dram = cycles("dram_cycles"),
                         .dsmem = cycles("dsmem_cycles"),
                         .multiply_add = cycles("register_dependent_fma_cycles"),
                         .l2_gb_per_s = cycles("l2_gb_per_s"),
                         .source = row.value("source", "")}});
    }
    return rows;
}

MemoryFacts read_memories(const json& row, const json& capability) {
    return {.registers_bytes = 4 * number<std::int64_t>(capability, "registers_per_sm"),
            .shared_bytes = number<std::int64_t>(capability, "shared_per_sm_bytes"),
            .unified_bytes = number<std::int64_t>(capability, "l1_plus_shared_bytes"),
            .texture_bytes = number<std::int64_t>(row, "texture_cache_bytes"),
            .constant_bytes = number<std::int64_t>(row, "constant_cache_bytes"),
            .shared_bytes_per_clock = number<double>(row, "shared_bytes_per_clock_per_sm"),
            .l1_bytes_per_clock = number<double>(row, "l1_bytes_per_clock_per_sm"),
            .read_only_bytes_per_clock = number<double>(row, "read_only_bytes_per_clock_per_sm"),
            .l2_bytes_per_clock = number<double>(row, "l2_bytes_per_clock_per_sm"),
            .l1_keeps_global = row.at("l1_keeps_global_loads").get<bool>(),
            .l1_keeps_local = row.at("l1_keeps_local").get<bool>(),
            .source = row.at("source").get<std::string>()};
}

DeviceFacts read_device(const json& row, const json& capability) {
    constexpr const char* kLink = "link_gb_per_s";
    DeviceFacts facts;
    facts.name = row.at("name").get<std::string>();
    facts.driver_name = row.value("driver_name", "");
    facts.usual = capability.value("usual_gpu", facts.name) == facts.name;
    facts.cc =
        parse_capability(row.at("compute_capability").get<std::string>()).value_or(ComputeCapability{});
    facts.sm_count = number<int>(row, "sm_count");
    facts.fp32_lanes_per_sm = number<int>(row, "fp32_lanes_per_sm");
    facts.clock_mhz = number<double>(row, "boost_clock_mhz");
    facts.peak_gb_per_s = number<double>(row, "memory_bandwidth_gb_per_s");
    facts.copy_share = number<double>(row, "copy_share");
    if (facts.copy_share <= 0) facts.copy_share = number<double>(capability, "copy_share");
    facts.link_gb_per_s = number<double>(row.contains(kLink) ? row : capability, kLink);
    facts.memory_bytes = number<std::int64_t>(row, "memory_size_bytes");
    facts.l2_bytes = number<std::int64_t>(row, "l2_size_bytes");
    facts.l1_bytes = largest_l1(capability);
    facts.shared_per_block_bytes = number<std::int64_t>(capability, "shared_per_block_optin_bytes");
    if (facts.shared_per_block_bytes == 0) {
        facts.shared_per_block_bytes = number<std::int64_t>(capability, "shared_per_block_default_bytes");
    }
    facts.max_threads_per_block = number<int>(capability, "max_threads_per_block");
    facts.max_threads_per_sm = number<int>(capability, "max_threads_per_sm");
    facts.max_blocks_per_sm = number<int>(capability, "max_blocks_per_sm");
    facts.registers_per_thread = number<int>(capability, "max_registers_per_thread");
    facts.registers_per_block = number<int>(capability, "max_registers_per_block");
    facts.issued_per_clock = capability.at("warp_instructions_per_clock").get<double>();
    facts.bank_rules = bank_rules_for(facts.cc);
    facts.sector_rules = sector_rules_for(facts.cc);
    facts.fetch_bytes = fetch_bytes_of(row.value("memory_type", ""));
    facts.source = row.value("source", "");
    return facts;
}

constexpr double Latencies::*kLatencyFields[] = {
    &Latencies::shared,  &Latencies::l1,          &Latencies::constant_l1, &Latencies::constant_l15,
    &Latencies::texture, &Latencies::l2,          &Latencies::l2_far,      &Latencies::dram,
    &Latencies::dsmem,   &Latencies::multiply_add};

/// "GeForce RTX 2080 Ti" becomes {"geforce", "rtx", "2080", "ti"}.
std::vector<std::string> all_words(std::string_view name) {
    std::vector<std::string> words(1);
    for (const char c : name) {
        if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
            words.back() += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        } else if (!words.back().empty()) {
            words.emplace_back();
        }
    }
    if (words.back().empty()) words.pop_back();
    return words;
}

/// The words of a name that distinguish models: {"2080", "ti"}.
std::vector<std::string> words_of_name(std::string_view name) {
    static const std::set<std::string_view> kFamilies{"nvidia", "geforce", "tesla", "quadro", "rtx", "gtx"};
    std::vector<std::string> words = all_words(name);
    std::erase_if(words, [](const std::string& word) { return kFamilies.contains(word); });
    return words;
}

/// How many words two names share. 0 unless the first word, the model, is one of them.
int shared_words(const std::vector<std::string>& a, const std::vector<std::string>& b) {
    if (a.empty() || b.empty() || a.front() != b.front()) return 0;
    const bool ti = std::ranges::find(a, "ti") != a.end();
    if (ti != (std::ranges::find(b, "ti") != b.end())) return 0;  // a 1080 Ti has another chip than a 1080
    return int(
        std::ranges::count_if(a, [&b](const auto& word) { return std::ranges::find(b, word) != b.end(); }));
}

struct Candidate {
    const LatencyRow* row;
    int shared_words;  ///< 0 if it is another model
};

/// Take the latencies that the row has and `found` does not.
/// @return  whether there was any.
bool take_missing(Latencies& found, const Candidate& candidate) {
    const LatencyRow& row = *candidate.row;
    bool any = false;
    for (const auto field : kLatencyFields) {
        if (found.*field > 0 || row.latencies.*field <= 0) continue;
        found.*field = row.latencies.*field;
        found.origins.push_back(
            {field, row.gpu, row.latencies.source, row.confidence, candidate.shared_words > 0});
        any = true;
    }
    return any;
}

constexpr std::string_view kMaker = "nvidia ", kJetson = " (nvgpu)", kSizeUnit = "gb";

/// Whether a name has all these words. "sxm" is also one of a name with "sxm5".
bool has_words(const std::vector<std::string>& name, const std::vector<std::string>& words) {
    constexpr std::size_t kLetters = 3;
    const auto is = [](const std::string& whole, const std::string& word) {
        const bool letters = word.find_first_of("0123456789") == std::string::npos;
        return whole == word || (letters && word.size() >= kLetters && whole.starts_with(word) &&
                                 whole.find_first_not_of("0123456789", word.size()) == std::string::npos);
    };
    return std::ranges::all_of(words, [&](const std::string& word) {
        return std::ranges::any_of(name, [&](const std::string& whole) { return is(whole, word); });
    });
}

/// Whether a name has a word that makes it another model, and that was not asked for. All Orins are "Orin
/// (nvgpu)" to their driver.
bool is_other_model(const std::vector<std::string>& name, const std::vector<std::string>& words) {
    static const std::set<std::string_view> kMarks{"ti",  "super",  "laptop", "ada", "titan",
                                                   "pro", "quadro", "x",      "v"};
    const auto has = [](const std::vector<std::string>& all, std::string_view word) {
        return std::ranges::find(all, word) != all.end();
    };
    return !has(name, "jetson") && std::ranges::any_of(name, [&](const std::string& word) {
        return (kMarks.contains(word) || (word == "rtx" && has(name, "titan"))) && !has(words, word);
    });
}

/// The words of a model without those of its memory and its board: {"a100"} of "A100 SXM4 40 GB".
std::vector<std::string> model_of(std::string_view name) {
    std::vector<std::string> words = words_of_name(name);
    const auto is_variant = [&](const std::string& word) {
        const bool number = std::ranges::all_of(word, [](char c) { return c >= '0' && c <= '9'; });
        constexpr std::string_view kVariants[] = {"sxm", "pcie", "nvl", "hbm", "gddr",
                                                  "one", "of",   "two", "its", "gpus"};
        return word == kSizeUnit || (number && &word != &words.front()) ||
               std::ranges::any_of(kVariants, [&](std::string_view one) { return word.starts_with(one); });
    };
    std::vector<std::string> model;
    std::ranges::remove_copy_if(words, std::back_inserter(model), is_variant);
    return model;
}

bool names_model(std::string_view name, const std::vector<std::string>& words) {
    const std::vector<std::string> model = model_of(name);
    return std::ranges::find_first_of(model, words) != model.end();
}

/// All whose name, or the driver's name for them, has these words. Where one of the words is the model of
/// some, as "480" is, only those: a GH200 has 480 GB.
std::vector<std::size_t> with_words(const std::vector<DeviceFacts>& devices, std::string_view wanted) {
    const std::vector<std::string> words = all_words(driver_words(wanted));
    std::vector<std::size_t> found, by_model;
    for (std::size_t i = 0; i < devices.size() && !words.empty(); ++i) {
        if (!has_words(all_words(devices[i].name), words) &&
            !has_words(all_words(driver_words(devices[i].driver_name)), words))
            continue;
        found.push_back(i);
        if (names_model(devices[i].name, words)) by_model.push_back(i);
    }
    return by_model.empty() ? found : by_model;
}

/// "k40" of "k40c", which is another card with the same chip.
std::string without_suffix(std::string word) {
    const std::size_t digit = word.find_last_of("0123456789");
    if (digit != std::string::npos) word.erase(digit + 1);
    return word;
}

}  // namespace

std::string ComputeCapability::text() const { return std::to_string(major) + "." + std::to_string(minor); }

BankRules bank_rules_for(ComputeCapability cc, BankMode mode) {
    if (cc.major < 2) {
        return {.banks = 16,
                .lanes_narrow = 16,
                .lanes_8 = 16,
                .lanes_16 = 16,
                .merges = false,
                .single_broadcast = true};
    }
    if (cc.major == 2) return {.merges = false, .extra_16 = 1};
    if (cc.major == 3)
        return {.lanes_8 = 32,
                .lanes_16 = 16,
                .merges = false,
                .wide_banks = true,
                .wide_words = mode == BankMode::eight_bytes};
    return {.merges = cc.major >= 7};
}

SectorRules sector_rules_for(ComputeCapability cc) {
    if (cc < ComputeCapability{1, 2}) return {CoalescingRules::half_warp_aligned, {16, 16, 16}};
    if (cc.major == 1) return {CoalescingRules::half_warp_segments, {16, 16, 16}};
    if (cc.major == 2) return {CoalescingRules::whole_lines, {32, 16, 8}};
    if (cc.major == 3) return {CoalescingRules::sectors, {32, 16, 8}};
    if (cc.major < 7) return {CoalescingRules::sectors, {8, 4, 2}};
    return {};
}

void set_bank_mode(std::vector<DeviceFacts>& devices, BankMode mode) {
    for (DeviceFacts& device : devices) {
        if (has_bank_modes(device.cc)) device.bank_rules = bank_rules_for(device.cc, mode);
    }
}

std::vector<DeviceFacts> load_devices(std::string_view text) {
    std::vector<DeviceFacts> devices;
    try {
        const json table = json::parse(text);
        std::map<std::string, json> capabilities;
        for (const json& row : table.at("compute_capabilities")) {
            capabilities[row.at("compute_capability").get<std::string>()] = row;
        }
        std::map<std::string, MemoryFacts> memories;
        for (const json& row : table.at("memories")) {
            const auto cc = row.at("compute_capability").get<std::string>();
            memories[cc] = read_memories(row, capabilities[cc]);
        }
        const std::vector<LatencyRow> latencies = read_latencies(table.at("latencies"));
        for (const json& row : table.at("gpus")) {
            devices.push_back(
                read_device(row, capabilities[row.at("compute_capability").get<std::string>()]));
            DeviceFacts& device = devices.back();
            device.memory = memories[device.cc.text()];
            device.latencies = find_latencies(latencies, device.name, device.cc.text());
            const double sm_hz = device.sm_count * device.clock_mhz * 1e6;
            if (device.memory.l2_bytes_per_clock <= 0 && sm_hz > 0)
                device.memory.l2_bytes_per_clock = device.latencies.l2_gb_per_s * 1e9 / sm_hz;
        }
    } catch (const json::exception& error) {
        throw std::runtime_error(std::string("the table of GPUs cannot be read: ") + error.what());
    }
    return devices;
}

std::string driver_words(std::string_view driver_name) {
    std::string name = lower_case(driver_name);
    if (name.starts_with(kMaker)) name.erase(0, kMaker.size());
    if (const std::size_t at = name.find(kJetson); at != std::string::npos) name.erase(at, kJetson.size());
    std::ranges::replace(name, '-', ' ');
    const std::size_t size = name.find(kSizeUnit);
    if (size != std::string::npos && size > 0 && name[size - 1] != ' ') name.insert(size, " ");
    return name;
}

std::vector<std::size_t> find_variants(const std::vector<DeviceFacts>& devices, std::string_view wanted) {
    const std::string name = lower_case(wanted);
    std::optional<std::size_t> by_driver, by_cc;
    for (std::size_t i = 0; i < devices.size(); ++i) {
        const DeviceFacts& device = devices[i];
        if (lower_case(device.name) == name) return {i};
        const std::string driver = driver_words(device.driver_name);
        if (!by_driver && !driver.empty() && driver == driver_words(name)) by_driver = i;
        const bool first = !by_cc || (device.usual && !devices[*by_cc].usual && !devices[*by_cc].here);
        if (device.cc.text() == wanted && (first || device.here)) by_cc = i;
    }
    if (by_driver || by_cc) return {by_driver ? *by_driver : *by_cc};
    std::vector<std::size_t> found = with_words(devices, wanted);
    const std::vector<std::string> words = all_words(driver_words(wanted));
    std::erase_if(found, [&](std::size_t i) {
        return !names_model(devices[i].name, words) || is_other_model(all_words(devices[i].name), words);
    });
    const bool one_model = std::ranges::all_of(found, [&](std::size_t i) {
        return model_of(devices[i].name) == model_of(devices[found.front()].name);
    });
    return one_model ? found : std::vector<std::size_t>();
}

std::optional<std::size_t> find_device(const std::vector<DeviceFacts>& devices, std::string_view wanted) {
    const std::vector<std::size_t> found = find_variants(devices, wanted);
    return found.empty() ? std::nullopt : std::optional(found.front());
}

std::string taken_as(const std::vector<DeviceFacts>& devices, std::string_view wanted) {
    const std::vector<std::size_t> all = find_variants(devices, wanted);
    if (all.empty()) return {};
    const std::string& name = devices[all.front()].name;
    std::string said = "taken as " + name, others;
    for (std::size_t i = 1; i < all.size(); ++i)
        others += (i == 1 ? "; also: " : ", ") + devices[all[i]].name;
    const std::string_view variant = std::string_view(name).substr(std::min(name.find('('), name.size()));
    const bool one =
        parse_capability(wanted) || has_words(all_words(driver_words(wanted)), all_words(variant));
    return others.empty() && one ? std::string() : said + others;
}

std::string no_such_device(const std::vector<DeviceFacts>& devices, std::string_view wanted) {
    constexpr std::size_t kMost = 6;
    std::vector<std::size_t> similar = with_words(devices, wanted);
    const bool several = similar.size() > 1, none = similar.empty();
    const std::vector<std::string> words = words_of_name(driver_words(wanted));
    for (std::size_t i = 0; none && !words.empty() && i < devices.size(); ++i)
        if (std::ranges::any_of(model_of(devices[i].name), [&](const std::string& word) {
                return word.starts_with(words.front()) ||
                       without_suffix(word) == without_suffix(words.front());
            }))
            similar.push_back(i);
    std::string names;
    for (std::size_t i = 0; i < std::min(similar.size(), kMost); ++i)
        names += (i == 0 ? "" : ", ") + devices[similar[i]].name;
    if (similar.size() > kMost) names += " and " + std::to_string(similar.size() - kMost) + " more";
    if (!names.empty()) names.insert(0, several ? ": " : ": similar are ");
    const bool alike = !similar.empty() && std::ranges::all_of(similar, [&](std::size_t i) {
        return devices[i].cc == devices[similar.front()].cc;
    });
    const std::string theirs = alike ? devices[similar.front()].cc.text() : "";
    // A card that is only similar may have another one.
    const std::string cc = alike && several
                               ? ", such as " + theirs + ","
                               : " (nvidia-smi --query-gpu=compute_cap --format=csv prints it" +
                                     (alike ? "; " + theirs + " is what similar ones have)" : ")");
    return (several ? "several GPUs are called '" : "no GPU is called '") + std::string(wanted) + "'" +
           names + "; expected whole words of a name, or a compute capability" + cc +
           " for all GPUs that have it";
}

const LatencyOrigin* origin_of(const Latencies& latencies, double Latencies::*field) {
    const auto found = std::ranges::find(latencies.origins, field, &LatencyOrigin::field);
    return found == latencies.origins.end() ? nullptr : &*found;
}

Latencies find_latencies(const std::vector<LatencyRow>& rows, std::string_view gpu,
                         std::string_view compute_capability) {
    const std::vector<std::string> words = words_of_name(gpu);
    std::vector<Candidate> candidates;
    for (const LatencyRow& row : rows)
        if (row.compute_capability == compute_capability)  // a TITAN V is not a TITAN RTX
            candidates.push_back({&row, shared_words(words, words_of_name(row.gpu))});
    std::ranges::stable_sort(candidates, [](const Candidate& a, const Candidate& b) {
        return a.shared_words != b.shared_words ? a.shared_words > b.shared_words
                                                : a.row->confidence > b.row->confidence;
    });
    Latencies found;
    bool others = false;
    for (const Candidate& candidate : candidates) {
        const auto& [row, shared] = candidate;
        if (shared > 0 && row->latencies.l2_gb_per_s > 0 && found.l2_gb_per_s <= 0) {
            found.l2_gb_per_s = row->latencies.l2_gb_per_s;
            found.l2_speed_source = row->gpu + " (" + row->latencies.source + ")";
        }
        if (!take_missing(found, candidate)) continue;
        if (shared == 0 && !others) {
            found.source += (found.source.empty() ? "" : "; the rest ");
            found.source += "from other GPUs of compute capability " + row->compute_capability + ": ";
            others = true;
        } else if (!found.source.empty()) {
            found.source += "; ";
        }
        found.source += row->gpu + " (" + row->latencies.source + ")";
    }
    return found;
}

}  // namespace warplens
