#include "app/learn/documents.h"

#include "app/base/assets.h"
#include "app/base/json_place.h"
#include "app/boards/worked/claims.h"
#include "app/experiment/devices.h"
#include "app/experiment/link.h"
#include "app/learn/courses.h"
#include "app/learn/mistakes.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <stdexcept>

namespace warplens {
namespace {

struct KindName {
    std::string_view name;
    TeacherKind kind;
    bool has_part;
};
constexpr KindName kPlaceKinds[] = {
    {"lesson", TeacherKind::lesson, true},    {"step", TeacherKind::step, true},
    {"claim", TeacherKind::claim, false},     {"show", TeacherKind::show, false},
    {"command", TeacherKind::command, false}, {"quiz", TeacherKind::quiz, false}};

Teacher read_teacher(const JsonPlace& from) {
    const std::string text = from.prose();
    const std::size_t space = std::min(text.find(' '), text.size());
    const auto found =
        std::ranges::find(kPlaceKinds, std::string_view(text).substr(0, space), &KindName::name);
    if (found == std::end(kPlaceKinds) || space + 1 >= text.size())
        from.wrong("lesson, step, claim, show, command or quiz, a space and a name");
    Teacher teacher{found->kind, text.substr(space + 1), {}};
    if (!found->has_part) return teacher;
    const std::size_t colon = teacher.name.find(": ");
    if (colon == std::string::npos) from.wrong("a name, ': ' and a part of it");
    teacher.part = teacher.name.substr(colon + 2);
    teacher.name.resize(colon);
    return teacher;
}

DocumentHeading read_heading(const JsonPlace& from) {
    from.allow({"heading", "taught"});
    DocumentHeading heading{from.member("heading").prose(), {}};
    for (const JsonPlace& one : from.member("taught").elements())
        heading.teachers.push_back(read_teacher(one));
    if (heading.teachers.empty()) from.member("taught").wrong("a list that is not empty");
    return heading;
}

const ClaimSource& source_of(const Document& document) {
    const std::vector<ClaimSource>& sources = worked_claims().sources;
    const auto found = std::ranges::find(sources, document.source, &ClaimSource::key);
    if (found == sources.end()) throw std::runtime_error("documents: no source '" + document.source + "'");
    return *found;
}

bool has_section(std::string_view key, std::string_view section) {
    return std::ranges::any_of(lesson(key), [&](const Block& block) {
        return block.kind == BlockKind::heading && plain_text(block) == section;
    });
}

std::string course_title(std::string_view id) {
    const Course* course = find_course(id);
    return course == nullptr ? std::string(id) : course->title;
}

/// Empty if the link leads to a place that exists.
std::string problem_of_link(const std::string& link) {
    const std::vector<DeviceFacts> devices = device_table();
    try {
        follow_link(link,
                    initial_state(all_scenarios().front(), find_device(devices, kDefaultDevice).value()),
                    devices);
    } catch (const std::exception& error) {
        return error.what();
    }
    return {};
}

/// A bar would end the cell of a table.
std::string in_cell(std::string text) {
    for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2) text.insert(at, "\\");
    return text;
}

}  // namespace

std::string Teacher::text() const {
    switch (kind) {
        case TeacherKind::lesson:
            return fmt::format("lesson `{}`, *{}*", name, part);
        case TeacherKind::step:
            return fmt::format("course *{}*, step *{}*", course_title(name), part);
        case TeacherKind::claim:
            return fmt::format("claim `{}`", name);
        case TeacherKind::command:
            return fmt::format("`warplens {}`", name);
        case TeacherKind::quiz:
            return fmt::format("`warplens quiz --mistakes {}`", name);
        default:
            return fmt::format("`{}`", name);
    }
}

std::vector<Document> parse_documents(std::string_view text) {
    try {
        const nlohmann::json parsed = parse_json(text);
        const JsonPlace file(parsed, "");
        file.allow({"documents"});
        std::vector<Document> all;
        for (const JsonPlace& from : file.member("documents").elements()) {
            from.allow({"source", "headings"});
            Document& document = all.emplace_back(Document{from.member("source").prose(), {}});
            for (const JsonPlace& heading : from.member("headings").elements())
                document.headings.push_back(read_heading(heading));
        }
        return all;
    } catch (const JsonError& error) {
        throw std::runtime_error(fmt::format("documents: {}", error.what()));
    }
}

const std::vector<Document>& documents() {
    static const std::vector<Document> all = parse_documents(asset("assets/documents.json"));
    return all;
}

std::string missing_part(const Teacher& teacher) {
    switch (teacher.kind) {
        case TeacherKind::lesson:
            if (lesson(teacher.name).empty()) return "there is no such lesson";
            return has_section(teacher.name, teacher.part) ? "" : "the lesson has no such section";
        case TeacherKind::step: {
            const Course* course = find_course(teacher.name);
            if (course == nullptr) return "there is no such course";
            return std::ranges::count(course->steps, teacher.part, &CourseStep::title) == 1
                       ? ""
                       : "the course has no such step, or several";
        }
        case TeacherKind::claim:
            return std::ranges::count(worked_claims().claims, teacher.name, &Claim::id) == 1
                       ? ""
                       : "there is no such claim";
        case TeacherKind::show:
            return problem_of_link(teacher.name);
        case TeacherKind::quiz:
            return find_figure(teacher.name) != nullptr ? "" : "there is no such figure";
        default:
            return {};
    }
}

std::string documents_table(const std::vector<Document>& all) {
    std::string table = "| document | heading | taught here |\n|---|---|---|\n";
    for (const Document& document : all) {
        for (const DocumentHeading& heading : document.headings) {
            std::string places;
            for (const Teacher& teacher : heading.teachers)
                places += (places.empty() ? "" : "; ") + teacher.text();
            const bool first = &heading == &document.headings.front();
            table += fmt::format("| {} | {} | {} |\n", first ? in_cell(source_of(document).text()) : "",
                                 in_cell(heading.heading), in_cell(places));
        }
    }
    return table;
}

}  // namespace warplens
