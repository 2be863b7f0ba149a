#include "app/window/opened_file.h"

#include "app/base/errors.h"
#include "app/base/printable.h"
#include "app/figures/export_options.h"
#include "app/figures/figure_command.h"
#include "app/measure/recording_columns.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace warplens {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kMostBytes = 256u << 20;  // a figure at the largest size is smaller
constexpr const char* kExpected =
    "expected a figure (PNG, SVG, JSON), a saved state or a recording of Warplens";

std::string read_whole(const std::string& path) {
    std::error_code error;
    const auto status = fs::status(path, error);
    if (!fs::exists(status)) throw UsageError("there is no such file");
    if (!fs::is_regular_file(status)) throw UsageError("it is not a file");
    const std::uintmax_t size = fs::file_size(path, error);
    if (error) throw UsageError(error.message());
    if (size == 0) throw UsageError(fmt::format("it is empty: {}", kExpected));
    if (size > kMostBytes)
        throw UsageError(fmt::format("it has {} MB, and at most {} are read: {}", size >> 20,
                                     kMostBytes >> 20, kExpected));
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    if (!file || !(text << file.rdbuf())) throw UsageError("it cannot be read");
    return std::move(text).str();
}

/// The export request of the command that a figure contains.
ExportRequest export_of(const std::vector<std::string>& arguments) {
    try {
        return read_export(arguments);
    } catch (const UsageError& problem) {
        throw UsageError(fmt::format("the command in it is not understood: {}", problem.what()));
    }
}

ExportRequest figure_in(const std::string& bytes, const char* kind) {
    const auto arguments = figure_arguments(bytes);
    if (!arguments)
        throw UsageError(
            fmt::format("it is {} without the command of a Warplens figure in it: {}", kind, kExpected));
    return export_of(*arguments);
}

/// Our JSON files name their kind in one of the first members, so that it is known even if the file is cut
/// off.
OpenedFile json_file(const std::string& text) {
    const std::string_view head = std::string_view(text).substr(0, 4096);
    if (head.find(kRecordingSchema) != std::string_view::npos) return RecordingFile{};
    if (text.find("\"warplens state\"") != std::string::npos) return read_state(text);
    const nlohmann::json parsed = nlohmann::json::parse(text, nullptr, false);
    const auto command = parsed.is_object() ? parsed.find("command") : parsed.end();
    if (!parsed.is_object() || command == parsed.end() || !command->is_string())
        throw UsageError(fmt::format("it is {}: {}",
                                     parsed.is_discarded() ? "no complete JSON" : "JSON of something else",
                                     kExpected));
    auto words = split_command(command->get<std::string>());
    if (!words || words->size() < 2 || words->front() != "warplens")
        throw UsageError(fmt::format("it is JSON of another program: {}", kExpected));
    words->erase(words->begin());
    return export_of(*words);
}

OpenedFile recognize(const std::string& bytes) {
    const std::size_t start = bytes.find_first_not_of(" \t\r\n");
    if (bytes.starts_with("\x89PNG")) return figure_in(bytes, "a PNG picture");
    if (bytes.starts_with("%PDF"))
        throw UsageError("it is a PDF: of figures, PNG and SVG files can be opened again");
    if (start != std::string::npos && bytes[start] == '<') {
        if (bytes.find("<svg") == std::string::npos)
            throw UsageError(fmt::format("it is XML or HTML of something else: {}", kExpected));
        return figure_in(bytes, "an SVG picture");
    }
    if (start != std::string::npos && bytes[start] == '{') return json_file(bytes);
    throw UsageError(fmt::format("it is neither: {}", kExpected));
}

}  // namespace

OpenedFile recognize_file(const std::string& path) {
    try {
        return recognize(read_whole(path));
    } catch (const UsageError& problem) {
        throw UsageError(fmt::format("cannot open '{}': {}", on_one_line(path), problem.what()));
    }
}

bool names_a_file(const std::string& word) {
    const std::string_view before = std::string_view(word).substr(0, word.find('?'));
    return word.starts_with('/') || before.find_first_of("./") != std::string_view::npos;
}

}  // namespace warplens
