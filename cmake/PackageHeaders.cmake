# The headers that labs include. Sets BELLMARK_HEADERS, which identifies a version of them.

# These headers, and the headers that they include.
set(waiting
  include/bellmark/lab.hpp
  algorithms/problems/bfs/problem.hpp
  algorithms/problems/p2p/problem.hpp
  algorithms/problems/sssp/problem.hpp
  algorithms/spots/set_centrality/problem.hpp
  algorithms/gpu/gpu.hpp
  harness/cli/lab.hpp)
set(package_headers "")
while(waiting)
  list(POP_FRONT waiting header)
  if(header IN_LIST package_headers)
    continue()
  endif()
  list(APPEND package_headers ${header})
  file(STRINGS ${BELLMARK_ROOT}/${header} lines REGEX "^#include \"")
  foreach(line IN LISTS lines)
    string(REGEX REPLACE "^#include \"([^\"]+)\".*" "\\1" included "${line}")
    list(APPEND waiting ${included})
  endforeach()
endwhile()
list(SORT package_headers)

# A copy in the build, in which headers include each other by their installed names. So no file of the lab can
# be mistaken for one of them.
set(package_digests "")
foreach(header IN LISTS package_headers)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${BELLMARK_ROOT}/${header})
  file(SHA256 ${BELLMARK_ROOT}/${header} digest)
  string(APPEND package_digests ${digest})
endforeach()
string(SHA256 digest "${package_digests}")
string(SUBSTRING ${digest} 0 12 digest)
set(BELLMARK_HEADERS "${PROJECT_VERSION} (headers ${digest})")
foreach(header IN LISTS package_headers)
  file(READ ${BELLMARK_ROOT}/${header} text)
  string(REGEX REPLACE "(#include \")" "\\1bellmark/" text "${text}")
  string(REGEX REPLACE "^include/bellmark/" "" installed ${header})
  file(CONFIGURE OUTPUT ${BELLMARK_BUILD}/include/bellmark/${installed} @ONLY CONTENT "${text}")
endforeach()
