#include "app/cli/command.h"
#include "app/cli/command_options.h"
#include "app/cli/export.h"

namespace warplens {

CommandEntry gallery_command() {
    return {"gallery", "Write figures of all scenarios, as export --all", "", "",
            options_of<ExportCommand>(
                [](CLI::App& app, ExportCommand& command) {
                    command.all = true;
                    app.add_option("--out", command.output_path, "The folder (default gallery)")
                        ->type_name("DIR");
                    add_export_options(app, command, true);
                },
                run_export, check_export_command)};
}

}  // namespace warplens
