# SPDX-License-Identifier: MIT
# The compiler of samples/source, a development tool: no part of the library, and not installed. The
# sample maps are kept in the repository; test_compile_source makes them anew and compares.
file(GLOB compile_source_parts CONFIGURE_DEPENDS tools/compile_source/*.c)
list(FILTER compile_source_parts EXCLUDE REGEX "/main\\.c$")
add_library(compile_source_parts STATIC ${compile_source_parts})
target_link_libraries(compile_source_parts PUBLIC bspkit_static)
add_executable(compile_source tools/compile_source/main.c)
target_link_libraries(compile_source PRIVATE compile_source_parts)
foreach(target compile_source_parts compile_source)
  bspkit_target(${target})
  target_include_directories(${target} PRIVATE src)
  set_target_properties(${target} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tools
    ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tools)
endforeach()

# The test sees to it that another C library, which rounds these in another way, makes the same maps.
target_include_directories(test_compile_source PRIVATE tools)
target_link_libraries(test_compile_source PRIVATE compile_source_parts)
target_link_options(test_compile_source PRIVATE LINKER:--wrap=pow,--wrap=sin,--wrap=cos,--wrap=sincos)
