// Files in JSON: recordings, demos and saved states. And figures, whose JSON form is one of several.

#include "app/experiment/typed_kernel.h"
#include "app/figures/export_job.h"
#include "app/window/saved_state.h"
#include "tests/fuzzing/targets.h"

namespace warplens::fuzz {

void recording(std::string_view bytes) {
    try_to([&] {
        const Recording read = read_recording(bytes, open_kernel).recording;
        const ReadRecording again = read_recording(write_recording(read), open_kernel);
        require(again.skipped.empty() && again.recording.point_count() == read.point_count(),
                "what was read and written again has the same points");
        require(printable(read.gpu.name) == read.gpu.name, "the name of a GPU is printable");
    });
}

void state(std::string_view bytes) {
    try_to([&] {
        const SavedState read = read_state(bytes);
        require(read_state(write_state(read)) == read, "a state comes back as it was written");
    });
}

void demo(std::string_view bytes) {
    try_to([&] {
        const Demo read = parse_demo(bytes);
        require(parse_demo(write_demo(read)) == read, "a demo comes back as it was written");
        for (const DemoStop& stop : read.stops) {
            require(printable(stop.link, kMostLinkBytes) == stop.link, "a link is printable");
            require(stop.note.find('\x1b') == std::string::npos, "a note steers no terminal");
        }
    });
}

void figure(std::string_view bytes) {
    try_to([&] {
        const OpenedFile file = recognize(std::string(bytes));
        if (const auto* command = std::get_if<ExportRequest>(&file)) {
            ExportRequest here = *command;
            here.device.cpu = true;
            make_export_experiment(here);
        }
    });
}

}  // namespace warplens::fuzz
