# Runs at each build: writes OUTPUT, a source with the commit of the build, and whether the tree differs from it:
# in tracked files, or by new files in the folders that are compiled. It is only written when that changes, so that nothing is compiled in vain. Both are unknown without
# git, or if SOURCE is not a git tree of its own.
set(sha "")
set(dirty false)
execute_process(COMMAND git rev-parse --show-prefix HEAD WORKING_DIRECTORY ${SOURCE}
  OUTPUT_VARIABLE head OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE failed ERROR_QUIET)
# The first line is the folder within the git tree: empty at its top.
if(failed EQUAL 0 AND head MATCHES "^\n?([0-9a-f]+)$")
  set(sha ${CMAKE_MATCH_1})
  execute_process(COMMAND git status --porcelain --untracked-files=no WORKING_DIRECTORY ${SOURCE}
    OUTPUT_VARIABLE changes RESULT_VARIABLE failed ERROR_QUIET)
  execute_process(COMMAND git status --porcelain -- base graph algorithms harness
    WORKING_DIRECTORY ${SOURCE} OUTPUT_VARIABLE added RESULT_VARIABLE failed_too ERROR_QUIET)
  if(changes OR added OR NOT failed EQUAL 0 OR NOT failed_too EQUAL 0)
    set(dirty true)
  endif()
endif()
file(CONFIGURE OUTPUT ${OUTPUT} @ONLY CONTENT [[
#include "harness/machine/revision.hpp"

namespace bellmark::machine {

const char* const kBuiltCommit = "@sha@";
const bool kBuiltDirty = @dirty@;

}  // namespace bellmark::machine
]])
