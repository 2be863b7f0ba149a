#include "app/cli/run.h"

#include "app/base/errors.h"
#include "app/cli/command_options.h"
#include "app/cli/doctor.h"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string_view>
#include <utility>

namespace warplens {
namespace {

constexpr const char* kWindowExamples = R"(Examples:
  warplens                                                      open the window
  warplens shared-tile --set padding=1                          open it there
  warplens --recording h200.json                                open the window with a recording
)";

/// The help below the options of the whole: examples of all commands, and the exit codes.
std::string main_footer() {
    std::string text = kWindowExamples;
    for (const CommandEntry& command : all_commands()) {
        if (*command.example != 0) text += fmt::format("  warplens {}\n", command.example);
    }
    text +=
        "\nWithout --device numbers are for the GPU of this machine, or for an H200 where there is none.\n\n"
        "Exit codes:";
    for (const auto& [code, meaning] : kExitCodes) text += fmt::format("\n  {}  {}", int(code), meaning);
    return text;
}

/// Options of the window mean nothing to a command; saying nothing would hide a typing mistake.
void reject_window_options(const CLI::App& app, const std::string& command) {
    for (const CLI::Option* option : app.get_options()) {
        const std::string name = option->get_single_name();
        if (option->count() == 0 || name == "device" || name == "cpu" || name == "bank-mode") continue;
        const std::string shown = option->get_positional() ? option->as<std::string>() : "--" + name;
        throw UsageError(
            fmt::format("{} stands before '{}': options of a command come after its name", shown, command));
    }
}

/// CLI11's messages, without its line breaks and brackets for several lines.
std::string one_sentence(std::string text) {
    for (std::size_t at; (at = text.find('\n')) != std::string::npos;) text.replace(at, 1, " ");
    while (!text.empty() && (text.back() == ' ' || text.back() == '.')) text.pop_back();
    return text;
}

/// Help whose descriptions and footers stay as they are. Since 2.5 CLI11 fills both to the width of a line,
/// but tables and examples are no paragraphs. So CLI11 is told that there are none, and they are added here.
class HelpFormatter : public CLI::Formatter {
public:
    std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override {
        return CLI::Formatter::make_description(app) + CLI::Formatter::make_help(app, std::move(name), mode) +
               CLI::Formatter::make_footer(app);
    }
    std::string make_description(const CLI::App* /*app*/) const override { return {}; }
    std::string make_footer(const CLI::App* /*app*/) const override { return {}; }
};

Command print(std::string text) {
    return make_command(std::move(text), [](const std::string& all, std::ostream& out) { out << all; });
}

}  // namespace

Command parse_command_line(const std::vector<std::string>& arguments) {
    CLI::App app{
        "See what a CUDA warp does to memory: banks, sectors, wavefronts and bandwidth.\n"
        "Without a command it opens the window.",
        "warplens"};
    app.formatter(std::make_shared<HelpFormatter>());
    app.get_formatter()->column_width(34);
    bool version = false;
    app.add_flag("--version", version, "Print the version");
    WindowCommand window;
    add_window_options(app, window);
    // Declared are the commands that a word names; help lists all, the manual and the completion with their
    // options. Any short options with an h among them may ask for help.
    const auto has_word = [&](std::string_view word) {
        return std::ranges::find(arguments, word) != arguments.end();
    };
    const bool lists_options = has_word("man") || has_word("completion");
    const bool lists_all = lists_options || std::ranges::any_of(arguments, [](const std::string& word) {
                               return word.starts_with('-') && word.find('h') != std::string::npos;
                           });
    if (lists_all) app.footer(main_footer());
    std::map<const CLI::App*, FinishCommand> finish;
    for (const CommandEntry& one : all_commands()) {
        const bool named = has_word(one.name);
        if (!named && !lists_all) continue;
        CLI::App* command = app.add_subcommand(std::string(one.name), one.summary);
        command->footer(footer_of(one));
        if (named || lists_options) finish[command] = one.declare(*command);
    }
    finish[app.add_subcommand("man", "Print the manual page")->group("")] = [&](const DeviceChoice&) {
        return print(man_page(app));
    };
    finish[app.add_subcommand("completion", "Print the completion for bash")->group("")] =
        [&](const DeviceChoice&) { return print(bash_completion(app)); };
    app.require_subcommand(0, 1);
    try {
        app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
    } catch (const CLI::CallForHelp&) {
        const auto used = app.get_subcommands();
        return print(used.empty() ? app.help() : used.front()->help("warplens"));
    } catch (const CLI::ParseError& error) {
        const auto used = app.get_subcommands();
        throw UsageError(fmt::format("{}; see 'warplens {}--help'", one_sentence(error.what()),
                                     used.empty() ? "" : used.front()->get_name() + " "));
    }
    if (version) return print(version_line() + '\n');
    const auto used = app.get_subcommands();
    if (used.empty()) return finish_window(app, std::move(window));
    reject_window_options(app, used.front()->get_name());
    return finish.at(used.front())(window.device);
}

namespace {

/// Whether standard output is a pipe whose reader has closed it.
bool reader_left() {
    pollfd out{STDOUT_FILENO, POLLOUT, 0};
    return ::poll(&out, 1, 0) == 1 && (out.revents & POLLERR) != 0;
}

}  // namespace

int run_command_line(const std::vector<std::string>& arguments, std::istream& input, std::ostream& out) {
    parse_command_line(arguments).run(input, out);
    // A full disk behind standard output must not look like success. Who reads a pipe may stop: `| head`.
    if (!out.flush() && !reader_left()) throw Failure("cannot write to standard output");
    return int(ExitCode::done);
}

}  // namespace warplens
