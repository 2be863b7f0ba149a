#include "app/pictures/access/explain.h"
#include "kernels/swizzle.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>

namespace warplens {
namespace {

struct BankCase {
    const BankReport& report;
    const WarpAccess& access;
    AccessFacts facts;
    const BankRules& rules;
    int word_bytes() const { return bank_word_bytes(rules); }
    bool wide() const { return access.bytes_per_lane > word_bytes(); }
    std::string_view verb() const { return lanes_verb(access.op); }
};

/// Whether the lanes of a word are counted, all at once.
bool access_counts_lanes(const BankCase& c) { return c.access.op == Op::increment; }

/// Different words, or elements where they are wider.
int distinct_words(const BankCase& c) {
    return collect_elements(c.access, kAllLanes, std::max(c.word_bytes(), c.access.bytes_per_lane)).count;
}

/// "16-byte loads are served in 4 groups of 8 lanes"
std::string groups_phrase(const BankCase& c) {
    if (c.access.op == Op::load_matrix) return "Each matrix has its own group of 8 lanes";
    return fmt::format("{}-byte {}s are served in {} groups of {} lanes", c.access.bytes_per_lane,
                       op_name(c.access.op), c.report.groups, c.report.lanes_per_group);
}

/// How far apart the lanes of a pair are that merge because they want the same. 0 if they only merge because
/// their partners are switched off.
int distance_of_equals(const WarpAccess& access) {
    for (const int distance : {1, 2}) {
        bool some = false, all = true;
        for (int lane = 0; lane < kWarpLanes; ++lane) {
            const int partner = lane ^ distance;
            if ((access.active >> lane & access.active >> partner & 1u) == 0) continue;
            some = true;
            all = all && access.byte_address[lane] == access.byte_address[partner];
        }
        if (some && all) return distance;
    }
    return 0;
}

/// The reason for a wide load's groups that are twice as large.
std::string why_merged(const BankCase& c) {
    const int distance = distance_of_equals(c.access);
    return distance == 1 ? "Neighbouring lanes request the same element, so two groups of lanes become one"
           : distance == 2
               ? "Lanes two apart (0 and 2, 1 and 3, ...) request the same element, so two groups of "
                 "lanes become one"
               : "Of each pair of lanes at most one is active, so twice as many lanes form a group";
}

std::string why_groups_are_free(const BankCase& c) {
    const auto active =
        std::ranges::count_if(c.report.group_wavefronts, [](int wavefronts) { return wavefronts > 0; });
    if (c.access.op == Op::load_matrix) {
        return fmt::format("{}, and {} lie in different banks.", groups_phrase(c),
                           active == 1 ? "its 8 rows" : "the 8 rows of each");
    }
    std::string text = c.report.merged ? why_merged(c) + ": " + groups_phrase(c) : groups_phrase(c);
    if (active < c.report.groups)
        text += fmt::format(", of which {} {}", active, active == 1 ? "is active" : "are active");
    return text + ", and in no group does a bank have to deliver more than one word.";
}

std::string why_one_group_is_free(const BankCase& c) {
    if (c.facts.active == 1) return "A single lane cannot collide with another.";
    if (c.report.merged) return why_merged(c) + ", and one group is enough.";
    const std::string lanes = lanes_phrase(c.facts.active);
    const std::string words = counted(distinct_words(c), "different word");
    const bool load = is_load(c.access.op);
    if (distinct_words(c) == c.facts.active) {
        const auto banks = std::count_if(c.report.words[0].begin(), c.report.words[0].end(),
                                         [](int in_bank) { return in_bank > 0; });
        return fmt::format("{} {} {} in {}.", lanes, c.verb(), words, counted(banks, "different bank"));
    }
    if (access_counts_lanes(c))
        return fmt::format("{} add 1 to {}, and in a wavefront a bank counts all lanes of its word.", lanes,
                           words);
    return load
               ? fmt::format(
                     "{} request {}, and a bank delivers its word to any number of lanes at once: a multicast.",
                     lanes, words)
               : fmt::format(
                     "{} write to {}: lanes that meet in a bank write to the same word of it, in one wavefront.",
                     lanes, words);
}

Explanation explain_free(const BankCase& c) {
    Explanation e{.good = true};
    const std::string price = cost_text(c.report.count);
    const std::string lanes = lanes_phrase(c.facts.active);
    if (c.facts.distinct == 1 && c.facts.active > 1 && is_load(c.access.op)) {
        e.say(fmt::format("{} request the same {}", lanes, c.wide() ? "element" : "word"),
              ": " + price + ".");
        e.why = c.report.merged
                    ? "Equal neighbours of a wide load are merged, and a bank delivers one word to any "
                      "number of lanes (a broadcast)."
                    : "A bank delivers one word to any number of lanes at once: that is a broadcast, not a "
                      "conflict.";
        return e;
    }
    e.say("Conflict-free", ": " + price + ".");
    e.why = c.report.groups > 1 ? why_groups_are_free(c) : why_one_group_is_free(c);
    return e;
}

/// The bank with the most words of the most expensive group.
struct Worst {
    int group = 0, bank = 0, words = 0, banks_like_it = 0;
};

Worst find_worst(const BankReport& report) {
    Worst worst;
    for (int group = 0; group < report.groups; ++group) {
        for (int bank = 0; bank < report.banks; ++bank) {
            const int words = report.words[group][bank];
            if (words > worst.words) worst = {group, bank, words, 0};
            if (group == worst.group && words == worst.words) ++worst.banks_like_it;
        }
    }
    return worst;
}

/// "Neighbouring lanes lie 32 words apart, so ", or nothing.
std::string spacing(const BankCase& c) {
    const std::int64_t step = std::abs(c.facts.step_bytes);
    if (!c.facts.even_step || step % 4 != 0 || step == 0 || c.rules.wide_banks) return {};
    return fmt::format("Neighbouring lanes lie {} apart, so ", counted(step / 4, "word"));
}

/// The factor that keeps padded rows in the same banks; empty where there is none.
std::string pitch_hint(const BankCase& c, const TileShape& tile) {
    if (tile.width == 0 || tile.padding == 0 || tile.swizzle_bits > 0 || tile.element_bytes != 4) return {};
    const int pitch = tile.width + tile.padding, common = std::gcd(pitch, c.report.banks);
    if (common == 1) return {};
    return fmt::format(" Rows of {} words share the factor {} with the {} banks.", pitch, common,
                       c.report.banks);
}

/// CC 1.x: half-warps, 4 bytes at a time, one word for several lanes.
std::string why_first_gpus_conflict(const BankCase& c, const Worst& worst) {
    if (!c.wide())
        return "Each half-warp is served on its own, and on this GPU one wavefront can hand only one word to "
               "several lanes.";
    return fmt::format(
        "Each half-warp is served on its own, 4 bytes at a time: {} rounds for {} bytes per lane. In the first "
        "one {} wavefronts are needed for lanes {} to {}, whose words meet in the {} banks.",
        c.access.bytes_per_lane / 4, c.access.bytes_per_lane,
        c.report.group_wavefronts[worst.group] / c.report.rounds, worst.group * c.report.lanes_per_group,
        (worst.group + 1) * c.report.lanes_per_group - 1, c.report.banks);
}

/// A person has to know this about the banks of CC 2.x and 3.x to believe the numbers.
std::string about_banks(const BankCase& c) {
    if (c.rules.extra_16 > 0 && c.access.bytes_per_lane == 16)
        return " On this GPU a group of 16-byte accesses takes one wavefront more than its addresses need, "
               "and NVIDIA counts that as a conflict.";
    if (c.rules.wide_words)
        return " In 8-byte mode a bank's word has 8 bytes, and lanes that request either half of it share it.";
    if (c.rules.wide_banks)
        return " In 4-byte mode a bank gives words i and i + 32 of 256 aligned bytes at once.";
    return {};
}

/// Atomic operations that take each lane on its own.
Explanation explain_queue(const BankCase& c) {
    const Worst worst = find_worst(c.report);
    const int word_bytes = bank_word_bytes(c.rules);
    std::uint32_t lanes = 0;
    for (int lane = 0; lane < kWarpLanes; ++lane) {
        const bool there = bank_slot(c.rules, c.access.bytes_per_lane, c.access.byte_address[lane]).column ==
                           worst.bank / banks_per_column(c.rules, c.access.bytes_per_lane);
        if ((c.access.active >> lane & 1u) != 0 && there) lanes |= 1u << lane;
    }
    const WantedElements words =
        collect_elements(c.access, lanes, std::max(word_bytes, c.access.bytes_per_lane));
    Explanation e;
    e.say(fmt::format("{} lanes queue {}", worst.words, words.count == 1 ? "at a word" : "at a bank"),
          ": " + cost_text(c.report.count) + ".");
    e.why = words.count == 1
                ? fmt::format(
                      "{} lanes add to one word of bank {}: each reads it, adds and writes it back "
                      "before the next one does.",
                      worst.words, worst.bank)
                : fmt::format(
                      "{} lanes add to {} different words of bank {}, which serves one lane per wavefront.",
                      worst.words, words.count, worst.bank);
    if (worst.banks_like_it > 1) e.why += fmt::format(" So it is in {} banks.", worst.banks_like_it);
    return e;
}

Explanation explain_conflict(const BankCase& c, const TileShape& tile) {
    if (!shares_words(c.access.op)) return explain_queue(c);
    const Worst worst = find_worst(c.report);
    Explanation e;
    e.say(fmt::format("{}-way bank conflict", c.report.ways()), ": " + cost_text(c.report.count) + ".");
    if (c.rules.single_broadcast && (c.wide() || c.report.group_wavefronts[worst.group] > worst.words)) {
        e.why = why_first_gpus_conflict(c, worst);
        return e;
    }
    if (worst.words == 1) {  // about_banks says the rest
        e.why = why_groups_are_free(c);
        return e;
    }
    if (c.wide()) {
        const int first = worst.group * c.report.lanes_per_group;
        e.why = fmt::format(
            "{}; in lanes {} to {}, {} different {} fall into the same banks and come one "
            "after the other.",
            groups_phrase(c), first, first + c.report.lanes_per_group - 1, worst.words,
            c.access.op == Op::load_matrix ? "rows" : "elements");
        if (c.report.groups == 1) {
            e.why = fmt::format(
                "{} different elements fall into the same banks and come one after the other.", worst.words);
        }
    } else {
        const std::string so = spacing(c);
        std::string fact = worst.banks_like_it == 1
                               ? fmt::format("{} different words fall into bank {}", worst.words, worst.bank)
                               : fmt::format("{} different words fall into each of {} banks", worst.words,
                                             worst.banks_like_it);
        e.why = fmt::format("{}{}, which {} one per wavefront.", so, fact,
                            worst.banks_like_it == 1 ? "gives" : "give");
        if (distinct_words(c) < c.facts.active) {
            e.why += access_counts_lanes(c) ? " Lanes that add 1 to the same word share its wavefront."
                     : is_load(c.access.op) ? " Lanes that request the same word share its wavefront."
                                            : " Lanes that write to the same word share its wavefront.";
        }
    }
    e.why += pitch_hint(c, tile);
    return e;
}

/// The element index before the swizzle: the swizzle changes only `bits` of it, so all their values are
/// tried.
int without_swizzle(int element, const TileShape& tile) {
    const int mask = ((1 << tile.swizzle_bits) - 1) << tile.swizzle_base;
    for (int value = 0; value < 1 << tile.swizzle_bits; ++value) {
        const int candidate = (element & ~mask) | value << tile.swizzle_base;
        if (xor_swizzle(candidate, tile.swizzle_bits, tile.swizzle_base, tile.swizzle_shift) == element)
            return candidate;
    }
    return element;
}

/// The effect of padding or swizzle, by counting the same request in the plain tile.
std::string compare_with_plain_tile(const BankCase& c, const TileShape& tile, const BankRules& rules) {
    if (tile.width == 0 || (tile.padding == 0 && tile.swizzle_bits == 0)) return {};
    if (!tile.made_without_padding) return {};
    WarpAccess plain = c.access;
    for (std::uint64_t& address : plain.byte_address) {
        const int element = without_swizzle(int(address) / tile.element_bytes, tile);
        const int row = element / (tile.width + tile.padding), column = element % (tile.width + tile.padding);
        address = static_cast<std::uint64_t>((row * tile.width + column) * tile.element_bytes);
    }
    const int wavefronts = count_banks(plain, rules).wavefronts;
    const std::string_view what = tile.swizzle_bits == 0 ? "the padding"
                                  : tile.padding == 0    ? "the swizzle"
                                                         : "padding and swizzle";
    if (wavefronts == c.report.count.wavefronts)
        return fmt::format(" Without {} it would be just as many.", what);
    return fmt::format(" Without {} it would be {}.", what, counted(wavefronts, "wavefront"));
}

std::string place_of(int ranks_away) {
    if (ranks_away == 0) return "the own block's shared memory";
    return ranks_away == 1 ? std::string("the next block's shared memory")
                           : fmt::format("the shared memory {} blocks further", ranks_away);
}

}  // namespace

Explanation explain_banks(const InstructionView& view, const TileShape& tile) {
    const BankCase c{*view.banks, view.report->access, describe_access(view.report->access), view.bank_rules};
    Explanation e = view.banks->count.excessive() > 0 ? explain_conflict(c, tile) : explain_free(c);
    e.why += about_banks(c) + compare_with_plain_tile(c, tile, view.bank_rules);
    return e;
}

Explanation explain_cluster(const InstructionView& view) {
    const int blocks = std::max(1, view.shape == nullptr ? 1 : view.shape->cluster);
    const int away = view.report->instruction.ranks_away % blocks;
    Explanation e = explain_banks(view, {});
    e.say(fmt::format("{} in {}", e.good ? "Conflict-free" : "Bank conflicts", place_of(away)),
          ": " + cost_text(view.banks->count) + ".");
    if (away != 0)
        e.why += " The request goes to that block's SM, whose banks serve it, and the values come back.";
    return e;
}

}  // namespace warplens
