#include "app/commands/gallery.h"

#include "app/commands/figure_writer.h"
#include "app/commands/output.h"
#include "app/devices.h"
#include "app/errors.h"
#include "app/options_export.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace warplens {
namespace {

/// "every other" as part of a file name.
std::string file_part(std::string_view name) {
    std::string part(name);
    std::replace(part.begin(), part.end(), ' ', '-');
    return part;
}

void make_folder(const std::string& folder) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (!error && std::filesystem::is_directory(folder)) return;
    throw UsageError(
        fmt::format("cannot write into '{}': {}", folder, error ? error.message() : "it is not a folder"));
}

}  // namespace

std::vector<GalleryItem> gallery_items() {
    std::vector<GalleryItem> items;
    for (const Scenario& scenario : all_scenarios()) {
        const std::string id(scenario.info->id);
        items.push_back({&scenario, id, scenario.info->defaults});
        for (const Preset& preset : scenario.info->presets) {
            items.push_back({&scenario, id + "-" + file_part(preset.name), preset_params(scenario, preset)});
        }
    }
    return items;
}

void run_gallery(const GalleryCommand& command, std::ostream& out) {
    auto devices = device_table();
    const std::size_t device = choose_device(devices, command.device.name, command.device.cpu);
    const Recordings recordings = open_figure_recordings(command.figure.recordings, devices);
    FigureWriter writer(command.device.cpu);
    make_folder(command.folder);
    const std::vector<GalleryItem> items = gallery_items();
    for (const GalleryItem& item : items) {
        State state = initial_state(*item.scenario, device);
        state.params = item.params;
        const FigureFormat format = command.figure.format.value_or(FigureFormat::png);
        const std::string name = fmt::format("{}.{}", item.name, format_name(format));
        const std::string path = (std::filesystem::path(command.folder) / name).string();
        const FigurePlan plan(state, devices, command.figure, recordings);
        write_output(path, writer.write(plan, format, name));
        out << path << '\n';
    }
    out << fmt::format("{} figures are in {}\n", items.size(),
                       std::filesystem::absolute(command.folder).lexically_normal().string());
}

}  // namespace warplens
