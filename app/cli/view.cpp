#include "app/base/csv.h"
#include "app/base/output.h"
#include "app/base/text.h"
#include "app/cli/analyze.h"
#include "app/cli/command_options.h"
#include "app/cli/run.h"
#include "app/cli/text_table.h"
#include "app/experiment/devices.h"
#include "app/experiment/settings.h"
#include "app/figures/figure_writer.h"
#include "app/figures/request_figure.h"
#include "app/model/access/counts.h"
#include "app/pictures/access/explain.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <sstream>

namespace warplens {
namespace {

using nlohmann::ordered_json;

std::string list_text(const AccessList& list, const DeviceFacts& device) {
    constexpr std::size_t kMost = 50;
    std::string text =
        fmt::format("{}: {}, {}, by the rules of {}\n\n", list.name, counted(list.rows, "request"),
                    counted(std::int64_t(list.groups.size()), "instruction"), device.name);
    TextTable table({"row", "requests", "cost", "ideal", "excess"}, "instruction");
    for (std::size_t i = 0; i < std::min(kMost, list.groups.size()); ++i) {
        const AccessGroup& group = list.groups[i];
        const CostWords cost = cost_of(group.space(), device.sector_rules);
        std::string note = fmt::format("{} ({}), {}", group.name, request_kind(group), cost.name);
        if (!group.kernel.empty()) note += fmt::format(" in {}", group.kernel);
        table.add(
            {std::to_string(i + 1), std::to_string(group.rows), std::to_string(cost.cost(group.totals)),
             std::to_string(cost.ideal(group.totals)), std::to_string(excess_of(group, device.sector_rules))},
            fmt::format("{}; worst: {}", note, request_place(group)));
    }
    text += table.text();
    if (list.groups.size() > kMost)
        text += fmt::format("… and {} more: --json and --csv have them all\n", list.groups.size() - kMost);
    if (list.others > 0)
        text += fmt::format("{} of instructions with less beyond their ideal are not listed\n",
                            counted(list.others, "request"));
    if (list.skipped > 0)
        text += fmt::format("{} are not counted, such as {}\n", counted(list.skipped, "request"),
                            list.skipped_opcode);
    return text;
}

/// One instruction of the list; a row of the CSV file has the same, and the line of the worst request.
ordered_json row_of(const AccessGroup& group, std::size_t index, const DeviceFacts& device) {
    const CostWords cost = cost_of(group.space(), device.sector_rules);
    return {{"row", index + 1},
            {"instruction", group.name},
            {"kernel", group.kernel},
            {"space", space_name(group.space())},
            {"op", op_of_files(group.worst.op)},
            {"width", group.worst.bytes_per_lane},
            {"requests", group.rows},
            {"unit", cost.name},
            {"cost", cost.cost(group.totals)},
            {"ideal", cost.ideal(group.totals)},
            {"excess", excess_of(group, device.sector_rules)}};
}

std::string list_csv(const AccessList& list, const DeviceFacts& device) {
    std::string text = "row,instruction,kernel,space,op,width,requests,unit,cost,ideal,excess,worst_line\n";
    for (std::size_t i = 0; i < list.groups.size(); ++i) {
        for (const ordered_json& cell : row_of(list.groups[i], i, device))
            text += (cell.is_string() ? csv_field(cell.get_ref<const std::string&>()) : cell.dump()) + ',';
        text += fmt::format("{}\n", list.groups[i].line);
    }
    return text;
}

std::string list_json(const AccessList& list, const DeviceFacts& device) {
    ordered_json json{{"schema", 1},
                      {"file", list.name},
                      {"device", device.name},
                      {"requests", list.rows},
                      {"not_listed", list.others},
                      {"not_counted", list.skipped},
                      {"instructions", ordered_json::array()}};
    for (std::size_t i = 0; i < list.groups.size(); ++i) {
        const AccessGroup& group = list.groups[i];
        const InstructionReport report = report_of(group, device);
        const Evidence evidence = request_evidence(report, device);
        const Explanation words = explain(view_of(evidence, 0));
        ordered_json& one = json["instructions"].emplace_back(row_of(group, i, device));
        one["kind"] = provenance_name(report.kind);
        one["worst"] = {{"line", group.line}, {"verdict", words.verdict}, {"why", words.why}};
        const AccessPlace& place = group.place;
        if (place.launch >= 0)
            one["worst"].update({{"launch", place.launch}, {"block", place.block}, {"warp", place.warp}});
    }
    return json.dump(1) + '\n';
}

std::string list_of(const AccessList& list, const DeviceFacts& device, ReportFormat format) {
    return format == ReportFormat::json  ? list_json(list, device)
           : format == ReportFormat::csv ? list_csv(list, device)
                                         : list_text(list, device);
}

/// Opens the window with the file, by the rules of the device.
void open_in_window(const ViewCommand& command, std::ostream& out) {
    if (command.path == "-")
        throw UsageError(
            "view -: the window needs a file; --list prints, and --out draws what comes from a pipe");
    std::vector<std::string> arguments{command.path.find('/') == std::string::npos ? "./" + command.path
                                                                                   : command.path};
    if (!command.device.empty()) arguments.insert(arguments.end(), {"--device", command.device});
    if (!command.beside.empty()) arguments.insert(arguments.end(), {"--beside", command.beside});
    std::istringstream none;
    parse_command_line(arguments).run(none, out);
}

/// Draws one row of the list. @return  a line that says so
std::string draw_row(const ViewCommand& command, const AccessList& list,
                     const std::vector<DeviceFacts>& devices, std::size_t device) {
    const std::string& path = command.figure.output_path;
    if (list.groups.empty())
        throw UsageError(fmt::format("{}: expected a request to draw, found none", list.name));
    if (command.row > int(list.groups.size()))
        throw UsageError(
            fmt::format("--row {}: {} has rows 1 to {}", command.row, list.name, list.groups.size()));
    const FigureOptions& options = command.figure.figure;
    const std::size_t index = command.row - 1;
    State state = initial_state(all_scenarios().front(), device);
    for (const std::string& item : command.figure.choice.settings)
        state.bits = state.bits || item == "draw=bits";
    const FigurePlan plan(
        request_figure(list, index, devices[device],
                       request_command(command.path, devices[device], index, state.bits, path)),
        state, devices, options);
    FigureWriter writer(true);
    write_output(path, writer.write(plan, format_of(options, path), path));
    return fmt::format("{}: {} x {} points of 1/96 inch\n", path, options.width, options.height);
}

bool is_list(const ViewCommand& command) {
    const std::string& path = command.figure.output_path;
    return command.list || command.format != ReportFormat::text || path.ends_with(".csv") ||
           path.ends_with(".json") || path.ends_with(".txt");
}

void check_view(ViewCommand& command) {
    check_range("--row", command.row, 1, 1000000000);
    check_size(command.figure.figure);
    const std::string& path = command.figure.output_path;
    if (path.ends_with(".json")) command.format = ReportFormat::json;
    if (path.ends_with(".csv")) command.format = ReportFormat::csv;
    if (!command.beside.empty() && (!path.empty() || is_list(command)))
        throw UsageError("--beside is for the window: 'warplens import-ncu --analyze' prints the comparison");
    if (path.empty() || is_list(command)) return;
    const FigureFormat format = format_of(command.figure.figure, path);
    if (format == FigureFormat::gif)
        throw UsageError("view draws one picture: the name should end in .png, .svg or .pdf");
}

}  // namespace

void run_view(const ViewCommand& command, std::istream& input, std::ostream& out) {
    const std::string& path = command.figure.output_path;
    if (path.empty() && !is_list(command)) return open_in_window(command, out);
    std::vector<DeviceFacts> devices = device_table();
    const std::size_t device = choose_device(
        devices, command.device.empty() ? kMeasuredRules : std::string_view(command.device), false);
    if (!path.empty()) check_output(path);
    const AccessList list = read_input(command.path, input, [&](std::istream& file, const std::string& name) {
        return list_accesses(file, name, devices[device]);
    });
    if (!is_list(command)) {
        out << printable(draw_row(command, list, devices, device), kMostMessageBytes) << '\n';
        return;
    }
    const std::string answer = list_of(list, devices[device], command.format);
    if (path.empty())
        out << answer;
    else
        write_output(path, answer);
}

CommandEntry view_command() {
    return {"view", "Look at recorded requests: your own trace, the worst first",
            "view accesses.csv                                    see your own trace",
            options_of<ViewCommand>(
                [](CLI::App& app, ViewCommand& command) {
                    add_value(app, "file", command.path, "The file; - is standard input", "FILE")->required();
                    add_value(app, "--device", command.device,
                              "Count by the rules of this compute capability or GPU (default 9.0, the H200)",
                              "CC|NAME");
                    add_value(app, "--row", command.row, "Which instruction of the list is drawn (default 1)",
                              "N");
                    add_value(app, "--beside", command.beside,
                              "Open these requests as well, beside a page of Nsight Compute", "FILE");
                    app.add_flag("--list", command.list, "Print the list");
                    add_report_format(app, command.format);
                    for (const char* option :
                         {"--out", "--draw", "--size", "--scale", "--theme", "--palette", "--format",
                          "--transparent", "--outlines", "--no-caption", "--no-license", "--title"})
                        add_export_option(app, command.figure, option);
                },
                run_view, check_view)};
}

}  // namespace warplens
