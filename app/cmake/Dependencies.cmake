# Libraries: the system's first, else a pinned and hashed archive, else an error that says what to install.
# Each SHA256 stands in several public build files next to the same address (found by searching for the hash: CMake
# FetchContent_Declare, Bazel http_archive, distribution recipes). None was computed from a download of ours.
include(FetchContent)

# warplens_need(<package> TARGET <target> APT <Debian package> URL <archive> SHA256 <hash> [VERSION <oldest>] [UNPACK])
# UNPACK: of a fetched archive <package>_SOURCE_DIR is all there is, for a target that is made here.
macro(warplens_need package)
    cmake_parse_arguments(NEED "UNPACK" "TARGET;APT;URL;SHA256;VERSION" "" ${ARGN})
    find_package(${package} ${NEED_VERSION} QUIET)
    if(TARGET ${NEED_TARGET})
        message(STATUS "${package}: ${${package}_VERSION} of the system")
    else()
        warplens_fetch(${package})
    endif()
endmacro()

macro(warplens_fetch package)
    string(TOUPPER ${package} upper)
    set(what "${package} ${NEED_VERSION} (or newer) was not found. On Debian or Ubuntu:\n  apt install ${NEED_APT}")
    if(NOT FETCHCONTENT_SOURCE_DIR_${upper})
        if(NOT WARPLENS_FETCH)
            message(FATAL_ERROR "${what}\nDownloading is switched off (WARPLENS_FETCH=OFF).")
        endif()
        get_filename_component(archive "${NEED_URL}" NAME)
        set(archive "${CMAKE_BINARY_DIR}/_deps/${package}-${archive}")
        if(NOT EXISTS "${archive}")
            message(STATUS "${package}: not installed, downloading ${NEED_URL}")
            file(DOWNLOAD "${NEED_URL}" "${archive}" STATUS status TIMEOUT 300 INACTIVITY_TIMEOUT 20)
            if(NOT status MATCHES "^0;")
                file(REMOVE "${archive}")
                message(FATAL_ERROR "${what}\nDownloading ${NEED_URL} failed: ${status}")
            endif()
        endif()
    endif()
    # A folder that is not there: what has no build that suits us is unpacked only.
    set(build_of_${package} "")
    if(NEED_UNPACK)
        set(build_of_${package} SOURCE_SUBDIR not-built)
    endif()
    FetchContent_Declare(${package} URL "${archive}" URL_HASH SHA256=${NEED_SHA256} DOWNLOAD_EXTRACT_TIMESTAMP ON
        ${build_of_${package}})
    FetchContent_MakeAvailable(${package})
    if(${package} STREQUAL "PNG" AND NOT NEED_UNPACK)
        add_library(PNG::PNG ALIAS png_static)
    elseif(${package} STREQUAL "md4c")  # its targets are complete only when installed
        target_include_directories(md4c INTERFACE "${md4c_SOURCE_DIR}/src")
        if(NOT TARGET md4c::md4c)
            add_library(md4c::md4c ALIAS md4c)
        endif()
    endif()
    if(TARGET ${NEED_TARGET})  # our warnings are not for its headers
        get_target_property(aliased ${NEED_TARGET} ALIASED_TARGET)
        if(NOT aliased)
            set(aliased ${NEED_TARGET})
        endif()
        set_target_properties(${aliased} PROPERTIES SYSTEM ON)
    endif()
endmacro()

# Fetched projects build their library and nothing else.
foreach(off GLFW_BUILD_DOCS GLFW_BUILD_TESTS GLFW_BUILD_EXAMPLES GLFW_INSTALL JSON_BuildTests JSON_Install FMT_INSTALL
            CLI11_BUILD_TESTS CLI11_BUILD_EXAMPLES CLI11_BUILD_DOCS PNG_SHARED PNG_TESTS PNG_TOOLS INSTALL_GTEST
            BENCHMARK_ENABLE_TESTING BENCHMARK_ENABLE_INSTALL BUILD_MD2HTML_EXECUTABLE BUILD_SHARED_LIBS)
    set(${off} OFF CACHE BOOL "" FORCE)
    mark_as_advanced(${off})
endforeach()

find_package(Threads REQUIRED)

if(EMSCRIPTEN)
    include(BrowserLibraries)  # glfw, PNG::PNG, GIF::GIF, of which a browser has no packages
else()
    warplens_need(glfw3 TARGET glfw APT libglfw3-dev VERSION 3.3
        URL https://github.com/glfw/glfw/releases/download/3.4/glfw-3.4.zip
        SHA256 b5ec004b2712fd08e8861dc271428f048775200a2df719ccf575143ba749a3e9)
    warplens_need(PNG TARGET PNG::PNG APT libpng-dev VERSION 1.6
        URL https://github.com/pnggroup/libpng/archive/refs/tags/v1.6.58.tar.gz
        SHA256 a9d4df463d36a6e5f9c29bd6f4967312d17e996c1854f3511f833924eb1993cf)
endif()
warplens_need(nlohmann_json TARGET nlohmann_json::nlohmann_json APT nlohmann-json3-dev VERSION 3.10
    URL https://github.com/nlohmann/json/releases/download/v3.12.0/json.tar.xz
    SHA256 42f6e95cad6ec532fd372391373363b62a14af6d771056dbfc86160e6dfff7aa)
warplens_need(CLI11 TARGET CLI11::CLI11 APT libcli11-dev VERSION 2.1
    URL https://github.com/CLIUtils/CLI11/archive/refs/tags/v2.5.0.tar.gz
    SHA256 17e02b4cddc2fa348e5dbdbb582c59a3486fa2b2433e70a0c3bacb871334fd55)
warplens_need(fmt TARGET fmt::fmt APT libfmt-dev VERSION 9
    URL https://github.com/fmtlib/fmt/archive/refs/tags/10.2.1.tar.gz
    SHA256 1250e4cc58bf06ee631567523f48848dc4596133e163f02615c97f78bab6c811)
# Any version will do: Findmd4c.cmake does not ask.
warplens_need(md4c TARGET md4c::md4c APT libmd4c-dev
    URL https://github.com/mity/md4c/archive/refs/tags/release-0.5.2.tar.gz
    SHA256 55d0111d48fb11883aaee91465e642b8b640775a4d6993c2d0e7a8092758ef21)

# Dear ImGui has no build of its own: a source tree is compiled here, with the two backends that we use.
if(WARPLENS_IMGUI_SOURCE)
    set(imgui_SOURCE_DIR "${WARPLENS_IMGUI_SOURCE}")
    message(STATUS "imgui: ${WARPLENS_IMGUI_SOURCE}")
else()
    warplens_need(imgui TARGET imgui::imgui APT libimgui-dev VERSION 1.86
        URL https://github.com/ocornut/imgui/archive/refs/tags/v1.92.9b.tar.gz
        SHA256 21d8a0a565e85dce943e375db00812c2f3f0ab21f3f0f7964e364a63422d7f99)
endif()
if(NOT TARGET imgui::imgui)
    if(NOT EXISTS "${imgui_SOURCE_DIR}/imgui.cpp")
        message(FATAL_ERROR "no Dear ImGui source tree in '${imgui_SOURCE_DIR}': imgui.cpp is not there")
    endif()
    set(imgui_opengl "${imgui_SOURCE_DIR}/backends/imgui_impl_opengl3.cpp")
    if(EMSCRIPTEN)
        set(imgui_opengl "${PROJECT_SOURCE_DIR}/app/web/gl/imgui_backend.cpp")
    endif()
    add_library(imgui STATIC
        "${imgui_SOURCE_DIR}/imgui.cpp" "${imgui_SOURCE_DIR}/imgui_draw.cpp"
        "${imgui_SOURCE_DIR}/imgui_tables.cpp" "${imgui_SOURCE_DIR}/imgui_widgets.cpp"
        "${imgui_SOURCE_DIR}/backends/imgui_impl_glfw.cpp" "${imgui_opengl}")
    target_include_directories(imgui SYSTEM PUBLIC "${imgui_SOURCE_DIR}")
    target_link_libraries(imgui PUBLIC glfw ${CMAKE_DL_LIBS})
    add_library(imgui::imgui ALIAS imgui)
endif()

# stb_truetype measures text where there is no OpenGL: the system's, else the copy that Dear ImGui brings.
find_path(WARPLENS_STB_INCLUDE stb_truetype.h PATH_SUFFIXES stb)
mark_as_advanced(WARPLENS_STB_INCLUDE)
set(stb_folder "${WARPLENS_STB_INCLUDE}")
if(NOT stb_folder)
    find_file(imstb_truetype imstb_truetype.h PATHS "${imgui_SOURCE_DIR}" PATH_SUFFIXES imgui NO_CACHE
        NO_CMAKE_FIND_ROOT_PATH)
    if(NOT imstb_truetype)
        message(FATAL_ERROR "stb_truetype.h was not found. On Debian or Ubuntu:\n  apt install libstb-dev")
    endif()
    set(stb_folder "${CMAKE_BINARY_DIR}/generated/stb")
    file(CONFIGURE OUTPUT "${stb_folder}/stb_truetype.h" CONTENT "#include \"${imstb_truetype}\"\n")
endif()
add_library(warplens_stb INTERFACE)
target_include_directories(warplens_stb SYSTEM INTERFACE "${stb_folder}")

# Optional: Cairo writes PDF. Without it the program says so when a PDF is asked for.
set(warplens_cairo "")
if(WARPLENS_PDF AND NOT EMSCRIPTEN)  # a browser prints PDF itself
    find_package(PkgConfig QUIET)
    if(PkgConfig_FOUND)
        pkg_check_modules(cairo QUIET IMPORTED_TARGET cairo-pdf cairo-ft freetype2)
    endif()
    if(TARGET PkgConfig::cairo)
        set(warplens_cairo PkgConfig::cairo)
        message(STATUS "cairo: ${cairo_cairo-pdf_VERSION} of the system")
    else()
        message(STATUS "cairo: not found, no PDF (on Debian or Ubuntu: apt install libcairo2-dev pkg-config)")
    endif()
endif()

# Optional: giflib writes animated GIFs. Without it the program says so when one is asked for.
if(NOT EMSCRIPTEN)
    find_package(GIF QUIET)
endif()
set(warplens_gif "")
if(TARGET GIF::GIF)
    set(warplens_gif GIF::GIF)
    message(STATUS "giflib: ${GIF_VERSION} of the system")
else()
    message(STATUS "giflib: not found, no GIF (on Debian or Ubuntu: apt install libgif-dev)")
endif()

if(WARPLENS_TESTS)
    warplens_need(GTest TARGET GTest::gmock APT "libgtest-dev libgmock-dev" VERSION 1.12
        URL https://github.com/google/googletest/archive/refs/tags/v1.14.0.tar.gz
        SHA256 8ad598c73ad796e0d8280b082cebd82a630d73e73cd3c70057938a6501bba5d7)
    warplens_need(benchmark TARGET benchmark::benchmark APT libbenchmark-dev VERSION 1.7
        URL https://github.com/google/benchmark/archive/refs/tags/v1.9.5.tar.gz
        SHA256 9631341c82bac4a288bef951f8b26b41f69021794184ece969f8473977eaa340)
endif()
