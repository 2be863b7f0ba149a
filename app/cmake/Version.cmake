# warplens_version: app/base/version.h. One tiny file is compiled again after a commit, nothing else.
set(git_revision "")
execute_process(COMMAND git rev-parse --short HEAD WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}"
    OUTPUT_VARIABLE git_revision OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE git_failed ERROR_QUIET)
if(NOT git_failed EQUAL 0)
    set(git_revision "")
endif()
if(EXISTS "${PROJECT_SOURCE_DIR}/.git/logs/HEAD")  # written by every commit and checkout
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/.git/logs/HEAD")
endif()

file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/generated/version.cpp" @ONLY CONTENT [[
#include "app/base/version.h"

std::string_view warplens::version() { return "@PROJECT_VERSION@"; }
std::string_view warplens::revision() { return "@git_revision@"; }
]])
add_library(warplens_version STATIC "${PROJECT_BINARY_DIR}/generated/version.cpp")
target_link_libraries(warplens_version PRIVATE warplens_flags)
