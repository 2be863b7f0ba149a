#include "app/pictures/access/explain.h"

#include <fmt/format.h>

namespace warplens {
namespace {

/// How the instructions of a memory space are drawn and put into words.
struct SpacePicture {
    std::string_view title;
    Picture (*draw)(const InstructionView&, const Style&);  ///< null for shared memory, which needs its tile
    Explanation (*explain)(const InstructionView&);
};
constexpr SpacePicture kPictures[kSpaceCount] = {
    {"Sectors", draw_sectors, explain_sectors},          {"Banks", nullptr, nullptr},
    {"Constant words", draw_constant, explain_constant}, {"Texels", draw_texture, explain_texture},
    {"Private arrays", draw_local, explain_local},       {"Registers", draw_registers, explain_registers},
    {"Sectors", draw_sectors, explain_sectors},          {"Cluster", draw_cluster, explain_cluster}};
constexpr SpacePicture kFiltered{"Texels", draw_filter, explain_filter};

const SpacePicture& picture_of(const InstructionView& view) {
    const bool filtered = view.space() == Space::texture && view.shape->image.x > 0;
    return filtered ? kFiltered : kPictures[static_cast<int>(view.space())];
}

}  // namespace

std::string_view picture_title(Space space, const SectorRules& rules) {
    const bool global = space == Space::global || space == Space::l2;
    if (global && rules.coalescing == CoalescingRules::whole_lines) return "Lines";
    if (global && rules.coalescing != CoalescingRules::sectors) return "Transactions";
    return kPictures[static_cast<int>(space)].title;
}

Picture draw_access(const InstructionView& view, const TileShape& tile, ColorBy color_by, int only_wavefront,
                    const Style& style) {
    if (view.space() == Space::shared) return draw_banks(view, tile, color_by, only_wavefront, style);
    return picture_of(view).draw(view, style);
}

std::string lanes_phrase(int active) {
    if (active == kWarpLanes) return "All 32 lanes";
    if (active == 1) return "The one active lane";
    return fmt::format("The {} active lanes", active);
}

std::string used_of_moved(const SectorCount& count, std::string_view moved) {
    if (count.bytes_used == count.bytes_moved)
        return fmt::format("all {} bytes {} are used", format_count(count.bytes_moved), moved);
    return fmt::format("{} of the {} bytes {} are used, {} of them", format_count(count.bytes_used),
                       format_count(count.bytes_moved), moved,
                       format_percent(count.bytes_used, count.bytes_moved));
}

std::string cost_text(int count, std::string_view noun, int ideal) {
    return fmt::format("{}, ideal {}", counted(count, noun), ideal);
}

Explanation explain(const InstructionView& view, const TileShape& tile) {
    if (view.report->access.active == 0) {
        return {.verdict = "No lane is active: nothing is moved.",
                .why = "All 32 lanes are switched off, so the instruction makes no request.",
                .good = true};
    }
    if (view.space() == Space::shared) return explain_banks(view, tile);
    return picture_of(view).explain(view);
}

}  // namespace warplens
