# The project's CMake functions.

# Warnings, sanitizers and the include root, as one INTERFACE target.
function(bellmark_common_options target)
  add_library(${target} INTERFACE)
  target_include_directories(${target} INTERFACE ${BELLMARK_ROOT})
  set(warnings -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
    $<$<BOOL:${BELLMARK_WERROR}>:-Werror>)
  # GCC 12 sees overlapping copies in any inlined string + string (GCC bug 105651), and copies past
  # the end in moved strings whose header is precompiled.
  foreach(warning restrict array-bounds stringop-overflow stringop-overread)
    list(APPEND warnings $<$<CXX_COMPILER_ID:GNU>:-Wno-${warning}>)
  endforeach()
  target_compile_options(${target} INTERFACE $<$<COMPILE_LANGUAGE:CXX>:${warnings}>)
  # nvcc's generated host code is not pedantic; -Wconversion sees its own temporaries.
  target_compile_options(${target} INTERFACE $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wall,-Wextra
    $<$<BOOL:${BELLMARK_WERROR}>:-Werror=all-warnings>>)
  # GCC collects its own garbage from 128 MB on, which takes a tenth of its time for the largest files. From 1
  # GB on, it hardly ever does.
  set(seldom --param=ggc-min-heapsize=1048576)
  target_compile_options(${target} INTERFACE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:${seldom}>
    $<$<AND:$<COMPILE_LANGUAGE:CUDA>,$<CXX_COMPILER_ID:GNU>>:-Xcompiler=${seldom}>)
  if(BELLMARK_SANITIZE)
    target_compile_options(${target} INTERFACE -fsanitize=${BELLMARK_SANITIZE}
      -fno-omit-frame-pointer -fno-sanitize-recover=all)
    target_link_options(${target} INTERFACE -fsanitize=${BELLMARK_SANITIZE})
    # GCC's manual: sanitizers make it warn falsely. GCC 12 does so in std::regex. Asio has fences beside its
    # mutexes, and ThreadSanitizer does not know fences.
    target_compile_options(${target} INTERFACE
      "$<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-maybe-uninitialized;-Wno-tsan>")
  endif()
endfunction()

# bellmark_layer(name SOURCES ... LINK ...): OBJECT library bellmark_<name> without the tests and
# fuzz targets that live beside its sources.
function(bellmark_layer name)
  cmake_parse_arguments(arg "" "" "SOURCES;LINK" ${ARGN})
  list(FILTER arg_SOURCES EXCLUDE REGEX "(_test\\.(cpp|cu)|_fuzz\\.cpp)$|/algorithms/testing/")
  add_library(bellmark_${name} OBJECT ${arg_SOURCES})
  target_link_libraries(bellmark_${name} PUBLIC bellmark_options ${arg_LINK})
endfunction()

# bellmark_unity(target): compiles forty files as one, so that their common instantiations of nlohmann-json,
# GoogleTest and the standard library are made once. Names in their anonymous namespaces must differ. Under
# sanitizers it is twenty files, because a compiler took 2.4 GB for forty.
# bellmark_unity(target FILES ...): these files as one, and each of the others alone.
function(bellmark_unity target)
  cmake_parse_arguments(arg "" "" "FILES" ${ARGN})
  set(batch_size 40)
  if(BELLMARK_SANITIZE)
    set(batch_size 20)
  endif()
  set_target_properties(${target} PROPERTIES
    UNITY_BUILD ${BELLMARK_UNITY} UNITY_BUILD_BATCH_SIZE ${batch_size})
  if(arg_FILES)
    set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
    set_source_files_properties(${arg_FILES} PROPERTIES UNITY_GROUP files)
  endif()
endfunction()

# bellmark_executable(name SOURCES ... LAYERS ...): links the layers' objects directly. The objects of the
# layers algorithms and harness are in several libraries, so that labs can take only some.
function(bellmark_executable name)
  cmake_parse_arguments(arg "" "" "SOURCES;LAYERS" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE bellmark_options)
  list(TRANSFORM arg_LAYERS REPLACE "^algorithms$" "problems;gpu;algorithms")
  list(TRANSFORM arg_LAYERS REPLACE "^harness$" "harness;graph_commands")
  foreach(layer IN LISTS arg_LAYERS)
    target_link_libraries(${name} PRIVATE bellmark_${layer})
  endforeach()
endfunction()

# bellmark_test(name SOURCES ... LAYERS ... [PARTS n]): one GoogleTest executable and one CTest test, or
# `name_1` to `name_n` with every n-th case each.
function(bellmark_test name)
  cmake_parse_arguments(arg "" "PARTS" "SOURCES;LAYERS" ${ARGN})
  bellmark_executable(${name} SOURCES ${arg_SOURCES} LAYERS ${arg_LAYERS})
  target_link_libraries(${name} PRIVATE GTest::gtest GTest::gtest_main)
  # The layers under test keep their optimisation. The tests' own code only has to compile quickly.
  target_compile_options(${name} PRIVATE -O0)
  # For one file alone the header would be compiled twice.
  list(LENGTH arg_SOURCES source_count)
  if(source_count GREATER 2)
    target_precompile_headers(${name} PRIVATE <gtest/gtest.h>)
  endif()
  target_compile_definitions(${name} PRIVATE
    BELLMARK_TEST_SOURCE_DIR="${BELLMARK_ROOT}" BELLMARK_TEST_BINARY_DIR="${BELLMARK_BUILD}")
  # Few CTest entries: per-case discovery costs a process start for each of hundreds.
  if(NOT arg_PARTS)
    add_test(NAME ${name} COMMAND ${name} --gtest_brief=1)
    set_tests_properties(${name} PROPERTIES TIMEOUT 600)
    return()
  endif()
  foreach(part RANGE 1 ${arg_PARTS})
    math(EXPR index "${part} - 1")
    add_test(NAME ${name}_${part} COMMAND ${name} --gtest_brief=1)
    set_tests_properties(${name}_${part} PROPERTIES TIMEOUT 600
      ENVIRONMENT "GTEST_TOTAL_SHARDS=${arg_PARTS};GTEST_SHARD_INDEX=${index}")
  endforeach()
endfunction()

# bellmark_mpi_test(name SOURCES ... LAYERS ...): one GoogleTest executable with a main() of its own. CTest
# starts it with 1, 2, 4 and 8 ranks, on any number of cores. Its argument is the number of ranks.
function(bellmark_mpi_test name)
  cmake_parse_arguments(arg "" "" "SOURCES;LAYERS" ${ARGN})
  bellmark_executable(${name} SOURCES ${arg_SOURCES} LAYERS ${arg_LAYERS})
  target_link_libraries(${name} PRIVATE GTest::gtest)
  target_compile_options(${name} PRIVATE -O0)
  add_dependencies(mpi_tests ${name})
  foreach(ranks IN ITEMS 1 2 4 8)
    add_test(NAME ${name}_${ranks} COMMAND ${MPIEXEC_EXECUTABLE} ${BELLMARK_MPIEXEC_FLAGS}
      ${MPIEXEC_NUMPROC_FLAG} ${ranks} $<TARGET_FILE:${name}> ${ranks} --gtest_brief=1)
    set_tests_properties(${name}_${ranks} PROPERTIES TIMEOUT 300)
  endforeach()
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

# Sets BELLMARK_HAVE_LEMON with BELLMARK_LEMON_REASON. Only its headers are used.
macro(bellmark_find_lemon)
  set(BELLMARK_HAVE_LEMON FALSE)
  if(BELLMARK_LEMON STREQUAL "OFF")
    set(BELLMARK_LEMON_REASON "switched off by BELLMARK_LEMON=OFF")
  else()
    find_path(LEMON_INCLUDE_DIR lemon/static_graph.h)
    if(LEMON_INCLUDE_DIR)
      set(BELLMARK_HAVE_LEMON TRUE)
      set(BELLMARK_LEMON_REASON "${LEMON_INCLUDE_DIR}/lemon")
    elseif(BELLMARK_LEMON STREQUAL "ON")
      message(FATAL_ERROR "BELLMARK_LEMON=ON, but lemon/static_graph.h was not found: "
                          "install liblemon-dev or configure with -DBELLMARK_LEMON=AUTO")
    else()
      set(BELLMARK_LEMON_REASON "lemon/static_graph.h not found when Bellmark was built")
    endif()
  endif()
endmacro()

# CUPTI's headers; the library itself is opened at run time. Sets BELLMARK_HAVE_CUPTI and
# BELLMARK_CUPTI_REASON. Call it after bellmark_find_cuda().
macro(bellmark_find_cupti)
  set(BELLMARK_HAVE_CUPTI FALSE)
  if(BELLMARK_CUPTI STREQUAL "OFF")
    set(BELLMARK_CUPTI_REASON "switched off by BELLMARK_CUPTI=OFF")
  elseif(NOT BELLMARK_HAVE_CUDA)
    set(BELLMARK_CUPTI_REASON "no CUDA: ${BELLMARK_CUDA_REASON}")
  else()
    find_path(CUPTI_INCLUDE_DIR cupti_range_profiler.h
      HINTS ${CUDAToolkit_INCLUDE_DIRS} PATH_SUFFIXES ../extras/CUPTI/include)
    set(CUPTI_HEADER_VERSION 0)
    if(CUPTI_INCLUDE_DIR)
      file(STRINGS ${CUPTI_INCLUDE_DIR}/cupti_version.h line REGEX "define CUPTI_API_VERSION")
      string(REGEX REPLACE ".*CUPTI_API_VERSION +([0-9]+).*" "\\1" CUPTI_HEADER_VERSION "${line}")
    endif()
    if(CUPTI_HEADER_VERSION GREATER_EQUAL 130000)
      set(BELLMARK_HAVE_CUPTI TRUE)
      # The folder of the library in the build's toolkit, which is searched first.
      find_library(CUPTI_LIBRARY cupti HINTS ${CUDAToolkit_LIBRARY_DIR}
        PATH_SUFFIXES ../extras/CUPTI/lib64)
      set(BELLMARK_CUPTI_REASON "headers ${CUPTI_HEADER_VERSION}, ${CUPTI_INCLUDE_DIR}")
    elseif(CUPTI_INCLUDE_DIR)
      set(BELLMARK_CUPTI_REASON "the CUPTI headers are older than CUDA 13")
    else()
      set(BELLMARK_CUPTI_REASON "cupti_range_profiler.h not found when Bellmark was built")
    endif()
    if(BELLMARK_CUPTI STREQUAL "ON" AND NOT BELLMARK_HAVE_CUPTI)
      message(FATAL_ERROR "BELLMARK_CUPTI=ON, but ${BELLMARK_CUPTI_REASON}: install the CUPTI of "
                          "CUDA 13 or configure with -DBELLMARK_CUPTI=AUTO")
    endif()
  endif()
  if(BELLMARK_CUPTI STREQUAL "ON" AND NOT BELLMARK_HAVE_CUDA)
    message(FATAL_ERROR "BELLMARK_CUPTI=ON, but CUDA is off: ${BELLMARK_CUDA_REASON}")
  endif()
endmacro()

# NCCL's header; the library itself is opened at run time. Sets BELLMARK_HAVE_NCCL and
# BELLMARK_NCCL_REASON. Call it after bellmark_find_cuda().
macro(bellmark_find_nccl)
  set(BELLMARK_HAVE_NCCL FALSE)
  if(BELLMARK_NCCL STREQUAL "OFF")
    set(BELLMARK_NCCL_REASON "switched off by BELLMARK_NCCL=OFF")
  elseif(NOT BELLMARK_HAVE_CUDA)
    set(BELLMARK_NCCL_REASON "no CUDA: ${BELLMARK_CUDA_REASON}")
  else()
    find_path(NCCL_INCLUDE_DIR nccl.h HINTS ${CUDAToolkit_INCLUDE_DIRS})
    set(nccl_version "")
    if(NCCL_INCLUDE_DIR)
      file(STRINGS ${NCCL_INCLUDE_DIR}/nccl.h nccl_version REGEX "define NCCL_VERSION_CODE")
      string(REGEX MATCH "[0-9]+" nccl_version "${nccl_version}")
    endif()
    if(nccl_version AND nccl_version LESS 21300)
      set(BELLMARK_NCCL_REASON "${NCCL_INCLUDE_DIR}/nccl.h is older than NCCL 2.13")
    elseif(NCCL_INCLUDE_DIR)
      set(BELLMARK_HAVE_NCCL TRUE)
      # The folder of the library in the build's toolkit, which is searched last.
      find_library(NCCL_LIBRARY NAMES libnccl.so.2 HINTS ${CUDAToolkit_LIBRARY_DIR})
      set(BELLMARK_NCCL_REASON "header in ${NCCL_INCLUDE_DIR}")
    else()
      set(BELLMARK_NCCL_REASON "nccl.h not found when Bellmark was built")
    endif()
  endif()
  if(BELLMARK_NCCL STREQUAL "ON" AND NOT BELLMARK_HAVE_NCCL)
    message(FATAL_ERROR "BELLMARK_NCCL=ON, but ${BELLMARK_NCCL_REASON}: install NCCL (header "
                        "and libnccl.so.2) or configure with -DBELLMARK_NCCL=AUTO")
  endif()
endmacro()

# Sets BELLMARK_HAVE_MPI, BELLMARK_MPI_REASON, BELLMARK_MPI_LIBRARY (its version) and BELLMARK_MPIEXEC_FLAGS,
# with which the launcher starts more ranks than there are cores. An MPI library is not instrumented, and
# sanitizers would report its own leaks and races. So AUTO leaves it out of sanitizer builds, where ranks are
# threads.
macro(bellmark_find_mpi)
  set(BELLMARK_HAVE_MPI FALSE)
  set(BELLMARK_MPIEXEC_FLAGS "")
  if(BELLMARK_MPI STREQUAL "OFF")
    set(BELLMARK_MPI_REASON "switched off by BELLMARK_MPI=OFF")
  elseif(BELLMARK_MPI STREQUAL "AUTO" AND BELLMARK_SANITIZE)
    set(BELLMARK_MPI_REASON "left out of sanitizer builds")
  else()
    set(MPI_CXX_SKIP_MPICXX TRUE)  # the C++ bindings that MPI-3 removed
    set(MPI_DETERMINE_LIBRARY_VERSION TRUE)
    find_package(MPI QUIET COMPONENTS CXX)
    if(MPI_CXX_FOUND)
      set(BELLMARK_HAVE_MPI TRUE)
      execute_process(COMMAND ${MPIEXEC_EXECUTABLE} --version OUTPUT_VARIABLE mpiexec_version
        ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
      string(REGEX REPLACE "\n.*" "" mpiexec_version "${mpiexec_version}")
      if(mpiexec_version MATCHES "Open MPI|OpenRTE")
        list(APPEND BELLMARK_MPIEXEC_FLAGS --oversubscribe)
        execute_process(COMMAND id -u OUTPUT_VARIABLE user OUTPUT_STRIP_TRAILING_WHITESPACE)
        if(user STREQUAL "0")
          list(APPEND BELLMARK_MPIEXEC_FLAGS --allow-run-as-root)
        endif()
      endif()
      set(BELLMARK_MPI_REASON "MPI ${MPI_CXX_VERSION}, ${mpiexec_version}")
      # Words and numbers up to the first comma, for a C++ string.
      string(REGEX MATCH "^[A-Za-z0-9 .()_+-]+" BELLMARK_MPI_LIBRARY "${MPI_CXX_LIBRARY_VERSION_STRING}")
      if(NOT BELLMARK_MPI_LIBRARY)
        set(BELLMARK_MPI_LIBRARY "unknown")
      endif()
    elseif(BELLMARK_MPI STREQUAL "ON")
      message(FATAL_ERROR "BELLMARK_MPI=ON, but no MPI for C++ was found: install libopenmpi-dev or "
                          "configure with -DBELLMARK_MPI=AUTO")
    else()
      set(BELLMARK_MPI_REASON "no MPI for C++ was found when Bellmark was built")
    endif()
  endif()
  if(NOT BELLMARK_HAVE_MPI)
    set(BELLMARK_MPI_LIBRARY "not built in: ${BELLMARK_MPI_REASON}")
  endif()
endmacro()

# CUDA headers that only the sinks need: those of CUPTI, and of NVTX, which has nothing else. They are set for
# their files, so that a change recompiles nothing else.
function(bellmark_use_profilers target)
  target_link_libraries(${target} PUBLIC ${CMAKE_DL_LIBS})
  set(cupti_definitions BELLMARK_CUPTI_REASON="${BELLMARK_CUPTI_REASON}")
  if(BELLMARK_HAVE_CUPTI)
    list(APPEND cupti_definitions BELLMARK_HAVE_CUPTI=1)
    if(CUPTI_LIBRARY)
      list(APPEND cupti_definitions BELLMARK_CUPTI_LIBRARY="${CUPTI_LIBRARY}")
    endif()
    foreach(folder IN LISTS CUPTI_INCLUDE_DIR CUDAToolkit_INCLUDE_DIRS)
      list(APPEND cupti_options -isystem ${folder})
    endforeach()
  endif()
  file(GLOB cupti_sources harness/sinks/cupti*.cpp)
  set_source_files_properties(${cupti_sources} PROPERTIES
    COMPILE_DEFINITIONS "${cupti_definitions}" COMPILE_OPTIONS "${cupti_options}")
  if(BELLMARK_HAVE_CUDA)
    find_path(NVTX_INCLUDE_DIR nvtx3/nvToolsExt.h HINTS ${CUDAToolkit_INCLUDE_DIRS})
    if(NVTX_INCLUDE_DIR)
      set_source_files_properties(harness/sinks/nvtx.cpp PROPERTIES
        COMPILE_DEFINITIONS BELLMARK_HAVE_NVTX=1 COMPILE_OPTIONS "-isystem;${NVTX_INCLUDE_DIR}")
    endif()
  endif()
endfunction()

# The needs of the library with NCCL's file.
function(bellmark_use_nccl target)
  set(definitions BELLMARK_HAVE_NCCL=$<BOOL:${BELLMARK_HAVE_NCCL}>
    BELLMARK_NCCL_REASON="${BELLMARK_NCCL_REASON}")
  if(BELLMARK_HAVE_NCCL)
    if(NCCL_LIBRARY)
      list(APPEND definitions BELLMARK_NCCL_LIBRARY="${NCCL_LIBRARY}")
    endif()
    # GCC doesn't find its own headers if a known folder is named again.
    if(NOT NCCL_INCLUDE_DIR IN_LIST CMAKE_CXX_IMPLICIT_INCLUDE_DIRECTORIES)
      target_include_directories(${target} SYSTEM PRIVATE ${NCCL_INCLUDE_DIR})
    endif()
  endif()
  target_compile_definitions(${target} PRIVATE ${definitions})
endfunction()

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
    BELLMARK_PAPI_REASON="${BELLMARK_PAPI_REASON}")
endfunction()

# The commit of the build, read at each build (cmake/Revision.cmake). It is a library of its own: a change
# compiles one small file, and links programs again.
function(bellmark_revision target)
  set(source ${BELLMARK_BUILD}/revision.cpp)
  add_custom_target(bellmark_ask_revision
    COMMAND ${CMAKE_COMMAND} -DSOURCE=${BELLMARK_ROOT} -DOUTPUT=${source}
      -P ${BELLMARK_ROOT}/cmake/Revision.cmake
    BYPRODUCTS ${source} COMMENT "Asking git for the commit" VERBATIM)
  add_library(bellmark_revision STATIC ${source})
  add_dependencies(bellmark_revision bellmark_ask_revision)
  target_include_directories(bellmark_revision PRIVATE ${BELLMARK_ROOT})
  target_link_libraries(${target} PUBLIC bellmark_revision)
  if(BELLMARK_HAVE_CUDA)
    set(nvcc "${CMAKE_CUDA_COMPILER_VERSION}")
    list(JOIN CMAKE_CUDA_ARCHITECTURES " " architectures)
  endif()
  set_source_files_properties(harness/machine/build_facts.cpp PROPERTIES COMPILE_DEFINITIONS
    "BELLMARK_NVCC=\"${nvcc}\";BELLMARK_CUDA_ARCHITECTURES=\"${architectures}\";BELLMARK_MPI_LIBRARY=\"${BELLMARK_MPI_LIBRARY}\"")
endfunction()

function(bellmark_summary)
  if(BELLMARK_HAVE_PAPI)
    set(papi "on (${BELLMARK_PAPI_REASON})")
  else()
    set(papi "off: ${BELLMARK_PAPI_REASON}")
  endif()
  message(STATUS "Bellmark ${PROJECT_VERSION}: ${CMAKE_BUILD_TYPE}, instances ${BELLMARK_INSTANCES}")
  message(STATUS "  PAPI     ${papi}")
  if(BELLMARK_HAVE_LEMON)
    message(STATUS "  LEMON    on (${BELLMARK_LEMON_REASON})")
  else()
    message(STATUS "  LEMON    off: ${BELLMARK_LEMON_REASON}")
  endif()
  if(BELLMARK_HAVE_CUDA)
    message(STATUS "  CUDA     on (${BELLMARK_CUDA_REASON})")
  else()
    message(STATUS "  CUDA     off: ${BELLMARK_CUDA_REASON}")
  endif()
  if(BELLMARK_HAVE_CUPTI)
    message(STATUS "  CUPTI    on (${BELLMARK_CUPTI_REASON})")
  else()
    message(STATUS "  CUPTI    off: ${BELLMARK_CUPTI_REASON}")
  endif()
  if(BELLMARK_HAVE_NCCL)
    message(STATUS "  NCCL     on (${BELLMARK_NCCL_REASON})")
  else()
    message(STATUS "  NCCL     off: ${BELLMARK_NCCL_REASON}")
  endif()
  if(BELLMARK_HAVE_MPI)
    message(STATUS "  MPI      on (${BELLMARK_MPI_REASON})")
  else()
    message(STATUS "  MPI      off: ${BELLMARK_MPI_REASON}")
  endif()
endfunction()
