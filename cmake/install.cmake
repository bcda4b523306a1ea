# SPDX-License-Identifier: MIT
# What `cmake --install` puts where: headers, libraries, command, pkg-config files, CMake package.
include(CMakePackageConfigHelpers)

install(TARGETS weft EXPORT weft-targets)
install(FILES ${public_headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/weft)

# pkg-config finds the prefix from where the file lies, so that the tree can be moved.
set(pc_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH up /prefix/${pc_dir} /prefix)
string(REGEX REPLACE "/$" "" up "${up}")
set(WEFT_PC_PREFIX "\${pcfiledir}/${up}")
set(needs " -lm")
if(WEFT_THREADS)
    string(APPEND needs " -pthread")
endif()
if(WEFT_SHARED)
    set(WEFT_PC_CFLAGS " -DWEFT_SHARED")
    set(WEFT_PC_LIBS_PRIVATE "${needs}")
else()
    set(WEFT_PC_LIBS "${needs}")
    set(WEFT_IO_PC_LIBS " -lyaml -lzstd")
endif()
configure_file(cmake/weft.pc.in weft.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/weft.pc DESTINATION ${pc_dir})

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/weft)
configure_package_config_file(cmake/weft-config.cmake.in weft-config.cmake INSTALL_DESTINATION ${package_dir})
# Before 1.0 a new minor version may break things.
write_basic_package_version_file(weft-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/weft-config.cmake ${PROJECT_BINARY_DIR}/weft-config-version.cmake
        DESTINATION ${package_dir})

if(TARGET weft_io)
    install(TARGETS weft_io EXPORT weft-targets)
    install(DIRECTORY include/weft/io DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/weft)
    install(FILES include/weft/io.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/weft)
    configure_file(cmake/weft-io.pc.in weft-io.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/weft-io.pc DESTINATION ${pc_dir})
endif()
if(TARGET weft_command)
    install(TARGETS weft_command)
endif()
install(EXPORT weft-targets NAMESPACE weft:: DESTINATION ${package_dir})
