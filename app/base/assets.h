#pragma once

#include <span>
#include <string_view>

namespace warplens {

/// The text of a file that is part of the program: shaders/*, assets/*.json, assets/lessons/*.md,
/// assets/kernels/*.json and assets/measurements/*.json, and of kernels/ what the window shows of the kernels
/// (app/code/code_page.h). app/cmake/EmbedAssets.cmake puts them in at build time.
///
/// @param path  relative to the repository's root, for example "shaders/heat.vert".
/// @return      valid for the whole run and followed by a zero byte; empty when there is no such file.
std::string_view asset(std::string_view path);

/// The paths of all of them, sorted.
std::span<const std::string_view> asset_paths();

}  // namespace warplens
