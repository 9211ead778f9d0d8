# `cmake --build build/release --target bundle` makes build/release/bellmark-<version>-<system>.tar.gz. It is
# a folder that runs on any machine with the same processor family and a C library not older than this one's.
# It keeps the source tree's names, so that everything is found beside the executable.

set(BELLMARK_BUNDLE_DATA NY CACHE STRING "Road graphs in the bundle, by name: NY;BAY")

set(bundle_programs bellmark)
if(BELLMARK_HAVE_MPI)
  list(APPEND bundle_programs bellmark-worker-mpi)
endif()
if(TARGET algorithms_test)
  list(APPEND bundle_programs algorithms_test)
endif()
set_target_properties(${bundle_programs} PROPERTIES INSTALL_RPATH "$ORIGIN/../lib")
# The executable's RPATH, not its RUNPATH, finds a library's own needs.
foreach(program IN LISTS bundle_programs)
  target_link_options(${program} PRIVATE LINKER:--disable-new-dtags)
endforeach()

# Everything except the C library, which must be the system's own, and MPI, which must be the launcher's.
set(without "^ld-linux" "^libmpi" "^lib(c|m|dl|rt|pthread|resolv|util)\\.so")
set(without_paths "/ld-linux[^/]*$" "/lib(c|m|dl|rt|pthread|resolv|util)\\.so[^/]*$")
if(CMAKE_CROSSCOMPILING)
  # install() finds libraries for no other processor. What it calls does, when told where to look.
  install(TARGETS ${bundle_programs} RUNTIME DESTINATION bin)
  list(TRANSFORM bundle_programs REPLACE "(.+)" "\"$<TARGET_FILE:\\1>\"" OUTPUT_VARIABLE program_files)
  list(JOIN program_files " " program_files)
  list(JOIN without "]] [[" without)
  list(JOIN without_paths "]] [[" without_paths)
  install(CODE "set(CMAKE_GET_RUNTIME_DEPENDENCIES_PLATFORM linux+elf)
set(CMAKE_GET_RUNTIME_DEPENDENCIES_TOOL objdump)
set(CMAKE_GET_RUNTIME_DEPENDENCIES_COMMAND \"${CMAKE_OBJDUMP}\")
file(GET_RUNTIME_DEPENDENCIES EXECUTABLES ${program_files} RESOLVED_DEPENDENCIES_VAR libraries
  DIRECTORIES \"${CMAKE_SYSROOT}/usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}\"
  PRE_EXCLUDE_REGEXES [[${without}]] POST_EXCLUDE_REGEXES [[${without_paths}]])
file(INSTALL \${libraries} DESTINATION \"\${CMAKE_INSTALL_PREFIX}/lib\" FOLLOW_SYMLINK_CHAIN)")
else()
  install(TARGETS ${bundle_programs}
    RUNTIME_DEPENDENCIES PRE_EXCLUDE_REGEXES ${without} POST_EXCLUDE_REGEXES ${without_paths}
    RUNTIME DESTINATION bin
    LIBRARY DESTINATION lib)
endif()
# Completion for shells, in their folders below a prefix.
if(NOT CMAKE_CROSSCOMPILING OR CMAKE_CROSSCOMPILING_EMULATOR)
  list(JOIN CMAKE_CROSSCOMPILING_EMULATOR "\" \"" emulator)
  string(REGEX REPLACE "(.+)" "\"\\1\"" emulator "${emulator}")
  foreach(place IN ITEMS bash=share/bash-completion/completions/bellmark
      zsh=share/zsh/site-functions/_bellmark fish=share/fish/vendor_completions.d/bellmark.fish)
    string(REGEX MATCH "^([a-z]+)=(.*)/([^/]+)$" whole ${place})
    set(script ${BELLMARK_BUILD}/completion/${CMAKE_MATCH_1}/${CMAKE_MATCH_3})
    install(CODE "file(MAKE_DIRECTORY \"${BELLMARK_BUILD}/completion/${CMAKE_MATCH_1}\")
execute_process(COMMAND ${emulator} \"$<TARGET_FILE:bellmark>\" completion ${CMAKE_MATCH_1}
  OUTPUT_FILE \"${script}\" COMMAND_ERROR_IS_FATAL ANY)")
    install(FILES ${script} DESTINATION ${CMAKE_MATCH_2})
  endforeach()
endif()
install(DIRECTORY experiments DESTINATION .)
install(DIRECTORY analysis DESTINATION .
  PATTERN __pycache__ EXCLUDE PATTERN .pytest_cache EXCLUDE PATTERN pytest.ini EXCLUDE
  PATTERN testdata EXCLUDE PATTERN *_test.py EXCLUDE PATTERN page EXCLUDE)
install(DIRECTORY python DESTINATION .
  PATTERN __pycache__ EXCLUDE PATTERN .pytest_cache EXCLUDE PATTERN tests EXCLUDE
  PATTERN build EXCLUDE PATTERN *.egg-info EXCLUDE)
install(DIRECTORY harness/schema DESTINATION harness)
install(FILES examples/program.cpp examples/program.py DESTINATION examples)
install(DIRECTORY harness/sinks/groups DESTINATION harness/sinks)
install(FILES README.md LICENSE DESTINATION .)
install(DIRECTORY docs DESTINATION .)
install(FILES data/README.md DESTINATION data)
install(DIRECTORY data/answers data/osm data/spots DESTINATION data)
foreach(name IN LISTS BELLMARK_BUNDLE_DATA)
  file(GLOB files CONFIGURE_DEPENDS data/dimacs/*.${name}.*)
  if(NOT files)
    message(FATAL_ERROR "BELLMARK_BUNDLE_DATA: data/dimacs holds no graph called ${name}")
  endif()
  install(FILES ${files} DESTINATION data/dimacs)
endforeach()
set(CPACK_GENERATOR TGZ)
set(CPACK_PACKAGE_FILE_NAME
  ${PROJECT_NAME}-${PROJECT_VERSION}-${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_PACKAGE_DIRECTORY ${BELLMARK_BUILD})
set(CPACK_VERBATIM_VARIABLES ON)
# Everything except the parts for building labs, which are not run.
set(CPACK_INSTALL_CMAKE_PROJECTS "${BELLMARK_BUILD};${PROJECT_NAME};Unspecified;/"
  "${BELLMARK_BUILD};${PROJECT_NAME};headers;/")
include(CPack)
# Not CPack's own target `package`, which builds everything first.
add_custom_target(bundle
  COMMAND ${CMAKE_CPACK_COMMAND} --config ${BELLMARK_BUILD}/CPackConfig.cmake
  DEPENDS ${bundle_programs} page routes_page
  COMMENT "Packing ${CPACK_PACKAGE_FILE_NAME}.tar.gz"
  VERBATIM)
