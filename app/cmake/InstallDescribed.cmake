# Run by `cmake --install`: the manual page and the completion for bash, written by the program that is being installed.
# Given: executable, made (a folder for them), man and completion (folders below the prefix).
foreach(what man completion)
    execute_process(COMMAND "${executable}" ${what} OUTPUT_FILE "${made}.${what}" RESULT_VARIABLE result)
    if(NOT result EQUAL 0)
        message(FATAL_ERROR "'${executable} ${what}' failed (${result}), so its output cannot be installed. "
            "Build the program first; for another machine's processor, install on that machine.")
    endif()
endforeach()
find_program(gzip gzip)
if(gzip)
    execute_process(COMMAND "${gzip}" -9nf "${made}.man" COMMAND_ERROR_IS_FATAL ANY)
    file(INSTALL "${made}.man.gz" DESTINATION "${CMAKE_INSTALL_PREFIX}/${man}" RENAME warplens.1.gz)
else()
    file(INSTALL "${made}.man" DESTINATION "${CMAKE_INSTALL_PREFIX}/${man}" RENAME warplens.1)
endif()
file(INSTALL "${made}.completion" DESTINATION "${CMAKE_INSTALL_PREFIX}/${completion}" RENAME warplens)
