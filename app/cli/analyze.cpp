#include "app/cli/analyze.h"

#include "app/cli/access_csv.h"
#include "app/cli/command_options.h"
#include "app/experiment/devices.h"
#include "app/model/access/banks.h"
#include "app/model/access/constant.h"
#include "app/model/access/local.h"
#include "app/model/access/report.h"
#include "app/model/access/sectors.h"
#include "app/model/access/texture.h"

#include <array>
#include <charconv>
#include <span>

namespace warplens {
namespace {

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

void append_row(std::string& text, std::string_view id, std::span<const int> numbers) {
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
  global    from any start that is a multiple of 256      constant  from the start of the constant bank, 64 KB
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
