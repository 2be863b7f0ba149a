#include "app/measure/accesses/mem_trace.h"

#include "app/base/errors.h"
#include "app/base/parse_number.h"
#include "app/base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace warplens {
namespace {

constexpr std::string_view kMark = "MEMTRACE: ", kBetween = " - ";

/// Takes a text off the front. @return  whether it was there
bool take(std::string_view& rest, std::string_view text) {
    if (!rest.starts_with(text)) return false;
    rest.remove_prefix(text.size());
    return true;
}

/// The text up to a separator, which is taken too; all of it if there is none.
std::string_view take_until(std::string_view& rest, std::string_view separator) {
    const std::size_t end = rest.find(separator);
    const std::string_view part = rest.substr(0, end);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + separator.size());
    return part;
}

bool read_block(std::string_view text, std::array<int, 3>& block) {
    for (std::size_t i = 0; i < 3; ++i) {
        const auto number = parse_number<int>(take_until(text, ","));
        if (!number || *number < 0) return false;
        block[i] = *number;
    }
    return text.empty();
}

/// Addresses as the tool prints them: "0x" and hexadecimal digits, a blank between them.
bool read_addresses(std::string_view text, std::array<std::uint64_t, kWarpLanes>& addresses) {
    const char *at = text.data(), *end = at + text.size();
    for (std::uint64_t& address : addresses) {
        while (at < end && *at == ' ') ++at;
        if (end - at < 3 || at[0] != '0' || at[1] != 'x') return false;
        const char* first = at += 2;
        std::uint64_t value = 0;
        for (; at < end && *at != ' '; ++at) {
            const unsigned digit = hex_digit(*at);
            if (digit > 15) return false;
            value = value << 4 | digit;
        }
        if (at == first || at - first > 16) return false;
        address = value;
    }
    while (at < end && (*at == ' ' || *at == '\t')) ++at;
    return at == end;
}

std::uint32_t active_lanes(const std::array<std::uint64_t, kWarpLanes>& addresses, Space space) {
    std::uint32_t named = 0;
    for (int lane = 0; lane < kWarpLanes; ++lane) named |= std::uint32_t(addresses[lane] != 0) << lane;
    if (space != Space::shared) return named;
    const int last = std::bit_width(named);
    return last == 0 || last == kWarpLanes ? kAllLanes : (1u << last) - 1;
}

/// The bytes that a part of an opcode stands for: "64", "U8", "F16x2". 0 if it is no width.
int width_of(std::string_view part) {
    int times = 1;
    if (part.ends_with("x2") || part.ends_with("X2")) times = 2, part.remove_suffix(2);
    if (part.ends_with("x4") || part.ends_with("X4")) times = 4, part.remove_suffix(2);
    if (part.starts_with("BF"))
        part.remove_prefix(2);
    else if (!part.empty() && (part[0] == 'U' || part[0] == 'S' || part[0] == 'F' || part[0] == 'B'))
        part.remove_prefix(1);
    constexpr std::pair<std::string_view, int> kWidths[] = {
        {"8", 1}, {"16", 2}, {"32", 4}, {"64", 8}, {"128", 16}};
    const auto found = std::ranges::find(kWidths, part, &std::pair<std::string_view, int>::first);
    return found == std::end(kWidths) ? 0 : found->second * times;
}

struct OpcodeName {
    std::string_view name;
    Space space;
    Op op;
};
constexpr OpcodeName kOpcodes[] = {
    {"LDG", Space::global, Op::load},      {"STG", Space::global, Op::store},
    {"LD", Space::global, Op::load},       {"ST", Space::global, Op::store},
    {"ATOMG", Space::global, Op::atomic},  {"ATOM", Space::global, Op::atomic},
    {"RED", Space::global, Op::reduction}, {"REDG", Space::global, Op::reduction},
    {"LDS", Space::shared, Op::load},      {"STS", Space::shared, Op::store},
    {"ATOMS", Space::shared, Op::atomic},  {"LDSM", Space::shared, Op::load_matrix},
    {"LDL", Space::local, Op::load},       {"STL", Space::local, Op::store},
    {"LDC", Space::constant, Op::load},    {"LDGSTS", Space::global, Op::load}};

/// Shared memory of a block ends below; addresses of global memory lie far above.
constexpr std::uint64_t kSharedEnd = std::uint64_t{1} << 20;

}  // namespace

bool looks_like_mem_trace(std::string_view start) {
    const std::size_t at = start.find(kMark);
    return at != std::string_view::npos && (at == 0 || start[at - 1] == '\n');
}

std::optional<OpcodeAccess> access_of_opcode(std::string_view opcode) {
    std::string_view rest = opcode;
    const std::string_view name = take_until(rest, ".");
    const auto found = std::ranges::find(kOpcodes, name, &OpcodeName::name);
    if (found == std::end(kOpcodes)) return std::nullopt;
    OpcodeAccess access{found->space, found->op};
    access.both = name == "LDGSTS";
    if (rest.starts_with("POPC.INC")) access.op = Op::increment;
    if (access.op == Op::load_matrix) {
        access.bytes_per_lane = 16;
        const std::string_view last = opcode.substr(opcode.rfind('.') + 1);
        access.lanes = last == "4" ? kAllLanes : last == "2" ? 0xffffu : 0xffu;
        return access;
    }
    while (!rest.empty()) {
        const std::string_view part = take_until(rest, ".");
        // "LTC128B" and the like are hints for caches.
        if (const int width = width_of(part); width != 0) access.bytes_per_lane = width;
    }
    if (access.bytes_per_lane > 16) return std::nullopt;
    return access;
}

MemTraceLine read_mem_trace_line(std::string_view text, long line, const std::string& name, AccessRow& row,
                                 MemTraceLaunch& launch) {
    if (!take(text, kMark) || !take(text, "CTX ")) return MemTraceLine::other;
    take_until(text, kBetween);
    const auto fail = [&](std::string_view expected) {
        throw UsageError(fmt::format("{}, line {}: expected {} as mem_trace writes it, found {}", name, line,
                                     expected, in_quotes(text)));
    };
    if (take(text, "LAUNCH - ")) {
        take_until(text, "ernel name ");
        const std::size_t end = text.rfind(" - grid launch id ");
        if (end == std::string_view::npos) fail("the launch's kernel name and grid launch id");
        launch.kernel = text.substr(0, end);
        text.remove_prefix(end + std::string_view(" - grid launch id ").size());
        const auto id = parse_number<std::int64_t>(take_until(text, kBetween));
        if (!id || *id < 0) fail("the number of the launch");
        launch.launch = *id;
        launch.grid = take(text, "grid size ") ? take_until(text, kBetween) : std::string_view();
        launch.block = take(text, "block size ") ? take_until(text, kBetween) : std::string_view();
        return MemTraceLine::launch;
    }
    if (!take(text, "grid_launch_id ")) return MemTraceLine::other;
    const auto id = parse_number<std::int64_t>(take_until(text, kBetween));
    if (!id || *id < 0) fail("the number of the launch");
    row.place.launch = *id;
    if (!take(text, "CTA ") || !read_block(take_until(text, kBetween), row.place.block))
        fail("the block \"CTA x,y,z\"");
    if (!take(text, "warp ")) fail("\"warp n\"");
    const auto warp = parse_number<int>(take_until(text, kBetween));
    if (!warp || *warp < 0) fail("the number of the warp");
    row.place.warp = *warp;
    row.line = line;
    row.id = take_until(text, kBetween);
    if (!read_addresses(text, row.access.byte_address)) fail("32 addresses \"0x…\"");
    auto kind = access_of_opcode(row.id);
    if (!kind) return MemTraceLine::skipped;
    WarpAccess& access = row.access;
    if (kind->both &&
        std::ranges::all_of(access.byte_address, [](std::uint64_t a) { return a < kSharedEnd; }))
        kind->space = Space::shared, kind->op = Op::store;
    access.space = kind->space;
    access.op = kind->op;
    access.bytes_per_lane = kind->bytes_per_lane;
    access.active = active_lanes(access.byte_address, kind->space) & kind->lanes;
    std::uint64_t set = 0;
    for (int lane = 0; lane < kWarpLanes; ++lane) {
        std::uint64_t& address = access.byte_address[lane];
        if ((access.active >> lane & 1u) == 0) address = 0;
        set |= address;
    }
    const bool aligned = (set & std::uint64_t(access.bytes_per_lane - 1)) == 0;
    return aligned ? MemTraceLine::access : MemTraceLine::skipped;
}

}  // namespace warplens
