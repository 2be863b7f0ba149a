# warplens.html: the program, its page and its WebAssembly in one file. Node runs warplens.js beside warplens.wasm, for tests.
set(page "${PROJECT_SOURCE_DIR}/app/web/page")
target_link_options(warplens PRIVATE
    -Os  # with -Oz the C library has a smaller pow, whose last digit differs
    -sALLOW_MEMORY_GROWTH=1 -sINITIAL_MEMORY=64MB -sMAXIMUM_MEMORY=2GB -sSTACK_SIZE=4MB -sENVIRONMENT=web,node
    -sEXPORTED_FUNCTIONS=_main,_malloc,_free -sEXPORTED_RUNTIME_METHODS=FS,ENV,callMain,stringToNewUTF8
    -sFORCE_FILESYSTEM=1 -sDYNAMIC_EXECUTION=0)

# The rest is compiled for size.
target_compile_options(imgui PRIVATE -O2)  # renders glyphs, and all that is drawn
target_compile_options(warplens_measure PRIVATE -O2)  # reads recordings

find_package(Python3 REQUIRED COMPONENTS Interpreter)  # Emscripten needs it, too
set(html "${PROJECT_BINARY_DIR}/warplens.html")
add_custom_command(OUTPUT "${html}" VERBATIM COMMENT "warplens.html"
    COMMAND "${Python3_EXECUTABLE}" "${page}/pack.py" "${page}" "$<TARGET_FILE:warplens>" "${html}"
    DEPENDS warplens "${page}/pack.py" "${page}/page.html" "${page}/page.js")
add_custom_target(page ALL DEPENDS "${html}")

# A .zip for teachers: the page and how to hand it out.
install(FILES "${html}" "${page}/README.txt" DESTINATION . COMPONENT page)
set(CPACK_GENERATOR ZIP)
set(CPACK_PACKAGE_FILE_NAME "warplens-${PROJECT_VERSION}-page")
set(CPACK_INSTALL_CMAKE_PROJECTS "${CMAKE_BINARY_DIR};${PROJECT_NAME};page;/")
set(CPACK_VERBATIM_VARIABLES ON)
include(CPack)
