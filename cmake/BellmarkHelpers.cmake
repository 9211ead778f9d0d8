# The few CMake functions that the project is built with.

# Warnings, sanitizers and the include root, as one INTERFACE target.
function(bellmark_common_options target)
  add_library(${target} INTERFACE)
  target_include_directories(${target} INTERFACE ${CMAKE_SOURCE_DIR})
  target_compile_options(${target} INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion
    -Wno-sign-conversion $<$<BOOL:${BELLMARK_WERROR}>:-Werror>)
  # GCC 12 sees overlapping copies in any inlined string + string (GCC bug 105651).
  target_compile_options(${target} INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)
  if(BELLMARK_SANITIZE)
    target_compile_options(${target} INTERFACE -fsanitize=${BELLMARK_SANITIZE}
      -fno-omit-frame-pointer -fno-sanitize-recover=all)
    target_link_options(${target} INTERFACE -fsanitize=${BELLMARK_SANITIZE})
  endif()
endfunction()

# bellmark_layer(name SOURCES ... LINK ...): OBJECT library bellmark_<name> without the tests and
# fuzz targets that live beside its sources.
function(bellmark_layer name)
  cmake_parse_arguments(arg "" "" "SOURCES;LINK" ${ARGN})
  list(FILTER arg_SOURCES EXCLUDE REGEX "(_test|_fuzz)\\.cpp$|/test_variants/")
  add_library(bellmark_${name} OBJECT ${arg_SOURCES})
  target_link_libraries(bellmark_${name} PUBLIC bellmark_options ${arg_LINK})
endfunction()

# bellmark_executable(name SOURCES ... LAYERS ...): links the layers' objects directly.
function(bellmark_executable name)
  cmake_parse_arguments(arg "" "" "SOURCES;LAYERS" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE bellmark_options)
  foreach(layer IN LISTS arg_LAYERS)
    target_link_libraries(${name} PRIVATE bellmark_${layer})
  endforeach()
endfunction()

# bellmark_test(name SOURCES ... LAYERS ...): one GoogleTest executable, each case a CTest test.
function(bellmark_test name)
  cmake_parse_arguments(arg "" "" "SOURCES;LAYERS" ${ARGN})
  bellmark_executable(${name} SOURCES ${arg_SOURCES} LAYERS ${arg_LAYERS})
  target_link_libraries(${name} PRIVATE GTest::gtest GTest::gtest_main)
  # The layers under test keep their optimisation; the tests' own code only has to compile soon.
  target_compile_options(${name} PRIVATE -O0)
  target_precompile_headers(${name} PRIVATE <gtest/gtest.h>)
  target_compile_definitions(${name} PRIVATE
    BELLMARK_TEST_SOURCE_DIR="${CMAKE_SOURCE_DIR}" BELLMARK_TEST_BINARY_DIR="${CMAKE_BINARY_DIR}")
  # One CTest entry an executable: per-case discovery costs a process start for each of hundreds.
  add_test(NAME ${name} COMMAND ${name} --gtest_brief=1)
  set_tests_properties(${name} PROPERTIES TIMEOUT 600)
endfunction()

# Sets BELLMARK_PAPI_TARGET (empty when absent) and BELLMARK_HAVE_PAPI with the reason.
macro(bellmark_find_papi)
  set(BELLMARK_PAPI_TARGET "")
  set(BELLMARK_HAVE_PAPI FALSE)
  if(BELLMARK_PAPI STREQUAL "OFF")
    set(BELLMARK_PAPI_REASON "switched off by BELLMARK_PAPI=OFF")
  else()
    find_path(PAPI_INCLUDE_DIR papi.h)
    find_library(PAPI_LIBRARY papi)
    if(PAPI_INCLUDE_DIR AND PAPI_LIBRARY)
      add_library(bellmark_papi INTERFACE)
      target_include_directories(bellmark_papi SYSTEM INTERFACE ${PAPI_INCLUDE_DIR})
      target_link_libraries(bellmark_papi INTERFACE ${PAPI_LIBRARY})
      target_compile_definitions(bellmark_papi INTERFACE BELLMARK_HAVE_PAPI=1)
      set(BELLMARK_PAPI_TARGET bellmark_papi)
      set(BELLMARK_HAVE_PAPI TRUE)
      set(BELLMARK_PAPI_REASON "${PAPI_LIBRARY}")
    elseif(BELLMARK_PAPI STREQUAL "ON")
      message(FATAL_ERROR "BELLMARK_PAPI=ON, but papi.h or libpapi was not found: "
                          "install libpapi-dev or configure with -DBELLMARK_PAPI=AUTO")
    else()
      set(BELLMARK_PAPI_REASON "libpapi not found when Bellmark was built")
    endif()
  endif()
endmacro()

# Compiler, flags and build type as string definitions: results carry them (provenance).
function(bellmark_build_facts target)
  string(TOUPPER "${CMAKE_BUILD_TYPE}" type)
  string(STRIP "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${type}}" flags)
  if(BELLMARK_SANITIZE)
    string(APPEND flags " -fsanitize=${BELLMARK_SANITIZE}")
  endif()
  target_compile_definitions(${target} PRIVATE
    BELLMARK_VERSION="${PROJECT_VERSION}"
    BELLMARK_COMPILER="${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}"
    BELLMARK_FLAGS="${flags}" BELLMARK_BUILD_TYPE="${CMAKE_BUILD_TYPE}"
    BELLMARK_PAPI_REASON="${BELLMARK_PAPI_REASON}"
    BELLMARK_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
endfunction()

function(bellmark_summary)
  if(BELLMARK_HAVE_PAPI)
    set(papi "on (${BELLMARK_PAPI_REASON})")
  else()
    set(papi "off: ${BELLMARK_PAPI_REASON}")
  endif()
  message(STATUS "Bellmark ${PROJECT_VERSION}: ${CMAKE_BUILD_TYPE}, instances ${BELLMARK_INSTANCES}")
  message(STATUS "  PAPI     ${papi}")
  message(STATUS "  CUDA     off: no GPU variant exists yet")
  message(STATUS "  MPI      off: no MPI variant exists yet")
endfunction()
