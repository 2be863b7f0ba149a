#include "app/learn/manual.h"

#include "app/base/text.h"
#include "app/cli/command_options.h"

#include <fmt/format.h>

namespace warplens {
namespace {

struct ManualCommand {
    std::string chapter;
};

void run_manual(const ManualCommand& command, std::ostream& out) {
    if (command.chapter.empty()) {
        for (const Chapter& chapter : manual()) out << fmt::format("{:<14}{}\n", chapter.id, chapter.about);
        return;
    }
    out << find_chapter(command.chapter)->text;
}

void check_manual(ManualCommand& command) {
    if (command.chapter.empty() || find_chapter(command.chapter) != nullptr) return;
    throw UsageError(fmt::format("there is no chapter '{}'; 'warplens manual' lists them", command.chapter));
}

}  // namespace

CommandEntry manual_command() {
    return {"manual", "Print a chapter of the manual, or the list of its chapters",
            "manual kernel                                        a chapter of the manual",
            options_of<ManualCommand>(
                [](CLI::App& app, ManualCommand& command) {
                    app.add_option("chapter", command.chapter, "The name of a chapter")->type_name("NAME");
                },
                run_manual, check_manual)};
}

}  // namespace warplens
