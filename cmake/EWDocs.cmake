# docs: the reference of ops and passes, from TableGen, in docs/ of the build.
# Every Passes.td under include/ew is taken; one that is added needs no entry here.
set(ew_docs_dir ${PROJECT_BINARY_DIR}/docs)
file(GLOB_RECURSE ew_pass_files CONFIGURE_DEPENDS
  RELATIVE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/include/ew/*Passes.td)
file(GLOB_RECURSE ew_td_files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/ew/*.td)

set(ew_doc_outputs)
set(ew_docs_index "# EW reference\n\nGenerated from TableGen.\n\n- [The ew dialect](EwDialect.md)\n")
function(ew_generate_doc source output)
  add_custom_command(
    OUTPUT ${ew_docs_dir}/${output}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${ew_docs_dir}
    COMMAND ${MLIR_TABLEGEN_EXE} ${ARGN}
      -I ${PROJECT_SOURCE_DIR}/include -I ${LLVM_INCLUDE_DIR}
      ${PROJECT_SOURCE_DIR}/include/${source} -o ${ew_docs_dir}/${output}
    DEPENDS ${ew_td_files}
    COMMENT "Writing docs/${output}")
endfunction()

ew_generate_doc(ew/Dialect/Ew/IR/EwOps.td EwDialect.md -gen-dialect-doc -dialect=ew)
list(APPEND ew_doc_outputs ${ew_docs_dir}/EwDialect.md)
foreach(file IN LISTS ew_pass_files)
  # ew/Dialect/Ew/Transforms/Passes.td -> DialectEwTransformsPasses.md
  string(REGEX REPLACE "^ew/|/|\\.td$" "" name ${file})
  ew_generate_doc(${file} ${name}.md -gen-pass-doc)
  list(APPEND ew_doc_outputs ${ew_docs_dir}/${name}.md)
  string(APPEND ew_docs_index "- [Passes: ${file}](${name}.md)\n")
endforeach()
file(CONFIGURE OUTPUT ${ew_docs_dir}/index.md CONTENT "${ew_docs_index}" @ONLY)

add_custom_target(docs DEPENDS ${ew_doc_outputs})
set_property(GLOBAL APPEND PROPERTY EW_TEST_DEPENDS docs)
install(DIRECTORY ${ew_docs_dir} DESTINATION share/doc/ew OPTIONAL)
