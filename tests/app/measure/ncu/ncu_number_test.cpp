#include "app/measure/ncu/ncu_csv.h"

#include <gtest/gtest.h>

namespace warplens::test::ncu_number_tests {
namespace {

using State = NcuNumber::State;

double value_of(std::string_view text, DecimalMark mark = DecimalMark::unknown, std::string_view unit = "",
                bool whole = true) {
    const NcuNumber number = read_ncu_number(text, unit, mark, whole);
    EXPECT_EQ(number.state, State::number) << text;
    return number.value;
}

TEST(NcuNumber, CountsOfAllLocales) {
    for (const char* text :
         {"65536", "65,536", "65.536", "65 536", "65'536",
          "65\xc2\xa0"
          "536",
          "65\xe2\x80\xaf"
          "536",
          "65,536.00", "65.536,00", "65536.0", "6.5536e+04", " 65,536 ", "65,536 (1; 2; 3)"}) {
        EXPECT_EQ(value_of(text), 65536) << text;
    }
    EXPECT_EQ(value_of("27.595.520"), 27595520);
    EXPECT_EQ(value_of("27,595,520"), 27595520);
    EXPECT_EQ(value_of("1,00,000"), 100000) << "India";
    EXPECT_EQ(value_of("-5"), -5);
    EXPECT_EQ(value_of("0"), 0);
}

TEST(NcuNumber, ANumberThatCouldBeEitherFollowsTheFile) {
    EXPECT_EQ(value_of("117.344", DecimalMark::unknown, "%", false), 117.344);
    EXPECT_EQ(value_of("117.344", DecimalMark::point, "%", false), 117.344);
    EXPECT_EQ(value_of("117.344", DecimalMark::comma, "%", false), 117344);
    EXPECT_EQ(value_of("117,344", DecimalMark::comma, "%", false), 117.344);
    EXPECT_EQ(value_of("117,344", DecimalMark::point, "%", false), 117344);
    EXPECT_EQ(value_of("65,77", DecimalMark::point, "%", false), 65.77) << "what a number says itself wins";
}

TEST(NcuNumber, WhatANumberTellsAboutItsLocale) {
    for (const char* text : {"65,536.5", "0.25", "4.00", "1,048,576", "0.125", "1234.567"})
        EXPECT_EQ(decimal_mark_of(text), DecimalMark::point) << text;
    for (const char* text : {"65.536,5", "0,25", "4,00", "27.595.520", "0,125"})
        EXPECT_EQ(decimal_mark_of(text), DecimalMark::comma) << text;
    for (const char* text : {"65,536", "65.536", "12", "", "n/a", "1,2,3", "1.2.3.4", "a.b", "(256, 1, 1)"})
        EXPECT_EQ(decimal_mark_of(text), DecimalMark::unknown) << text;
}

TEST(NcuNumber, PrefixesScaleAndRound) {
    const NcuNumber sectors = read_ncu_number("8.39", "Msector", DecimalMark::point, true);
    EXPECT_DOUBLE_EQ(sectors.value, 8.39e6);
    EXPECT_DOUBLE_EQ(sectors.rounding, 5e3);
    EXPECT_DOUBLE_EQ(value_of("65,54", DecimalMark::comma, "Kbyte"), 65540);
    EXPECT_DOUBLE_EQ(value_of("1.234", DecimalMark::point, "Ksector"), 1234)
        << "decimals, because the unit is scaled";
    EXPECT_EQ(read_ncu_number("65,536", "sector", DecimalMark::point, true).rounding, 0);
    EXPECT_EQ(unit_scale("Ginst"), 1e9);
    EXPECT_EQ(unit_scale("Tbytes"), 1e12);
    EXPECT_EQ(unit_scale("Kbyte/block"), 1e3);
    EXPECT_EQ(unit_scale("us"), 1e3) << "times in ns";
    EXPECT_EQ(unit_scale("msecond"), 1e6);
    for (const char* unit : {"sector", "", "%", "Kernel", "ns", "Gbyte/s"})
        EXPECT_EQ(unit_scale(unit), 1) << unit;
}

TEST(NcuNumber, NoValueAndNoNumberAreTwoThings) {
    for (const char* text : {"", " ", "n/a", "N/A", "nan", "(!) nan", "(!) 12", "inf", "no data"})
        EXPECT_EQ(read_ncu_number(text, "", DecimalMark::point, true).state, State::none) << text;
    for (const char* text : {"twelve", "12 apples", "1,2,3", ",", ".", "1..2", "0x10", "1e999", "1e", "--1",
                             "1.2,3.4", "(256, 1, 1)"})
        EXPECT_EQ(read_ncu_number(text, "", DecimalMark::point, true).state, State::unreadable) << text;
}

}  // namespace
}  // namespace warplens::test::ncu_number_tests
