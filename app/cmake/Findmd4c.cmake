# Debian's md4c: its own CMake package also asks for the HTML library, which is in a package of its own.
# Result: md4c::md4c.
find_path(md4c_INCLUDE_DIR md4c.h)
find_library(md4c_LIBRARY md4c)
mark_as_advanced(md4c_INCLUDE_DIR md4c_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(md4c REQUIRED_VARS md4c_LIBRARY md4c_INCLUDE_DIR)

if(md4c_FOUND AND NOT TARGET md4c::md4c)
    add_library(md4c::md4c UNKNOWN IMPORTED)
    set_target_properties(md4c::md4c PROPERTIES
        IMPORTED_LOCATION "${md4c_LIBRARY}"
        INTERFACE_INCLUDE_DIRECTORIES "${md4c_INCLUDE_DIR}")
endif()
