#include "app/cli/typed_report.h"

#include "app/base/errors.h"
#include "app/base/format.h"
#include "app/base/input.h"
#include "app/base/parse_number.h"
#include "app/base/version.h"
#include "app/cli/text_table.h"
#include "app/experiment/settings.h"
#include "app/figures/report_writer.h"
#include "app/model/access/counts.h"
#include "app/typed/counts.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <optional>
#include <set>

namespace warplens {
namespace {

using typed::TypedAccess;
using typed::TypedCounts;
using typed::TypedKnob;
using typed::TypedLaunch;
using typed::TypedProgram;

/// Everything that the report says.
struct TypedReport {
    const TypedProgram& program;
    const TypedLaunch& launch;
    const TypedCounts& counts;
    const DeviceFacts& device;
    std::vector<std::int64_t> values;  ///< of the knobs
};

TypedProgram read_program(const std::string& path) {
    std::ifstream input = open_input(path);
    std::string text(std::istreambuf_iterator<char>(input), {});
    if (input.bad()) throw UsageError(fmt::format("cannot read '{}'", path));
    const std::string name = printable(std::filesystem::path(path).filename().string());
    try {
        return TypedProgram(std::move(text), name);
    } catch (const typed::SourceError& problem) {
        throw UsageError(fmt::format("{}, {}", name, problem.what()));
    }
}

std::int64_t knob_value(const TypedKnob& knob, std::string_view text) {
    std::optional<std::int64_t> value;
    if (text.starts_with("2^")) {
        const auto power = parse_number<int>(text.substr(2));
        if (power && *power >= 0 && *power <= 30) value = std::int64_t{1} << *power;
    } else {
        value = parse_number<std::int64_t>(text);
    }
    const bool fits =
        value && *value >= knob.least && *value <= knob.most && (!knob.power || (*value & (*value - 1)) == 0);
    if (!fits)
        throw UsageError(
            fmt::format("{}={}: expected {} {} to {}", knob.name, printable(std::string(text), 40),
                        knob.power ? "a power of two," : "a whole number,", knob.least, knob.most));
    return *value;
}

std::vector<std::int64_t> read_values(const TypedProgram& program, const std::vector<std::string>& settings) {
    std::vector<std::int64_t> values;
    for (const TypedKnob& knob : program.knobs()) values.push_back(knob.initial);
    for (const std::string& item : settings) {
        for (std::string_view rest = item; !rest.empty();) {
            const std::string_view one = rest.substr(0, rest.find(','));
            rest.remove_prefix(std::min(rest.size(), one.size() + 1));
            const std::size_t equals = one.find('=');
            const std::string_view key = one.substr(0, equals);
            const auto knob = std::ranges::find(program.knobs(), key, &TypedKnob::name);
            if (knob == program.knobs().end()) {
                std::string names;
                for (const TypedKnob& known : program.knobs())
                    names += (names.empty() ? "" : ", ") + known.name;
                throw UsageError(
                    fmt::format("{} has no knob {}; it has {}", program.name(), in_quotes(key),
                                names.empty() ? "none: '// knob n = 1024 in 1..4096' makes one" : names));
            }
            values[static_cast<std::size_t>(knob - program.knobs().begin())] = knob_value(
                *knob, equals == std::string_view::npos ? std::string_view() : one.substr(equals + 1));
        }
    }
    return values;
}

std::string values_text(const TypedReport& report) {
    std::string text;
    for (std::size_t i = 0; i < report.values.size(); ++i)
        text += fmt::format("{}{}={}", i > 0 ? ", " : "", report.program.knobs()[i].name, report.values[i]);
    return text;
}

Space space_of(const TypedReport& report, const TypedAccess& access) {
    return typed::space_of(report.launch.memories()[static_cast<std::size_t>(access.memory)].storage);
}

/// Where the counts of an access come from: by rules that are exact for this GPU or not, of all blocks or
/// some.
CountBasis basis_of(const TypedReport& report, std::size_t index, bool grid) {
    const TypedAccess& access = report.launch.accesses()[index];
    const Instruction instruction{.space = space_of(report, access),
                                  .op = access.store ? Op::store : Op::load,
                                  .bytes_per_lane = access.bytes};
    if (grid && report.counts.kind != Provenance::exact)
        return {report.counts.kind, "Some blocks of the grid are counted for all."};
    return count_basis(instruction, report.device);
}

/// What an access costs beyond the least, in words of its space: "32 wavefronts a request, ideal 1".
std::string verdict_on(const TypedReport& report, std::size_t index) {
    const TypedAccess& access = report.launch.accesses()[index];
    const CostWords words = cost_of(space_of(report, access), report.device.sector_rules);
    const Totals& grid = report.counts.grid[index];
    if (grid.instructions == 0) return "no lane is active";
    const auto each = [&](std::int64_t sum) {
        return fmt::format("{:.4g}", static_cast<double>(sum) / static_cast<double>(grid.instructions));
    };
    const std::int64_t cost = words.cost(grid), ideal = std::min(cost, words.ideal(grid));
    if (cost == ideal) return fmt::format("ideal: {} {} a request", each(cost), words.name);
    return fmt::format("{} times the ideal: {} {} a request, ideal {}",
                       fmt::format("{:.3g}", static_cast<double>(cost) /
                                                 static_cast<double>(std::max<std::int64_t>(1, ideal))),
                       each(cost), words.name, each(ideal));
}

std::string table_over(const TypedReport& report, std::string_view scope, const std::vector<Totals>& totals) {
    std::string text;
    for (int space = 0; space < kSpaceCount; ++space) {
        std::optional<TextTable> table;
        const auto counts = counts_of(static_cast<Space>(space), report.device.sector_rules);
        for (std::size_t i = 0; i < totals.size(); ++i) {
            const TypedAccess& access = report.launch.accesses()[i];
            if (space_of(report, access) != static_cast<Space>(space)) continue;
            if (!table) {
                std::vector<std::string> head{
                    fmt::format("{}, {}", scope, space_name(static_cast<Space>(space)))};
                for (const CountWords& count : counts) head.emplace_back(count.name);
                table.emplace(std::move(head));
            }
            std::vector<std::string> cells{fmt::format(
                "{} {}", provenance_mark(basis_of(report, i, scope == "grid").kind), access.label)};
            for (const CountWords& count : counts) cells.push_back(fmt::format("{}", count.value(totals[i])));
            table->add(std::move(cells));
        }
        if (table) text += table->text();
    }
    return text;
}

std::string report_text(const TypedReport& report) {
    const typed::Launch& launch = report.launch.launch();
    std::string text = fmt::format("{} ({})\n{}, compute capability {}\n", report.program.kernel(),
                                   report.program.name(), report.device.name, report.device.cc.text());
    if (!report.values.empty()) text += values_text(report) + '\n';
    text += fmt::format("{} x {} blocks of {} x {} threads", launch.grid_x, launch.grid_y, launch.block_x,
                        launch.block_y);
    if (report.launch.shared_bytes() > 0)
        text += fmt::format(", {} bytes of shared memory each", report.launch.shared_bytes());
    if (report.launch.barriers() > 0) text += ", " + counted(report.launch.barriers(), "barrier");
    text += "\n\n";
    const std::string misfit = does_not_fit(report.device, launch.threads(), report.launch.shared_bytes());
    if (!misfit.empty()) text += misfit + "\n\n";
    text += table_over(report, "grid", report.counts.grid) + '\n';
    text += table_over(report, "block", report.counts.block) + '\n';
    text += table_over(report, "warp", report.counts.warp) + '\n';
    for (std::size_t i = 0; i < report.launch.accesses().size(); ++i) {
        const TypedAccess& access = report.launch.accesses()[i];
        text += fmt::format("{}: {}\n  line {}: {}\n", access.label, verdict_on(report, i),
                            access.site->at.line, printable(access.code, kMostMessageBytes));
    }
    for (const std::string& warning : report.launch.warnings()) text += fmt::format("! {}\n", warning);
    text += "\n● exact: counted from addresses";
    std::set<std::string_view> sources;
    for (std::size_t i = 0; i < report.launch.accesses().size(); ++i)
        if (const CountBasis basis = basis_of(report, i, true); basis.kind != Provenance::exact)
            sources.insert(basis.source);
    for (const std::string_view source : sources) text += fmt::format("\n○ approximate: {}", source);
    return text + '\n';
}

nlohmann::ordered_json report_json(const TypedReport& report) {
    const typed::Launch& launch = report.launch.launch();
    nlohmann::ordered_json json{{"schema", 1},
                                {"program", fmt::format("warplens {}", version())},
                                {"kernel", report.program.kernel()},
                                {"file", report.program.name()},
                                {"device", device_to_json(report.device)},
                                {"knobs", nlohmann::ordered_json::object()},
                                {"grid_size", {launch.grid_x, launch.grid_y}},
                                {"block_size", {launch.block_x, launch.block_y}},
                                {"shared_bytes", report.launch.shared_bytes()},
                                {"all_blocks", report.counts.kind == Provenance::exact}};
    for (std::size_t i = 0; i < report.values.size(); ++i)
        json["knobs"][report.program.knobs()[i].name] = report.values[i];
    const std::pair<const char*, const std::vector<Totals>*> scopes[] = {
        {"grid", &report.counts.grid}, {"block", &report.counts.block}, {"warp", &report.counts.warp}};
    for (const auto& [name, totals] : scopes) {
        json[name] = nlohmann::ordered_json::array();
        for (std::size_t i = 0; i < totals->size(); ++i) {
            const TypedAccess& access = report.launch.accesses()[i];
            nlohmann::ordered_json row{
                {"label", access.label},
                {"space", space_name(space_of(report, access))},
                {"op", op_key(access.store ? Op::store : Op::load)},
                {"line", access.site->at.line},
                {"code", printable(access.code, kMostMessageBytes)},
                {"kind", provenance_name(basis_of(report, i, totals == &report.counts.grid).kind)}};
            for (const CountKey& count : counts_of_files())
                row[std::string(count.key)] = count.value((*totals)[i]);
            json[name].push_back(std::move(row));
        }
    }
    json["warnings"] = report.launch.warnings();
    return json;
}

std::string report_csv(const TypedReport& report) {
    std::string text = "scope,label,line,space,op,kind";
    for (const CountKey& count : counts_of_files()) text += fmt::format(",{}", count.key);
    text += '\n';
    const std::pair<const char*, const std::vector<Totals>*> scopes[] = {
        {"grid", &report.counts.grid}, {"block", &report.counts.block}, {"warp", &report.counts.warp}};
    for (const auto& [name, totals] : scopes) {
        for (std::size_t i = 0; i < totals->size(); ++i) {
            const TypedAccess& access = report.launch.accesses()[i];
            text +=
                fmt::format("{},\"{}\",{},{},{},{}", name, access.label, access.site->at.line,
                            space_name(space_of(report, access)), op_key(access.store ? Op::store : Op::load),
                            provenance_name(basis_of(report, i, totals == &report.counts.grid).kind));
            for (const CountKey& count : counts_of_files())
                text += fmt::format(",{}", count.value((*totals)[i]));
            text += '\n';
        }
    }
    return text;
}

}  // namespace

bool is_kernel_file(std::string_view name) { return name.ends_with(".cu"); }

void run_typed_report(const ReportCommand& command, std::ostream& out) {
    const TypedProgram program = read_program(command.choice.scenario);
    const Experiment experiment = make_experiment({}, command.device);  // for its device
    const DeviceFacts& device = experiment.device();
    const std::vector<std::int64_t> values = read_values(program, command.choice.settings);
    try {
        const std::shared_ptr<const TypedLaunch> launch = program.launch(values);
        const TypedCounts counts = count_launch(*launch, device);
        const TypedReport report{program, *launch, counts, device, values};
        if (command.format == ReportFormat::csv)
            out << report_csv(report);
        else if (command.format == ReportFormat::json)
            out << report_json(report).dump(2) << '\n';
        else
            out << report_text(report);
    } catch (const typed::SourceError& problem) {
        throw UsageError(fmt::format("{}, {}", program.name(), problem.what()));
    }
}

}  // namespace warplens
