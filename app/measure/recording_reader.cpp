#include "app/base/errors.h"
#include "app/base/input.h"
#include "app/base/parse_number.h"
#include "app/base/text.h"
#include "app/measure/recording_columns.h"
#include "app/model/time/prediction.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>

namespace warplens {
namespace {

using nlohmann::json;

constexpr std::size_t kLongestNote = 4000;
constexpr int kMany = 1'000'000'000;
constexpr double kMostBytes = 1e18;

/// Reads a version such as "9.0" as two numbers.
std::optional<std::pair<int, int>> parse_version(std::string_view text) {
    const auto version = parse_pair<int>(text, '.');
    const auto fits = [](int number, int most) { return number >= 0 && number <= most; };
    return version && fits(version->first, 999) && fits(version->second, 99) ? version : std::nullopt;
}

GpuInfo read_gpu(const JsonPlace& place) {
    GpuInfo gpu;
    gpu.name = place.member("name").text(kLongestName);
    if (gpu.name.find_first_not_of(' ') == std::string::npos) place.member("name").wrong("a GPU's name");
    const JsonPlace cc = place.member("cc");
    const auto version = parse_version(cc.text(kLongestName));
    if (!version) cc.wrong("a compute capability such as \"9.0\"");
    std::tie(gpu.cc_major, gpu.cc_minor) = *version;
    gpu.sm_count = place.whole_or("sm_count", 100'000, 0);
    gpu.clock_mhz = place.number_or("clock_mhz", 1e6, 0);
    gpu.peak_gb_per_s = place.number_or("peak_gb_per_s", 1e9, 0);
    gpu.memory_bytes = std::int64_t(place.number_or("memory_bytes", kMostBytes, 0));
    gpu.l2_bytes = std::int64_t(place.number_or("l2_bytes", kMostBytes, 0));
    gpu.shared_per_block_optin_bytes =
        std::int64_t(place.number_or("shared_per_block_optin_bytes", kMostBytes, 0));
    gpu.max_threads_per_block = place.whole_or("max_threads_per_block", kMany, 0);
    gpu.l2_fetch_granularity_bytes = place.whole_or("l2_fetch_granularity_bytes", kMany, 0);
    return gpu;
}

int read_cuda_version(const JsonPlace& session, const char* key) {
    if (!session.has(key)) return 0;
    const auto version = parse_version(session.member(key).text(kLongestName));
    if (!version) session.member(key).wrong("a version such as \"13.0\"");
    return 1000 * version->first + 10 * version->second;
}

/// Whether a text is a date such as "2026-11-21T20:15:50Z".
bool is_date(std::string_view text) {
    constexpr std::string_view kForm = "dddd-dd-ddTdd:dd:ddZ";
    return text.size() == kForm.size() &&
           std::equal(text.begin(), text.end(), kForm.begin(),
                      [](char c, char form) { return form == 'd' ? c >= '0' && c <= '9' : c == form; });
}

StopRule read_rule(const JsonPlace& place) {
    StopRule rule;
    rule.warm_up = place.whole_or("warm_up", kMany, rule.warm_up);
    rule.min_repeats = place.whole_or("min_repeats", kMany, rule.min_repeats);
    rule.max_repeats = place.whole_or("max_repeats", kMany, rule.max_repeats);
    rule.relative_error = place.number_or("relative_error", 1, rule.relative_error);
    rule.max_seconds = place.number_or("max_seconds", 1e9, rule.max_seconds);
    rule.cold = place.flag_or(kColdKey, rule.cold);
    return rule;
}

RecordedSession read_session(const JsonPlace& place) {
    RecordedSession session;
    session.date = place.member("date").text(kLongestName);
    if (!is_date(session.date)) place.member("date").wrong("a date such as \"2026-11-21T20:15:50Z\"");
    session.program = place.text_or("program", kLongestName);
    session.versions.driver = read_cuda_version(place, "cuda_driver");
    session.versions.runtime = read_cuda_version(place, "cuda_runtime");
    session.note = place.text_or("note", kLongestNote);
    if (place.has("stop_rule")) session.rule = read_rule(place.member("stop_rule"));
    if (!place.has("conditions")) return session;
    const JsonPlace conditions = place.member("conditions");
    session.conditions.sm_clock_mhz = conditions.number_or("sm_clock_mhz", 1e6, 0);
    session.conditions.memory_clock_mhz = conditions.number_or("memory_clock_mhz", 1e6, 0);
    session.conditions.power_state = conditions.whole_or("power_state", 100, -1);
    session.conditions.power_watt = conditions.number_or("power_watt", 1e6, 0);
    session.conditions.temperature_celsius = conditions.number_or("temperature_celsius", 1000, 0);
    session.conditions.driver = conditions.text_or("driver", kLongestName);
    return session;
}

void check_head(const JsonPlace& file) {
    const bool ours = file.value().is_object() && file.has("schema") &&
                      file.value().at("schema") == std::string(kRecordingSchema);
    if (!ours)
        throw RecordingError(
            fmt::format("this is no recording: expected an object with \"schema\":\"{}\"", kRecordingSchema));
    const int version = file.member("version").whole(1, kMany);
    if (version > kRecordingVersion) {
        throw RecordingError(
            fmt::format("it has version {} of the format, this program reads up to {}: get a "
                        "newer Warplens",
                        version, kRecordingVersion));
    }
}

std::vector<std::string> read_methods(const JsonPlace& place) {
    std::vector<std::string> methods;
    for (const JsonPlace& method : place.elements()) methods.push_back(method.text(kLongestNote));
    return methods;
}

}  // namespace

InSteps<ReadRecording> recording_in_steps(std::string_view text, OpenKernel open, std::stop_token stop) {
    try {
        auto parsing = parse_json_in_steps(text, stop);
        while (parsing.step()) co_yield 0;
        const json parsed = parsing.take();
        const JsonPlace file(parsed, "");
        check_head(file);
        ReadRecording result;
        result.recording.gpu = read_gpu(file.member("gpu"));
        for (const JsonPlace& session : file.member("sessions").elements())
            result.recording.sessions.push_back(read_session(session));
        std::vector<std::string> methods;
        if (file.has("methods")) methods = read_methods(file.member("methods"));
        const json none = json::object();
        const JsonPlace defaults =
            file.has("defaults") ? file.member("defaults") : JsonPlace(none, "defaults");
        RecordedKernels kernels(open, stop);
        if (file.has("kernels")) kernels.read(file.member("kernels"));
        SeriesReader reader(result.recording, methods, kernels, defaults);
        StepClock clock;
        for (const JsonPlace& series : file.member("series").elements()) {
            reader.read(series);
            if (clock.is_up()) co_yield 0;
        }
        result.skipped = reader.skipped();
        co_return result;
    } catch (const JsonError& error) {
        throw RecordingError(error.what());
    }
}

ReadRecording read_recording(std::string_view text, const OpenKernel& open, const std::stop_token& stop) {
    return recording_in_steps(text, open, stop).done();
}

ReadRecording open_recording(const std::string& path, const OpenKernel& open, const std::stop_token& stop) {
    try {
        return read_recording(read_input(path, kMostRecordingBytes, stop), open, stop);
    } catch (const std::runtime_error& why) {
        throw RecordingError(fmt::format("cannot open '{}': {}", printable(path), why.what()));
    }
}

}  // namespace warplens
