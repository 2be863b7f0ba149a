# What `cmake --install` copies, and the packages that CPack makes of it: a .deb and a .tar.gz.
# The program carries its shaders, lessons, recordings, tables and fonts in itself. Two components: `program`, and
# `archive`, which a Debian package does without: how to unpack it.
include(GNUInstallDirs)
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME program)
set(packaging "${PROJECT_SOURCE_DIR}/app/packaging")
set(share "${CMAKE_INSTALL_DATADIR}")

install(TARGETS warplens RUNTIME COMPONENT program)
install(FILES "${packaging}/copyright" DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT program)
set(WARPLENS_MAINTAINER "Warplens authors <maintainers@warplens.invalid>" CACHE STRING "Who answers for the packages")
find_program(GZIP_EXECUTABLE gzip DOC "packs the Debian package's list of changes")
mark_as_advanced(GZIP_EXECUTABLE)
if(GZIP_EXECUTABLE)
    set(changelog "${PROJECT_BINARY_DIR}/generated/changelog")
    configure_file("${packaging}/changelog" "${changelog}" @ONLY)
    execute_process(COMMAND "${GZIP_EXECUTABLE}" -9nkf "${changelog}" COMMAND_ERROR_IS_FATAL ANY)
    install(FILES "${changelog}.gz" DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT program)
endif()

if(UNIX AND NOT APPLE)
    install(FILES "${packaging}/warplens.desktop" DESTINATION "${share}/applications" COMPONENT program)
    install(FILES "${packaging}/warplens-mime.xml" DESTINATION "${share}/mime/packages" COMPONENT program
        RENAME warplens.xml)
    install(FILES "${packaging}/metainfo.xml" DESTINATION "${share}/metainfo" COMPONENT program
        RENAME io.github.warplens.Warplens.metainfo.xml)
    install(FILES "${PROJECT_SOURCE_DIR}/assets/icon/warplens.svg" COMPONENT program
        DESTINATION "${share}/icons/hicolor/scalable/apps")

    # Pixels where a desktop wants them; the drawing alone will do where nothing can convert it.
    find_program(RSVG_CONVERT_EXECUTABLE rsvg-convert DOC "draws the icon's PNG files (librsvg)")
    mark_as_advanced(RSVG_CONVERT_EXECUTABLE)
    if(RSVG_CONVERT_EXECUTABLE)
        foreach(size 16 22 24 32 48 64 128 256 512)
            set(drawing "${PROJECT_SOURCE_DIR}/assets/icon/warplens.svg")
            if(size LESS 64)
                set(drawing "${PROJECT_SOURCE_DIR}/assets/icon/warplens-small.svg")
            endif()
            set(icon "${PROJECT_BINARY_DIR}/generated/icons/${size}/warplens.png")
            file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/generated/icons/${size}")
            add_custom_command(OUTPUT "${icon}" VERBATIM COMMENT "Icon of ${size} pixels"
                COMMAND "${RSVG_CONVERT_EXECUTABLE}" -w ${size} -h ${size} -o "${icon}" "${drawing}"
                DEPENDS "${drawing}")
            list(APPEND icons "${icon}")
            install(FILES "${icon}" DESTINATION "${share}/icons/hicolor/${size}x${size}/apps" COMPONENT program)
        endforeach()
        add_custom_target(warplens_icons DEPENDS ${icons})
        add_dependencies(warplens warplens_icons)  # so that `ninja warplens` is enough for an installation
    endif()

    # The program describes itself: the manual page and the completion are written when it is installed.
    install(CODE "
        set(executable \"$<TARGET_FILE:warplens>\")
        set(made \"${PROJECT_BINARY_DIR}/generated/described\")
        set(man \"${CMAKE_INSTALL_MANDIR}/man1\")
        set(completion \"${share}/bash-completion/completions\")" COMPONENT program)
    install(SCRIPT "${CMAKE_CURRENT_LIST_DIR}/InstallDescribed.cmake" COMPONENT program)
endif()

install(FILES "${packaging}/INSTALL" DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT archive)

set(CPACK_PACKAGE_CONTACT "${WARPLENS_MAINTAINER}")
set(CPACK_PACKAGE_VENDOR "Warplens authors")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "see what a CUDA warp does to memory")
set(CPACK_PACKAGE_DESCRIPTION
"Change a parameter and watch sectors, banks, wavefronts and bandwidth follow,
on an NVIDIA GPU or without one. Every number says whether it is exact,
approximate, measured or recorded; each picture can be exported for slides and
papers.")
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_GENERATOR DEB TGZ)
set(CPACK_PROJECT_CONFIG_FILE "${CMAKE_CURRENT_LIST_DIR}/PackageKind.cmake")
set(CPACK_PACKAGE_FILE_NAME "warplens-${PROJECT_VERSION}-${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR}")
string(TOLOWER "${CPACK_PACKAGE_FILE_NAME}" CPACK_PACKAGE_FILE_NAME)

# Libraries that the program is linked to are found by dpkg-shlibdeps; these it opens itself, or reads.
find_program(DPKG_SHLIBDEPS_EXECUTABLE dpkg-shlibdeps)
mark_as_advanced(DPKG_SHLIBDEPS_EXECUTABLE)
if(DPKG_SHLIBDEPS_EXECUTABLE)
    set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
endif()
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "libegl1, libegl-mesa0, libgl1, libgl1-mesa-dri, libxrandr2, libxi6, libxcursor1, libxinerama1")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION education)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
include(CPack)
