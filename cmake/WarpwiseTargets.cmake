# How a target of Warpwise is built: one interface target for what all share,
# one function per kind of target.

add_library(warpwise_options INTERFACE)
target_include_directories(warpwise_options INTERFACE "${PROJECT_SOURCE_DIR}")
set(warnings -Wall -Wextra -Wno-unused-parameter)
if(WARPWISE_WERROR)
  list(APPEND warnings -Werror)
endif()
set(sanitizers -fsanitize=address,undefined -fno-sanitize=vptr
               -fno-omit-frame-pointer -fno-sanitize-recover=undefined)
target_compile_options(
  warpwise_options
  INTERFACE
    "$<$<COMPILE_LANGUAGE:C,CXX>:${warnings}>"
    "$<$<AND:$<COMPILE_LANGUAGE:C,CXX>,$<BOOL:${WARPWISE_SANITIZE}>>:${sanitizers}>"
    # nvcc hands the warnings to the compiler of the host code.
    "$<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=$<JOIN:${warnings},$<COMMA>>>")
# fmt 9 takes nvcc for a compiler without constexpr functions.
target_compile_definitions(warpwise_options
                           INTERFACE $<$<COMPILE_LANGUAGE:CUDA>:FMT_USE_CONSTEXPR=1>)
target_link_options(
  warpwise_options INTERFACE
  $<$<BOOL:${WARPWISE_SANITIZE}>:-fsanitize=address,undefined>)

# Asserts of our own code are live in every build.
macro(warpwise_keep_asserts language)
  foreach(type IN ITEMS RELEASE RELWITHDEBINFO MINSIZEREL)
    string(REPLACE "-DNDEBUG" "" CMAKE_${language}_FLAGS_${type}
                                 "${CMAKE_${language}_FLAGS_${type}}")
  endforeach()
endmacro()

# Debian's LLVM and Clang as shared libraries: 0.2 s to link instead of 5 s,
# and plugins can only ever work against the shared ones.
add_library(warpwise_llvm INTERFACE)
add_library(warpwise_clang INTERFACE)

function(warpwise_find_compiler_libraries)
  target_include_directories(warpwise_llvm SYSTEM
                             INTERFACE ${LLVM_INCLUDE_DIRS})
  target_link_libraries(warpwise_llvm INTERFACE LLVM)
  target_include_directories(warpwise_clang SYSTEM
                             INTERFACE ${CLANG_INCLUDE_DIRS})
  target_link_libraries(warpwise_clang INTERFACE clang-cpp warpwise_llvm)
endfunction()

# warpwise_precompile(SET LINKS ... HEADERS ... TARGETS ...): compiles headers
# once for all files of some targets. Headers that nobody here changes cost two
# thirds of the time to compile a file; only those that most files of the targets
# read belong in, as loading a large set costs, too.
function(warpwise_precompile set)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "LINKS;HEADERS;TARGETS")
  set(owner warpwise_${set}_headers)
  set(empty "${CMAKE_CURRENT_BINARY_DIR}/${owner}.cpp")
  file(CONFIGURE OUTPUT "${empty}" CONTENT "")
  add_library(${owner} OBJECT "${empty}")
  target_link_libraries(${owner} PRIVATE warpwise_options ${arg_LINKS})
  # A time stamp in the header would make ccache miss.
  target_compile_options(
    ${owner} PRIVATE "$<$<CXX_COMPILER_ID:Clang>:SHELL:-Xclang -fno-pch-timestamp>")
  target_precompile_headers(${owner} PRIVATE ${arg_HEADERS})
  foreach(target IN LISTS arg_TARGETS)
    target_precompile_headers(${target} REUSE_FROM ${owner})
  endforeach()
endfunction()

# warpwise_library(NAME SOURCES ... [LINKS ...])
function(warpwise_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LINKS")
  add_library(${name} STATIC ${arg_SOURCES})
  target_link_libraries(${name} PUBLIC warpwise_options ${arg_LINKS})
endfunction()

# A third of the time that a build from nothing takes went into reading gtest and
# LLVM again for each of 190 small files. Not for the libraries: clangd and the
# linter want a command for each of their files.
option(WARPWISE_JOIN_TESTS "Compile unit tests a few files at a time" ON)

# warpwise_unit_test(LIBRARY SOURCES ... [LINKS ...]): one gtest program for
# one library.
function(warpwise_unit_test library)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LINKS")
  set(name ${library}_test)
  add_executable(${name} ${arg_SOURCES})
  set_target_properties(
    ${name}
    PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/unit"
               UNITY_BUILD ${WARPWISE_JOIN_TESTS} UNITY_BUILD_BATCH_SIZE 6)
  target_link_libraries(${name} PRIVATE ${library} ${arg_LINKS}
                                        GTest::gtest_main)
  add_test(NAME unit.${library} COMMAND ${name})
endfunction()
