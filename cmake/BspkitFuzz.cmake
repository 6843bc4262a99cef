# SPDX-License-Identifier: MIT
# fuzz/fuzz_*.c each define LLVMFuzzerTestOneInput. With BSPKIT_FUZZ they are libFuzzer programs, and
# a short run of each is a test. Without, fuzz/replay.c (which has the main) runs them over the
# samples and the kept crashes.
file(GLOB fuzz_sources CONFIGURE_DEPENDS fuzz/fuzz_*.c)
file(GLOB_RECURSE fuzz_seeds CONFIGURE_DEPENDS samples/*.bsp)
set(kept ${PROJECT_SOURCE_DIR}/tests/kept)

foreach(source IN LISTS fuzz_sources)
  get_filename_component(name ${source} NAME_WE)
  if(BSPKIT_FUZZ)
    add_executable(${name} ${source})
    target_link_options(${name} PRIVATE -fsanitize=fuzzer)
    add_test(NAME ${name} COMMAND ${CMAKE_COMMAND} -DFUZZER=$<TARGET_FILE:${name}>
      -DSECONDS=${BSPKIT_FUZZ_SECONDS} -DWORK=${PROJECT_BINARY_DIR}/fuzz/work/${name}
      -DSAMPLES=${PROJECT_SOURCE_DIR}/samples -DSEEDS=${PROJECT_SOURCE_DIR}/fuzz/seeds
      -P ${PROJECT_SOURCE_DIR}/cmake/fuzz.cmake)
  elseif(EXISTS ${PROJECT_SOURCE_DIR}/fuzz/replay.c)
    add_executable(${name} ${source} fuzz/replay.c)
    add_test(NAME replay_${name} COMMAND ${name} ${fuzz_seeds} ${kept})
  else()
    continue()
  endif()
  bspkit_target(${name})
  target_include_directories(${name} PRIVATE src fuzz tests)
  target_link_libraries(${name} PRIVATE bspkit_static)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/fuzz)
  if(BSPKIT_TESTS)
    if(BSPKIT_FUZZ)
      bspkit_test_properties(${name} fuzz)
    else()
      bspkit_test_properties(replay_${name} fuzz)
    endif()
  endif()
endforeach()
