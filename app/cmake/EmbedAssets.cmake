# Text files that the program needs become part of it: warplens_assets, read through app/base/assets.h.
# The same file is the script that writes the .cpp (see the end).
if(NOT CMAKE_SCRIPT_MODE_FILE)
    set(patterns shaders/* assets/*.json assets/lessons/*.md assets/measurements/*.json assets/kernels/*.json)
    # The window shows kernels from the files that they are compiled from, and what a program needs around them.
    list(APPEND patterns kernels/scenarios/*.cu kernels/cuda/element.cuh assets/programs/*.cu)
    list(TRANSFORM patterns PREPEND "${PROJECT_SOURCE_DIR}/")
    file(GLOB files CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}" ${patterns})

    # The list is a dependency too, so that removing a file is noticed; it is only touched when it changes.
    set(generated "${PROJECT_BINARY_DIR}/generated")
    list(JOIN files "\n" content)
    file(CONFIGURE OUTPUT "${generated}/assets.txt" CONTENT "${content}" @ONLY)
    set(inputs ${files})
    list(TRANSFORM inputs PREPEND "${PROJECT_SOURCE_DIR}/")
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

# Arrays of bytes, because compilers limit the length of string literals.
file(STRINGS "${list}" files)
set(arrays "")
set(names "")
set(cases "")
foreach(file IN LISTS files)
    file(READ "${root}/${file}" bytes HEX)
    string(REGEX REPLACE "(................................................................)" "\\1\n    " bytes "${bytes}")
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
    string(MAKE_C_IDENTIFIER "${file}" id)
    string(APPEND arrays "const unsigned char ${id}[] = {\n    ${bytes}0};\n")
    string(APPEND names "    \"${file}\",\n")
    string(APPEND cases "    if (path == \"${file}\") return text(${id}, sizeof ${id} - 1);\n")
endforeach()
file(WRITE "${out}" "#include \"app/base/assets.h\"

#include <array>
#include <cstddef>

namespace {
${arrays}
constexpr auto kPaths = std::to_array<std::string_view>({
${names}});

std::string_view text(const unsigned char* bytes, std::size_t size) {
    return {reinterpret_cast<const char*>(bytes), size};
}
}  // namespace

std::span<const std::string_view> warplens::asset_paths() { return kPaths; }

std::string_view warplens::asset(std::string_view path) {
${cases}    return {};
}
")
