# What a build for the browser has in place of the system's libraries: GLFW is Emscripten's, the others are compiled from
# archives without their own builds, which look for more than a browser has.
add_library(glfw INTERFACE)
target_link_options(glfw INTERFACE -sUSE_GLFW=3 -sMIN_WEBGL_VERSION=2 -sMAX_WEBGL_VERSION=2)

# warplens_compile(<target> <alias> <folder> <source>...)
function(warplens_compile target alias folder)
    list(TRANSFORM ARGN PREPEND "${folder}/")
    add_library(${target} STATIC ${ARGN})
    add_library(${alias} ALIAS ${target})
    target_include_directories(${target} SYSTEM PUBLIC "${folder}")
    target_compile_options(${target} PRIVATE -w)
endfunction()

warplens_need(ZLIB TARGET ZLIB::ZLIB APT zlib1g-dev UNPACK
    URL https://github.com/madler/zlib/releases/download/v1.3.1/zlib-1.3.1.tar.gz
    SHA256 9a93b2b7dfdac77ceba5a558a580e74667dd6fede4585b91eefb60f03b72df23)
warplens_compile(zlib_browser ZLIB::ZLIB "${zlib_SOURCE_DIR}"
    adler32.c compress.c crc32.c deflate.c inffast.c inflate.c inftrees.c trees.c uncompr.c zutil.c)

warplens_need(PNG TARGET PNG::PNG APT libpng-dev UNPACK
    URL https://github.com/pnggroup/libpng/archive/refs/tags/v1.6.58.tar.gz
    SHA256 a9d4df463d36a6e5f9c29bd6f4967312d17e996c1854f3511f833924eb1993cf)
configure_file("${png_SOURCE_DIR}/scripts/pnglibconf.h.prebuilt" "${CMAKE_BINARY_DIR}/generated/png/pnglibconf.h" COPYONLY)
warplens_compile(png_browser PNG::PNG "${png_SOURCE_DIR}"
    png.c pngerror.c pngget.c pngmem.c pngread.c pngrio.c pngrtran.c pngrutil.c pngset.c pngtrans.c pngwio.c pngwrite.c
    pngwtran.c pngwutil.c)
target_include_directories(png_browser SYSTEM PUBLIC "${CMAKE_BINARY_DIR}/generated/png")
target_link_libraries(png_browser PUBLIC ZLIB::ZLIB)

warplens_need(GIF TARGET GIF::GIF APT libgif-dev UNPACK
    URL https://downloads.sourceforge.net/project/giflib/giflib-5.2.2.tar.gz
    SHA256 be7ffbd057cadebe2aa144542fd90c6838c6a083b5e8a9048b8ee3b66b29d5fb)
warplens_compile(gif_browser GIF::GIF "${gif_SOURCE_DIR}"
    dgif_lib.c egif_lib.c gifalloc.c gif_err.c gif_hash.c openbsd-reallocarray.c quantize.c)
