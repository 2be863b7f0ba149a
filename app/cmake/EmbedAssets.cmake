# Files that the program needs become part of it: warplens_assets, read through app/base/assets.h.
# The same file is the script that writes the .cpp (see the end).
if(NOT CMAKE_SCRIPT_MODE_FILE)
    set(patterns shaders/* assets/*.json assets/lessons/*.md assets/demos/*.json assets/typed/*.cu assets/measurements/*.json assets/kernels/*.json)
    # The window shows kernels from the files that they are compiled from, and what a program needs around them.
    list(APPEND patterns kernels/scenarios/*.cu kernels/cuda/element.cuh assets/programs/*.cu)
    list(TRANSFORM patterns PREPEND "${PROJECT_SOURCE_DIR}/")
    file(GLOB files CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}" ${patterns})

    # The fonts of the window and of the figures, so that a copied program looks the same everywhere. For each use the
    # first of these files that this machine has; packages of distributions put them into folders of their own.
    file(GLOB_RECURSE installed /usr/share/fonts/*.[ot]tf /usr/local/share/fonts/*.[ot]tf "$ENV{HOME}/.local/share/fonts/*.[ot]tf"
        /Library/Fonts/*.[ot]tf "$ENV{HOME}/Library/Fonts/*.[ot]tf" "$ENV{WINDIR}/Fonts/*.[ot]tf")
    set(fonts_regular Inter-Regular.otf Inter-Regular.ttf DejaVuSans.ttf)
    set(fonts_strong Inter-SemiBold.otf Inter-SemiBold.ttf DejaVuSans-Bold.ttf)
    set(fonts_mono JetBrainsMono-Regular.ttf JetBrainsMono-Regular.otf DejaVuSansMono.ttf)
    set(fonts_symbols DejaVuSans.ttf)
    foreach(use regular strong mono symbols)
        set(paths "")
        foreach(name IN LISTS fonts_${use})
            set(found ${installed})
            list(FILTER found INCLUDE REGEX "/${name}$")
            list(APPEND paths ${found})
        endforeach()
        if(paths)
            list(GET paths 0 path)
            get_filename_component(name "${path}" NAME)
            list(APPEND files "fonts/${use}/${name}=${path}")
        else()
            list(GET fonts_${use} 0 name)
            message(WARNING "${name} is not installed here, so the program is built without it and shows '?' for some signs")
        endif()
    endforeach()

    # The list is a dependency too, so that removing a file is noticed; it is only touched when it changes.
    set(generated "${PROJECT_BINARY_DIR}/generated")
    list(JOIN files "\n" content)
    file(CONFIGURE OUTPUT "${generated}/assets.txt" CONTENT "${content}" @ONLY)
    set(inputs ${files})
    list(TRANSFORM inputs REPLACE ".*=" "")
    list(TRANSFORM inputs PREPEND "${PROJECT_SOURCE_DIR}/" REGEX "^[^/]")
    add_custom_command(
        OUTPUT "${generated}/assets.cpp"
        COMMAND "${CMAKE_COMMAND}" -D "root=${PROJECT_SOURCE_DIR}" -D "list=${generated}/assets.txt"
                -D "out=${generated}/assets.cpp" -P "${CMAKE_CURRENT_LIST_FILE}"
        DEPENDS "${generated}/assets.txt" "${CMAKE_CURRENT_LIST_FILE}" ${inputs}
        VERBATIM COMMENT "Embedding shaders and assets")
    add_library(warplens_assets STATIC "${generated}/assets.cpp")
    target_link_libraries(warplens_assets PRIVATE warplens_flags)
    return()
endif()

# String literals of escaped bytes, which compile in a tenth of the time that arrays of numbers take.
file(STRINGS "${list}" files)
set(arrays "")
set(names "")
set(cases "")
foreach(file IN LISTS files)
    string(REGEX REPLACE ".*=" "" path "${file}")  # a font comes from elsewhere: name=path
    string(REGEX REPLACE "=.*" "" file "${file}")
    cmake_path(ABSOLUTE_PATH path BASE_DIRECTORY "${root}")
    file(READ "${path}" bytes HEX)
    string(REGEX REPLACE "(..)" "\\\\x\\1" bytes "${bytes}")
    string(MAKE_C_IDENTIFIER "${file}" id)
    string(APPEND arrays "const char ${id}[] =\n    \"${bytes}\";\n")
    string(APPEND names "    \"${file}\",\n")
    string(APPEND cases "    if (path == \"${file}\") return {${id}, sizeof ${id} - 1};\n")
endforeach()
file(WRITE "${out}" "#include \"app/base/assets.h\"

#include <array>

namespace {
${arrays}
constexpr auto kPaths = std::to_array<std::string_view>({
${names}});
}  // namespace

std::span<const std::string_view> warplens::asset_paths() { return kPaths; }

std::string_view warplens::asset(std::string_view path) {
${cases}    return {};
}
")
