#include "app/figures/report_writer.h"

#include "app/figures/scenario_json.h"

#include <fmt/format.h>

namespace warplens {
namespace {

using nlohmann::ordered_json;

struct Count {
    const char* key;
    std::int64_t value;
};

/// In the order in which every file has them.
std::vector<Count> counts_of(const Totals& totals) {
    return {{"requests", totals.requests},
            {"sectors", totals.sectors},
            {"ideal_sectors", totals.ideal_sectors},
            {"lines", totals.lines},
            {"wavefronts", totals.wavefronts},
            {"ideal_wavefronts", totals.ideal_wavefronts},
            {"excessive_wavefronts", totals.excessive_wavefronts()},
            {"bytes_used", totals.bytes_used},
            {"bytes_moved", totals.bytes_moved}};
}

ordered_json scope_to_json(const Report& report, const Scope& scope) {
    ordered_json rows = ordered_json::array();
    for (const InstructionReport& row : report.instructions) {
        ordered_json json{{"label", row.instruction.label},
                          {"space", space_name(row.instruction.space)},
                          {"op", op_key(row.instruction.op)}};
        for (const Count& count : counts_of(row.*scope.totals)) json[count.key] = count.value;
        rows.push_back(json);
    }
    return rows;
}

ordered_json predicted_to_json(const Prediction& predicted) {
    ordered_json json{{"kind", provenance_name(Provenance::approximate)}};
    // 0 stands for "not known", which is no prediction.
    const SpeedWords& words = speed_words(predicted.speed_unit);
    json[std::string(words.key)] = predicted.value > 0 ? ordered_json(predicted.value) : ordered_json();
    json[predicted.speed_unit == SpeedUnit::gb_per_s ? "peak_gb_per_s" : "peak"] =
        predicted.peak > 0 ? ordered_json(predicted.peak) : ordered_json();
    json["useful_bytes"] = predicted.useful_bytes;
    json["dram_bytes"] = predicted.dram_bytes;
    json["footprint_bytes"] = predicted.footprint_bytes;
    json["fits_l2"] = predicted.fits_l2;
    if (predicted.flop > 0) {
        json["flop"] = predicted.flop;
        json["flop_per_byte"] = predicted.intensity > 0 ? ordered_json(predicted.intensity) : ordered_json();
        json["l2_bytes"] = predicted.l2_bytes > 0 ? ordered_json(predicted.l2_bytes) : ordered_json();
    }
    json["limiter"] = predicted.limiter;
    return json;
}

ordered_json launch_to_json(const LaunchShape& shape) {
    return {{"grid", {shape.grid.x, shape.grid.y}},
            {"block", {shape.block.x, shape.block.y}},
            {"steps", shape.steps},
            {"shared_bytes", shape.shared_bytes}};
}

}  // namespace

ordered_json device_to_json(const DeviceFacts& device) {
    return {{"name", device.name}, {"cc", device.cc.text()}, {"here", device.here}};
}

ordered_json report_to_json(const Report& report, const ReportContext& context) {
    ordered_json json{{"schema", 1}, {"program", context.program}, {"scenario", context.scenario->info->id}};
    json["device"] = device_to_json(*context.device);
    json["params"] = params_to_json(*context.scenario, context.params);
    json["launch"] = launch_to_json(report.shape);
    json["pictured"] = {{"block", {report.place.block.x, report.place.block.y}},
                        {"warp_in_block", report.place.warp_in_block},
                        {"step", report.step}};
    json["kind"] = provenance_name(report.kind);
    json["does_not_fit"] = report.does_not_fit.empty() ? ordered_json() : ordered_json(report.does_not_fit);
    json["predicted"] = predicted_to_json(context.predicted);
    for (const Scope& scope : kScopes) json[std::string(scope.name)] = scope_to_json(report, scope);
    return json;
}

std::string csv_field(std::string_view text) {
    if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
    std::string result = "\"";
    for (const char c : text) result += c == '"' ? "\"\"" : std::string(1, c);
    return result + '"';
}

std::string report_to_csv(const Report& report) {
    std::string text = "scope,label,space,op";
    for (const Count& count : counts_of({})) text += fmt::format(",{}", count.key);
    text += '\n';
    for (const Scope& scope : kScopes) {
        for (const InstructionReport& row : report.instructions) {
            text += fmt::format("{},{},{},{}", scope.name, csv_field(row.instruction.label),
                                space_name(row.instruction.space), op_key(row.instruction.op));
            for (const Count& count : counts_of(row.*scope.totals)) text += fmt::format(",{}", count.value);
            text += '\n';
        }
    }
    return text;
}

}  // namespace warplens
