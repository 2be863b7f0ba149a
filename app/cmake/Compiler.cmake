# Flags of our own code, and warplens_library().
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
include(CheckPIESupported)
check_pie_supported(LANGUAGES C CXX)

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "" FORCE)
endif()

# Paths in objects are relative to the source tree: error messages name files, and nobody needs to know where they lay. A
# compiler cache sees to that, and then serves every build folder and every checkout; but the files of a unity build are
# included by their whole path.
find_program(CCACHE_EXECUTABLE ccache)
find_program(ENV_EXECUTABLE env)
find_program(SH_EXECUTABLE sh)
mark_as_advanced(ENV_EXECUTABLE SH_EXECUTABLE)
set(launcher "")
if(SH_EXECUTABLE)
    set(launcher "${SH_EXECUTABLE}" "${CMAKE_CURRENT_LIST_DIR}/compile.sh")
endif()
if(CCACHE_EXECUTABLE)
    if(ENV_EXECUTABLE)
        list(APPEND launcher "${ENV_EXECUTABLE}" "CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}" CCACHE_NOHASHDIR=1
            CCACHE_SLOPPINESS=pch_defines,time_macros)
    endif()
    list(APPEND launcher "${CCACHE_EXECUTABLE}")
endif()
foreach(language C CXX CUDA)
    if(launcher AND NOT DEFINED CMAKE_${language}_COMPILER_LAUNCHER)
        set(CMAKE_${language}_COMPILER_LAUNCHER ${launcher})
    endif()
endforeach()
if((WARPLENS_UNITY OR NOT CCACHE_EXECUTABLE) AND CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang")
    set(relative_paths "-fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=")
    add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:${relative_paths}>"
        "$<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=${relative_paths}>")
endif()

if(EMSCRIPTEN)
    # Exceptions are WebAssembly's own, which costs less than JavaScript's. std::stop_token is experimental in its libc++.
    add_compile_options(-fwasm-exceptions)
    add_link_options(-fwasm-exceptions)
    add_compile_definitions(_LIBCPP_ENABLE_EXPERIMENTAL _LIBCPP_HARDENING_MODE=_LIBCPP_HARDENING_MODE_FAST)
endif()

# Bounds checks of the standard library stay on in every build: a wrong index must stop, not show wrong numbers.
add_library(warplens_flags INTERFACE)
target_include_directories(warplens_flags INTERFACE "${PROJECT_SOURCE_DIR}")
if(CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang")
    # Off: designated initializers leave fields at their defaults on purpose; -Wrestrict is wrong about "a" + std::string
    # in GCC 12 (its bug 105651), and -Wdangling-reference, which began with GCC 13, about every function that takes a
    # temporary and returns a reference to something else.
    set(warnings -Wall -Wextra -Wshadow -Wconversion -Wno-sign-conversion -Wformat-security
        -Wno-missing-field-initializers $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
        $<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_GREATER_EQUAL:$<CXX_COMPILER_VERSION>,13>>:-Wno-dangling-reference>)
    if(WARPLENS_UNITY AND NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        # For Clang a local constant shadows the constant of another file that is compiled with its own; for GCC it does
        # not. Tests have namespaces of their own, so that Clang can look at them (tests/CMakeLists.txt).
        list(REMOVE_ITEM warnings -Wshadow)
    endif()
    target_compile_definitions(warplens_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:_GLIBCXX_ASSERTIONS>)
    target_compile_options(warplens_flags INTERFACE
        "$<$<COMPILE_LANGUAGE:CXX>:${warnings}>"
        "$<$<AND:$<COMPILE_LANGUAGE:CXX>,$<NOT:$<BOOL:${EMSCRIPTEN}>>>:-fstack-protector-strong>"
        $<$<AND:$<BOOL:${WARPLENS_WERROR}>,$<COMPILE_LANGUAGE:CXX>>:-Werror>)
    if(CMAKE_CXX_FLAGS MATCHES "-fsanitize" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        # GCC warns of members of std::function that its own instrumentation hides; the release is compiled with the warning.
        target_compile_options(warplens_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-maybe-uninitialized>)
    endif()
endif()

# GCC warns of types with members of a file's own types where several files are one: they are in no header.
set(warplens_unity_options $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-subobject-linkage>)

# Where an allocation fails inside the JSON library, its destructors find half a value, and its assertion would abort the
# program with words of its own. So that guard_process() has the last word (app/base/output.h):
target_compile_options(warplens_flags INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:-DJSON_ASSERT(x)=((x)?void():std::terminate())>")

# warplens_heavy_first(<list of sources>): those that use the JSON library or regular expressions come first, so that they
# share a batch of a unity build: each batch with one of them takes half as long again.
function(warplens_heavy_first list)
    set(heavy "")
    foreach(source IN LISTS ${list})
        file(STRINGS "${source}" uses REGEX "nlohmann|include.*(json|regex)" LIMIT_COUNT 1)
        if(uses)
            list(APPEND heavy "${source}")
        endif()
    endforeach()
    set(light ${${list}})
    list(REMOVE_ITEM light ${heavy} "")
    set(${list} ${heavy} ${light} PARENT_SCOPE)
endfunction()

# warplens_siblings(<list of sources>): app/web/gl/context.cpp stands in for app/gl/context.cpp.
function(warplens_siblings list)
    set(chosen "")
    foreach(source IN LISTS ${list})
        string(REPLACE "${PROJECT_SOURCE_DIR}/app/" "${PROJECT_SOURCE_DIR}/app/web/" sibling "${source}")
        if(EXISTS "${sibling}")
            list(APPEND chosen "${sibling}")
        else()
            list(APPEND chosen "${source}")
        endif()
    endforeach()
    set(${list} ${chosen} PARENT_SCOPE)
endfunction()

# warplens_library(<name> <folder> [<library>...]): all sources in and below the folder become warplens_<name>, one of
# ${warplens_rooms}. A folder without sources still gives a target, so that others can name it.
function(warplens_library name folder)
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/${folder}/*.cpp")
    set(target warplens_${name})
    if(name STREQUAL kernels)
        if(warplens_have_cuda)
            warplens_cuda_sources(cuda_sources)
            list(FILTER sources EXCLUDE REGEX "/no_cuda\\.cpp$")
            list(APPEND sources ${cuda_sources})
        else()
            list(FILTER sources EXCLUDE REGEX "/kernels/(cuda|timing|typed)/.*\\.cpp$")
            list(APPEND sources "${PROJECT_SOURCE_DIR}/kernels/cuda/no_cuda.cpp")
        endif()
    endif()
    if(warplens_cairo)  # no_cairo.cpp stands in without Cairo
        list(FILTER sources EXCLUDE REGEX "/no_cairo\\.cpp$")
    else()
        list(FILTER sources EXCLUDE REGEX "/pdf\\.cpp$")
    endif()
    if(warplens_gif)
        list(FILTER sources EXCLUDE REGEX "/no_gif\\.cpp$")
    else()
        list(FILTER sources EXCLUDE REGEX "/gif\\.cpp$")
    endif()

    if(EMSCRIPTEN)  # app/web/ has siblings of files that ask a desktop
        warplens_siblings(sources)
    endif()
    if(NOT sources)
        add_library(${target} INTERFACE)
        target_link_libraries(${target} INTERFACE warplens_flags ${ARGN})
        return()
    endif()
    set(warplens_rooms ${warplens_rooms} ${name} PARENT_SCOPE)
    warplens_heavy_first(sources)
    add_library(${target} STATIC ${sources})
    target_link_libraries(${target} PRIVATE warplens_flags PUBLIC ${ARGN})
    if(WARPLENS_UNITY)
        set(batch 16)
        if(NOT name MATCHES "^(kernels|base|model|measure|pictures|gl|interop)$")  # their files share more headers
            set(batch 24)
        endif()
        set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${batch})
        set(cuda ${sources})
        list(FILTER cuda INCLUDE REGEX "\\.cu$")  # stay files of their own
        set_source_files_properties(${cuda} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
        target_compile_options(${target} PRIVATE ${warplens_unity_options})
    endif()
    # What reads, arranges and shows compiles in three quarters of the time and is as quick: what it calls computes.
    if(name MATCHES "^(experiment|answers|boards|learn|code|figures|window|panels|cli)$")
        target_compile_options(${target} PRIVATE $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CONFIG:Release>>:-O1>)
    endif()
    if(name STREQUAL cli AND WARPLENS_QUICK_TESTS)  # no test calls it often
        target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-O0>)
    endif()
    if(name STREQUAL kernels AND warplens_have_cuda)
        warplens_cuda_target(${target})
    endif()
endfunction()
