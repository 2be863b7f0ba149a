#include "app/cli/export.h"

#include "app/base/output.h"
#include "app/figures/export_job.h"

namespace warplens {

void run_export(const ExportCommand& command, std::ostream& out) {
    Experiment experiment = make_export_experiment(command);
    Recordings recordings = open_figure_recordings(command.figure.recordings, experiment.devices);
    ExportJob job(command, std::move(experiment), std::move(recordings));
    check_output(command.output_path);
    FigureWriter writer(command.device.cpu);
    while (!job.complete()) {
        job.begin(writer);
        while (job.draw_piece(writer) < 1) {
        }
        job.take(job.rest(writer)());
    }
    for (const std::string& line : job.write()) out << line << '\n';
}

}  // namespace warplens
