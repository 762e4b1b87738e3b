# ew_add_library(NAME SOURCES... [DEPENDS TABLEGEN_TARGETS...] [LINK_LIBS LIBS...])
#
# A static archive of position-independent objects that names only EW's own
# libraries. Which LLVM it meets is decided where an executable is linked: the
# shared libMLIR and libLLVM for development, static components for the package.
# Both link the same objects.
function(ew_add_library name)
  cmake_parse_arguments(ARG "" "" "DEPENDS;LINK_LIBS" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  add_library(EW::${name} ALIAS ${name})
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
  if(ARG_LINK_LIBS)
    target_link_libraries(${name} PUBLIC ${ARG_LINK_LIBS})
  endif()
  target_include_directories(${name} INTERFACE
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
    $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>
    $<INSTALL_INTERFACE:include>)
  set_property(GLOBAL APPEND PROPERTY EW_LIBRARIES ${name})
  install(TARGETS ${name} EXPORT EWTargets ARCHIVE DESTINATION lib)
endfunction()

# ew_add_tool(NAME SOURCES... ENTRY FUNCTION LINK_LIBS LIBS...): an executable in
# bin/, linked with the shared LLVM libraries. Its sources define
# `int FUNCTION(int, char **)` in place of main, so that the static build can
# put every tool into one executable (tools/ew-static).
function(ew_add_tool name)
  cmake_parse_arguments(ARG "" "ENTRY" "LINK_LIBS" ${ARGN})
  if(NOT ARG_ENTRY)
    message(FATAL_ERROR "ew_add_tool(${name}): ENTRY is missing")
  endif()
  set(main ${CMAKE_CURRENT_BINARY_DIR}/${name}-main.cpp)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/EWToolMain.cpp.in ${main} @ONLY)
  add_library(obj.${name} OBJECT ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(obj.${name} PRIVATE ${ARG_LINK_LIBS})
  add_executable(${name} ${main})
  target_link_libraries(${name} PRIVATE obj.${name} ${ARG_LINK_LIBS} EWRuntime MLIR LLVM)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
  set_property(GLOBAL APPEND PROPERTY EW_TOOLS ${name})
  install(TARGETS ${name} RUNTIME DESTINATION bin)
  set_property(TARGET ${name} PROPERTY EW_TOOL_ENTRY ${ARG_ENTRY})
  set_property(TARGET ${name} PROPERTY EW_TOOL_LINK_LIBS ${ARG_LINK_LIBS})
endfunction()

# ew_add_unittest(NAME SOURCES... [SHARDS COUNT] [LABEL LABEL] LINK_LIBS LIBS...): a
# GoogleTest program in unittests/, run by ctest. One that takes long is run as several tests at
# once, NAME.1 to NAME.COUNT, each a share of its cases.
function(ew_add_unittest name)
  cmake_parse_arguments(ARG "" "SHARDS;LABEL" "LINK_LIBS" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE ${ARG_LINK_LIBS} MLIR LLVM GTest::gtest_main)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/unittests)
  set(environment)
  if(EW_SANITIZERS)
    # LLVM's libraries are not instrumented. What our code marks in containers and
    # arenas that both use, theirs does not: ASan would see faults there.
    set(environment
      ASAN_OPTIONS=detect_container_overflow=0:allow_user_poisoning=0 UBSAN_OPTIONS=print_stacktrace=1)
  endif()
  set(tests ${name})
  if(ARG_SHARDS)
    set(tests)
    foreach(number RANGE 1 ${ARG_SHARDS})
      list(APPEND tests ${name}.${number})
    endforeach()
  endif()
  set(index 0)
  foreach(test IN LISTS tests)
    add_test(NAME ${test} COMMAND ${name})
    set(share)
    if(ARG_SHARDS)
      set(share GTEST_TOTAL_SHARDS=${ARG_SHARDS} GTEST_SHARD_INDEX=${index})
      math(EXPR index "${index} + 1")
    endif()
    set_tests_properties(${test} PROPERTIES
      ENVIRONMENT "${environment};${share}" LABELS "${ARG_LABEL}")
    if(ARG_SHARDS)
      # Begun before others, so that none is left alone at the end.
      set_tests_properties(${test} PROPERTIES COST 100)
    endif()
  endforeach()
  set_property(GLOBAL APPEND PROPERTY EW_UNITTESTS ${name})
endfunction()

# ew_add_fuzzer(NAME SOURCES... SEEDS PATTERNS... LINK_LIBS LIBS...): a libFuzzer
# program in fuzz/, which scripts/fuzz.sh runs. SEEDS names the files under test/ and
# examples/ that it begins with.
function(ew_add_fuzzer name)
  cmake_parse_arguments(ARG "" "" "SEEDS;LINK_LIBS" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE ${ARG_LINK_LIBS} MLIR LLVM)
  target_link_options(${name} PRIVATE -fsanitize=fuzzer)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/fuzz)
  list(JOIN ARG_SEEDS "\n" seeds)
  file(WRITE ${PROJECT_BINARY_DIR}/fuzz/${name}.seeds "${seeds}\n")
  set_property(GLOBAL APPEND PROPERTY EW_FUZZERS ${name})
endfunction()
