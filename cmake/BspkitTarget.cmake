# SPDX-License-Identifier: MIT
# Floats are computed as floats: C lets machines compute them in a larger type, and then no two print the same.
# s390x does so unless it is told not to, and i386 unless its vector unit computes.
include(CheckCSourceCompiles)
set(BSPKIT_ARITHMETIC -ffp-contract=off)
if(CMAKE_C_COMPILER_ID MATCHES "GNU|Clang")
  set(CMAKE_REQUIRED_FLAGS -std=c17)
  check_c_source_compiles("#include <float.h>\n#if FLT_EVAL_METHOD != 0\n#error\n#endif
    int main(void) { return 0; }" BSPKIT_FLOATS_ARE_FLOATS)
  check_c_source_compiles("#if !defined(__i386__)\n#error\n#endif\nint main(void) { return 0; }" BSPKIT_ON_I386)
  unset(CMAKE_REQUIRED_FLAGS)
  if(BSPKIT_ON_I386)
    list(APPEND BSPKIT_ARITHMETIC -msse2 -mfpmath=sse -Wno-psabi)
  elseif(NOT BSPKIT_FLOATS_ARE_FLOATS)
    list(APPEND BSPKIT_ARITHMETIC -fexcess-precision=fast)
  endif()
endif()

# bspkit_target(NAME): the language, the warnings and the arithmetic that all our code is built with.
function(bspkit_target name)
  set_target_properties(${name} PROPERTIES C_STANDARD 17 C_STANDARD_REQUIRED ON C_EXTENSIONS OFF
                        C_VISIBILITY_PRESET hidden)
  if(CMAKE_C_COMPILER_ID MATCHES "GNU|Clang")
    target_compile_options(${name} PRIVATE -Wall -Wextra -Wconversion -Wshadow -Wvla -Wpedantic
                           ${BSPKIT_ARITHMETIC})
    # gcc forgets the range of shifts that the sanitizer watches, and then warns of their conversion.
    if(CMAKE_C_COMPILER_ID STREQUAL "GNU" AND CMAKE_C_FLAGS MATCHES "fsanitize=[a-z,]*undefined")
      target_compile_options(${name} PRIVATE -Wno-conversion)
    endif()
    if(CMAKE_SIZEOF_VOID_P EQUAL 4) # files of 2 GiB and more, many inodes, dates after 2038
      target_compile_definitions(${name} PRIVATE _FILE_OFFSET_BITS=64 _TIME_BITS=64)
    endif()
    if(MINGW)
      # Its headers have POSIX's names only beside the extensions; its macros of <math.h> convert.
      set_target_properties(${name} PROPERTIES C_EXTENSIONS ON)
      target_compile_definitions(${name} PRIVATE __USE_MINGW_ANSI_STDIO=1)
      target_compile_options(${name} PRIVATE -Wno-float-conversion)
    endif()
    if(BSPKIT_WERROR)
      target_compile_options(${name} PRIVATE -Werror)
    endif()
  endif()
endfunction()
