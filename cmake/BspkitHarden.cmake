# SPDX-License-Identifier: MIT
# bspkit_harden(NAME): flags that make our faults harder to exploit. Flags that the compiler does not have
# are left out; tests/house/hardened.py checks their effect in the command. Sanitizers have
# their own, and cannot have _FORTIFY_SOURCE beside them.
include(CheckCCompilerFlag)
include(CheckCSourceCompiles)
include(CheckLinkerFlag)
include(CheckPIESupported)

set(BSPKIT_HARDENING_COMPILE)
set(BSPKIT_HARDENING_LINK)
if(BSPKIT_HARDENED AND NOT CMAKE_C_FLAGS MATCHES "fsanitize")
  check_pie_supported(LANGUAGES C)
  set(flags -fstack-protector-strong -fstack-clash-protection -fcf-protection=full
            -mbranch-protection=standard)
  if(WIN32) # its ABI demands that stacks are probed, and gcc 12 ends in an internal error if asked to
    list(REMOVE_ITEM flags -fstack-clash-protection)
  endif()
  foreach(flag IN LISTS flags)
    string(MAKE_C_IDENTIFIER "BSPKIT_HAS${flag}" has)
    set(CMAKE_REQUIRED_FLAGS -Werror)
    check_c_compiler_flag(${flag} ${has})
    unset(CMAKE_REQUIRED_FLAGS)
    if(${has})
      list(APPEND BSPKIT_HARDENING_COMPILE ${flag})
    endif()
  endforeach()
  # It does nothing, and warns, where nothing is optimised. Level 3 is of gcc 12, clang 9 and glibc
  # 2.34 on.
  set(level 2)
  set(CMAKE_REQUIRED_FLAGS "-O2 -Werror")
  check_c_source_compiles("#define _FORTIFY_SOURCE 3\n#include <string.h>\n#include <features.h>
    #if !defined(__USE_FORTIFY_LEVEL) || __USE_FORTIFY_LEVEL < 3\n#error\n#endif
    int main(void) { return 0; }" BSPKIT_HAS_FORTIFY_3)
  unset(CMAKE_REQUIRED_FLAGS)
  if(BSPKIT_HAS_FORTIFY_3)
    set(level 3)
  endif()
  if(NOT "${CMAKE_C_FLAGS} ${CMAKE_C_FLAGS_${CMAKE_BUILD_TYPE}}" MATCHES "_FORTIFY_SOURCE")
    set(optimised "$<NOT:$<CONFIG:Debug>>")
    if(CMAKE_C_FLAGS MATCHES "-O[1-3s]")
      set(optimised 1)
    endif()
    list(APPEND BSPKIT_HARDENING_COMPILE
         "$<${optimised}:-U_FORTIFY_SOURCE>" "$<${optimised}:-D_FORTIFY_SOURCE=${level}>")
  endif()
  if(MINGW) # what these flags call is in a library of the compiler's
    list(APPEND BSPKIT_HARDENING_LINK -fstack-protector-strong)
  endif()
  foreach(flag -Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack)
    string(MAKE_C_IDENTIFIER "BSPKIT_LINKS${flag}" has)
    check_linker_flag(C ${flag} ${has})
    if(${has})
      list(APPEND BSPKIT_HARDENING_LINK ${flag})
    endif()
  endforeach()
endif()

function(bspkit_harden name)
  target_compile_options(${name} PRIVATE ${BSPKIT_HARDENING_COMPILE})
  get_target_property(type ${name} TYPE)
  if(type MATCHES "EXECUTABLE|SHARED_LIBRARY")
    target_link_options(${name} PRIVATE ${BSPKIT_HARDENING_LINK})
  endif()
endfunction()
