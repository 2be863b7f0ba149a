#pragma once

// The folder app/cli/ contains the command line: one file for each command, with its options beside it,
// and cli/ncu/ for the files of Nsight Compute. It parses arguments and prints text; what it prints comes
// from app/experiment/ and app/figures/, so that the window shows the same. Nothing else includes it.

#include "app/experiment/devices.h"

#include <any>
#include <concepts>
#include <functional>
#include <istream>
#include <memory>
#include <ostream>
#include <span>
#include <string>
#include <string_view>

namespace CLI {
class App;
}

// Each command is one file: the struct of its options, how the parser knows them, its help and what it does;
// commands.cpp lists them, one line each, and help, manual page, completion and messages read that list.
// Options that several commands have are in command_options.h, those of figures in
// app/figures/export_options.h. Nothing outside this folder may include it, except app/main.cpp.

namespace warplens {

/// How a command that reports prints.
enum class ReportFormat { text, json, csv };

/// A command line that was understood.
struct Command {
    std::any options;                                       ///< For example a ReportCommand.
    std::function<void(std::istream&, std::ostream&)> run;  ///< Errors: Error, with the exit code.
};

/// Makes a command of the options once they are read. What was said about the device before the command's
/// name counts where the command itself says nothing. Errors: UsageError.
using FinishCommand = std::function<Command(const DeviceChoice& before)>;

/// A command as the list of commands describes it.
struct CommandEntry {
    std::string_view name;
    const char* summary = "";  ///< One line of help.
    const char* example = "";  ///< "report transpose   what it does", for the help of the whole; may be empty
    std::function<FinishCommand(CLI::App&)> declare;  ///< Declares the options at its parser.
};

/// All commands in the order of the help.
std::span<const CommandEntry> all_commands();
/// The text below the options in the help of a command, assets/help/<name>.txt. Empty for none.
std::string footer_of(const CommandEntry& command);

inline void take_device(DeviceChoice& device, const DeviceChoice& before) {
    if (device.name.empty()) device.name = before.name;
    if (device.bank_mode.empty()) device.bank_mode = before.bank_mode;
    device.cpu = device.cpu || before.cpu;
}
inline void take_device(std::string& name, const DeviceChoice& before) {
    if (name.empty()) name = before.name;
}

template <class Options, class Run>
Command make_command(Options options, Run run) {
    return {options, [options, run](std::istream& input, std::ostream& out) {
                if constexpr (std::invocable<Run, const Options&, std::istream&, std::ostream&>)
                    run(options, input, out);
                else
                    run(options, out);
            }};
}

/// How a command declares itself: `declare` binds its options to an `Options`, `check` says what the parser
/// cannot say, `run` does it, with or without what "-" reads.
template <class Options, class Run>
auto options_of(void (*declare)(CLI::App&, Options&), Run run, void (*check)(Options&) = nullptr) {
    return [=](CLI::App& app) -> FinishCommand {
        const auto options = std::make_shared<Options>();  // the parser writes there until it is done
        declare(app, *options);
        return [=](const DeviceChoice& before) {
            if constexpr (requires { take_device(options->device, before); })
                take_device(options->device, before);
            else if constexpr (requires { options->cpu; })
                options->cpu = options->cpu || before.cpu;
            if (check != nullptr) check(*options);
            return make_command(*options, run);
        };
    };
}

}  // namespace warplens
