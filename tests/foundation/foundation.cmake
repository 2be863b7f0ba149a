# Every header compiles alone, and twice. A header with a source beside it is that source's first include (a test in
# layers_test.cpp), so that it compiles alone there, unless a unity build puts other sources before it; each of the others
# gets a tiny source here.
file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}"
    "${PROJECT_SOURCE_DIR}/app/*.h" "${PROJECT_SOURCE_DIR}/kernels/*.h" "${PROJECT_SOURCE_DIR}/tests/*.h")
if(warplens_have_cuda)
    file(GLOB_RECURSE cuda_headers CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}" "${PROJECT_SOURCE_DIR}/kernels/*.cuh")
endif()
set(header_sources "")
foreach(header IN LISTS headers cuda_headers)
    string(REGEX REPLACE "\\.h$" ".cpp" beside "${PROJECT_SOURCE_DIR}/${header}")
    if(NOT WARPLENS_UNITY AND beside MATCHES "\\.cpp$" AND EXISTS "${beside}")
        continue()
    endif()
    string(REGEX REPLACE "\\.h$" ".h.cpp" source "${header}")
    string(REGEX REPLACE "\\.cuh$" ".cuh.cu" source "${source}")
    file(CONFIGURE OUTPUT "headers/${source}" CONTENT "#include \"${header}\"\n#include \"${header}\"\n")
    list(APPEND header_sources "${CMAKE_CURRENT_BINARY_DIR}/headers/${source}")
endforeach()
add_library(headers OBJECT ${header_sources})
target_link_libraries(headers PRIVATE warplens_flags ${everything} GTest::gmock)
target_compile_options(headers PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-O0;-g0>)
if(cuda_headers)
    warplens_cuda_target(headers)
endif()

warplens_script_test(cpu foundation/format foundation/format.sh)
warplens_script_test(cpu foundation/scripts foundation/scripts.sh)
