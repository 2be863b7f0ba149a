#pragma once

#include "app/figures/figure_options.h"
#include "app/model/catalogue.h"

#include <ostream>
#include <string>
#include <vector>

namespace warplens {

/// One figure of the gallery.
struct GalleryItem {
    const Scenario* scenario = nullptr;
    std::string name;   ///< file name without ending: the scenario's id and the preset, or the board
    std::string title;  ///< for people: the scenario's title, or "Matrix transpose: padded"
    Params params;
    const BoardInfo* board = first_board();
};

/// All figures: every scenario at its defaults, each of its presets, and every board that can be exported.
std::vector<GalleryItem> gallery_items();

/// Write all figures into one folder, with a page index.html that shows them.
/// @param out  gets a line for each file.
/// Errors: UsageError for an unwritable folder or a format without pictures, NoDisplay for PNG without
/// OpenGL.
void write_gallery(const DeviceChoice& device, const FigureOptions& options, const std::string& folder,
                   std::ostream& out);

}  // namespace warplens
