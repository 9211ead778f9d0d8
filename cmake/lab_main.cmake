# Runs at each build: writes OUTPUT, main() of a lab with the commit of its folder. It is only written when
# that changes.
set(sha "")
set(dirty false)
execute_process(COMMAND git rev-parse HEAD WORKING_DIRECTORY ${SOURCE}
  OUTPUT_VARIABLE head OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE failed ERROR_QUIET)
if(failed EQUAL 0)
  execute_process(COMMAND git status --porcelain --untracked-files=no . WORKING_DIRECTORY ${SOURCE}
    OUTPUT_VARIABLE changes RESULT_VARIABLE failed ERROR_QUIET)
  set(sha ${head})
  if(changes OR NOT failed EQUAL 0)
    set(dirty true)
  endif()
endif()
string(REPLACE "\"" "\\\"" FLAGS "${FLAGS}")
file(CONFIGURE OUTPUT ${OUTPUT} @ONLY CONTENT [[
#include <bellmark/harness/cli/lab.hpp>

int main(int argc, char** argv) {
  bellmark::Installation lab;
  lab.name = "@NAME@";
  lab.share = "@SHARE@";
  lab.compiler = "@COMPILER@";
  lab.flags = "@FLAGS@";
  lab.build_type = "@TYPE@";
  lab.git_sha = "@sha@";
  lab.git_dirty = @dirty@;
  return bellmark::lab_main(argc, argv, lab);
}
]])
