# What `ninja install` puts beside the libraries and tools: headers, TableGen
# sources and what was generated from them, and the CMake package.
include(CMakePackageConfigHelpers)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/ew
  DESTINATION include
  FILES_MATCHING PATTERN "*.h" PATTERN "*.td")
install(DIRECTORY ${PROJECT_BINARY_DIR}/include/ew
  DESTINATION include
  FILES_MATCHING PATTERN "*.h.inc"
  PATTERN "CMakeFiles" EXCLUDE)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION share/doc/ew)

set(ew_cmake_dir lib/cmake/ew)
install(EXPORT EWTargets NAMESPACE EW:: DESTINATION ${ew_cmake_dir})
configure_package_config_file(
  ${PROJECT_SOURCE_DIR}/cmake/EWConfig.cmake.in
  ${PROJECT_BINARY_DIR}/EWConfig.cmake
  INSTALL_DESTINATION ${ew_cmake_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/EWConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/EWConfig.cmake ${PROJECT_BINARY_DIR}/EWConfigVersion.cmake
  DESTINATION ${ew_cmake_dir})
