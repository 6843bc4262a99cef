# SPDX-License-Identifier: MIT
# One short run of a libFuzzer program: new inputs go to WORK/corpus, crashes to WORK. Seeds are the
# sample maps and fuzz/seeds. The order of a fresh run is fixed, so that a suite that passes goes on
# passing; longer runs and other seeds are started by hand.
file(MAKE_DIRECTORY ${WORK}/corpus)
file(GLOB_RECURSE maps ${SAMPLES}/*.bsp)
foreach(map IN LISTS maps)
  file(RELATIVE_PATH relative ${SAMPLES} ${map})
  string(MD5 name ${relative})
  file(COPY_FILE ${map} ${WORK}/corpus/${name} ONLY_IF_DIFFERENT)
endforeach()
set(folders ${WORK}/corpus)
if(EXISTS ${SEEDS})
  list(APPEND folders ${SEEDS})
endif()
execute_process(
  COMMAND ${FUZZER} -seed=1 -max_total_time=${SECONDS} -timeout=10 -rss_limit_mb=2048 -max_len=1048576
          -artifact_prefix=${WORK}/ -print_final_stats=1 ${folders}
  WORKING_DIRECTORY ${WORK} RESULT_VARIABLE status)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${FUZZER}: exit status ${status}; the input is in ${WORK}")
endif()
