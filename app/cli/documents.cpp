#include "app/learn/documents.h"

#include "app/boards/worked/claims.h"
#include "app/cli/command_options.h"

#include <nlohmann/json.hpp>

namespace warplens {
namespace {

using nlohmann::ordered_json;

/// [{"source":…,"heading":…,"taught":[{"kind":…,"name":…,"part":…},…]},…], a row for each heading.
ordered_json documents_to_json() {
    constexpr const char* kKinds[] = {"lesson", "step", "claim", "show", "command", "quiz"};
    ordered_json rows = ordered_json::array();
    for (const Document& document : documents()) {
        for (const DocumentHeading& heading : document.headings) {
            ordered_json taught = ordered_json::array();
            for (const Teacher& teacher : heading.teachers) {
                ordered_json& one = taught.emplace_back(
                    ordered_json{{"kind", kKinds[int(teacher.kind)]}, {"name", teacher.name}});
                if (!teacher.part.empty()) one["part"] = teacher.part;
            }
            rows.push_back(
                {{"source", document.source}, {"heading", heading.heading}, {"taught", std::move(taught)}});
        }
    }
    return rows;
}

struct DocumentsCommand {
    bool json = false;
};

void run_documents(const DocumentsCommand& command, std::ostream& out) {
    if (command.json)
        out << documents_to_json().dump(2) << '\n';
    else
        out << documents_table(documents());
}

}  // namespace

CommandEntry documents_command() {
    constexpr const char* kFooter =
        R"(The documents are the five introductions to CUDA's memories whose numbers 'warplens worked' checks. A row says
in which lesson, step of a course, checked number, setting or command a heading of them is taught. The table is
Markdown; the one in the README is this one.)";
    return {
        "documents", "Say where each heading of five introductions to CUDA's memories is taught", kFooter,
        "documents                                            where each heading of five texts is taught",
        options_of<DocumentsCommand>(
            [](CLI::App& app, DocumentsCommand& command) { add_json(app, command.json); }, run_documents)};
}

}  // namespace warplens
