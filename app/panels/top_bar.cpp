#include "app/panels/controls.h"
#include "app/panels/recordings_menu.h"
#include "app/panels/widgets.h"

#include <fmt/format.h>

namespace warplens {
namespace {

struct SpaceEntry {
    Space space;
    const char* label;
    const char* tooltip;
};
constexpr SpaceEntry kSpaces[] = {
    {Space::global, "Global",
     "Device memory, reached through L1 and L2 in sectors of 32 bytes: what coalescing is about."},
    {Space::shared, "Shared",
     "Memory of a block inside the SM, in 32 banks of 4 bytes (16 on CC 1.x): what bank conflicts are about."},
    {Space::constant, "Constant",
     "64 KB that kernels only read, with a small cache: quick when all lanes want the same word."},
    {Space::texture, "Texture",
     "Images: fetched by coordinates, laid out so that neighbours in 2-D share sectors."},
    {Space::local, "Local",
     "A thread's own memory beyond its registers. It lies in device memory, interleaved lane by lane."},
    {Space::registers, "Registers",
     "The quickest memory there is, private to a lane; lanes can exchange values."},
    {Space::l2, "L2", "Caches between SM and DRAM: how much fits, and what it costs when it does not."},
    {Space::cluster, "Clusters",
     "Distributed shared memory: blocks of a cluster read each other's (compute capability 9.0 and later)."},
};

const Scenario* first_of(Space space) {
    for (const Scenario& scenario : all_scenarios()) {
        if (scenario.in(space)) return &scenario;
    }
    return nullptr;
}

}  // namespace

void show_top_bar(const Frame& frame, View& view, Wishes& wishes, const Scenario*& go_to) {
    const Theme& colors = theme(view.theme);
    {
        const ui::FontScope title(frame, FontRole::heading);
        ui::text("Warplens");
    }
    ImGui::SameLine(0, ui::px(frame, 28));
    for (const SpaceEntry& entry : kSpaces) {
        if (ui::pill(frame, colors, entry.label, view.space == entry.space)) {
            view.space = entry.space;
            if (!frame.state->scenario->in(entry.space)) go_to = first_of(entry.space);
        }
        ui::mark(fmt::format("space.{}", entry.label));
        ui::tip(frame, entry.tooltip);
        ImGui::SameLine(0, ui::px(frame, 4));
    }
    const float right = ui::px(frame, 306);
    ImGui::SameLine(ImGui::GetWindowWidth() - right);
    show_recordings_menu(frame, view, wishes);
    ImGui::SameLine(0, ui::px(frame, 2));
    if (ui::pill(frame, colors, "A−", false)) wishes.user_scale_factor = 1 / 1.1f;
    ui::mark("scale.down");
    ui::tip(frame, "Smaller text and pictures (Ctrl+minus). Ctrl+0: as at first.");
    ImGui::SameLine(0, ui::px(frame, 2));
    if (ui::pill(frame, colors, "A+", false)) wishes.user_scale_factor = 1.1f;
    ui::mark("scale.up");
    ui::tip(frame, "Larger text and pictures, for projectors (Ctrl+plus).");
    ImGui::SameLine(0, ui::px(frame, 2));
    if (ui::pill(frame, colors, view.theme == ThemeName::dark ? "Light" : "Dark", false)) {
        view.theme = view.theme == ThemeName::dark ? ThemeName::light : ThemeName::dark;
    }
    ui::mark("theme");
    ui::tip(frame, "Light for slides and projectors, dark for the night (Ctrl+T).");
    ImGui::SameLine(0, ui::px(frame, 2));
    if (ui::pill(frame, colors, "?", view.help)) view.help = !view.help;
    ui::mark("help");
    ui::tip(frame, "Keys and words (F1).");
}

}  // namespace warplens
