# Every room is linked once with nothing but the rooms that it stands on (CMakeLists.txt): what it calls above itself is
# undefined there, which is an error of the linker. Includes do not show a function that is declared below and defined above.
if(NOT CMAKE_CXX_FLAGS MATCHES "-fsanitize" AND UNIX AND NOT APPLE)  # the functions of sanitizers are in programs only
    foreach(room IN LISTS warplens_rooms)
        get_target_property(below warplens_${room} INTERFACE_LINK_LIBRARIES)
        add_library(walls_${room} MODULE $<TARGET_OBJECTS:warplens_${room}>)
        target_link_libraries(walls_${room} PRIVATE ${below})
        target_link_options(walls_${room} PRIVATE -Wl,-z,defs)
        set_target_properties(walls_${room} PROPERTIES LINKER_LANGUAGE CXX)
    endforeach()

    # A planted call upward is seen.
    add_library(walls_planted MODULE EXCLUDE_FROM_ALL foundation/planted_call.cpp)
    target_link_libraries(walls_planted PRIVATE warplens_flags warplens_pictures)
    target_link_options(walls_planted PRIVATE -Wl,-z,defs)
    add_test(NAME foundation/planted_call COMMAND "${CMAKE_COMMAND}" --build "${PROJECT_BINARY_DIR}" --target walls_planted)
    set_tests_properties(foundation/planted_call PROPERTIES LABELS cpu PASS_REGULAR_EXPRESSION "undefined.*all_boards")
endif()
