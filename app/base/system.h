#pragma once

#include <string_view>

namespace warplens {

// The offers of the system that the program runs on: a desktop, or a browser (app/web/base/system.cpp).

/// Whether persons name files by paths. A browser shows none: it asks for files, and saves what is written.
extern const bool kHasPaths;

/// Why no kernel can be launched there, in a sentence. Empty where that depends on the machine.
extern const std::string_view kNoLaunches;

}  // namespace warplens
