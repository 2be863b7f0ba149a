# A browser's functions are linked.
if(EMSCRIPTEN)
    set(shim "${PROJECT_BINARY_DIR}/generated/glad-gl/include")
    file(CONFIGURE OUTPUT "${shim}/glad/gl.h" @ONLY CONTENT [[#pragma once
#include <GLES3/gl3.h>
#define GLAD_GL_VERSION_3_3 1
inline int gladLoadGL(...) { return 1; }
extern "C" void glGetBufferSubData(GLenum, GLintptr, GLsizeiptr, void*);
]])
    add_library(glad_gl INTERFACE)
    target_include_directories(glad_gl SYSTEM INTERFACE "${shim}")
    add_library(glad_egl INTERFACE)
    return()
endif()

# OpenGL and EGL loaders, generated at build time by glad 2 from the specifications that it ships: no download.
find_program(GLAD_EXECUTABLE NAMES glad glad2 HINTS /usr/bin DOC "the glad 2 loader generator")
if(GLAD_EXECUTABLE)
    execute_process(COMMAND "${GLAD_EXECUTABLE}" --help OUTPUT_VARIABLE glad_help ERROR_QUIET)
endif()
if(NOT glad_help MATCHES "--reproducible")  # glad 1 does not know it
    message(FATAL_ERROR "The glad 2 loader generator was not found (tried: '${GLAD_EXECUTABLE}').\n"
        "On Debian or Ubuntu:\n  apt install python3-glad\n"
        "Elsewhere: install the Python package glad2, or pass -DGLAD_EXECUTABLE=/path/to/glad")
endif()

# warplens_glad(<target> API <gl:core=3.3> EXTENSIONS <name>... [LOADER])
# LOADER: the generated code opens the library itself, so nothing links to it and its absence is a message, not a crash.
function(warplens_glad target)
    cmake_parse_arguments(G "LOADER" "API" "EXTENSIONS" ${ARGN})
    string(REGEX MATCH "^[a-z]+" api "${G_API}")
    string(REPLACE ";" "," extensions "${G_EXTENSIONS}")
    set(out "${PROJECT_BINARY_DIR}/generated/glad-${api}")
    add_custom_command(
        OUTPUT "${out}/src/${api}.c" "${out}/include/glad/${api}.h"
        COMMAND "${GLAD_EXECUTABLE}" --quiet --reproducible --api ${G_API} --extensions "${extensions}"
                --out-path "${out}" c $<$<BOOL:${G_LOADER}>:--loader>
        COMMAND_EXPAND_LISTS VERBATIM COMMENT "glad: ${G_API}")
    add_library(${target} STATIC "${out}/src/${api}.c" "${out}/include/glad/${api}.h")
    target_include_directories(${target} SYSTEM PUBLIC "${out}/include")
    target_link_libraries(${target} PUBLIC ${CMAKE_DL_LIBS})
endfunction()

warplens_glad(glad_gl API gl:core=3.3 EXTENSIONS GL_KHR_debug)
warplens_glad(glad_egl LOADER API egl=1.5 EXTENSIONS
    EGL_EXT_platform_base EGL_EXT_platform_device EGL_EXT_device_base EGL_EXT_device_enumeration EGL_EXT_device_query
    EGL_MESA_platform_surfaceless EGL_KHR_surfaceless_context EGL_KHR_no_config_context EGL_KHR_create_context
    EGL_NV_device_cuda)
