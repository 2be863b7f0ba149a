#include "app/cli/analyze.h"

#include "app/base/csv.h"
#include "app/base/output.h"
#include "app/base/text.h"
#include "app/cli/command_options.h"
#include "app/measure/accesses/access_list.h"
#include "app/model/access/counts.h"

#include <fmt/format.h>

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>

namespace warplens {
namespace {

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

/// Loops in this and in append_row are plain ones, because the release compiles this file without inlining.
bool is_plain(std::string_view text) {
    for (const char *at = text.data(), *end = at + text.size(); at < end; ++at)
        if ((*at < ' ' || *at > '~') && *at != '\n') return false;
    return true;
}

/// @param id  of the row that was counted: comes back as it is, but without what steers a terminal
void append_row(std::string& text, std::string_view id, std::span<const int> numbers) {
    while (!is_plain(id)) {
        const std::string_view line = id.substr(0, id.find('\n'));
        text.append(printable(line, line.size() + 3));
        id.remove_prefix(line.size());
        if (id.starts_with('\n')) {
            text.push_back('\n');
            id.remove_prefix(1);
        }
    }
    text.append(id);
    std::array<char, 80> digits;  // of all numbers
    char* end = digits.data();
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const int number = numbers.data()[i];
        *end++ = ',';
        if (number < 10)
            *end++ = static_cast<char>('0' + number);
        else
            end = std::to_chars(end, digits.data() + digits.size(), number).ptr;
    }
    *end++ = '\n';
    text.append(digits.data(), std::size_t(end - digits.data()));
}

std::string count_piece(const AccessChunk& chunk, const DeviceFacts& device) {
    std::string answer;
    answer.reserve(chunk.bytes.size() / 4);
    AccessRows rows(chunk);
    for (AccessRow row; rows.next(row);) append_row(answer, row.id, count_row(row.access, device));
    return answer;
}

/// One line for each instruction of mem_trace, the worst first.
std::string instructions_csv(const AccessList& list) {
    std::string text = "kernel,instruction,space,op,width,executed";
    for (const CountKey& count : counts_of_files()) text += fmt::format(",{}", count.key);
    text += ",worst_line,launch,block,warp\n";
    for (const AccessGroup& group : list.groups) {
        const WarpAccess& access = group.worst;
        text +=
            fmt::format("{},{},{},{},{},{}", csv_field(group.kernel), csv_field(group.name),
                        space_name(access.space), op_of_files(access.op), access.bytes_per_lane, group.rows);
        for (const CountKey& count : counts_of_files()) text += fmt::format(",{}", count.value(group.totals));
        const AccessPlace& place = group.place;
        text += fmt::format(",{},{},\"{},{},{}\",{}\n", group.line, place.launch, place.block[0],
                            place.block[1], place.block[2], place.warp);
    }
    return text;
}

/// An answer of any length, kept in a file without a name until it is known to be whole.
class Spool {
public:
    Spool() : file_(std::tmpfile(), &std::fclose) {
        if (file_ == nullptr) fail();
    }
    void add(std::string_view bytes) {
        if (std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) != bytes.size()) fail();
    }
    void write_to(const std::string& path) {
        if (std::fflush(file_.get()) != 0) fail();
        write_output(path, file_.get());
    }
    void write_to(std::ostream& out) {
        std::array<char, std::size_t{1} << 16> block;
        if (std::fseek(file_.get(), 0, SEEK_SET) != 0) fail();
        while (const std::size_t read = std::fread(block.data(), 1, block.size(), file_.get()))
            out.write(block.data(), std::streamsize(read));
        if (std::ferror(file_.get()) != 0) fail();
    }

private:
    [[noreturn]] static void fail() {
        throw Failure(fmt::format("cannot keep the answer in a temporary file: {}", std::strerror(errno)));
    }
    std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
};

}  // namespace

void analyze_rows(std::istream& input, const std::string& name, const DeviceFacts& device,
                  const std::function<void(std::string_view)>& take) {
    AccessFile file(input, name);
    if (file.is_mem_trace()) return take(instructions_csv(list_accesses(file, name, device)));
    take("id,requests,wavefronts,ideal_wavefronts,excessive_wavefronts,sectors,lines\n");
    CountInOrder counting(
        file, [&device](const AccessChunk& chunk) { return count_piece(chunk, device); },
        [&take](const std::string& answer) { take(answer); });
    while (counting.step()) {
    }
}

std::string analyze_rows(std::istream& input, const std::string& name, const DeviceFacts& device) {
    std::string answer;
    analyze_rows(input, name, device, [&answer](std::string_view piece) { answer += piece; });
    return answer;
}

void run_analyze(const AnalyzeCommand& command, std::istream& input, std::ostream& out) {
    if (names_a_picture(command.output_path)) {
        ViewCommand view{.path = command.path, .device = command.device};
        view.figure.output_path = command.output_path;
        return run_view(view, input, out);
    }
    auto devices = device_table();
    const std::string_view wanted =
        command.device.empty() ? kMeasuredRules : std::string_view(command.device);
    const DeviceFacts& device = devices[choose_device(devices, wanted, false)];
    if (!command.output_path.empty()) check_output(command.output_path);
    Spool answer;
    read_input(command.path, input, [&](std::istream& file, const std::string& name) {
        analyze_rows(file, name, device, [&answer](std::string_view piece) { answer.add(piece); });
    });
    if (command.output_path.empty())
        answer.write_to(out);
    else
        answer.write_to(command.output_path);
}

CommandEntry analyze_command() {
    return {"analyze", "Count warp accesses from a CSV file or of mem_trace",
            "analyze accesses.csv                                 count your own trace",
            options_of<AnalyzeCommand>(
                [](CLI::App& app, AnalyzeCommand& command) {
                    add_value(app, "file", command.path, "The file; - is standard input", "FILE")->required();
                    add_value(app, "--device", command.device,
                              "Count by the rules of this compute capability or GPU (default 9.0, the H200)",
                              "CC|NAME");
                    add_output(app, command.output_path);
                },
                run_analyze)};
}

}  // namespace warplens
