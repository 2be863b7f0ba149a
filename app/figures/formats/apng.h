#pragma once

#include <span>
#include <string>

namespace warplens {

/// Join PNG files into one animated PNG that plays them in a loop. Programs that do not support animations
/// show the first one. Texts and resolution are those of the first file.
///
/// Format: PNG Third Edition (W3C), section 11.3.4: acTL, fcTL and fdAT chunks round the files' own image
/// data.
/// @param frames   at least one, as encode_png makes them; all of one size and kind of pixels.
/// @param seconds  how long each is shown, 0.001 to 65.
/// Errors: std::runtime_error if a frame is no PNG, or differs from the first in size or kind of pixels.
std::string join_apng(std::span<const std::string> frames, double seconds);

}  // namespace warplens
