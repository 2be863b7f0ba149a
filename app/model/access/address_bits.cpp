#include "app/model/access/address_bits.h"

#include "app/model/access/report.h"
#include "app/model/access/sectors.h"
#include "app/model/access/small_table.h"

#include <algorithm>
#include <bit>

namespace warplens {
namespace {

constexpr int kUsuallyShown = 20;  // bits of an address of a megabyte

constexpr int log2_of(int power_of_two) { return std::bit_width(static_cast<unsigned>(power_of_two)) - 1; }

/// The fields of a space from bit 0 up. The last one has its least number of bits.
std::vector<BitField> fields_of(Space space, const BankRules& rules) {
    std::vector<BitField> fields;
    const auto add = [&](BitRole role, int count) {
        fields.push_back({role, fields.empty() ? 0 : fields.back().end(), count});
    };
    constexpr int kLeast = 2;  // of the field without an end
    if (has_banks(space)) {
        add(BitRole::byte, log2_of(bank_word_bytes(rules)));
        add(BitRole::bank, log2_of(rules.banks));
        if (rules.wide_banks && !rules.wide_words) add(BitRole::pair, 1);
        add(BitRole::row, kLeast);
    } else if (space == Space::global || space == Space::l2) {
        add(BitRole::byte, log2_of(kSectorBytes));
        add(BitRole::sector, log2_of(kSectorsPerLine));
        add(BitRole::line, kLeast);
    } else if (space == Space::local) {
        add(BitRole::byte, 2);
        add(BitRole::lane, log2_of(kSectorBytes) - 2);
        add(BitRole::sector, log2_of(kSectorsPerLine));
        add(BitRole::line, kLeast);
    } else if (space == Space::constant) {
        add(BitRole::byte, 2);
        add(BitRole::word, 4);
        add(BitRole::line, kLeast);
    } else if (space == Space::texture) {
        add(BitRole::byte, 2);
        add(BitRole::texel_x, 2);
        add(BitRole::texel_y, 1);
        add(BitRole::sector, kLeast);
    }
    return fields;
}

}  // namespace

const BitField* AddressBits::find(BitRole role) const {
    const auto found = std::ranges::find(fields, role, &BitField::role);
    return found == fields.end() ? nullptr : &*found;
}

AddressBits address_bits(const WarpAccess& access, const BankRules& rules) {
    AddressBits bits{.fields = fields_of(access.space, rules), .active = access.active};
    bits.address = access.space == Space::local ? interleave_local(access).byte_address : access.byte_address;
    for (std::uint64_t& address : bits.address) address &= ~kOutsideTexture;
    if (bits.empty()) return bits;
    std::uint64_t set = 0;
    for (std::uint32_t rest = access.active; rest != 0; rest &= rest - 1)
        set |= bits.address[std::countr_zero(rest)];
    const int used = int(std::bit_width(set));
    const int differing = int(std::bit_width(differing_bits(bits, access.active)));
    const int wanted = used <= kUsuallyShown ? used : std::max(differing, kUsuallyShown);
    BitField& last = bits.fields.back();
    last.count = std::clamp(wanted, last.end(), kMostShownBits) - last.first;
    return bits;
}

std::uint64_t differing_bits(const AddressBits& bits, std::uint32_t lanes) {
    std::uint64_t all_set = ~std::uint64_t{0}, any_set = 0;
    for (std::uint32_t rest = bits.active & lanes; rest != 0; rest &= rest - 1) {
        const std::uint64_t address = bits.address[std::countr_zero(rest)];
        all_set &= address;
        any_set |= address;
    }
    return any_set & ~all_set;
}

int distinct_values(const AddressBits& bits, std::uint64_t mask, std::uint32_t lanes) {
    SmallTable values;
    for (std::uint32_t rest = bits.active & lanes; rest != 0; rest &= rest - 1)
        values.add(bits.address[std::countr_zero(rest)] & mask);
    return values.count();
}

std::uint64_t BitSwizzle::apply(std::uint64_t address) const {
    const std::uint64_t changed = ((std::uint64_t{1} << count) - 1) << first;
    return address ^ (address >> shift & changed);
}

// From the highest changed bit down, what is XOR-ed into a bit is known already.
std::uint64_t BitSwizzle::undo(std::uint64_t address) const {
    for (int bit = first + count - 1; bit >= first; --bit) address ^= (address >> (bit + shift) & 1u) << bit;
    return address;
}

BitSwizzle bit_swizzle(int bits, int base, int shift, int element_bytes) {
    return {base + log2_of(element_bytes), bits, shift};
}

}  // namespace warplens
