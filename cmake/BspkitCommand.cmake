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

# Sets ${out} to the archives of all libraries that the command needs, or to nothing if one is missing.
# Loading seven shared libraries takes longer than all else of a short run.
function(bspkit_archives out)
  set(archives)
  foreach(module IN LISTS BSPKIT_MODULES ITEMS jansson)
    foreach(name IN LISTS ${module}_STATIC_LIBRARIES)
      if(name MATCHES "^(c|m|pthread|dl|rt)$")
        continue()
      endif()
      find_library(BSPKIT_ARCHIVE_${name} HINTS ${${module}_STATIC_LIBRARY_DIRS}
                   NAMES ${CMAKE_STATIC_LIBRARY_PREFIX}${name}${CMAKE_STATIC_LIBRARY_SUFFIX})
      mark_as_advanced(BSPKIT_ARCHIVE_${name})
      if(NOT BSPKIT_ARCHIVE_${name})
        message(STATUS "there is no archive of ${name}: the command loads shared libraries")
        return()
      endif()
      list(APPEND archives ${BSPKIT_ARCHIVE_${name}})
    endforeach()
  endforeach()
  set(${out} ${archives} PARENT_SCOPE)
endfunction()

set(command_archives)
if(BSPKIT_STATIC_DEPENDENCIES)
  bspkit_archives(command_archives)
endif()
if(command_archives)
  add_dependencies(bspkit bspkit_static)
  target_include_directories(bspkit PRIVATE include ${jansson_INCLUDE_DIRS})
  target_link_libraries(bspkit PRIVATE $<TARGET_FILE:bspkit_static> ${command_archives}
                        Threads::Threads m)
else()
  target_link_libraries(bspkit PRIVATE bspkit_static PkgConfig::jansson)
endif()

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
