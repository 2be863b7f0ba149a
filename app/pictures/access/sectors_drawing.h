#pragma once

#include "app/pictures/access/sectors_layout.h"
#include "app/pictures/kit/access_facts.h"

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace warplens {

/// What all parts of the picture need.
struct SectorsCanvas {
    Canvas& canvas;
    const WarpAccess& access;
    const SectorReport& report;
    const WantedElements& elements;
    const SectorsLayout& layout;
    bool load() const { return is_load(access.op); }
    std::string_view moved() const { return load() ? "fetched" : "sent"; }
    int hovered() const {
        const int lane = canvas.style.hovered_lane;
        return lane >= 0 && lane < kWarpLanes && (access.active >> lane & 1u) != 0 ? lane : -1;
    }
    bool dimmed(std::uint32_t lanes) const { return hovered() >= 0 && (lanes >> hovered() & 1u) == 0; }
    Color faded(Color color, bool dim) const { return dim ? mix(canvas.theme.panel, color, 0.22f) : color; }
    Color not_moved() const { return mix(canvas.theme.panel, canvas.theme.outline, 0.6f); }
    Color ink(Color fill, bool dim) const { return dim ? canvas.theme.text_weak : text_on(fill); }
    /// A quarter of a line.
    std::string sector_name(int sector) const {
        return report.rules.coalescing == CoalescingRules::sectors
                   ? fmt::format("sector {}", sector)
                   : fmt::format("bytes {} to {}", sector * kSectorBytes, (sector + 1) * kSectorBytes - 1);
    }
    /// ", in request 2 of 2", where a warp has several.
    std::string request_name(int lane) const {
        if (report.lanes_per_request >= kWarpLanes) return {};
        return fmt::format(", in request {} of {}", lane / report.lanes_per_request + 1,
                           kWarpLanes / report.lanes_per_request);
    }
    std::string hex(std::uint64_t address) const {
        return fmt::format("0x{:0{}x}", address, layout.address_digits);
    }
};

/// Lanes, wires, lines and their elements, with what can be pointed at.
void draw_sector_cells(const SectorsCanvas& d);

}  // namespace warplens
