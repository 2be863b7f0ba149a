# Files that the program needs become part of it: warplens_assets, read through app/base/assets.h.
set(patterns shaders/* assets/*.json assets/boards/*.json assets/help/*.txt assets/lessons/*.md assets/manual/*.md assets/demos/*.json assets/typed/*.cu assets/measurements/*.json assets/kernels/*.json)
# The window shows kernels from the files that they are compiled from, and what a program needs around them.
list(APPEND patterns kernels/scenarios/cuda/*.cu kernels/cuda/element.cuh assets/programs/*.cu)
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

# The assembler takes the files as they are. Each ends with a zero, as a string literal does.
set(embedded "")
set(names "")
set(cases "")
set(inputs "")
list(SORT files)  # asset_paths() looks for folders as in a sorted list
foreach(file IN LISTS files)
    string(REGEX REPLACE ".*=" "" path "${file}")  # a font comes from elsewhere: name=path
    string(REGEX REPLACE "=.*" "" file "${file}")
    cmake_path(ABSOLUTE_PATH path BASE_DIRECTORY "${PROJECT_SOURCE_DIR}")
    list(APPEND inputs "${path}")
    string(MAKE_C_IDENTIFIER "asset_${file}" id)
    string(APPEND embedded "EMBED(${id}, \"${path}\")\n")
    string(APPEND names "    \"${file}\",\n")
    string(APPEND cases "    if (path == \"${file}\") return {${id}, ${id}_end};\n")
endforeach()
set(generated "${PROJECT_BINARY_DIR}/generated/assets.cpp")
file(CONFIGURE OUTPUT "${generated}" @ONLY CONTENT [[#include "app/base/assets.h"

#include <array>

#ifdef __APPLE__
#define SECTION ".const_data"
#else
#define SECTION ".section .rodata"
#endif
#ifdef __wasm__  // whose sections have one symbol each, of a size that is known
#define EMBED(id, path)                                                                                      \
    asm(".section .rodata." #id ",\"\",@\n.type " #id ",@object\n" #id ":\n.incbin \"" path "\"\n"           \
        ".type " #id "_end,@object\n" #id "_end:\n.byte 0\n.size " #id "_end,1\n"                              \
        ".size " #id ", . - " #id "\n");                                                                      \
    extern const char id[] asm(#id);                                                                         \
    extern const char id##_end[] asm(#id "_end");
#else
#define EMBED(id, path)                                                                                      \
    asm(SECTION "\n" #id ":\n.incbin \"" path "\"\n" #id "_end:\n.byte 0\n.text\n");                            \
    extern const char id[] asm(#id);                                                                         \
    extern const char id##_end[] asm(#id "_end");
#endif

@embedded@
namespace {
constexpr auto kPaths = std::to_array<std::string_view>({
@names@});
}  // namespace

std::span<const std::string_view> warplens::asset_paths() { return kPaths; }

std::string_view warplens::asset(std::string_view path) {
@cases@    return {};
}
]])
set_source_files_properties("${generated}" PROPERTIES OBJECT_DEPENDS "${inputs}")
add_library(warplens_assets STATIC "${generated}")
target_link_libraries(warplens_assets PRIVATE warplens_flags)
