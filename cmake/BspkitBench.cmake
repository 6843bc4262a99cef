# SPDX-License-Identifier: MIT
# Every bench/NAME.c is a program bench/NAME in the build directory. They are not tests.
file(GLOB bench_sources CONFIGURE_DEPENDS bench/*.c)
foreach(source IN LISTS bench_sources)
  get_filename_component(name ${source} NAME_WE)
  add_executable(bench_${name} ${source})
  bspkit_target(bench_${name})
  target_include_directories(bench_${name} PRIVATE src)
  target_link_libraries(bench_${name} PRIVATE bspkit_static)
  set_target_properties(bench_${name} PROPERTIES OUTPUT_NAME ${name}
                        RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bench)
endforeach()
