# Finds LLVM and MLIR and takes over how they were built: their definitions, no
# exceptions, and RTTI as they have it.
find_package(MLIR REQUIRED CONFIG)
if(NOT LLVM_VERSION_MAJOR EQUAL 22)
  message(FATAL_ERROR "EW needs LLVM and MLIR 22; found ${LLVM_PACKAGE_VERSION} in ${LLVM_DIR}. "
                      "scripts/bootstrap.sh installs what is missing.")
endif()
message(STATUS "EW: LLVM ${LLVM_PACKAGE_VERSION} in ${LLVM_DIR}")

set(LLVM_RUNTIME_OUTPUT_INTDIR ${PROJECT_BINARY_DIR}/bin)
set(LLVM_LIBRARY_OUTPUT_INTDIR ${PROJECT_BINARY_DIR}/lib)
set(MLIR_BINARY_DIR ${PROJECT_BINARY_DIR})
list(APPEND CMAKE_MODULE_PATH "${MLIR_CMAKE_DIR}" "${LLVM_CMAKE_DIR}")
include(TableGen)
include(AddLLVM)
include(AddMLIR)

include_directories(SYSTEM ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
# LLVM_DEFINITIONS is one string: CMake would quote it into a single argument.
separate_arguments(ew_llvm_definitions NATIVE_COMMAND "${LLVM_DEFINITIONS}")
add_definitions(${ew_llvm_definitions})
link_directories(${LLVM_LIBRARY_DIR})

add_compile_options(-fno-exceptions -Wall -Wextra -Wno-unused-parameter
                    $<$<CXX_COMPILER_ID:Clang>:-Wno-ctad-maybe-unsupported>)
if(NOT LLVM_ENABLE_RTTI)
  add_compile_options(-fno-rtti)
endif()
# Contraction would make our own C++ arithmetic (the oracle, the launcher's
# checks) depend on the compiler.
add_compile_options(-ffp-contract=off)
if(EW_SANITIZERS)
  string(REPLACE ";" "," ew_sanitizers "${EW_SANITIZERS}")
  # fuzzer-no-link: the coverage that guides the fuzz targets.
  add_compile_options(-fsanitize=${ew_sanitizers},fuzzer-no-link -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${ew_sanitizers})
endif()
