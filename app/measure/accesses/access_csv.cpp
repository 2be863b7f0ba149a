#include "app/measure/accesses/access_csv.h"

#include "app/base/csv.h"
#include "app/base/errors.h"
#include "app/base/parse_number.h"
#include "app/base/text.h"
#include "app/model/access/constant.h"
#include "app/model/access/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace warplens {
namespace {

enum AccessColumn { kRowId, kSpace, kOp, kWidth, kMask, kFirstLane };
constexpr std::size_t kAccessColumns = kFirstLane + kWarpLanes;
constexpr std::string_view kHeader = "id,space,op,width,mask,a0,...,a31";

std::string column_name(std::size_t column) {
    constexpr std::string_view kNames[] = {"id", "space", "op", "width", "mask"};
    return column < kFirstLane ? std::string(kNames[column]) : fmt::format("a{}", column - kFirstLane);
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

constexpr Space kCounted[] = {Space::global, Space::shared, Space::constant, Space::texture, Space::local};

/// How large a space may be at most [bytes]; 0 if that is not known here.
std::uint64_t space_bytes(Space space) {
    return space == Space::constant ? kConstantBankBytes : space == Space::local ? kLocalBytes : 0;
}

bool is_width(int width) { return width == 1 || width == 2 || width == 4 || width == 8 || width == 16; }

bool is_matrix_mask(std::uint32_t mask) { return mask == 0xff || mask == 0xffff || mask == kAllLanes; }

/// Which addresses are legal.
struct AddressRule {
    std::uint64_t width;  ///< an address is a multiple of this [bytes]
    std::uint64_t room;   ///< all bytes of an access lie below this [bytes]; 0 if there is no limit

    bool allows(std::uint64_t address) const {
        return (address & (width - 1)) == 0 && (room == 0 || address <= room - width);
    }
};

/// The text up to the next comma. @return  whether there is a comma
bool next_field(const char*& at, const char* end, std::string_view& field) {
    const char* start = at;
    while (at < end && *at != ',') ++at;
    field = {start, std::size_t(at - start)};
    const bool more = at < end;
    at += more;
    return more;
}

/// A number in plain digits, up to the next comma or the end, which is taken too.
/// @return  false for anything else: no digits, other characters, too many of them
bool read_digits(const char*& at, const char* end, std::uint64_t& number, bool& more) {
    std::uint64_t value = 0;
    const char* p = at;
    if (end - p > 2 && p[0] == '0' && (p[1] | 0x20) == 'x') {
        const char* first = p += 2;
        for (unsigned digit = 0; p < end && (digit = hex_digit(*p)) < 16; ++p) value = value << 4 | digit;
        if (p == first || p - first > 16) return false;
    } else {
        const char* first = p;
        for (unsigned digit = 0; p < end && (digit = static_cast<unsigned char>(*p) - unsigned{'0'}) < 10;
             ++p)
            value = value * 10 + digit;
        if (p == first || p - first > 19) return false;
    }
    more = p < end;
    if (more && *p != ',') return false;
    number = value;
    at = p + more;
    return true;
}

}  // namespace

/// The fields of one record by column, and its place for messages.
struct AccessCsv::Fields {
    const std::string& name;
    long line;
    std::array<std::string_view, kAccessColumns> raw{};

    std::string_view operator[](std::size_t column) const { return plain(raw[column]); }

    [[noreturn]] void fail(std::size_t column, const std::string& expected) const {
        throw UsageError(fmt::format("{}, line {}, column {}: expected {}, found {}", name, line,
                                     column_name(column), expected, in_quotes((*this)[column])));
    }

    Space read_space() const {
        const std::string text = lower_case((*this)[kSpace]);
        for (const Space space : kCounted) {
            if (text == space_name(space)) return space;
        }
        fail(kSpace, "global, shared, constant, texture or local");
    }

    Op read_op(Space space) const {
        const std::string text = lower_case((*this)[kOp]);
        if (text == "ld" || text == "load") return Op::load;
        if (space == Space::constant || space == Space::texture)
            fail(kOp, fmt::format("ld: a kernel can only read {} memory", space_name(space)));
        if (text == "st" || text == "store") return Op::store;
        if (space != Space::local && text == "atom") return Op::atomic;
        if (space != Space::local && text == "red") return Op::reduction;
        if (space != Space::local && text == "inc") return Op::increment;
        if (space == Space::shared && text == "ldmatrix") return Op::load_matrix;
        fail(kOp, space == Space::shared  ? "ld, st, ldmatrix, atom, red or inc"
                  : space == Space::local ? "ld or st"
                                          : "ld, st, atom, red or inc");
    }

    std::uint64_t read_address(int lane, const AddressRule& rule, bool active) const {
        const std::size_t column = kFirstLane + lane;
        const std::string_view text = (*this)[column];
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
        if (!rule.allows(*address))
            fail(column, fmt::format("a byte address inside the {} bytes of {}", rule.room, (*this)[kSpace]));
        return *address;
    }
};

AccessCsv::AccessCsv(std::string_view header, long line, std::string name) : name_(std::move(name)) {
    const auto fail = [&](const std::string& what) {
        throw UsageError(fmt::format("{}, line {}: {}", name_, line, what));
    };
    std::array<bool, kAccessColumns> found{};
    for (bool more = true; more;) {
        const std::string field = lower_case(plain(take_field(header, more)));
        std::size_t column = 0;
        while (column < kAccessColumns && field != column_name(column)) ++column;
        const bool known = column < kAccessColumns;
        if (known && found[column]) fail(fmt::format("the header names column {} twice", field));
        if (known) found[column] = true;
        column_of_field_.push_back(known ? int(column) : -1);
    }
    const auto missing = std::ranges::find(found, false);
    if (missing != found.end())
        fail(fmt::format("the header has no column {}: expected {}",
                         column_name(std::size_t(missing - found.begin())), kHeader));
}

void AccessCsv::read(std::string_view record, long line, AccessRow& row) const {
    row.line = line;
    if (!read_usual(record, row)) read_any(record, line, row);
}

bool AccessCsv::read_usual(std::string_view record, AccessRow& row) const {
    const char *at = record.data(), *end = at + record.size();
    WarpAccess& access = row.access;
    int width = 0;
    std::uint64_t mask = 0, set = 0;
    bool more = true;
    std::string_view space, op, text;
    for (const int column : column_of_field_) {
        if (!more) return false;
        if (column >= kFirstLane) {
            std::uint64_t& address = access.byte_address[column - kFirstLane];
            if (!read_digits(at, end, address, more)) return false;
            set |= address;
            continue;
        }
        more = next_field(at, end, text);
        if (text.find_first_of("\" \t\r\n") != std::string_view::npos) return false;
        if (column == kRowId) row.id = text;
        if (column == kSpace) space = text;
        if (column == kOp) op = text;
        if (column == kWidth) width = parse_number<int>(text, 10).value_or(0);
        if (column != kMask) continue;
        const auto parsed = parse_mask(text);
        if (!parsed) return false;
        mask = *parsed;
    }
    if (more || !is_width(width)) return false;
    const bool shared = space == "shared", global = space == "global", load = op == "ld";
    if ((!shared && !global) || (!load && op != "st")) return false;
    access.space = shared ? Space::shared : Space::global;
    access.op = load ? Op::load : Op::store;
    access.bytes_per_lane = width;
    access.active = std::uint32_t(mask);
    if (access.active != kAllLanes) {
        set = 0;
        for (int lane = 0; lane < kWarpLanes; ++lane) {
            std::uint64_t& address = access.byte_address[lane];
            if ((mask >> lane & 1u) == 0) address = 0;
            set |= address;
        }
    }
    return (set & std::uint64_t(width - 1)) == 0;
}

void AccessCsv::read_any(std::string_view record, long line, AccessRow& row) const {
    Fields fields{name_, line};
    std::size_t count = 0;
    for (bool more = true; more; ++count) {
        const std::string_view field = take_field(record, more);
        const int column = count < column_of_field_.size() ? column_of_field_[count] : -1;
        if (column >= 0) fields.raw[column] = field;
    }
    if (count != column_of_field_.size())
        throw UsageError(fmt::format("{}, line {}: expected {} columns as in the header, found {}", name_,
                                     line, column_of_field_.size(), count));
    row.id = fields.raw[kRowId];
    WarpAccess& access = row.access;
    access.space = fields.read_space();
    access.op = fields.read_op(access.space);
    const int width = parse_number<int>(fields[kWidth], 10).value_or(0);
    if (!is_width(width)) fields.fail(kWidth, "1, 2, 4, 8 or 16 bytes");
    const auto mask = parse_mask(fields[kMask]);
    if (!mask) fields.fail(kMask, "a mask of 32 bits in hexadecimal");
    if (access.op == Op::load_matrix) {
        if (width != kMatrixRowBytes) fields.fail(kWidth, "16, the bytes of a matrix row, for ldmatrix");
        if (!is_matrix_mask(*mask))
            fields.fail(
                kMask,
                "ff, ffff or ffffffff for ldmatrix: the lanes that bring the rows of 1, 2 or 4 matrices");
    }
    access.bytes_per_lane = width;
    access.active = *mask;
    const AddressRule rule{std::uint64_t(width), space_bytes(access.space)};
    for (int lane = 0; lane < kWarpLanes; ++lane)
        access.byte_address[lane] = fields.read_address(lane, rule, (*mask >> lane & 1u) != 0);
}

}  // namespace warplens
