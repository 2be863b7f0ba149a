#include "tests/source_dir.h"

std::string in_source(const char* path) { return std::string(WARPLENS_SOURCE_DIR "/") + path; }
