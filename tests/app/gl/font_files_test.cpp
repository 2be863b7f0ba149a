#include "app/gl/font_files.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace warplens::test::font_files_tests {
namespace {

/// An OpenType file of two tables and nothing in them but what the size needs.
std::vector<unsigned char> tiny_font(int units_per_em, int ascent, int descent) {
    std::vector<unsigned char> bytes(44 + 20 + 8, 0);
    const auto put_16 = [&bytes](std::size_t at, int value) {
        bytes[at] = static_cast<unsigned char>(value >> 8);
        bytes[at + 1] = static_cast<unsigned char>(value);
    };
    const auto put_table = [&](std::size_t entry, const char* tag, int offset) {
        for (int i = 0; i < 4; ++i) bytes[entry + i] = static_cast<unsigned char>(tag[i]);
        put_16(entry + 10, offset);
    };
    put_16(4, 2);
    put_table(12, "head", 44);
    put_table(28, "hhea", 64);
    put_16(44 + 18, units_per_em);
    put_16(64 + 4, ascent);
    put_16(64 + 6, descent);
    return bytes;
}

TEST(FontFiles, ALineIsAscentPlusDescent) {
    EXPECT_FLOAT_EQ(read_line_per_em(tiny_font(2048, 1901, -483)), 2384.0f / 2048);
    EXPECT_FLOAT_EQ(read_line_per_em(tiny_font(1000, 750, -250)), 1);
}

TEST(FontFiles, WhatIsNotAFontIsRefused) {
    EXPECT_EQ(read_line_per_em({}), 0);
    EXPECT_EQ(read_line_per_em(std::vector<unsigned char>{'w', 'O', 'F', '2'}), 0);
    EXPECT_EQ(read_line_per_em(std::vector<unsigned char>(500, 0xff)), 0);
    EXPECT_EQ(read_line_per_em(tiny_font(0, 750, -250)), 0);
    EXPECT_EQ(read_line_per_em(tiny_font(1000, 0, 0)), 0);
    std::vector<unsigned char> cut = tiny_font(1000, 750, -250);
    cut.resize(50);
    EXPECT_EQ(read_line_per_em(cut), 0);
}

TEST(FontFiles, TheProgramCarriesThemAll) {
    for (const auto& [role, name] : {std::pair{FontRole::body, "Inter-Regular"},
                                     {FontRole::heading, "Inter-SemiBold"},
                                     {FontRole::mono, "JetBrainsMono-Regular"}}) {
        const FontFile* file = font_file(role);
        ASSERT_NE(file, nullptr) << name;
        EXPECT_TRUE(file->name.starts_with(name)) << file->name;
        EXPECT_GT(file->bytes.size(), 100'000u) << "a font of thousands of signs";
        EXPECT_GT(file->line_per_em, 1);
        EXPECT_LT(file->line_per_em, 1.5f);
    }
    ASSERT_NE(symbol_font_file(), nullptr);
    EXPECT_EQ(symbol_font_file()->name, "DejaVuSans.ttf");
}

}  // namespace
}  // namespace warplens::test::font_files_tests
