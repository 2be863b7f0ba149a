#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warplens {

/// What kind of thing of this program teaches a heading of a document.
enum class TeacherKind {
    lesson,   ///< a section of a lesson: "local-spill: Why"
    step,     ///< a step of a course, by its title: "spaces: Room on the SM"
    claim,    ///< a published number that is checked, by its id
    show,     ///< a link that sets the window up: "vector-add?n=1000"
    command,  ///< a command of the command line, by its name
    quiz,     ///< a figure with mistakes, by its id (app/learn/mistakes.h)
};

/// One place that teaches a heading.
struct Teacher {
    TeacherKind kind = TeacherKind::show;
    std::string name;          ///< the lesson, the course, the claim, the link, the command or the figure
    std::string part;          ///< the section of the lesson or the title of the step; otherwise empty
    std::string text() const;  ///< as Markdown, for a table
};

struct DocumentHeading {
    std::string heading;            ///< in the document's own words, or what stands below it in brackets
    std::vector<Teacher> teachers;  ///< at least one
};

/// A textbook or an article, and where each of its headings is taught here.
struct Document {
    std::string source;  ///< the key of its ClaimSource in assets/worked.json
    std::vector<DocumentHeading> headings;
};

/// The documents of assets/documents.json, read once.
const std::vector<Document>& documents();

/// Reads them:
///     {"documents": [{"source": "memory-model", "headings": [
///         {"heading": "…", "taught": ["lesson local-spill: Why", "step spaces: Room on the SM",
///           "claim two-tiles", "show vector-add?n=1000", "command import-ncu", "quiz figure-4.7"]}]}]}
/// Errors: std::runtime_error that names the place and what is wrong there. Whether a place exists is not
/// checked here but by missing_part.
std::vector<Document> parse_documents(std::string_view json);

/// What does not exist of a place that teaches, in a few words; empty if it exists. Commands are known to the
/// command line only and count as existing.
std::string missing_part(const Teacher& teacher);

/// A table in Markdown with a row for each heading: document, heading, where it is taught.
std::string documents_table(const std::vector<Document>& all);

}  // namespace warplens
