#pragma once

#include <string>
#include <string_view>

namespace warplens {

/// Base64 with '+' and '/', padded, as data in an SVG has it (RFC 4648, section 4).
std::string base64(std::string_view bytes);
/// Base64 as links have it: with '-' and '_', and without padding (RFC 4648, section 5).
std::string base64_of_link(std::string_view bytes);
/// The bytes of the latter. Empty for text with other letters.
std::string from_base64_of_link(std::string_view letters);

}  // namespace warplens
