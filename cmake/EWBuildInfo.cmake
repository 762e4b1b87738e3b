# cmake -DSOURCE_DIR= -DOUTPUT= -DEW_VERSION= -DEW_BUILD_TYPE= -P EWBuildInfo.cmake
# Writes what a build says about itself, if it isn't what the file says already.
execute_process(
  COMMAND git -C ${SOURCE_DIR} describe --always --dirty --tags
  OUTPUT_VARIABLE EW_REVISION OUTPUT_STRIP_TRAILING_WHITESPACE
  ERROR_QUIET RESULT_VARIABLE status)
if(NOT status EQUAL 0)
  set(EW_REVISION unknown)
endif()
set(text "#define EW_VERSION \"${EW_VERSION}\"\n#define EW_REVISION \"${EW_REVISION}\"\n#define EW_BUILD_TYPE \"${EW_BUILD_TYPE}\"\n")
set(old "")
if(EXISTS ${OUTPUT})
  file(READ ${OUTPUT} old)
endif()
if(NOT old STREQUAL text)
  file(WRITE ${OUTPUT} "${text}")
endif()
