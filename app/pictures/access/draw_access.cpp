#include "app/pictures/access/access_picture.h"

namespace warplens {

std::string_view picture_title(Space space, const SectorRules& rules) {
    const bool global = space == Space::global || space == Space::l2;
    if (global && rules.coalescing == CoalescingRules::whole_lines) return "Lines";
    if (global && rules.coalescing != CoalescingRules::sectors) return "Transactions";
    constexpr std::string_view kTitles[kSpaceCount] = {
        "Sectors", "Banks", "Constant words", "Texels", "Private arrays", "Registers", "Sectors", "Cluster"};
    return kTitles[static_cast<int>(space)];
}

Picture draw_access(const InstructionView& view, const TileShape& tile, ColorBy color_by, int only_wavefront,
                    const Style& style) {
    switch (view.space()) {
        case Space::global:
        case Space::l2:
            return draw_sectors(view, style);
        case Space::constant:
            return draw_constant(view, style);
        case Space::texture:
            return view.shape->image.x > 0 ? draw_filter(view, style) : draw_texture(view, style);
        case Space::local:
            return draw_local(view, style);
        case Space::registers:
            return draw_registers(view, style);
        case Space::cluster:
            return draw_cluster(view, style);
        case Space::shared:
            break;
    }
    return draw_banks(view, tile, color_by, only_wavefront, style);
}

}  // namespace warplens
