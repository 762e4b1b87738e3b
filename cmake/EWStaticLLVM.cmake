# EWStaticLLVM: the static archives of LLVM and MLIR, all of them. The linker
# takes from an archive only what is referenced, so no list of components has to
# follow what EW uses. Debian's MLIR targets name the shared LLVM as their
# dependency: the files are linked, not the targets.
function(ew_static_archives result)
  set(files)
  foreach(library IN LISTS ARGN)
    if(TARGET ${library})
      get_target_property(type ${library} TYPE)
      if(type STREQUAL "STATIC_LIBRARY")
        list(APPEND files $<TARGET_FILE:${library}>)
      endif()
    endif()
  endforeach()
  set(${result} ${files} PARENT_SCOPE)
endfunction()

get_property(ew_mlir_libraries GLOBAL PROPERTY MLIR_ALL_LIBS)
ew_static_archives(ew_static_mlir ${ew_mlir_libraries})
set(ew_llvm_libraries ${LLVM_AVAILABLE_LIBS})
list(FILTER ew_llvm_libraries INCLUDE REGEX "^LLVM") # not Polly
ew_static_archives(ew_static_llvm ${ew_llvm_libraries})
find_library(EW_ZSTD_ARCHIVE NAMES libzstd.a REQUIRED)
find_library(EW_ZLIB_ARCHIVE NAMES libz.a REQUIRED)
add_library(EWStaticLLVM INTERFACE)
target_link_libraries(EWStaticLLVM INTERFACE
  -Wl,--start-group ${ew_static_mlir} ${ew_static_llvm} -Wl,--end-group
  ${EW_ZSTD_ARCHIVE} ${EW_ZLIB_ARCHIVE})
target_link_options(EWStaticLLVM INTERFACE
  -static-libstdc++ -static-libgcc -Wl,--as-needed -Wl,--gc-sections
  -Wl,--icf=all -Wl,--exclude-libs,ALL -Wl,-s)
