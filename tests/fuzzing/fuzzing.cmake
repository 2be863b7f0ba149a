# The targets of tests/fuzz are part of cpu_tests, which calls them with the files of their corpora.
file(GLOB fuzz_targets CONFIGURE_DEPENDS "${CMAKE_CURRENT_LIST_DIR}/*.cpp")
list(FILTER fuzz_targets EXCLUDE REGEX "/(corpus_test|fuzzer)\\.cpp$")
target_sources(cpu_tests PRIVATE ${fuzz_targets})

if(CMAKE_CXX_FLAGS MATCHES "fuzzer-no-link")  # tests/fuzz
    add_executable(warplens_fuzzer ${fuzz_targets} "${CMAKE_CURRENT_LIST_DIR}/fuzzer.cpp")
    target_link_libraries(warplens_fuzzer PRIVATE warplens_flags ${everything} nlohmann_json::nlohmann_json fmt::fmt)
    target_link_options(warplens_fuzzer PRIVATE -fsanitize=fuzzer)
endif()
