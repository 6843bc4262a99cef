# SPDX-License-Identifier: MIT
# The compiler of samples/source, a development tool: no part of the library, and not installed. The
# sample maps are kept in the repository; the test makes them anew and compares every byte.
file(GLOB compile_source_sources CONFIGURE_DEPENDS tools/compile_source/*.c)
add_executable(compile_source ${compile_source_sources})
bspkit_target(compile_source)
target_include_directories(compile_source PRIVATE src)
target_link_libraries(compile_source PRIVATE bspkit_static)
set_target_properties(compile_source PROPERTIES RUNTIME_OUTPUT_DIRECTORY
                      ${PROJECT_BINARY_DIR}/tools)

add_test(NAME samples_source_current COMMAND ${CMAKE_COMMAND}
  -DCOMPILER=$<TARGET_FILE:compile_source> -DSAMPLES=${PROJECT_SOURCE_DIR}/samples/source
  -DOUT=${PROJECT_BINARY_DIR}/tools -P ${PROJECT_SOURCE_DIR}/cmake/samples.cmake)
bspkit_test_properties(samples_source_current unit)
