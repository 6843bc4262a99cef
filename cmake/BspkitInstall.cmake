# SPDX-License-Identifier: MIT
# What is installed: headers, libraries, CMake package, pkg-config file, command, man pages,
# completions.
include(CMakePackageConfigHelpers)

install(FILES ${BSPKIT_HEADERS} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/bspkit)
install(TARGETS ${BSPKIT_INSTALLED} EXPORT bspkitTargets)
if(BSPKIT_INDEX)
  install(FILES include/bspkit_index/index.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/bspkit_index)
  install(TARGETS bspkit_index)
endif()

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/bspkit)
install(EXPORT bspkitTargets NAMESPACE bspkit:: DESTINATION ${package_dir})
configure_package_config_file(cmake/bspkitConfig.cmake.in bspkitConfig.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(bspkitConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/bspkitConfig.cmake
              ${PROJECT_BINARY_DIR}/bspkitConfigVersion.cmake DESTINATION ${package_dir})

# Paths relative to the file, so that an installed tree can be moved.
file(RELATIVE_PATH BSPKIT_PC_PREFIX
     /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
list(JOIN BSPKIT_MODULES " " BSPKIT_PC_REQUIRES)
set(BSPKIT_PC_LIBS)
if(BSPKIT_BZIP2)
  set(BSPKIT_PC_LIBS "-lbz2 ")
endif()
configure_file(bspkit.pc.in bspkit.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/bspkit.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

if(TARGET bspkit)
  install(TARGETS bspkit)
  # The page of the viewer, if `make web` has made it.
  install(FILES web/dist/view.html DESTINATION ${CMAKE_INSTALL_DATADIR}/bspkit OPTIONAL)
  if(BSPKIT_WRITES_MANUAL)
    set(made ${PROJECT_BINARY_DIR}/completions)
    install(DIRECTORY ${PROJECT_BINARY_DIR}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
    install(DIRECTORY ${made}/bash/
            DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
    install(DIRECTORY ${made}/zsh/ DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
    install(DIRECTORY ${made}/fish/
            DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
  endif()
endif()
