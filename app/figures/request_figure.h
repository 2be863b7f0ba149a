#pragma once

#include "app/figures/render.h"
#include "app/measure/accesses/access_list.h"

#include <string>

namespace warplens {

// A recorded request in words, and as a figure.

/// "shared ld, 4 B": memory, direction and bytes of each lane.
std::string request_kind(const AccessGroup& group);
/// The place in the program of a group's worst request: "line 12, launch 0, block 3,0,0, warp 7".
std::string request_place(const AccessGroup& group);
/// "32 wavefronts, ideal 1", over all requests of the group.
std::string request_cost(const AccessGroup& group, const SectorRules& rules);

/// The command that draws a group's worst request: "warplens view t.csv --row 1 --device "H200" --out
/// t-1.png".
/// @param path   of the file of requests. @param index  of the group, from 0
/// @param out    the figure's file; its folder does not matter. Empty for a name that says what it shows
std::string request_command(const std::string& path, const DeviceFacts& device, std::size_t index, bool bits,
                            const std::string& out = {});

/// @param index  of the group in the list, from 0; it must exist
RequestFigure request_figure(const AccessList& list, std::size_t index, const DeviceFacts& device,
                             const std::string& command);

}  // namespace warplens
