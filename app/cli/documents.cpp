#include "app/base/assets.h"
#include "app/boards/worked/claims.h"
#include "app/cli/command_options.h"
#include "app/learn/courses.h"

#include <nlohmann/json.hpp>

namespace warplens {
namespace {

using nlohmann::ordered_json;

/// A row for each heading of assets/documents.json, which names a place that teaches it as "lesson
/// local-spill: Why": [{"source":…,"heading":…,"taught":[{"kind":…,"name":…,"part":…},…]},…].
ordered_json rows_of_documents() {
    ordered_json rows = ordered_json::array();
    const ordered_json file = ordered_json::parse(asset("assets/documents.json"));
    for (const ordered_json& document : file.at("documents")) {
        for (const ordered_json& heading : document.at("headings")) {
            ordered_json taught = ordered_json::array();
            for (const std::string text : heading.at("taught")) {
                const std::size_t space = text.find(' '), colon = text.find(": ", space);
                taught.push_back(
                    {{"kind", text.substr(0, space)}, {"name", text.substr(space + 1, colon - space - 1)}});
                if (colon != std::string::npos) taught.back()["part"] = text.substr(colon + 2);
            }
            rows.push_back({{"source", document.at("source")},
                            {"heading", heading.at("heading")},
                            {"taught", std::move(taught)}});
        }
    }
    return rows;
}

std::string place_text(const ordered_json& place) {
    const std::string kind = place.at("kind"), part = place.value("part", "");
    std::string name = place.at("name");
    if (kind == "lesson") return fmt::format("lesson `{}`, *{}*", name, part);
    if (kind == "step") return fmt::format("course *{}*, step *{}*", find_course(name)->title, part);
    if (kind == "claim") return fmt::format("claim `{}`", name);
    if (kind == "command") name.insert(0, "warplens ");
    if (kind == "quiz") name.insert(0, "warplens quiz --mistakes ");
    return '`' + name + '`';
}

/// A bar would end the cell of a table.
std::string in_cell(std::string text) {
    for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2) text.insert(at, "\\");
    return text;
}

/// A table in Markdown.
std::string table_of_documents() {
    std::string table = "| document | heading | taught here |\n|---|---|---|\n", before;
    for (const ordered_json& row : rows_of_documents()) {
        std::string places;
        for (const ordered_json& place : row.at("taught"))
            places += (places.empty() ? "" : "; ") + place_text(place);
        const std::string key = row.at("source");
        const bool first = std::exchange(before, key) != key;
        const auto source = std::ranges::find(worked_claims().sources, key, &ClaimSource::key);
        table += fmt::format("| {} | {} | {} |\n", first ? in_cell(source->text()) : "",
                             in_cell(row.at("heading")), in_cell(places));
    }
    return table;
}

void run_documents(bool json, std::ostream& out) {
    out << (json ? rows_of_documents().dump(2) + '\n' : table_of_documents());
}

}  // namespace

CommandEntry documents_command() {
    return {"documents", "Say where each heading of five introductions to CUDA's memories is taught",
            "documents                                            where each heading of five texts is taught",
            json_option(run_documents)};
}

}  // namespace warplens
