#pragma once

#include <algorithm>
#include <span>
#include <string_view>

namespace warplens {

/// The bytes of a file that is embedded in the program: shaders/*, assets/*.json, assets/boards/*.json,
/// assets/help/*.txt, assets/lessons/*.md, assets/manual/*.md, assets/kernels/*.json,
/// assets/measurements/*.json, the kernels and host code that the window shows (app/code/code_page.h), and
/// fonts/<use>/<file> (app/gl/font_files.h). app/cmake/EmbedAssets.cmake embeds them at build time.
///
/// @param path  relative to the repository's root, for example "shaders/heat.vert", but for fonts.
/// @return      valid for the whole run and followed by a zero byte; empty if there is no such file.
std::string_view asset(std::string_view path);

/// The paths of all embedded files, sorted.
std::span<const std::string_view> asset_paths();
/// Those in a folder and its folders: "assets/kernels/". They are neighbours.
inline std::span<const std::string_view> asset_paths(std::string_view folder) {
    const std::span<const std::string_view> all = asset_paths();
    const auto begin = std::lower_bound(all.begin(), all.end(), folder);
    const auto inside = [&](std::string_view path) { return path.starts_with(folder); };
    return {begin, std::partition_point(begin, all.end(), inside)};
}

}  // namespace warplens
