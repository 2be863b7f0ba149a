#include "app/cli/command_options.h"
#include "app/code/code_page.h"
#include "app/experiment/settings.h"

namespace warplens {
namespace {

struct CodeCommand {
    ScenarioChoice choice;
    std::string path;  ///< Empty for standard output.
};

void run_code(const CodeCommand& command, std::ostream& out) {
    const Scenario& scenario = require_scenario(command.choice.scenario);
    const Params params = apply_settings(scenario, command.choice.settings);
    write_answer(command.path, out, [&] { return code_page(scenario, params).text(); });
}

}  // namespace

CommandEntry code_command() {
    constexpr const char* kFooter = R"(Examples:
  warplens code transpose --set variant=padded --out transpose.cu
  nvcc -O3 -arch=native transpose.cu -o transpose && ./transpose

The program verifies its result and prints the same quantity as the window.)";
    return {"code", "Write the kernel of a setting as a CUDA program of its own", kFooter,
            "code transpose --set variant=padded --out t.cu       a program for nvcc",
            options_of<CodeCommand>(
                [](CLI::App& app, CodeCommand& command) {
                    add_scenario(app, command.choice)->required();
                    add_output(app, command.path);
                },
                run_code)};
}

}  // namespace warplens
