#include "app/cli/access_csv.h"

#include "app/base/errors.h"
#include "app/model/access/constant.h"
#include "app/model/access/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

namespace warplens {
namespace {

enum AccessColumn { kId, kSpace, kOp, kWidth, kMask, kFirstLane };
constexpr std::string_view kNames[] = {"id", "space", "op", "width", "mask"};

std::string column_name(int column) {
    return column < kFirstLane ? std::string(kNames[column]) : fmt::format("a{}", column - kFirstLane);
}

bool equal_ignoring_case(std::string_view a, std::string_view b) {
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 'a' - 'A') : c; };
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [&](char x, char y) { return lower(x) == lower(y); });
}

bool has_hex_prefix(std::string_view text) {
    return text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
}

template <class T>
std::optional<T> parse_number(std::string_view text, int base) {
    T value{};
    const char* end = text.data() + text.size();
    const auto result = std::from_chars(text.data(), end, value, base);
    if (result.ec != std::errc() || result.ptr != end) return std::nullopt;
    return value;
}

std::optional<std::uint32_t> parse_mask(std::string_view text) {
    return parse_number<std::uint32_t>(has_hex_prefix(text) ? text.substr(2) : text, 16);
}

std::optional<std::uint64_t> parse_address(std::string_view text) {
    return has_hex_prefix(text) ? parse_number<std::uint64_t>(text.substr(2), 16)
                                : parse_number<std::uint64_t>(text, 10);
}

constexpr int kMatrixRowBytes = 16;
constexpr std::uint64_t kLocalBytes = 512 * 1024;  // of one thread, CC 2.0 and later: CUDA Programming Guide

/// How large a space may be at most [bytes]; 0: not known here.
std::uint64_t space_bytes(Space space) {
    return space == Space::constant ? kConstantBankBytes : space == Space::local ? kLocalBytes : 0;
}

}  // namespace

AccessReader::AccessReader(std::istream& input, std::string name) : records_(input, std::move(name)) {
    std::string_view rest;
    if (!records_.next(rest)) {
        throw UsageError(
            fmt::format("{}, line 1: expected a header id,space,op,width,mask,a0,...,a31, found nothing",
                        records_.name()));
    }
    std::array<bool, kColumns> found{};
    for (bool more = true; more;) {
        const std::string_view field = plain(take_field(rest, more));
        int column = -1;
        for (int i = 0; i < kColumns && column < 0; ++i) {
            if (equal_ignoring_case(field, column_name(i))) column = i;
        }
        if (column >= 0 && found[column]) {
            throw UsageError(fmt::format("{}, line {}: the header names column {} twice", records_.name(),
                                         records_.line(), column_name(column)));
        }
        if (column >= 0) found[column] = true;
        column_of_field_.push_back(column);
    }
    const auto missing = std::find(found.begin(), found.end(), false);
    if (missing == found.end()) return;
    throw UsageError(fmt::format(
        "{}, line {}: the header has no column {}: expected id,space,op,width,mask,a0,...,a31",
        records_.name(), records_.line(), column_name(static_cast<int>(missing - found.begin()))));
}

void AccessReader::fail(int column, const std::string& expected) const {
    throw UsageError(fmt::format("{}, line {}, column {}: expected {}, found {}", records_.name(),
                                 records_.line(), column_name(column), expected,
                                 shown(plain(fields_[column]))));
}

void AccessReader::split(std::string_view record) {
    std::size_t count = 0;
    for (bool more = true; more; ++count) {
        const std::string_view field = take_field(record, more);
        const int column = count < column_of_field_.size() ? column_of_field_[count] : -1;
        if (column >= 0) fields_[column] = field;
    }
    if (count == column_of_field_.size()) return;
    throw UsageError(fmt::format("{}, line {}: expected {} columns as in the header, found {}",
                                 records_.name(), records_.line(), column_of_field_.size(), count));
}

std::uint64_t AccessReader::read_address(int lane, const AddressRule& rule, bool active) const {
    const int column = kFirstLane + lane;
    const std::string_view text = plain(fields_[column]);
    if (text.empty() && !active) return 0;
    const auto address = parse_address(text);
    if (!address) {
        fail(column, text.empty() ? "a byte address, because the mask says that the lane is active"
                                  : "a byte address, decimal or 0x hexadecimal");
    }
    if (!active) return 0;
    // CUDA's own condition: a misaligned access is an error on the GPU.
    if (*address % rule.width != 0)
        fail(column, fmt::format("a byte address that is a multiple of the width {}", rule.width));
    if (rule.room != 0 && *address > rule.room - rule.width)
        fail(column,
             fmt::format("a byte address inside the {} bytes of {}", rule.room, plain(fields_[kSpace])));
    return *address;
}

Space AccessReader::read_space() const {
    constexpr Space kCounted[] = {Space::global, Space::shared, Space::constant, Space::texture,
                                  Space::local};
    const std::string_view text = plain(fields_[kSpace]);
    for (const Space space : kCounted) {
        if (equal_ignoring_case(text, space_name(space))) return space;
    }
    fail(kSpace, "global, shared, constant, texture or local");
}

Op AccessReader::read_op(Space space) const {
    const std::string_view text = plain(fields_[kOp]);
    if (equal_ignoring_case(text, "ld") || equal_ignoring_case(text, "load")) return Op::load;
    if (space == Space::constant || space == Space::texture)
        fail(kOp, fmt::format("ld: a kernel can only read {} memory", space_name(space)));
    if (equal_ignoring_case(text, "st") || equal_ignoring_case(text, "store")) return Op::store;
    if (space == Space::shared && equal_ignoring_case(text, "ldmatrix")) return Op::load_matrix;
    fail(kOp, space == Space::shared ? "ld, st or ldmatrix" : "ld or st");
}

bool AccessReader::next(AccessRow& row) {
    std::string_view record;
    if (!records_.next(record)) return false;
    split(record);
    row.id = fields_[kId];

    WarpAccess& access = row.access;
    access.space = read_space();
    access.op = read_op(access.space);
    const int width = parse_number<int>(plain(fields_[kWidth]), 10).value_or(0);
    if (width != 1 && width != 2 && width != 4 && width != 8 && width != 16)
        fail(kWidth, "1, 2, 4, 8 or 16 bytes");
    const auto mask = parse_mask(plain(fields_[kMask]));
    if (!mask) fail(kMask, "a mask of 32 bits in hexadecimal");
    if (access.op == Op::load_matrix) {
        if (width != kMatrixRowBytes) fail(kWidth, "16, the bytes of a matrix row, for ldmatrix");
        if (*mask != 0xff && *mask != 0xffff && *mask != kAllLanes)
            fail(kMask,
                 "ff, ffff or ffffffff for ldmatrix: the lanes that bring the rows of 1, 2 or 4 matrices");
    }
    access.bytes_per_lane = width;
    access.active = *mask;
    const AddressRule rule{static_cast<std::uint64_t>(width), space_bytes(access.space)};
    for (int lane = 0; lane < kWarpLanes; ++lane) {
        access.byte_address[lane] = read_address(lane, rule, (*mask >> lane & 1u) != 0);
    }
    return true;
}

}  // namespace warplens
