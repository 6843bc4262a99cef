# SPDX-License-Identifier: MIT
# Makes each map of SAMPLES with COMPILER in the folder OUT and compares it with the one that is
# kept. With -DOUT=SAMPLES it makes the kept ones anew.
function(make_sample name)
  execute_process(COMMAND ${COMPILER} ${ARGN} ${SAMPLES}/lobby.vmf ${OUT}/${name}
                  RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${name}: exit status ${status}")
  endif()
  execute_process(COMMAND ${CMAKE_COMMAND} -E compare_files ${OUT}/${name} ${SAMPLES}/${name}
                  RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${OUT}/${name} is not the map in ${SAMPLES}")
  endif()
endfunction()

make_sample(lobby.bsp)
make_sample(lobby_19.bsp --branch source_19 --static-props 5)
make_sample(lobby_l4d2.bsp --branch left4dead2 --static-props 9)
make_sample(lobby_be.bsp --big-endian --static-props 6)
