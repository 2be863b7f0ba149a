#include "app/pictures/access/access_picture.h"

#include "app/pictures/access/explain.h"
#include "kernels/scenarios/shared_matrix_load.h"
#include "kernels/scenarios/shared_operand_tile.h"

#include <fmt/format.h>

#include <algorithm>

namespace warplens {
namespace {

bool has_knob(const Scenario& scenario, int Params::*field) {
    const auto& knobs = scenario.info->knobs;
    return std::any_of(knobs.begin(), knobs.end(), [field](const Knob& knob) { return knob.field == field; });
}

/// Whether a scenario has variants and the one that is set has this name. Scenarios number theirs
/// differently.
bool is_variant(const Scenario& scenario, const Params& params, std::string_view name) {
    for (const Knob& knob : scenario.info->knobs)
        for (const Choice& choice : knob.choices)
            if (knob.field == &Params::variant && choice.value == params.variant && choice.name == name)
                return true;
    return false;
}

/// ldmatrix moves chunks of 16 bytes, so its tile is counted in chunks, not in elements.
TileShape chunks_of_tile(const Params& p) {
    return {.width = SharedMatrixLoad::row_chunks(p),
            .height = SharedMatrixLoad::kRows,
            .padding = p.padding,
            .element_bytes = SharedMatrixLoad::kChunkBytes,
            .swizzle_bits = p.swizzle_bits,
            .swizzle_base = 0,
            .swizzle_shift = SharedMatrixLoad::swizzle_shift(p)};
}

/// An operand tile is counted in what a lane accesses. Its panels stand one below the other, as they do in
/// memory.
TileShape operand_tile(const Params& p, int bytes_per_lane) {
    using S = SharedOperandTile;
    const int unit = std::countr_zero(static_cast<unsigned>(bytes_per_lane));
    return {.width = S::span(p) >> unit,
            .height = S::kRows * (S::kRowBytes / S::span(p)),
            .padding = S::padding(p) * S::kChunkBytes >> unit,
            .element_bytes = bytes_per_lane,
            .swizzle_bits = p.swizzle_bits,
            .swizzle_base = S::kSwizzleBase - unit,
            .swizzle_shift = S::kSwizzleShift};
}

bool is_made_without_padding(const Scenario& scenario, Params params, const Instruction& instruction) {
    params.padding = 0;
    for (int i = 0; i < scenario.instruction_count(params); ++i) {
        if (scenario.instruction(params, i).label == instruction.label) return true;
    }
    return false;
}

/// How the instructions of a memory space are drawn and put into words.
struct SpacePicture {
    std::string_view title;
    Picture (*draw)(const InstructionView&, const Style&);  ///< null for those that have a player
    Explanation (*explain)(const InstructionView&);
};
constexpr SpacePicture kPictures[kSpaceCount] = {{"Sectors", nullptr, explain_sectors},
                                                 {"Banks", nullptr, nullptr},
                                                 {"Constant words", draw_constant, explain_constant},
                                                 {"Texels", draw_texture, explain_texture},
                                                 {"Per-thread arrays", draw_local, explain_local},
                                                 {"Registers", draw_registers, explain_registers},
                                                 {"Sectors", nullptr, explain_sectors},
                                                 {"Cluster", draw_cluster, explain_cluster}};
constexpr SpacePicture kFiltered{"Texels", draw_filter, explain_filter};

const SpacePicture& picture_of(const InstructionView& view) {
    const bool filtered = view.space() == Space::texture && view.shape->image.x > 0;
    return filtered ? kFiltered : kPictures[int(view.space())];
}

Picture draw_memory(const InstructionView& view, const TileShape& tile, const AccessLook& look,
                    const Style& style) {
    if (view.space() == Space::shared) return draw_banks(view, tile, look, style);
    if (picture_of(view).draw == nullptr) return draw_sectors(view, look, style);
    return picture_of(view).draw(view, style);
}

}  // namespace

std::string_view picture_title(Space space, const SectorRules& rules) {
    const bool global = space == Space::global || space == Space::l2;
    if (global && rules.coalescing == CoalescingRules::whole_lines) return "Lines";
    if (global && rules.coalescing != CoalescingRules::sectors) return "Transactions";
    return kPictures[int(space)].title;
}

Picture draw_access(const InstructionView& view, const TileShape& tile, const AccessLook& look,
                    const Style& style) {
    // Which bits differ gives away what is to be guessed.
    const bool bits = has_bits(view) && !style.counts_hidden;
    if (bits && look.bits) return draw_bits(view, tile, style);
    return draw_memory(view, tile, look, style);
}

int most_words(const InstructionView& view) {
    int most = 0;
    if (view.banks == nullptr) return most;
    for (const auto& group : view.banks->words) most = std::max<int>(most, *std::ranges::max_element(group));
    return most;
}

PlayedSteps played_steps(const InstructionView& view) {
    if (view.space() == Space::shared) return {"wavefront", view.banks->count.wavefronts};
    if (picture_of(view).explain != explain_sectors) return {};
    const bool sectors = view.sectors->rules.coalescing == CoalescingRules::sectors;
    return {sectors ? "sector" : "transaction", int(view.sectors->transactions.size())};
}

std::string lanes_phrase(int active) {
    if (active == kWarpLanes) return "All 32 lanes";
    if (active == 1) return "The one active lane";
    return fmt::format("The {} active lanes", active);
}

std::string short_name(const Instruction& instruction) {
    if (instruction.object.empty()) return std::string(instruction.label);
    const std::string_view verb = instruction.space == Space::texture ? "fetch"
                                  : is_atomic(instruction.op)         ? "add to"
                                                                      : op_name(instruction.op);
    return fmt::format("{} {}", verb, instruction.object);
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

/// Copies by TMA are no requests: no warp waits for their sectors or wavefronts.
static Explanation explain_bulk(const InstructionView& view) {
    const Totals& part = view.report->warp;
    const bool from_memory = view.space() == Space::global;
    Explanation e{.good = true};
    e.say(from_memory ? "Copied by TMA" : "Written by TMA",
          from_memory ? fmt::format(": {} for {}, {} is the ideal.", counted(part.sectors, "sector"),
                                    counted(part.bytes_used, "byte"), part.ideal_sectors)
                      : fmt::format(": {} of the tile.", counted(part.bytes_used, "byte")));
    e.why =
        "One thread has the whole tile copied, and no warp makes a request: where the picture says a lane, it "
        "means 16 bytes of the tile.";
    return e;
}

Explanation explain(const InstructionView& view, const TileShape& tile) {
    if (view.report->access.active == 0) {
        return said("No lane is active", ": nothing is moved.",
                    "All 32 lanes are switched off, so the instruction makes no request.", true);
    }
    if (view.report->instruction.bulk) return explain_bulk(view);
    if (view.space() == Space::shared) return explain_banks(view, tile);
    return picture_of(view).explain(view);
}

// A scenario tells what its tile looks like by the knobs it has, so most need no line here.
TileShape tile_shape(const Scenario& scenario, const Params& params, const Instruction& instruction) {
    if (instruction.space != Space::shared) return {};
    if (scenario.info->id == SharedOperandTile::info.id)
        return operand_tile(params, instruction.bytes_per_lane);
    if (instruction.op == Op::load_matrix) return chunks_of_tile(params);
    TileShape tile{.element_bytes = instruction.bytes_per_lane / instruction.joined,
                   .made_without_padding = is_made_without_padding(scenario, params, instruction)};
    if (has_knob(scenario, &Params::tile)) {
        tile.width = tile.height = params.tile;
    } else if (has_knob(scenario, &Params::width) && has_knob(scenario, &Params::height)) {
        tile.width = params.width;
        tile.height = params.height;
    }
    if (tile.width == 0) return tile;
    const bool variants = has_knob(scenario, &Params::variant);
    const bool padded = !variants || params.variant == int(Variant::padded);
    if (padded && has_knob(scenario, &Params::padding)) tile.padding = params.padding;
    if (is_variant(scenario, params, "swizzled")) {  // columns XOR-ed with the row
        tile.swizzle_bits = tile.swizzle_shift = std::bit_width(static_cast<unsigned>(params.tile)) - 1;
    }
    if (has_knob(scenario, &Params::swizzle_bits)) {
        tile.swizzle_bits = params.swizzle_bits;
        tile.swizzle_base = params.swizzle_base;
        tile.swizzle_shift = params.swizzle_shift;
    }
    return tile;
}

WantedElements collect_elements(const WarpAccess& access, std::uint32_t lanes, int granule) {
    const std::uint64_t unit = granule;
    WantedElements found;
    for (std::uint32_t rest = access.active & lanes; rest != 0; rest &= rest - 1) {
        const int lane = std::countr_zero(rest);
        found.items[found.count++] = {access.byte_address[lane] / unit * unit, 1u << lane};
    }
    std::sort(found.items.begin(), found.items.begin() + found.count,
              [](const WantedElement& a, const WantedElement& b) { return a.byte_address < b.byte_address; });
    int kept = 0;
    for (int i = 0; i < found.count; ++i) {
        const WantedElement item = found.items[i];
        if (kept > 0 && found.items[kept - 1].byte_address == item.byte_address) {
            found.items[kept - 1].lanes |= item.lanes;
        } else {
            found.items[kept++] = item;
        }
    }
    found.count = kept;
    return found;
}

int most_at_a_word(const WarpAccess& access) {
    int most = 0;
    for (const WantedElement& element : collect_elements(access))
        most = std::max(most, std::popcount(element.lanes));
    return most;
}

AccessFacts describe_access(const WarpAccess& access) {
    AccessFacts facts{.active = std::popcount(access.active)};
    if (facts.active == 0) return facts;
    const WantedElements elements = collect_elements(access);
    facts.distinct = elements.count;
    facts.lowest = elements.items[0].byte_address;
    facts.end =
        elements.items[elements.count - 1].byte_address + static_cast<std::uint64_t>(access.bytes_per_lane);
    facts.contiguous = facts.end - facts.lowest == static_cast<std::uint64_t>(elements.count) *
                                                       static_cast<std::uint64_t>(access.bytes_per_lane);
    if (facts.active < 2) return facts;

    const int first = std::countr_zero(access.active);
    const int second = std::countr_zero(access.active & (access.active - 1));
    const auto from_first = [&](int lane) {
        return static_cast<std::int64_t>(access.byte_address[lane] - access.byte_address[first]);
    };
    facts.step_bytes = from_first(second) / (second - first);
    facts.even_step = true;
    for (std::uint32_t rest = access.active; rest != 0; rest &= rest - 1) {
        const int lane = std::countr_zero(rest);
        facts.even_step = facts.even_step && from_first(lane) == facts.step_bytes * (lane - first);
    }
    return facts;
}

}  // namespace warplens
