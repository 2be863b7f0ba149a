# Optional CUDA: sets warplens_have_cuda and gives warplens_cuda_target().
# Only the static runtime is linked, never libcuda: the program has to start on a machine without a driver.
set(warplens_have_cuda FALSE)
set(nvcc_oldest 12.0)  # the first nvcc with C++20
set(no_cuda "WARPLENS_CUDA=${WARPLENS_CUDA}")

if(NOT WARPLENS_CUDA STREQUAL "OFF")
    execute_process(COMMAND nvidia-smi -L RESULT_VARIABLE no_gpu OUTPUT_QUIET ERROR_QUIET)
endif()
if(WARPLENS_CUDA STREQUAL "HERE" AND NOT no_gpu EQUAL 0)  # half of the time to build is that of the kernels
    set(no_cuda "there is no NVIDIA GPU here; -DWARPLENS_CUDA=ON builds for others, the preset package for all")
elseif(NOT WARPLENS_CUDA STREQUAL "OFF")
    # The environment, not variables, because check_language() tries a compiler only when no variable names one.
    if(NOT CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX})
        unset(CMAKE_CUDA_COMPILER CACHE)  # it may have been installed since the last try
        find_program(nvcc_executable nvcc HINTS /usr/local/cuda/bin /opt/cuda/bin NO_CACHE)
        if(nvcc_executable)
            set(ENV{CUDACXX} "${nvcc_executable}")
        endif()
    endif()
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND NOT DEFINED ENV{CUDAHOSTCXX})
        set(ENV{CUDAHOSTCXX} "${CMAKE_CXX_COMPILER}")
    endif()
    if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES AND NOT DEFINED ENV{CUDAARCHS})
        set(ENV{CUDAARCHS} 75-virtual)
        set(choose_architectures TRUE)
    endif()

    include(CheckLanguage)
    check_language(CUDA)
    if(CMAKE_CUDA_COMPILER)
        enable_language(CUDA)
        if(CMAKE_CUDA_COMPILER_VERSION VERSION_GREATER_EQUAL nvcc_oldest)
            find_package(CUDAToolkit REQUIRED)
            if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)  # CMake 3.25 does not know that nvcc takes C++20
                set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)
            endif()
            set(warplens_have_cuda TRUE)
        endif()
    endif()
    if(WARPLENS_CUDA STREQUAL "ON" AND NOT warplens_have_cuda)
        message(FATAL_ERROR
            "WARPLENS_CUDA=ON, but no nvcc ${nvcc_oldest} or newer that works with this C++ compiler was found "
            "(seen: '${nvcc_executable}$ENV{CUDACXX}' ${CMAKE_CUDA_COMPILER_VERSION}).\n"
            "Set CUDACXX to one, or build without CUDA: -DWARPLENS_CUDA=OFF")
    endif()

    # Architectures, when the user named none. With a GPU: that one. Without: 75 is the oldest that CUDA 13 knows, and
    # its PTX runs on every newer GPU after a moment of compiling at start. The preset `package` spares them that moment.
    if(warplens_have_cuda AND choose_architectures)
        unset(CMAKE_CUDA_ARCHITECTURES CACHE)  # enable_language() leaves its own there; choose anew the next time
        if(no_gpu EQUAL 0 AND CMAKE_CUDA_ARCHITECTURES_NATIVE)  # CMake found out which
            set(CMAKE_CUDA_ARCHITECTURES native)
        else()
            set(CMAKE_CUDA_ARCHITECTURES 75-virtual)
        endif()
    elseif(NOT warplens_have_cuda)
        set(no_cuda "no nvcc ${nvcc_oldest} or newer was found")
    endif()
endif()

if(warplens_have_cuda)
    message(STATUS "CUDA: nvcc ${CMAKE_CUDA_COMPILER_VERSION}, architectures ${CMAKE_CUDA_ARCHITECTURES}")
else()
    message(STATUS "CUDA: not in this build: ${no_cuda}")
endif()

# warplens_cuda_sources(<variable>): the .cu files of kernels/, several in one. nvcc reads CUDA's headers once for every
# architecture and file, which takes longer than most kernels; so each kernel file has a namespace of its own.
# Beside kernels with dynamic shared memory nvcc rounds up the static shared memory of all others: they stay apart.
function(warplens_cuda_sources variable)
    file(GLOB_RECURSE files CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}" "${PROJECT_SOURCE_DIR}/kernels/*.cu")
    set(number 0)
    foreach(file IN LISTS files)
        file(STRINGS "${PROJECT_SOURCE_DIR}/${file}" dynamic REGEX "extern __shared__" LIMIT_COUNT 1)
        set(kind static)
        if(dynamic)
            set(kind dynamic)
        endif()
        math(EXPR batch "${number} % 2")  # two of each kind, for several processors
        string(APPEND ${kind}_${batch} "#include \"${file}\"\n")
        math(EXPR number "${number} + 1")
    endforeach()
    set(sources "")
    foreach(batch static_0 static_1 dynamic_0 dynamic_1)
        set(source "${PROJECT_BINARY_DIR}/generated/kernels_${batch}.cu")
        file(CONFIGURE OUTPUT "${source}" CONTENT "${${batch}}" @ONLY)
        list(APPEND sources "${source}")
    endforeach()
    set(${variable} ${sources} PARENT_SCOPE)
endfunction()

# Off: 177 (declared but never referenced) is wrong about members that only constant expressions use, and
# -Wparentheses is about declarations that nvcc rewrote.
function(warplens_cuda_target target)
    target_compile_definitions(${target} PUBLIC WARPLENS_HAS_CUDA=1)
    target_link_libraries(${target} PUBLIC CUDA::cudart_static)
    target_compile_options(${target} PRIVATE
        "$<$<COMPILE_LANGUAGE:CUDA>:-lineinfo;-Xcompiler=-Wall,-Wextra,-Wshadow,-Wformat-security,-Wno-parentheses>"
        "$<$<AND:$<COMPILE_LANGUAGE:CUDA>,$<CXX_COMPILER_ID:GNU>>:-Xcompiler=-Wno-restrict>"  # as in Compiler.cmake
        "$<$<COMPILE_LANGUAGE:CUDA>:-diag-suppress=177;-Xcompiler=-fstack-protector-strong>"
        "$<$<AND:$<BOOL:${WARPLENS_WERROR}>,$<COMPILE_LANGUAGE:CUDA>>:-Werror=all-warnings>")
endfunction()
