# ew-ops: ops.json, what the numeric tests need to know of the ops, from the ops'
# own definitions. Apart from the tests, since the package takes it along.
file(GLOB ew_op_files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/ew/Dialect/Ew/IR/*.td)
set(list_ops ${PROJECT_SOURCE_DIR}/test/Integration/list-ops.py)
add_custom_command(
  OUTPUT ${PROJECT_BINARY_DIR}/ops.json
  COMMAND ${LLVM_TOOLS_BINARY_DIR}/llvm-tblgen --dump-json -I ${PROJECT_SOURCE_DIR}/include
    -I ${MLIR_INCLUDE_DIRS} ${PROJECT_SOURCE_DIR}/include/ew/Dialect/Ew/IR/EwOps.td
    -o ${PROJECT_BINARY_DIR}/op-records.json
  COMMAND python3 ${list_ops} ${PROJECT_BINARY_DIR}/op-records.json ${PROJECT_BINARY_DIR}/ops.json
  DEPENDS ${ew_op_files} ${list_ops}
  VERBATIM)
add_custom_target(ew-ops ALL DEPENDS ${PROJECT_BINARY_DIR}/ops.json)
set_property(GLOBAL APPEND PROPERTY EW_TEST_DEPENDS ew-ops)
