warplens_script_test(cpu foundation/format foundation/format.sh)
warplens_script_test(cpu foundation/scripts foundation/scripts.sh)
if(CMAKE_CXX_FLAGS MATCHES "-fsanitize")  # Clang precompiles what they share, and so takes a third of GCC's time
    warplens_script_test(cpu foundation/headers foundation/headers.sh)
    set_tests_properties(foundation/headers PROPERTIES COST 200)
endif()
