# SPDX-License-Identifier: MIT
# Input number 5 of a seed is the same bytes by every compiler.
# usage: cmake -DPROGRAM=fuzz_archive -DSEED=FILE -DOUT=FILE -P fuzz_inputs.cmake
execute_process(COMMAND ${PROGRAM} --write ${OUT} --from 5 ${SEED} OUTPUT_QUIET RESULT_VARIABLE status)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${PROGRAM}: exit status ${status}")
endif()
file(SHA256 ${OUT} found)
set(wanted 677b445d00b4ec7f56a02075303f0344d5d2536025975fe3810b0421c74ae2e0)
if(NOT found STREQUAL wanted)
  message(FATAL_ERROR "${OUT}: ${found}, and not ${wanted}")
endif()
