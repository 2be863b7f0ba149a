// Sentences on the cost of a request by the bits of its addresses.
#include "app/pictures/access/bits_canvas.h"
#include "app/pictures/access/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace warplens {
namespace {

std::uint64_t mask_below(int bit) { return bit >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bit) - 1; }

/// "Between the lanes, bits 7 to 11 differ." Nothing if all want the same address.
std::string which_differ(std::uint64_t differing, std::string_view whose) {
    if (differing == 0)
        return whose == "the lanes" ? std::string("All lanes have the same address. ")
                                    : fmt::format("In {} all bits are the same. ", whose);
    return fmt::format("Between {}, {} {}. ", whose, name_bits(differing),
                       std::popcount(differing) == 1 ? "differs" : "differ");
}

/// "The 5 bits that choose the bank, 2 to 6, are the same in all lanes"
std::string how_many(std::uint64_t differing, const BitField& field) {
    const int some = std::popcount(differing & field.mask());
    const std::string what = fmt::format("{} bits that choose the {}, {} to {},", field.count,
                                         role_name(field.role), field.first, field.end() - 1);
    if (some == 0) return fmt::format("The {} are the same", what);
    return some == field.count
               ? fmt::format("The {} all differ", what)
               : fmt::format("Of the {} {}", what, some == 1 ? "1 differs" : fmt::format("{} differ", some));
}

/// The lanes that are served together and cost the most.
std::uint32_t costliest_group(const BankReport& report) {
    const auto worst = std::ranges::max_element(report.group_wavefronts) - report.group_wavefronts.begin();
    if (report.lanes_per_group >= kWarpLanes) return kAllLanes;
    return ((1u << report.lanes_per_group) - 1) << (int(worst) * report.lanes_per_group);
}

std::string explain_bank_bits(const InstructionView& view, const AddressBits& bits, const TileShape& tile) {
    const std::uint32_t lanes = costliest_group(*view.banks) & view.report->access.active;
    const std::string whose =
        std::popcount(lanes) == kWarpLanes || view.banks->groups == 1 ? "the lanes" : name_lanes(lanes);
    const std::uint64_t differing = differing_bits(bits, lanes);
    const BitField& bank = *bits.find(BitRole::bank);
    const int words = distinct_values(bits, ~mask_below(bank.first), lanes),
              banks = distinct_values(bits, bank.mask(), lanes);
    std::string text = which_differ(differing, whose);
    if (std::popcount(lanes) > 1)
        text += fmt::format("{}: {} in {}.", how_many(differing, bank), counted(words, "word"),
                            counted(banks, "bank"));
    if (tile.width == 0 || tile.swizzle_bits == 0) return text;
    const BitSwizzle swizzle =
        bit_swizzle(tile.swizzle_bits, tile.swizzle_base, tile.swizzle_shift, tile.element_bytes);
    AddressBits before = bits;
    for (std::uint64_t& address : before.address) address = swizzle.undo(address);
    const int banks_before = distinct_values(before, bank.mask(), lanes);
    const std::uint64_t changed = mask_below(swizzle.count) << swizzle.first;
    return text + fmt::format(" The swizzle XORs {} into {}: before it, the words lie in {}.",
                              name_bits(changed << swizzle.shift), name_bits(changed),
                              counted(banks_before, "bank"));
}

std::string explain_sector_bits(const AddressBits& bits) {
    const BitField& sector = *bits.find(BitRole::sector);
    const std::uint64_t differing = differing_bits(bits, kAllLanes), choose = ~mask_below(sector.first);
    const int sectors = distinct_values(bits, choose, kAllLanes),
              lines = distinct_values(bits, ~mask_below(sector.end()), kAllLanes);
    std::string text = which_differ(differing, "the lanes");
    if (bits.find(BitRole::line) == nullptr)  // texture
        return text + fmt::format("Those from bit {} up choose the sector: {}.", sector.first,
                                  counted(sectors, "different sector"));
    return text + fmt::format("Those from bit {} up choose sector and line: {} in {}.", sector.first,
                              counted(sectors, "sector"), counted(lines, "line"));
}

std::string explain_constant_bits(const AddressBits& bits) {
    const BitField& word = *bits.find(BitRole::word);
    return which_differ(differing_bits(bits, kAllLanes), "the lanes") +
           fmt::format("Those from bit {} up choose the word: {}, each a request of its own.", word.first,
                       counted(distinct_values(bits, ~mask_below(word.first), kAllLanes), "different word"));
}

}  // namespace

std::string_view role_name(BitRole role) {
    switch (role) {
        case BitRole::byte:
            return "byte";
        case BitRole::bank:
            return "bank";
        case BitRole::pair:
            return "pair";
        case BitRole::row:
            return "row";
        case BitRole::lane:
            return "lane";
        case BitRole::sector:
            return "sector";
        case BitRole::line:
            return "line";
        case BitRole::word:
            return "word";
        case BitRole::texel_x:
            return "x";
        case BitRole::texel_y:
            return "y";
    }
    return "";
}

std::string role_value(const BitField& field, std::uint64_t address) {
    return fmt::format("{} {}", role_name(field.role), field.value(address));
}

std::string name_bits(std::uint64_t mask) {
    struct Run {
        int first, last;
    };
    std::vector<Run> runs;
    for (std::uint64_t rest = mask; rest != 0; rest &= rest - 1) {
        const int bit = std::countr_zero(rest);
        if (!runs.empty() && runs.back().last + 1 == bit)
            runs.back().last = bit;
        else
            runs.push_back({bit, bit});
    }
    for (std::size_t i = 0; i < runs.size(); ++i)  // two bits are no row of bits
        if (runs[i].last == runs[i].first + 1)
            runs.insert(runs.begin() + static_cast<std::ptrdiff_t>(i) + 1, {runs[i].last, runs[i].last}),
                runs[i].last = runs[i].first;
    std::string text = std::popcount(mask) == 1 ? "bit " : mask == 0 ? "" : "bits ";
    for (std::size_t i = 0; i < runs.size(); ++i) {
        if (i > 0) text += i + 1 == runs.size() ? " and " : ", ";
        const Run& run = runs[i];
        text +=
            run.first == run.last ? std::to_string(run.first) : fmt::format("{} to {}", run.first, run.last);
    }
    return text;
}

std::string first_cost(const InstructionView& view) {
    if (view.banks != nullptr) return cost_text(view.banks->count);
    if (view.sectors != nullptr) return cost_text(travelling(*view.sectors));
    if (view.texture != nullptr)
        return cost_text(view.texture->count.sectors, "sector", view.texture->count.ideal_sectors);
    return view.constant == nullptr ? std::string() : cost_text(view.constant->count.requests, "request", 1);
}

Explanation explain_bits(const InstructionView& view, const TileShape& tile) {
    Explanation e = explain(view, tile);
    const AddressBits bits = address_bits(view.report->access, view.bank_rules);
    if (bits.empty() || bits.active == 0) return e;
    if (view.banks != nullptr)
        e.why = explain_bank_bits(view, bits, tile);
    else if (bits.find(BitRole::sector) != nullptr)
        e.why = explain_sector_bits(bits);
    else
        e.why = explain_constant_bits(bits);
    return e;
}

}  // namespace warplens
