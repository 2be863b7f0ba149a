#pragma once

#include "app/options.h"

#include <ostream>
#include <span>
#include <string>
#include <string_view>

namespace warplens {

/// One figure of the gallery.
struct GalleryItem {
    std::string scenario;
    std::string name;      ///< of the file without ".png"; the scenario's id for its default settings
    std::string settings;  ///< as for --set
    std::string axis;      ///< as for --axis
};

/// All figures: every scenario at its defaults, and settings that tell something.
std::vector<GalleryItem> gallery_items();

/// `warplens gallery`: all figures as PNG in one folder.
/// Errors: UsageError for an unwritable folder, NoDisplay without OpenGL.
void run_gallery(const GalleryCommand& command, std::ostream& out);

}  // namespace warplens
