// Every command of `bellmark`, in the order of its help.
#pragma once

#include <vector>

#include "harness/cli/command.hpp"

/// A name is that of a function, `NAME_command()`, in the command's own file.
#define BELLMARK_COMMANDS(command)                                                            \
  command(list) command(topology) command(doctor) command(graph) command(spots) command(plan) \
      command(run) command(resume) command(compare) command(replicate) command(tune)          \
          command(diagnose) command(answer) command(certify) command(verdict) command(report) \
              command(site) command(table) command(history) command(trace) command(new)       \
                  command(worker)

namespace bellmark::cli {

#define BELLMARK_DECLARE(name) Command name##_command();
BELLMARK_COMMANDS(BELLMARK_DECLARE)
#undef BELLMARK_DECLARE

inline std::vector<Command> all_commands() {
#define BELLMARK_CALL(name) name##_command(),
  return {BELLMARK_COMMANDS(BELLMARK_CALL)};
#undef BELLMARK_CALL
}

}  // namespace bellmark::cli
