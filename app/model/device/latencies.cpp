#include "app/model/device/device.h"

#include <algorithm>
#include <cctype>
#include <set>

namespace warplens {
namespace {

constexpr double Latencies::*kFields[] = {
    &Latencies::shared,  &Latencies::l1,          &Latencies::constant_l1, &Latencies::constant_l15,
    &Latencies::texture, &Latencies::l2,          &Latencies::l2_far,      &Latencies::dram,
    &Latencies::dsmem,   &Latencies::multiply_add};

/// "GeForce RTX 2080 Ti" becomes {"2080", "ti"}, the words that distinguish models.
std::vector<std::string> words_of_name(std::string_view name) {
    static const std::set<std::string_view> kFamilies{"nvidia", "geforce", "tesla", "quadro", "rtx", "gtx"};
    std::vector<std::string> words(1);
    for (const char c : name) {
        if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
            words.back() += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        } else if (!words.back().empty()) {
            words.emplace_back();
        }
    }
    std::erase_if(words, [](const std::string& word) { return word.empty() || kFamilies.contains(word); });
    return words;
}

/// How many words two names share. 0 unless the first word, the model, is one of them.
int shared_words(const std::vector<std::string>& a, const std::vector<std::string>& b) {
    if (a.empty() || b.empty() || a.front() != b.front()) return 0;
    const bool ti = std::ranges::find(a, "ti") != a.end();
    if (ti != (std::ranges::find(b, "ti") != b.end())) return 0;  // a 1080 Ti has another chip than a 1080
    return static_cast<int>(
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
    for (const auto field : kFields) {
        if (found.*field > 0 || row.latencies.*field <= 0) continue;
        found.*field = row.latencies.*field;
        found.origins.push_back(
            {field, row.gpu, row.latencies.source, row.confidence, candidate.shared_words > 0});
        any = true;
    }
    return any;
}

}  // namespace

const LatencyOrigin* origin_of(const Latencies& latencies, double Latencies::*field) {
    const auto found = std::ranges::find(latencies.origins, field, &LatencyOrigin::field);
    return found == latencies.origins.end() ? nullptr : &*found;
}

Latencies find_latencies(const std::vector<LatencyRow>& rows, std::string_view gpu,
                         std::string_view compute_capability) {
    const std::vector<std::string> words = words_of_name(gpu);
    std::vector<Candidate> candidates;
    for (const LatencyRow& row : rows) {
        const int shared = shared_words(words, words_of_name(row.gpu));
        if (shared > 0 || row.compute_capability == compute_capability) candidates.push_back({&row, shared});
    }
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
