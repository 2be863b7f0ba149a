#include "app/learn/demo.h"
#include "app/base/errors.h"
#include "app/base/input.h"
#include "app/base/text.h"
#include "app/cli/command.h"
#include "app/cli/command_options.h"
#include "app/cli/text_table.h"
#include "app/experiment/link.h"

#include <fmt/format.h>

#include <algorithm>

namespace warplens {
namespace {

/// A lecturer's talk, checked and as a text.
struct DemoCommand {
    std::string file;  ///< or the id of a demo of the program. Empty to list those.
    std::string path;  ///< of the text. Empty for standard output.
};

Demo demo_named(const std::string& name) {
    const auto shipped = std::ranges::find(shipped_demos(), name, &ShippedDemo::id);
    if (shipped != shipped_demos().end()) return shipped->demo;
    try {
        Demo demo = parse_demo(read_input(name, kMostJsonBytes));
        check_stops(demo, device_table());
        return demo;
    } catch (const UsageError& problem) {
        throw UsageError(fmt::format("the demo '{}' cannot be used: {}", printable(name), problem.what()));
    }
}

std::string as_text(const Demo& demo) {
    constexpr std::size_t kIndent = 4, kColumns = 96;
    std::string text = fmt::format("{}\n{} stops\n", demo.title, demo.stops.size());
    for (std::size_t i = 0; i < demo.stops.size(); ++i) {
        const DemoStop& stop = demo.stops[i];
        text += fmt::format("\n{:>2}. {}\n    {}\n", i + 1, describe_link(stop.link), stop.link);
        if (!stop.note.empty())
            text += fmt::format("\n    {}\n", wrapped_behind(stop.note, kIndent, kColumns - kIndent));
    }
    return text;
}

std::string as_markdown(const Demo& demo) {
    std::string text = fmt::format("# {}\n", demo.title);
    for (std::size_t i = 0; i < demo.stops.size(); ++i) {
        const DemoStop& stop = demo.stops[i];
        text += fmt::format("\n## {}. {}\n\n", i + 1, describe_link(stop.link));
        if (!stop.note.empty()) text += stop.note + "\n\n";
        text += fmt::format("`{}`\n", stop.link);
    }
    return text;
}

void run_demo(const DemoCommand& command, std::ostream& out) {
    if (command.file.empty()) {
        for (const ShippedDemo& shipped : shipped_demos())
            out << fmt::format("{}  {}, {} stops\n", shipped.id, shipped.demo.title,
                               shipped.demo.stops.size());
        return;
    }
    write_answer(command.path, out, [&] {
        const Demo demo = demo_named(command.file);
        return command.path.ends_with(".md") ? as_markdown(demo) : as_text(demo);
    });
}

}  // namespace

CommandEntry demo_command() {
    return {
        "demo", "Check a lecturer's demo and print its stops with their notes",
        "demo talk.json --out talk.md                         a talk's stops and notes, to print",
        options_of<DemoCommand>(
            [](CLI::App& app, DemoCommand& command) {
                app.add_option(
                       "file", command.file,
                       "File of a demo, or the name of one that comes with Warplens (default: list those)")
                    ->type_name("FILE|ID");
                add_output(app, command.path);
            },
            run_demo)};
}

}  // namespace warplens
