warplens_script_test(cpu foundation/format foundation/format.sh)
warplens_script_test(cpu foundation/headers foundation/headers.sh)
warplens_script_test(cpu foundation/scripts foundation/scripts.sh)
set_tests_properties(foundation/headers PROPERTIES COST 200)
