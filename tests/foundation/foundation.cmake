# Every header compiles alone, and twice. A header with a source beside it is that source's first include (a test in
# layers_test.cpp), so that it compiles alone there; each of the others gets a tiny source here. A build that joins files
# would have to do so for all headers, a third of its time, and leaves it to headers.py, which reads them.
file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}"
    "${PROJECT_SOURCE_DIR}/app/*.h" "${PROJECT_SOURCE_DIR}/kernels/*.h" "${PROJECT_SOURCE_DIR}/tests/*.h")
if(warplens_have_cuda)
    file(GLOB_RECURSE cuda_headers CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}" "${PROJECT_SOURCE_DIR}/kernels/*.cuh")
endif()
set(header_sources "")
foreach(header IN LISTS headers cuda_headers)
    string(REGEX REPLACE "\\.h$" ".cpp" beside "${PROJECT_SOURCE_DIR}/${header}")
    if(beside MATCHES "\\.cpp$" AND EXISTS "${beside}")
        continue()
    endif()
    string(REGEX REPLACE "\\.h$" ".h.cpp" source "${header}")
    string(REGEX REPLACE "\\.cuh$" ".cuh.cu" source "${source}")
    file(CONFIGURE OUTPUT "headers/${source}" CONTENT "#include \"${header}\"\n#include \"${header}\"\n")
    list(APPEND header_sources "${CMAKE_CURRENT_BINARY_DIR}/headers/${source}")
endforeach()
add_library(headers OBJECT ${header_sources})
set_target_properties(headers PROPERTIES EXCLUDE_FROM_ALL ${WARPLENS_UNITY})
target_link_libraries(headers PRIVATE warplens_flags ${everything} GTest::gmock)
target_compile_options(headers PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-O0;-g0>)
if(cuda_headers)
    warplens_cuda_target(headers)
endif()

add_test(NAME foundation/headers COMMAND python3 "${CMAKE_CURRENT_LIST_DIR}/headers.py"
    WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
set_tests_properties(foundation/headers PROPERTIES LABELS cpu)
warplens_script_test(cpu foundation/format foundation/format.sh)
warplens_script_test(cpu foundation/scripts foundation/scripts.sh)
