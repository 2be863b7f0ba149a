# Debian's Dear ImGui: a static library that holds the GLFW and OpenGL 3 backends too, and no CMake package.
# Result: imgui::imgui, imgui_VERSION.
find_path(imgui_INCLUDE_DIR imgui.h PATH_SUFFIXES imgui)
find_library(imgui_LIBRARY imgui)
find_library(imgui_STB_LIBRARY stb)  # Debian took stb_truetype and stb_rect_pack out of imgui
mark_as_advanced(imgui_INCLUDE_DIR imgui_LIBRARY imgui_STB_LIBRARY)

if(imgui_INCLUDE_DIR)
    file(STRINGS "${imgui_INCLUDE_DIR}/imgui.h" line REGEX "^#define IMGUI_VERSION +\"")
    string(REGEX REPLACE ".*\"([0-9.]+).*" "\\1" imgui_VERSION "${line}")
endif()
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(imgui REQUIRED_VARS imgui_LIBRARY imgui_INCLUDE_DIR VERSION_VAR imgui_VERSION)

if(imgui_FOUND AND NOT TARGET imgui::imgui)
    add_library(imgui::imgui STATIC IMPORTED)
    set_target_properties(imgui::imgui PROPERTIES
        IMPORTED_LOCATION "${imgui_LIBRARY}"
        INTERFACE_INCLUDE_DIRECTORIES "${imgui_INCLUDE_DIR}")
    # A static library: what it uses has to come after it.
    set(uses glfw ${CMAKE_DL_LIBS})
    if(imgui_STB_LIBRARY)
        list(APPEND uses "${imgui_STB_LIBRARY}")
    endif()
    target_link_libraries(imgui::imgui INTERFACE ${uses})
endif()
