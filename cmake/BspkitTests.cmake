# SPDX-License-Identifier: MIT
# Every tests/FLOOR/test_*.c is a cmocka program and one test; every script in tests/house and tests/cli
# is one test. Exit status 77 is "skipped". Scripts find what they need in the environment.
pkg_check_modules(cmocka REQUIRED IMPORTED_TARGET cmocka)
if(NOT TARGET PkgConfig::jansson)
  pkg_check_modules(jansson IMPORTED_TARGET jansson)
endif()
find_program(PYTHON3 python3)

# Labels by which a preset or a person picks tests: unit, corpus, house, cli, fuzz, and long and thorough for
# what `make test` leaves to `make test-all`.
set(BSPKIT_TEST_TIMEOUT 600)
if(CMAKE_CROSSCOMPILING_EMULATOR) # twenty to seventy times slower
  set(BSPKIT_TEST_TIMEOUT 7200)
endif()
function(bspkit_test_properties name label)
  set_tests_properties(${name} PROPERTIES LABELS ${label} TIMEOUT ${BSPKIT_TEST_TIMEOUT} SKIP_RETURN_CODE 77
    SKIP_REGULAR_EXPRESSION "^SKIP:")
endfunction()

# --- programs -----------------------------------------------------------------------------------

file(GLOB support_sources CONFIGURE_DEPENDS tests/support/*.c)
add_library(bspkit_support INTERFACE)
if(support_sources)
  add_library(bspkit_support_objects STATIC ${support_sources})
  bspkit_target(bspkit_support_objects)
  target_include_directories(bspkit_support_objects PRIVATE src tests)
  target_link_libraries(bspkit_support_objects PUBLIC bspkit_static PkgConfig::cmocka)
  target_link_libraries(bspkit_support INTERFACE bspkit_support_objects)
endif()
target_link_libraries(bspkit_support INTERFACE bspkit_static PkgConfig::cmocka
                      ${BSPKIT_LIBRARIES})
if(TARGET PkgConfig::jansson)
  target_link_libraries(bspkit_support INTERFACE PkgConfig::jansson)
endif()
foreach(target bspkit_support_objects bspkit_support)
  if(TARGET ${target})
    get_target_property(type ${target} TYPE)
    set(scope PRIVATE)
    if(type STREQUAL INTERFACE_LIBRARY)
      set(scope INTERFACE)
    endif()
    target_compile_definitions(${target} ${scope}
      BSP_TEST_SAMPLES="${PROJECT_SOURCE_DIR}/samples"
      BSP_TEST_SHARED="${PROJECT_SOURCE_DIR}/../shared"
      BSP_TEST_KEPT="${PROJECT_SOURCE_DIR}/tests/kept")
  endif()
endforeach()

file(GLOB test_sources CONFIGURE_DEPENDS tests/*/test_*.c)
foreach(source IN LISTS test_sources)
  get_filename_component(name ${source} NAME_WE)
  add_executable(${name} ${source})
  bspkit_target(${name})
  target_include_directories(${name} PRIVATE src tests)
  target_link_libraries(${name} PRIVATE bspkit_support)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
  add_test(NAME ${name} COMMAND ${name} WORKING_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
  if(name MATCHES "_long$")
    bspkit_test_properties(${name} long)
    set_tests_properties(${name} PROPERTIES TIMEOUT 1800)
  elseif(name MATCHES "corpus")
    bspkit_test_properties(${name} corpus)
    set_tests_properties(${name} PROPERTIES TIMEOUT 1200)
  else()
    bspkit_test_properties(${name} unit)
  endif()
endforeach()

# --- scripts ------------------------------------------------------------------------------------

function(bspkit_script_test script label)
  get_filename_component(name ${script} NAME_WE)
  get_filename_component(extension ${script} LAST_EXT)
  set(runner sh)
  if(extension STREQUAL ".py")
    if(NOT PYTHON3)
      message(STATUS "python3 is not there: test ${label}_${name} is left out")
      return()
    endif()
    set(runner ${PYTHON3})
  endif()
  add_test(NAME ${label}_${name} COMMAND ${runner} ${script})
  bspkit_test_properties(${label}_${name} ${label})
  set(environment "SOURCE=${PROJECT_SOURCE_DIR}" "BUILD=${PROJECT_BINARY_DIR}"
      "CC=${CMAKE_C_COMPILER}" "CMAKE=${CMAKE_COMMAND}" "PYTHONDONTWRITEBYTECODE=1"
      "TEST_FLAGS=${CMAKE_C_FLAGS}")
  if(TARGET bspkit)
    list(APPEND environment "BSPKIT=$<TARGET_FILE:bspkit>")
  endif()
  set_tests_properties(${label}_${name} PROPERTIES ENVIRONMENT "${environment}"
                       WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
endfunction()

# tests/*/lib.sh is read by the scripts beside it.
foreach(folder house cli long)
  file(GLOB scripts CONFIGURE_DEPENDS tests/${folder}/*.sh tests/${folder}/*.py)
  list(FILTER scripts EXCLUDE REGEX "/lib\\.(sh|py)$")
  if(NOT folder STREQUAL house AND NOT TARGET bspkit)
    set(scripts)
  endif()
  foreach(script IN LISTS scripts)
    bspkit_script_test(${script} ${folder})
    if(folder STREQUAL long)
      get_filename_component(name ${script} NAME_WE)
      if(TEST long_${name})
        set_tests_properties(long_${name} PROPERTIES TIMEOUT 1800)
      endif()
    endif()
  endforeach()
endforeach()

# What make test tries a part of, and make test-all all of (tests/support/effort.h).
foreach(name test_branches test_convert_corpus test_decompile_pairs test_decompile_tree_maps
             test_edit_diff test_number_text test_query_disp_corpus test_query_light_corpus test_query_space_corpus
             test_query_tree_corpus test_where cli_entity_edit cli_faults)
  if(TEST ${name})
    if(TARGET ${name})
      add_test(NAME thorough_${name} COMMAND ${name} WORKING_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
    else()
      string(REGEX REPLACE "^cli_" "" script ${name})
      add_test(NAME thorough_${name} COMMAND ${PYTHON3} tests/cli/${script}.py)
      get_test_property(${name} ENVIRONMENT environment)
      set_tests_properties(thorough_${name} PROPERTIES ENVIRONMENT "${environment}"
                           WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
    endif()
    bspkit_test_properties(thorough_${name} thorough)
    set_property(TEST thorough_${name} APPEND PROPERTY ENVIRONMENT BSPKIT_THOROUGH=1)
    set_tests_properties(thorough_${name} PROPERTIES TIMEOUT 1800)
  endif()
endforeach()

# The programs of the README and the guide must build; tests/cli/examples.py runs them.
file(GLOB example_sources CONFIGURE_DEPENDS examples/*.c)
if(EXISTS ${PROJECT_SOURCE_DIR}/src/records/file.c)
  foreach(source IN LISTS example_sources)
    get_filename_component(name ${source} NAME_WE)
    add_executable(example_${name} ${source})
    bspkit_target(example_${name})
    target_link_libraries(example_${name} PRIVATE bspkit_static)
    set_target_properties(example_${name} PROPERTIES OUTPUT_NAME ${name}
      RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/examples)
  endforeach()
endif()
