# The archives that labs link, and the CMake package `Bellmark` with bellmark_add_lab(). A project that
# includes this tree gets the same targets.

# bellmark_archive(name OBJECTS layer... LINK ...): the archive Bellmark::<name> of layers' objects.
function(bellmark_archive name)
  cmake_parse_arguments(arg "" "" "OBJECTS;LINK" ${ARGN})
  set(objects "")
  foreach(layer IN LISTS arg_OBJECTS)
    list(APPEND objects $<TARGET_OBJECTS:bellmark_${layer}>)
  endforeach()
  add_library(bellmark_lab_${name} STATIC ${objects})
  set_target_properties(bellmark_lab_${name} PROPERTIES LINKER_LANGUAGE CXX
    OUTPUT_NAME bellmark_${name} EXPORT_NAME ${name})
  target_link_libraries(bellmark_lab_${name} INTERFACE ${arg_LINK})
  add_library(Bellmark::${name} ALIAS bellmark_lab_${name})
endfunction()

# Everything except the variants that Bellmark measures.
bellmark_layer(lab SOURCES harness/cli/lab.cpp LINK CLI11::CLI11 nlohmann_json::nlohmann_json)
target_compile_options(bellmark_lab PRIVATE -O1)
bellmark_archive(core OBJECTS base graph problems harness lab
  LINK bellmark_revision Threads::Threads ZLIB::ZLIB tomlplusplus::tomlplusplus
       PkgConfig::XXHASH PkgConfig::HWLOC $<$<BOOL:${BELLMARK_HAVE_PAPI}>:papi> ${CMAKE_DL_LIBS})
target_compile_features(bellmark_lab_core INTERFACE cxx_std_20)
target_include_directories(bellmark_lab_core INTERFACE
  $<BUILD_INTERFACE:${BELLMARK_BUILD}/include> $<INSTALL_INTERFACE:include>)
if(BELLMARK_SANITIZE)
  target_compile_options(bellmark_lab_core INTERFACE -fsanitize=${BELLMARK_SANITIZE})
  target_link_options(bellmark_lab_core INTERFACE -fsanitize=${BELLMARK_SANITIZE})
endif()
set_target_properties(bellmark_revision PROPERTIES EXPORT_NAME revision)

# The calls of CUDA, and the same files without them. A lab links one of the two.
if(BELLMARK_HAVE_CUDA)
  bellmark_archive(gpu OBJECTS gpu LINK bellmark_lab_core CUDA::cudart_static)
endif()
bellmark_layer(no_gpu SOURCES ${gpu_sources} LINK ${CMAKE_DL_LIBS})
target_compile_definitions(bellmark_no_gpu PRIVATE BELLMARK_HAVE_CUDA=0 BELLMARK_HAVE_NCCL=0
  BELLMARK_CUDA_REASON="it has no kernels for GPUs" BELLMARK_NCCL_REASON="it has no kernels for GPUs")
bellmark_archive(no_gpu OBJECTS no_gpu LINK bellmark_lab_core)

# Bellmark's own variants. They register themselves, so that all of it is linked.
bellmark_archive(variants OBJECTS algorithms LINK bellmark_lab_core)

set_property(GLOBAL PROPERTY BELLMARK_SHARE ${BELLMARK_ROOT})

if(NOT BELLMARK_INSTALL)
  return()
endif()
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/Bellmark)
set(archives bellmark_lab_core bellmark_lab_no_gpu bellmark_lab_variants bellmark_revision)
if(BELLMARK_HAVE_CUDA)
  list(APPEND archives bellmark_lab_gpu)
endif()
# The files of `cmake --install --component lab`.
add_custom_target(lab DEPENDS ${archives})
install(TARGETS ${archives} EXPORT BellmarkTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT lab)
install(EXPORT BellmarkTargets NAMESPACE Bellmark:: DESTINATION ${package_folder} COMPONENT lab)
install(DIRECTORY ${BELLMARK_BUILD}/include/bellmark DESTINATION include COMPONENT lab)
# For programs of others, which need nothing else to be measured.
install(FILES include/bellmark/worker.hpp DESTINATION include/bellmark COMPONENT headers)
configure_package_config_file(cmake/BellmarkConfig.cmake.in ${BELLMARK_BUILD}/BellmarkConfig.cmake
  INSTALL_DESTINATION ${package_folder} PATH_VARS CMAKE_INSTALL_DATADIR)
write_basic_package_version_file(${BELLMARK_BUILD}/BellmarkConfigVersion.cmake
  VERSION ${PROJECT_VERSION} COMPATIBILITY SameMajorVersion)
install(FILES ${BELLMARK_BUILD}/BellmarkConfig.cmake ${BELLMARK_BUILD}/BellmarkConfigVersion.cmake
  cmake/BellmarkCuda.cmake cmake/BellmarkLab.cmake cmake/lab_main.cmake
  DESTINATION ${package_folder} COMPONENT lab)
# Files that a lab reads while it runs.
set(share ${CMAKE_INSTALL_DATADIR}/bellmark)
install(DIRECTORY harness/sinks/groups DESTINATION ${share}/harness/sinks COMPONENT lab)
install(DIRECTORY harness/schema DESTINATION ${share}/harness COMPONENT lab)
install(DIRECTORY analysis DESTINATION ${share} COMPONENT lab
  PATTERN __pycache__ EXCLUDE PATTERN .pytest_cache EXCLUDE PATTERN pytest.ini EXCLUDE
  PATTERN testdata EXCLUDE PATTERN *_test.py EXCLUDE PATTERN page EXCLUDE)
install(DIRECTORY python DESTINATION ${share} COMPONENT lab
  PATTERN __pycache__ EXCLUDE PATTERN .pytest_cache EXCLUDE PATTERN tests EXCLUDE
  PATTERN build EXCLUDE PATTERN *.egg-info EXCLUDE)
