#include "app/cli/analyze.h"

#include "app/base/errors.h"
#include "app/base/output.h"
#include "app/cli/access_csv.h"
#include "app/cli/input.h"
#include "app/experiment/devices.h"
#include "app/model/access/banks.h"
#include "app/model/access/constant.h"
#include "app/model/access/local.h"
#include "app/model/access/sectors.h"
#include "app/model/access/texture.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <span>

namespace warplens {
namespace {

constexpr std::string_view kRulesByDefault = "9.0";  // the rules that were measured

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
    if (!command.output_path.empty()) check_output(command.output_path);
    auto devices = device_table();
    const std::string_view wanted =
        command.device.empty() ? kRulesByDefault : std::string_view(command.device);
    const DeviceFacts& device = devices[choose_device(devices, wanted, false)];
    std::string answer;
    if (command.path == "-") {
        answer = analyze_rows(input, "standard input", device);
    } else {
        std::ifstream file = open_input(command.path);
        answer = analyze_rows(file, command.path, device);
    }
    if (command.output_path.empty())
        out << answer;
    else
        write_output(command.output_path, answer);
}

}  // namespace warplens
