#pragma once

#include <string>
#include <string_view>

namespace warplens {

/// Write a text so that it can stand inside a longer one: "RTX 4090" becomes "RTX%204090".
/// @param plain  characters that stay as they are, beside letters and digits of ASCII. All others become "%"
///               and two hexadecimal digits, byte by byte.
std::string percent_encode(std::string_view text, std::string_view plain);

/// Read such a text. A percent sign without two hexadecimal digits behind it stays.
std::string percent_decode(std::string_view text);

}  // namespace warplens
