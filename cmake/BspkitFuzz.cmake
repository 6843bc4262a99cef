# SPDX-License-Identifier: MIT
# fuzz/fuzz_*.c each define LLVMFuzzerTestOneInput. With BSPKIT_FUZZ they are libFuzzer programs, and
# a short run of each is a test. Without, fuzz/replay.c (which has the main) runs them over their
# seeds, the samples, all inputs that once broke something, and some
# thousand mutations of their seeds. Seeds are in fuzz/seeds/NAME, or fuzz/seeds/maps without one.
file(GLOB fuzz_sources CONFIGURE_DEPENDS fuzz/fuzz_*.c)
file(GLOB fuzz_samples CONFIGURE_DEPENDS samples/*/*.bsp)
set(fuzz_support fuzz/meter.c fuzz/invariants.c fuzz/edited.c)
set(kept ${PROJECT_SOURCE_DIR}/tests/kept)
if(NOT EXISTS ${kept})
  set(kept)
endif()
set(BSPKIT_MUTATIONS 2000 CACHE STRING "How many mutated inputs each target runs as a test")
set(BSPKIT_LONG_MUTATIONS 3000 CACHE STRING "How many of them the long tests run")

foreach(source IN LISTS fuzz_sources)
  get_filename_component(name ${source} NAME_WE)
  set(seeds ${PROJECT_SOURCE_DIR}/fuzz/seeds/${name})
  set(samples)
  if(NOT EXISTS ${seeds})
    set(seeds ${PROJECT_SOURCE_DIR}/fuzz/seeds/maps)
    set(samples ${fuzz_samples})
  endif()
  if(BSPKIT_FUZZ)
    add_executable(${name} ${source} ${fuzz_support} fuzz/custom.c fuzz/mutate.c
      fuzz/mutate_records.c)
    target_link_options(${name} PRIVATE -fsanitize=fuzzer)
    add_test(NAME ${name} COMMAND ${CMAKE_COMMAND} -DFUZZER=$<TARGET_FILE:${name}>
      -DSECONDS=${BSPKIT_FUZZ_SECONDS} -DWORK=${PROJECT_BINARY_DIR}/fuzz/runs/${name}
      -DSAMPLES=${PROJECT_SOURCE_DIR}/samples -DSEEDS=${seeds}
      -P ${PROJECT_SOURCE_DIR}/cmake/fuzz.cmake)
  elseif(EXISTS ${PROJECT_SOURCE_DIR}/fuzz/replay.c)
    add_executable(${name} ${source} ${fuzz_support} fuzz/replay.c fuzz/mutate.c
      fuzz/mutate_records.c)
    add_test(NAME replay_${name} COMMAND ${name} ${seeds} ${samples} ${kept})
    add_test(NAME mutate_${name} COMMAND ${name} --mutate ${BSPKIT_MUTATIONS} ${seeds} ${kept})
    if(samples) # maps: their records are known
      if(name STREQUAL fuzz_edit) # it opens, reads, loads and writes them; the others take longer
        add_test(NAME records_${name} COMMAND ${name} --records --mutate ${BSPKIT_MUTATIONS}
          ${seeds} ${kept})
      endif()
      set(lit) # the seeds are small, and hardly have light
      if(name STREQUAL fuzz_bake)
        set(lit ${samples})
      endif()
      add_test(NAME long_records_${name} COMMAND ${name} --records --mutate
        ${BSPKIT_LONG_MUTATIONS} --from ${BSPKIT_MUTATIONS} ${seeds} ${lit} ${kept})
    endif()
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
      bspkit_test_properties(mutate_${name} fuzz)
      if(name STREQUAL fuzz_archive) # as good as any other: the inputs are made in one way
        add_test(NAME inputs_${name} COMMAND ${CMAKE_COMMAND} -DPROGRAM=$<TARGET_FILE:${name}>
          -DSEED=${PROJECT_SOURCE_DIR}/fuzz/seeds/${name}/a.pak
          -DOUT=${PROJECT_BINARY_DIR}/fuzz/input -P ${PROJECT_SOURCE_DIR}/cmake/fuzz_inputs.cmake)
        bspkit_test_properties(inputs_${name} fuzz)
      endif()
      if(samples)
        if(name STREQUAL fuzz_edit)
          bspkit_test_properties(records_${name} fuzz)
        endif()
        bspkit_test_properties(long_records_${name} long)
        set_tests_properties(long_records_${name} PROPERTIES TIMEOUT 1800)
      endif()
    endif()
  endif()
endforeach()
