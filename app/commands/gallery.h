#pragma once

#include "app/model/catalogue.h"
#include "app/options.h"

#include <ostream>
#include <string>
#include <vector>

namespace warplens {

/// One figure of the gallery.
struct GalleryItem {
    const Scenario* scenario = nullptr;
    std::string name;  ///< of the file without ".png": the scenario's id, then the preset
    Params params;
};

/// All figures: every scenario at its defaults, and each of its presets.
std::vector<GalleryItem> gallery_items();

/// `warplens gallery`: all figures as PNG in one folder.
/// Errors: UsageError for an unwritable folder, NoDisplay without OpenGL.
void run_gallery(const GalleryCommand& command, std::ostream& out);

}  // namespace warplens
