#include "app/cli/access_csv.h"

#include "app/base/lower_case.h"
#include "app/base/parse_number.h"
#include "app/model/access/constant.h"
#include "app/model/access/report.h"

#include <fmt/format.h>

#include <optional>

namespace warplens {
namespace {

enum AccessColumn { kRowId, kSpace, kOp, kWidth, kMask, kFirstLane };

std::vector<std::string> column_names() {
    std::vector<std::string> names{"id", "space", "op", "width", "mask"};
    for (int lane = 0; lane < kWarpLanes; ++lane) names.push_back(fmt::format("a{}", lane));
    return names;
}

bool has_hex_prefix(std::string_view text) {
    return text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
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

/// How large a space may be at most [bytes]; 0 if that is not known here.
std::uint64_t space_bytes(Space space) {
    return space == Space::constant ? kConstantBankBytes : space == Space::local ? kLocalBytes : 0;
}

}  // namespace

AccessReader::AccessReader(std::istream& input, std::string name)
    : table_(input, std::move(name), column_names(), "id,space,op,width,mask,a0,...,a31") {}

std::uint64_t AccessReader::read_address(int lane, const AddressRule& rule, bool active) const {
    const auto column = static_cast<std::size_t>(kFirstLane + lane);
    const std::string_view text = table_[column];
    if (text.empty() && !active) return 0;
    const auto address = parse_address(text);
    if (!address) {
        table_.fail(column, text.empty() ? "a byte address, because the mask says that the lane is active"
                                         : "a byte address, decimal or 0x hexadecimal");
    }
    if (!active) return 0;
    // CUDA's own condition: a misaligned access is an error on the GPU.
    if (*address % rule.width != 0)
        table_.fail(column, fmt::format("a byte address that is a multiple of the width {}", rule.width));
    if (rule.room != 0 && *address > rule.room - rule.width)
        table_.fail(column,
                    fmt::format("a byte address inside the {} bytes of {}", rule.room, table_[kSpace]));
    return *address;
}

Space AccessReader::read_space() const {
    constexpr Space kCounted[] = {Space::global, Space::shared, Space::constant, Space::texture,
                                  Space::local};
    const std::string text = lower_case(table_[kSpace]);
    for (const Space space : kCounted) {
        if (text == space_name(space)) return space;
    }
    table_.fail(kSpace, "global, shared, constant, texture or local");
}

Op AccessReader::read_op(Space space) const {
    const std::string text = lower_case(table_[kOp]);
    if (text == "ld" || text == "load") return Op::load;
    if (space == Space::constant || space == Space::texture)
        table_.fail(kOp, fmt::format("ld: a kernel can only read {} memory", space_name(space)));
    if (text == "st" || text == "store") return Op::store;
    if (space == Space::shared && text == "ldmatrix") return Op::load_matrix;
    table_.fail(kOp, space == Space::shared ? "ld, st or ldmatrix" : "ld or st");
}

bool AccessReader::next(AccessRow& row) {
    if (!table_.next()) return false;
    row.id = table_.raw(kRowId);

    WarpAccess& access = row.access;
    access.space = read_space();
    access.op = read_op(access.space);
    const int width = parse_number<int>(table_[kWidth], 10).value_or(0);
    if (width != 1 && width != 2 && width != 4 && width != 8 && width != 16)
        table_.fail(kWidth, "1, 2, 4, 8 or 16 bytes");
    const auto mask = parse_mask(table_[kMask]);
    if (!mask) table_.fail(kMask, "a mask of 32 bits in hexadecimal");
    if (access.op == Op::load_matrix) {
        if (width != kMatrixRowBytes) table_.fail(kWidth, "16, the bytes of a matrix row, for ldmatrix");
        if (*mask != 0xff && *mask != 0xffff && *mask != kAllLanes)
            table_.fail(
                kMask,
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
