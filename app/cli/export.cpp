#include "app/cli/export.h"

#include "app/base/output.h"
#include "app/cli/command.h"
#include "app/cli/command_options.h"
#include "app/figures/export_job.h"
#include "app/figures/gallery.h"

namespace warplens {

void run_export(const ExportCommand& command, std::ostream& out) {
    FigureWriter writer(command.device.cpu);
    export_with(writer, command, out);
}

void export_with(FigureWriter& writer, const ExportCommand& command, std::ostream& out) {
    if (command.all) {
        const std::string folder = command.output_path.empty() ? "gallery" : command.output_path;
        return write_gallery(command.device, command.figure, folder, out);
    }
    Experiment experiment = make_export_experiment(command);
    Recordings recordings = open_figure_recordings(command.figure.recordings, experiment.devices);
    ExportJob job(command, std::move(experiment), std::move(recordings));
    check_output(command.output_path);
    while (!job.complete()) {
        job.begin(writer);
        while (job.draw_piece(writer) < 1) {
        }
        job.take(*done_at_once(job.rest(writer)));
    }
    for (const std::string& line : job.write()) out << printable(line, kMostMessageBytes) << '\n';
}

void check_export_command(ExportCommand& command) {
    if (!command.all) return check_export(command);
    const FigureFormat format = command.figure.format.value_or(FigureFormat::png);
    if (!command.choice.scenario.empty() || !command.choice.settings.empty() || command.steps)
        throw UsageError(
            "export --all draws every scenario as it is: leave out the scenario, its settings and --steps");
    if (!command.figure.compare.empty())
        throw UsageError("export --all draws every scenario as it is: leave out --compare");
    if (format == FigureFormat::csv || format == FigureFormat::json || format == FigureFormat::gif)
        throw UsageError("export --all writes pictures: --format png, svg or pdf");
    check_size(command.figure);
}

CommandEntry export_command() {
    return {"export", "Write a figure, or the numbers behind it, without a window",
            "export transpose --set variant=padded --out t.svg    write a figure",
            options_of<ExportCommand>(
                [](CLI::App& app, ExportCommand& command) {
                    add_export_options(app, command, false);
                    app.add_flag("--all", command.all,
                                 "Figures of all scenarios, presets and boards into the folder --out");
                },
                run_export, check_export_command)};
}

CommandEntry gallery_command() {
    return {"gallery", "Write figures of all scenarios, as export --all", "",
            options_of<ExportCommand>(
                [](CLI::App& app, ExportCommand& command) {
                    command.all = true;
                    add_value(app, "--out", command.output_path, "The folder (default gallery)", "DIR");
                    add_export_options(app, command, true);
                },
                run_export, check_export_command)};
}

}  // namespace warplens
