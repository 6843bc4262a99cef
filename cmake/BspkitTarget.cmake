# SPDX-License-Identifier: MIT
# bspkit_target(NAME): the language, the warnings and the arithmetic that all our code is built with.
function(bspkit_target name)
  set_target_properties(${name} PROPERTIES C_STANDARD 17 C_STANDARD_REQUIRED ON C_EXTENSIONS OFF
                        C_VISIBILITY_PRESET hidden)
  if(CMAKE_C_COMPILER_ID MATCHES "GNU|Clang")
    target_compile_options(${name} PRIVATE -Wall -Wextra -Wconversion -Wshadow -Wvla -Wpedantic
                           -ffp-contract=off)
    # gcc forgets the range of shifts that the sanitizer watches, and then warns of their conversion.
    if(CMAKE_C_COMPILER_ID STREQUAL "GNU" AND CMAKE_C_FLAGS MATCHES "fsanitize=[a-z,]*undefined")
      target_compile_options(${name} PRIVATE -Wno-conversion)
    endif()
    if(BSPKIT_WERROR)
      target_compile_options(${name} PRIVATE -Werror)
    endif()
  endif()
endfunction()
