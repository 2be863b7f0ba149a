# Files that the program needs become part of it: warplens_assets, read through app/base/assets.h.
set(patterns shaders/* assets/*.json assets/boards/*.json assets/help/*.txt assets/lessons/*.md assets/manual/*.md assets/demos/*.json assets/typed/*.cu assets/measurements/*.json assets/kernels/*.json assets/timed/*)
# The window shows kernels from the files that they are compiled from, and what a program needs around them.
list(APPEND patterns kernels/scenarios/cuda/*.cu kernels/cuda/element.cuh assets/programs/*.cu)
list(TRANSFORM patterns PREPEND "${PROJECT_SOURCE_DIR}/")
file(GLOB files CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}" ${patterns})

# The fonts of the window and of the figures, so that a copied program looks the same everywhere. For each use the
# first of these files that this machine has; packages of distributions put them into folders of their own.
file(GLOB_RECURSE installed /usr/share/fonts/*.[ot]tf /usr/local/share/fonts/*.[ot]tf "$ENV{HOME}/.local/share/fonts/*.[ot]tf"
    /Library/Fonts/*.[ot]tf "$ENV{HOME}/Library/Fonts/*.[ot]tf" "$ENV{WINDIR}/Fonts/*.[ot]tf")
# warplens_smaller_font(<variable with its path> <use>): without what no text of ours needs, for a page that is sent.
function(warplens_smaller_font variable use)
    find_package(Python3 REQUIRED COMPONENTS Interpreter)
    get_filename_component(ending "${${variable}}" EXT)
    set(smaller "${PROJECT_BINARY_DIR}/generated/fonts/${use}${ending}")
    file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/generated/fonts")
    set(letters U+0020-007E,U+2000-2BFF)
    if(NOT use STREQUAL "symbols")  # Latin, Greek, Cyrillic
        string(APPEND letters ,U+00A0-052F,U+1E00-1FFF)
    endif()
    execute_process(COMMAND "${Python3_EXECUTABLE}" -m fontTools.subset "${${variable}}" --no-hinting
        --layout-features=kern "--name-IDs=*" "--unicodes=${letters}" "--output-file=${smaller}"
        RESULT_VARIABLE failed ERROR_VARIABLE why OUTPUT_QUIET)
    if(failed)
        message(FATAL_ERROR "fontTools cannot make a font smaller. On Debian or Ubuntu:\n  apt install python3-fonttools\n${why}")
    endif()
    set(${variable} "${smaller}" PARENT_SCOPE)
endfunction()
set(fonts_regular Inter-Regular.otf Inter-Regular.ttf DejaVuSans.ttf)
set(fonts_strong Inter-SemiBold.otf Inter-SemiBold.ttf DejaVuSans-Bold.ttf)
set(fonts_mono JetBrainsMono-Regular.ttf JetBrainsMono-Regular.otf DejaVuSansMono.ttf)
set(fonts_symbols DejaVuSans.ttf)
set(fonts "")
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
        file(SHA256 "${path}" hash)
        string(APPEND fonts "${use} ${name} ${hash}\n")
        if(EMSCRIPTEN)
            warplens_smaller_font(path "${use}")
        endif()
        list(APPEND files "fonts/${use}/${name}=${path}")
    else()
        list(GET fonts_${use} 0 name)
        message(WARNING "${name} is not installed here, so the program is built without it and shows '?' for some signs")
    endif()
endforeach()

file(WRITE "${PROJECT_BINARY_DIR}/generated/fonts.txt" "${fonts}")  # two programs measure text alike if these are the same

# The assembler takes the files as they are. Each ends with a zero, as a string literal does.
set(embedded "")
set(names "")
set(cases "")
set(inputs "")
if(EMSCRIPTEN)  # of `warplens accuracy` alone, and a page has no command line
    list(FILTER files EXCLUDE REGEX "assets/(published\\.json|timed/)")
endif()
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
