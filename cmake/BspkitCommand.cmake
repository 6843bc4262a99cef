# SPDX-License-Identifier: MIT
# The command, its man pages and its completions, which are made from its option tables.
file(GLOB_RECURSE command_sources CONFIGURE_DEPENDS src/cli/*.c)
add_executable(bspkit ${command_sources})
bspkit_target(bspkit)
bspkit_harden(bspkit)
set_target_properties(bspkit PROPERTIES POSITION_INDEPENDENT_CODE ON)
# Programs that write reports at their end, or run others that do, cannot be confined.
if(CMAKE_C_FLAGS MATCHES "fsanitize|coverage|profile")
  target_compile_definitions(bspkit PRIVATE CLI_NOT_CONFINED)
endif()
target_include_directories(bspkit PRIVATE src)
pkg_check_modules(jansson REQUIRED IMPORTED_TARGET jansson)
target_link_libraries(bspkit PRIVATE bspkit_static PkgConfig::jansson)

find_program(SCDOC scdoc)
set(BSPKIT_WRITES_MANUAL OFF)
if(BSPKIT_MANUAL AND NOT CMAKE_CROSSCOMPILING)
  set(BSPKIT_WRITES_MANUAL ON)
  if(NOT SCDOC)
    message(STATUS "scdoc is not there: the man pages are left out")
  endif()
  set(stamp ${PROJECT_BINARY_DIR}/manual.stamp)
  add_custom_command(OUTPUT ${stamp}
    COMMAND ${CMAKE_COMMAND} -DBSPKIT=$<TARGET_FILE:bspkit> -DSCDOC=${SCDOC}
            -DOUT=${PROJECT_BINARY_DIR} -P ${PROJECT_SOURCE_DIR}/cmake/manual.cmake
    COMMAND ${CMAKE_COMMAND} -E touch ${stamp}
    DEPENDS bspkit ${PROJECT_SOURCE_DIR}/cmake/manual.cmake
    COMMENT "Writing man pages and completions" VERBATIM)
  add_custom_target(manual ALL DEPENDS ${stamp})
endif()
