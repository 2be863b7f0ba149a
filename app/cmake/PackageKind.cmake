# Read by CPack once for each kind of package. Components are named, so that the libraries of others, where they were
# fetched and built along, stay out: "<build>;<project>;<component>;<folder>".
string(REPLACE ";ALL;" ";program;" only_program "${CPACK_INSTALL_CMAKE_PROJECTS}")
string(REPLACE ";ALL;" ";archive;" only_archive "${CPACK_INSTALL_CMAKE_PROJECTS}")
set(CPACK_INSTALL_CMAKE_PROJECTS "${only_program}")
if(NOT CPACK_GENERATOR STREQUAL "DEB")  # an archive says how to unpack it
    list(APPEND CPACK_INSTALL_CMAKE_PROJECTS ${only_archive})
endif()
