# bellmark_add_lab(): an executable with the command line of Bellmark over a user's own problems and variants.

# bellmark_add_lab(name SOURCES file... [WITH_BELLMARK]): the executable `name`. Its sources register their
# variants themselves. Sources in CUDA (.cu) are left out if CUDA isn't enabled: call bellmark_find_cuda()
# before. The definition BELLMARK_LAB_HAS_CUDA is 1 or 0. With WITH_BELLMARK it also has Bellmark's own
# problems and variants.
function(bellmark_add_lab name)
  cmake_parse_arguments(arg "WITH_BELLMARK" "" "SOURCES" ${ARGN})
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_SOURCES)
    message(FATAL_ERROR "bellmark_add_lab(${name}): write SOURCES and at least one file")
  endif()
  if(CMAKE_VERSION VERSION_LESS 3.24 AND arg_WITH_BELLMARK)
    message(FATAL_ERROR "bellmark_add_lab(${name} WITH_BELLMARK) needs CMake 3.24 or newer, which links "
                        "an archive whole; this is ${CMAKE_VERSION}")
  endif()
  # Code that isn't optimised is not worth measuring.
  if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
    message(STATUS "${name}: no build type was named: Release")
  endif()
  _bellmark_check_includes(${name} ${arg_SOURCES})

  set(kernels ${arg_SOURCES})
  list(FILTER kernels INCLUDE REGEX "\\.cu$")
  set(has_cuda 0)
  if(kernels AND CMAKE_CUDA_COMPILER AND TARGET Bellmark::gpu)
    set(has_cuda 1)
  elseif(kernels)
    list(REMOVE_ITEM arg_SOURCES ${kernels})
    if(CMAKE_CUDA_COMPILER)
      message(STATUS "${name}: without ${kernels}: Bellmark was built without CUDA")
    else()
      message(STATUS "${name}: without ${kernels}: no nvcc, or bellmark_find_cuda() was not called")
    endif()
  endif()

  # main() states the lab and its commit, which is read at each build.
  set(main ${CMAKE_CURRENT_BINARY_DIR}/${name}_main.cpp)
  get_property(share GLOBAL PROPERTY BELLMARK_SHARE)
  string(TOUPPER "${CMAKE_BUILD_TYPE}" type)
  string(STRIP "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${type}}" flags)
  add_custom_target(${name}_revision
    COMMAND ${CMAKE_COMMAND} -DOUTPUT=${main} -DNAME=${name} -DSHARE=${share}
      -DSOURCE=${CMAKE_CURRENT_SOURCE_DIR} "-DFLAGS=${flags}" -DTYPE=${CMAKE_BUILD_TYPE}
      "-DCOMPILER=${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}"
      -P ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/lab_main.cmake
    BYPRODUCTS ${main} COMMENT "Asking git for the commit of ${name}" VERBATIM)
  add_executable(${name} ${arg_SOURCES} ${main})
  add_dependencies(${name} ${name}_revision)
  target_compile_definitions(${name} PRIVATE BELLMARK_LAB_HAS_CUDA=${has_cuda})
  target_compile_features(${name} PRIVATE cxx_std_20)
  set(variants "")
  if(arg_WITH_BELLMARK)
    set(variants $<LINK_LIBRARY:WHOLE_ARCHIVE,Bellmark::variants>)
  endif()
  set(gpu Bellmark::no_gpu)
  # Bellmark's own variants hold the kernels that it was built with.
  if(has_cuda OR (arg_WITH_BELLMARK AND TARGET Bellmark::gpu))
    set(gpu Bellmark::gpu)
  endif()
  target_link_libraries(${name} PRIVATE ${variants} Bellmark::core ${gpu} Bellmark::core)
  _bellmark_bundle(${name} ${share})
endfunction()

# `cmake --install BUILD --component bundle --prefix FOLDER` makes a folder that runs on another machine. That
# needs the same processor family, and a C library not older than this one's.
function(_bellmark_bundle name share)
  set_target_properties(${name} PROPERTIES INSTALL_RPATH "$ORIGIN/../lib")
  # The executable's RPATH, not its RUNPATH, finds a library's own needs.
  target_link_options(${name} PRIVATE LINKER:--disable-new-dtags)
  install(TARGETS ${name}
    RUNTIME_DEPENDENCIES
      PRE_EXCLUDE_REGEXES "^ld-linux" "^lib(c|m|dl|rt|pthread|resolv|util)\\.so"
      POST_EXCLUDE_REGEXES "/ld-linux[^/]*$" "/lib(c|m|dl|rt|pthread|resolv|util)\\.so[^/]*$"
    RUNTIME DESTINATION bin COMPONENT bundle EXCLUDE_FROM_ALL
    LIBRARY DESTINATION lib COMPONENT bundle EXCLUDE_FROM_ALL)
  foreach(folder IN ITEMS analysis python harness/schema harness/sinks/groups)
    install(DIRECTORY ${share}/${folder}/ DESTINATION ${folder}
      COMPONENT bundle EXCLUDE_FROM_ALL PATTERN __pycache__ EXCLUDE PATTERN testdata EXCLUDE
      PATTERN build EXCLUDE PATTERN *.egg-info EXCLUDE)
  endforeach()
endfunction()

# Names a header that is not installed, before a compiler does so in its own way.
function(_bellmark_check_includes name)
  get_target_property(folders Bellmark::core INTERFACE_INCLUDE_DIRECTORIES)
  set(root "")
  foreach(folder IN LISTS folders)
    string(REGEX REPLACE "^\\$<BUILD_INTERFACE:(.*)>$" "\\1" folder "${folder}")
    if(EXISTS ${folder}/bellmark/lab.hpp)
      set(root ${folder})
    endif()
  endforeach()
  set(files "")
  foreach(source IN LISTS ARGN)
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
    cmake_path(GET source PARENT_PATH folder)
    file(GLOB headers ${folder}/*.h ${folder}/*.hpp ${folder}/*.cuh)
    list(APPEND files ${source} ${headers})
  endforeach()
  list(REMOVE_DUPLICATES files)
  foreach(source IN LISTS files)
    if(NOT root OR NOT EXISTS ${source})
      continue()  # CMake says so, or it is made by a build
    endif()
    file(STRINGS ${source} lines REGEX "^ *# *include *[<\"]bellmark/")
    foreach(line IN LISTS lines)
      string(REGEX REPLACE "^ *# *include *[<\"]([^>\"]+).*" "\\1" header "${line}")
      if(NOT EXISTS ${root}/${header})
        message(FATAL_ERROR "bellmark_add_lab(${name}): ${source} includes ${header}, which is not "
          "among the headers that Bellmark installs: include bellmark/lab.hpp, and see "
          "${root}/bellmark for others")
      endif()
    endforeach()
  endforeach()
endfunction()
