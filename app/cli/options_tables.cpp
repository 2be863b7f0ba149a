#include "app/cli/options_tables.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

namespace warplens {
namespace {

constexpr const char* kSpacesFooter = R"(Examples:
  warplens spaces --device "RTX 4090"
  warplens spaces --device 1.3
  warplens spaces --json
As a figure: warplens export --view spaces --out spaces.png)";

constexpr const char* kWorkedFooter =
    R"(A row for each number that five well-known introductions to CUDA's memories give:
  right      the model gives the same, as precisely as it was stated
  corrected  the model gives another number
  outdated   right for the GPUs of its time, no longer
In the window ('warplens "?board=claims"') a click leads to a place that shows the number.)";

}  // namespace

void add_spaces(CLI::App& app, DeviceChoice& device, bool& json) {
    CLI::App* command = app.add_subcommand("spaces", "Tabulate the memory spaces of a GPU");
    command->footer(kSpacesFooter);
    command
        ->add_option("--device", device.name, "For which GPU: part of a name, a compute capability, or here")
        ->type_name("NAME|CC");
    command->add_flag("--cpu,--no-gpu", device.cpu, "Never touch CUDA");
    command->add_flag("--json", json, "As JSON");
}

void add_worked(CLI::App& app, bool& json) {
    CLI::App* command = app.add_subcommand("worked", "Work out the numbers of textbooks and articles");
    command->footer(kWorkedFooter);
    command->add_flag("--json", json, "As JSON");
}

}  // namespace warplens
