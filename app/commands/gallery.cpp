#include "app/commands/gallery.h"

#include "app/commands/output.h"
#include "app/commands/render.h"
#include "app/commands/settings.h"
#include "app/errors.h"

#include <fmt/format.h>

#include <filesystem>

namespace warplens {
namespace {

/// The plot that goes best with a scenario, where it is not its first one.
std::string_view telling_axis(std::string_view scenario) {
    return scenario == "shared-tile" ? "padding" : "";
}

struct Telling {
    std::string_view scenario, suffix, settings;
};

/// Settings that tell something: the picture changes, and the sentence under it.
constexpr Telling kTelling[] = {
    {"global-stride", "coalesced", "op=load"},
    {"global-stride", "every-other", "op=load,stride=2"},
    {"global-stride", "sector-each", "op=load,stride=8"},
    {"global-stride", "misaligned", "op=load,offset=1"},
    {"global-stride", "float4", "op=load,element=16"},
    {"shared-stride", "free", "stride=1"},
    {"shared-stride", "column", "stride=32"},
    {"shared-stride", "broadcast", "stride=0"},
    {"shared-stride", "double", "stride=1,element=8"},
    {"shared-tile", "padded", "padding=1"},
    {"shared-tile", "swizzled", "swizzle_bits=5"},
    {"shared-tile", "row", "walk=row"},
    {"transpose", "naive", "variant=naive"},
    {"transpose", "padded", "variant=padded"},
    {"transpose", "swizzled", "variant=swizzled"},
};

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
        const std::string axis(telling_axis(id));
        items.push_back({id, id, "", axis});
        for (const Telling& telling : kTelling) {
            if (telling.scenario == id) {
                items.push_back(
                    {id, fmt::format("{}-{}", id, telling.suffix), std::string(telling.settings), axis});
            }
        }
    }
    return items;
}

void run_gallery(const GalleryCommand& command, std::ostream& out) {
    auto devices = device_table();
    const std::size_t device = choose_device(devices, command.device.name, command.device.cpu);
    FigureRenderer renderer(command.device.cpu, command.figure.scale);
    make_folder(command.folder);
    const std::vector<GalleryItem> items = gallery_items();
    for (const GalleryItem& item : items) {
        const Scenario& scenario = require_scenario(item.scenario);
        State state = initial_state(scenario, device);
        if (!item.settings.empty()) state.params = apply_settings(scenario, {item.settings});
        if (!item.axis.empty()) state.axis = &require_axis(scenario, item.axis);
        const Image image = renderer.render(state, devices, command.figure);
        const std::string path = (std::filesystem::path(command.folder) / (item.name + ".png")).string();
        write_output(path, figure_to_png(image, state, devices[device], command.figure));
        out << path << '\n';
    }
    out << fmt::format("{} figures are in {}\n", items.size(),
                       std::filesystem::absolute(command.folder).lexically_normal().string());
}

}  // namespace warplens
