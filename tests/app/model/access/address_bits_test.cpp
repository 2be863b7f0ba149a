#include "app/model/access/address_bits.h"
#include "app/model/access/banks.h"
#include "app/model/access/constant.h"
#include "app/model/access/sectors.h"
#include "app/model/random_settings.h"
#include "app/pictures/access/access_picture.h"
#include "kernels/swizzle.h"
#include "kernels/texture_layout.h"
#include "tests/app/pictures/kit/pictures_of_settings.h"

#include <gtest/gtest.h>

#include <bit>
#include <random>
#include <set>

namespace warplens::test::address_bits_tests {
namespace {

std::uint64_t value(const AddressBits& bits, BitRole role, int lane) {
    const BitField* field = bits.find(role);
    return field == nullptr ? 0 : field->value(bits.address[static_cast<std::size_t>(lane)]);
}

/// All bits of a lane from its fields and what stands above them.
std::uint64_t whole(const AddressBits& bits, int lane) {
    std::uint64_t address = bits.above(lane) << bits.shown();
    for (const BitField& field : bits.fields)
        address |= field.value(bits.address[static_cast<std::size_t>(lane)]) << field.first;
    return address;
}

/// Banks, sectors, lines, words and texels by the shown fields, beside what the model computes.
void check_lane(const WarpAccess& access, const AddressBits& bits, const BankRules& rules, int lane) {
    const std::uint64_t address = access.byte_address[static_cast<std::size_t>(lane)] & ~kOutsideTexture;
    if (has_banks(access.space)) {
        const BankSlot slot = bank_slot(rules, access.bytes_per_lane, address);
        const auto each = static_cast<std::uint64_t>(banks_per_column(rules, access.bytes_per_lane));
        EXPECT_EQ(value(bits, BitRole::bank, lane) / each, static_cast<std::uint64_t>(slot.column));
        const auto row_bytes = static_cast<std::uint64_t>(rules.banks * bank_word_bytes(rules));
        const std::uint64_t pairs = bits.find(BitRole::pair) != nullptr ? 2 : 1;
        const std::uint64_t row =
            bits.above(lane) << (bits.shown() - bits.fields.back().first) | value(bits, BitRole::row, lane);
        EXPECT_EQ(row, address / row_bytes / pairs);
    } else if (access.space == Space::constant) {
        EXPECT_EQ(value(bits, BitRole::word, lane), address % kConstantLineBytes / 4);
        EXPECT_EQ(whole(bits, lane) / kConstantLineBytes, address / kConstantLineBytes);
    } else if (access.space == Space::texture) {
        const int width = 64;
        const Texel texel = texel_at(address, width);
        EXPECT_EQ(value(bits, BitRole::texel_x, lane), static_cast<std::uint64_t>(texel.x % kSectorTexelsX));
        EXPECT_EQ(value(bits, BitRole::texel_y, lane), static_cast<std::uint64_t>(texel.y % kSectorTexelsY));
    } else {
        const std::uint64_t real = access.space == Space::local
                                       ? interleave_local(access).byte_address[static_cast<std::size_t>(lane)]
                                       : address;
        EXPECT_EQ(value(bits, BitRole::sector, lane), real % kLineBytes / kSectorBytes);
        EXPECT_EQ(whole(bits, lane) / kLineBytes, real / kLineBytes);
    }
}

void check_access(const WarpAccess& access, const BankRules& rules) {
    const AddressBits bits = address_bits(access, rules);
    if (access.space == Space::registers) {
        EXPECT_TRUE(bits.empty());
        return;
    }
    ASSERT_FALSE(bits.empty());
    EXPECT_LE(bits.shown(), kMostShownBits);
    int end = 0;
    for (const BitField& field : bits.fields) {  // without gaps
        EXPECT_EQ(field.first, end);
        EXPECT_GT(field.count, 0);
        end = field.end();
    }
    std::uint64_t differing = 0;
    std::set<std::uint64_t> words;
    for (int lane = 0; lane < kWarpLanes; ++lane) {
        if ((access.active >> lane & 1u) == 0) continue;
        check_lane(access, bits, rules, lane);
        EXPECT_EQ(whole(bits, lane), bits.address[static_cast<std::size_t>(lane)]);
        const int first = std::countr_zero(access.active);
        differing |=
            bits.address[static_cast<std::size_t>(lane)] ^ bits.address[static_cast<std::size_t>(first)];
        words.insert(bits.address[static_cast<std::size_t>(lane)] >> 2);
    }
    EXPECT_EQ(differing_bits(bits, access.active), differing);
    EXPECT_EQ(distinct_values(bits, ~std::uint64_t{3}, access.active), static_cast<int>(words.size()));
}

TEST(AddressBits, AgreeWithTheModelForAllScenariosAndGpus) {
    std::mt19937 random(11);
    for (const Scenario& scenario : all_scenarios()) {
        for (int round = 0; round < 60; ++round) {
            const DeviceFacts& device = all_devices()[random() % all_devices().size()];
            const Params params = random_params(scenario, random);
            for (const InstructionReport& row : pictured_requests(scenario, params, device)) {
                SCOPED_TRACE(std::string(scenario.info->id) + " on " + device.name);
                check_access(row.access, device.bank_rules);
            }
        }
    }
}

TEST(AddressBits, AddressesOfProgramsAreCutAtWhatDiffers) {
    WarpAccess access = strided(Space::global, 4, 4, 0x7f8a01800000);
    const AddressBits bits = address_bits(access, {});
    EXPECT_EQ(bits.shown(), 20);
    EXPECT_EQ(bits.above(0), std::uint64_t{0x7f8a018});
    access.byte_address[5] += std::uint64_t{1} << 24;
    EXPECT_EQ(address_bits(access, {}).shown(), 26) << "one bit is carried";
    access.byte_address[5] += std::uint64_t{1} << 40;
    EXPECT_EQ(address_bits(access, {}).shown(), kMostShownBits);
}

TEST(AddressBits, ASwizzleOfElementsIsOneOfAddressBits) {
    std::mt19937 random(5);
    for (int round = 0; round < 20000; ++round) {
        const int count = static_cast<int>(random() % 6), base = static_cast<int>(random() % 5),
                  shift = 1 + static_cast<int>(random() % 7), bytes = 1 << random() % 5;
        const int element = static_cast<int>(random() % 4096);
        const BitSwizzle swizzle = bit_swizzle(count, base, shift, bytes);
        const auto before = static_cast<std::uint64_t>(element * bytes);
        const auto after = static_cast<std::uint64_t>(xor_swizzle(element, count, base, shift) * bytes);
        ASSERT_EQ(swizzle.apply(before), after);
        ASSERT_EQ(swizzle.undo(after), before);
    }
}

/// The address before the swizzle is the one that the same scenario has without it.
TEST(AddressBits, TheAddressBeforeASwizzleIsTheScenariosWithoutIt) {
    std::mt19937 random(9);
    int checked = 0;
    for (const Scenario& scenario : all_scenarios()) {
        for (int round = 0; round < 200; ++round) {
            const Params params = random_params(scenario, random);
            Params plain = params;
            plain.swizzle_bits = 0;
            if (plain.variant == static_cast<int>(Variant::swizzled)) {
                plain.variant = static_cast<int>(Variant::tile);
            }
            const auto with = pictured_requests(scenario, params, h200()),
                       without = pictured_requests(scenario, plain, h200());
            if (with.size() != without.size()) continue;
            for (std::size_t k = 0; k < with.size(); ++k) {
                const TileShape tile = tile_shape(scenario, params, with[k].instruction);
                const TileShape unswizzled = tile_shape(scenario, plain, without[k].instruction);
                if (tile.width == 0 || tile.swizzle_bits == 0) continue;
                // Operand tiles are cut into panels as wide as their swizzle, and have no padding then.
                if (unswizzled.width != tile.width || unswizzled.padding != tile.padding) continue;
                const BitSwizzle swizzle =
                    bit_swizzle(tile.swizzle_bits, tile.swizzle_base, tile.swizzle_shift, tile.element_bytes);
                for (std::uint32_t rest = with[k].access.active; rest != 0; rest &= rest - 1) {
                    const auto lane = static_cast<std::size_t>(std::countr_zero(rest));
                    ASSERT_EQ(swizzle.undo(with[k].access.byte_address[lane]),
                              without[k].access.byte_address[lane])
                        << scenario.info->id << ", lane " << lane;
                    ++checked;
                }
            }
        }
    }
    EXPECT_GT(checked, 5000);
}

}  // namespace
}  // namespace warplens::test::address_bits_tests
