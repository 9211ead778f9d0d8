// Every command, in the order of its help.
#pragma once

#include <vector>

#include "harness/cli/command.hpp"

/// A name is that of a function, `NAME_command()`, in the command's own file. Those of `graphs`
/// make and look at Bellmark's own inputs; a lab goes without them.
#define BELLMARK_COMMANDS(command, graphs)                                                  \
  command(list) command(topology) command(doctor) graphs(graph) graphs(spots) command(plan) \
      command(run) command(resume) command(compare) command(replicate) command(tune)        \
          command(diagnose) graphs(answer) graphs(certify) command(verdict) command(report) \
              command(site) command(table) command(history) command(trace) graphs(serve)    \
                  command(new) command(worker)

namespace bellmark::cli {

#define BELLMARK_DECLARE(name) Command name##_command();
BELLMARK_COMMANDS(BELLMARK_DECLARE, BELLMARK_DECLARE)
#undef BELLMARK_DECLARE

#define BELLMARK_CALL(name) name##_command(),
#define BELLMARK_LEAVE_OUT(name)

inline std::vector<Command> all_commands() {
  return {BELLMARK_COMMANDS(BELLMARK_CALL, BELLMARK_CALL)};
}

inline std::vector<Command> lab_commands() {
  return {BELLMARK_COMMANDS(BELLMARK_CALL, BELLMARK_LEAVE_OUT)};
}

#undef BELLMARK_CALL
#undef BELLMARK_LEAVE_OUT

}  // namespace bellmark::cli
