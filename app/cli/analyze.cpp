#include "app/cli/analyze.h"

#include "app/base/parse_number.h"
#include "app/base/text.h"
#include "app/cli/command_options.h"
#include "app/experiment/devices.h"
#include "app/model/access/banks.h"
#include "app/model/access/constant.h"
#include "app/model/access/report.h"
#include "app/model/access/sectors.h"
#include "app/model/access/texture.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <span>

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

constexpr std::string_view kMeasuredRules = "9.0";  // the rules that were measured

/// requests, wavefronts, ideal, excessive, sectors, lines
std::array<int, 6> count_row(const WarpAccess& access, const DeviceFacts& device) {
    switch (access.space) {
        case Space::shared: {
            const BankCount count = count_banks(access, device.bank_rules);
            return {access.active != 0, count.wavefronts, count.ideal, count.excessive(), 0, 0};
        }
        case Space::constant:
            return {count_constant(access).requests, 0, 0, 0, 0, 0};
        case Space::texture: {
            const TextureCount count = count_texture(access);
            return {count.requests, 0, 0, 0, count.sectors, 0};
        }
        default: {
            const SectorCount count = access.space == Space::local
                                          ? count_local(access, local_rules(device))
                                          : count_sectors(access, device.sector_rules);
            return {count.requests, 0, 0, 0, count.sectors, count.lines};
        }
    }
}

/// @param id  of the row that was counted: comes back as it is, but without what steers a terminal
void append_row(std::string& text, std::string_view id, std::span<const int> numbers) {
    const auto harmless = [](char c) { return (c >= ' ' && c <= '~') || c == '\n'; };
    while (!std::ranges::all_of(id, harmless)) {
        const std::string_view line = id.substr(0, id.find('\n'));
        text.append(printable(line, line.size() + 3));
        id.remove_prefix(line.size());
        if (id.starts_with('\n')) {
            text.push_back('\n');
            id.remove_prefix(1);
        }
    }
    text.append(id);
    std::array<char, 12> digits;
    for (const int number : numbers) {
        text.push_back(',');
        const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number);
        text.append(digits.data(), end.ptr);
    }
    text.push_back('\n');
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

std::string analyze_rows(std::istream& input, const std::string& name, const DeviceFacts& device) {
    AccessReader reader(input, name);
    AccessRow row;
    std::string answer = "id,requests,wavefronts,ideal_wavefronts,excessive_wavefronts,sectors,lines\n";
    while (reader.next(row)) append_row(answer, row.id, count_row(row.access, device));
    return answer;
}

void run_analyze(const AnalyzeCommand& command, std::istream& input, std::ostream& out) {
    auto devices = device_table();
    const std::string_view wanted =
        command.device.empty() ? kMeasuredRules : std::string_view(command.device);
    const DeviceFacts& device = devices[choose_device(devices, wanted, false)];
    write_answer(command.output_path, out, [&] {
        return read_input(command.path, input, [&](std::istream& file, const std::string& name) {
            return analyze_rows(file, name, device);
        });
    });
}

CommandEntry analyze_command() {
    constexpr const char* kFooter =
        R"(The first line names the columns, in any order; further columns are ignored:
  id,space,op,width,mask,a0,a1,...,a31
  id     any text, comes back as it is        space  global, shared, constant, texture or local
  op     ld or st (load or store);            width  bytes per lane: 1, 2, 4, 8 or 16
         shared: ldmatrix too
  mask   active lanes, hexadecimal            a0...  byte address of each lane, decimal or 0x hexadecimal, a multiple of
                                                     the width; may be empty where the lane is not active
What an address means:
  global    from any start that is a multiple of 256      constant  from the start of the constant bank, 64 KiB
  shared    from the start of the block's shared memory   local     from the start of the lane's own array
  texture   any numbering in which 32 bytes, aligned, are a sector: 4 x 2 texels of 4 bytes
ldmatrix: width 16, mask ff, ffff or ffffffff; lane i brings the address of row i % 8 of matrix i / 8.

The answer has these columns; 0 where a memory has no such count:
  id,requests,wavefronts,ideal_wavefronts,excessive_wavefronts,sectors,lines
  requests        global, shared, local: instructions; constant: distinct words; texture: groups of four lanes
  sectors, lines  of 32 and 128 bytes: global; local, where the words of the lanes lie interleaved; texture: sectors only
  the others      shared

Examples:
  warplens analyze accesses.csv --out counts.csv
  my_tracer | warplens analyze - --device 8.6)";
    return {
        "analyze", "Count warp accesses from a CSV file", kFooter,
        "analyze accesses.csv                                 count your own trace",
        options_of<AnalyzeCommand>(
            [](CLI::App& app, AnalyzeCommand& command) {
                add_value(app, "file", command.path, "The CSV file; - is standard input", "FILE")->required();
                add_value(app, "--device", command.device,
                          "Whose rules: a compute capability or a GPU (default 9.0, the H200)", "CC|NAME");
                add_output(app, command.output_path);
            },
            run_analyze)};
}

}  // namespace warplens
