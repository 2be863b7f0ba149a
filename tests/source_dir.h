#pragma once
#include <string>

/// `path` inside the source tree: "assets/gpus.json". Its own file, so that the tests compile to the same
/// objects wherever the tree lies, and a compiler cache serves every checkout.
std::string in_source(const char* path);
