#include "app/cli/command.h"

#include "app/base/assets.h"

#include <fmt/format.h>

#include <vector>

/// Every command: `report` stands for report_command(), which its own file defines.
#define WARPLENS_COMMANDS(COMMAND) \
    COMMAND(scenarios)             \
    COMMAND(report)                \
    COMMAND(fix)                   \
    COMMAND(analyze)               \
    COMMAND(import_ncu)            \
    COMMAND(profile)               \
    COMMAND(view)                  \
    COMMAND(export)                \
    COMMAND(gallery)               \
    COMMAND(code)                  \
    COMMAND(spaces)                \
    COMMAND(worked)                \
    COMMAND(documents)             \
    COMMAND(manual)                \
    COMMAND(measure)               \
    COMMAND(merge)                 \
    COMMAND(agree)                 \
    COMMAND(accuracy)              \
    COMMAND(timeline)              \
    COMMAND(occupancy)             \
    COMMAND(quiz)                  \
    COMMAND(demo)                  \
    COMMAND(doctor)

namespace warplens {

#define COMMAND(name) CommandEntry name##_command();
WARPLENS_COMMANDS(COMMAND)
#undef COMMAND

std::span<const CommandEntry> all_commands() {
#define COMMAND(name) name##_command(),
    static const std::vector<CommandEntry> commands{WARPLENS_COMMANDS(COMMAND)};
#undef COMMAND
    return commands;
}

std::string footer_of(const CommandEntry& command) {
    std::string text(asset(fmt::format("assets/help/{}.txt", command.name)));
    if (!text.empty()) text.pop_back();  // the end of its last line
    return text;
}

}  // namespace warplens
