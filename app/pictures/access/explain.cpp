#include "app/pictures/access/explain.h"

#include <fmt/format.h>

namespace warplens {

std::string lanes_phrase(int active) {
    if (active == kWarpLanes) return "All 32 lanes";
    if (active == 1) return "The one active lane";
    return fmt::format("The {} active lanes", active);
}

Explanation explain(const InstructionView& view, const TileShape& tile) {
    if (view.report->access.active == 0) {
        return {.verdict = "No lane is active: nothing is moved.",
                .why = "All 32 lanes are switched off, so the instruction makes no request.",
                .good = true};
    }
    switch (view.space()) {
        case Space::global:
        case Space::l2:
            return explain_sectors(view);
        case Space::constant:
            return explain_constant(view);
        case Space::texture:
            return view.shape->image.x > 0 ? explain_filter(view) : explain_texture(view);
        case Space::local:
            return explain_local(view);
        case Space::registers:
            return explain_registers(view);
        case Space::cluster:
            return explain_cluster(view);
        case Space::shared:
            break;
    }
    return explain_banks(view, tile);
}

}  // namespace warplens
