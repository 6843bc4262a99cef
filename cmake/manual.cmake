# SPDX-License-Identifier: MIT
# Run by the build: lets BSPKIT print its manual pages and completions, into OUT/man and
# OUT/completions. Without SCDOC only the completions are made.
function(ask output)
  execute_process(COMMAND ${BSPKIT} ${ARGN} OUTPUT_VARIABLE text RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${BSPKIT} ${ARGN}: exit status ${status}")
  endif()
  set(${output} "${text}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE ${OUT}/man ${OUT}/completions)
file(MAKE_DIRECTORY ${OUT}/man ${OUT}/completions)

if(SCDOC)
  ask(pages manual --list)
  string(REGEX MATCHALL "[^\n]+" pages "${pages}")
  foreach(page IN LISTS pages)
    execute_process(COMMAND ${BSPKIT} manual ${page} COMMAND ${SCDOC}
                    OUTPUT_FILE ${OUT}/man/${page}.1 RESULTS_VARIABLE statuses)
    if(NOT statuses STREQUAL "0;0")
      message(FATAL_ERROR "man page ${page}: ${statuses}")
    endif()
  endforeach()
endif()

foreach(pair bash:bspkit zsh:_bspkit fish:bspkit.fish)
  string(REPLACE ":" ";" pair ${pair})
  list(GET pair 0 shell)
  list(GET pair 1 name)
  ask(text completion ${shell})
  file(MAKE_DIRECTORY ${OUT}/completions/${shell})
  file(WRITE ${OUT}/completions/${shell}/${name} "${text}")
endforeach()
