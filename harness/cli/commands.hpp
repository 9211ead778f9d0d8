// Every command, in the order of its help.
#pragma once

#include <vector>

#include "harness/cli/command.hpp"

/// A name is that of a function, `NAME_command()`, in the command's own file. The text before it is
/// the heading in the help. The commands of `graphs` make and show Bellmark's own inputs; a lab has
/// none of them.
#define BELLMARK_COMMANDS(command, graphs)                                                         \
  command("See what there is", list) graphs("See what there is", graph)                            \
      graphs("See what there is", spots) command("Measure", plan) command("Measure", run)          \
          command("Measure", resume) command("Measure", compare) command("Measure", replicate)     \
              command("Measure", tune) command("Measure", tuned) command("Measure", diagnose)      \
                  command("Judge", verdict) command("Judge", report) command("Judge", site)        \
                      command("Judge", table) command("Judge", history) command("Judge", trace)    \
                          graphs("Answer", answer) graphs("Answer", certify)                       \
                              graphs("Answer", serve) command("Know the machine", doctor) command( \
                                  "Know the machine", topology) command("Begin something", new)    \
                                  command("Begin something", completion) command("", worker)

namespace bellmark::cli {

#define BELLMARK_DECLARE(group, name) Command name##_command();
BELLMARK_COMMANDS(BELLMARK_DECLARE, BELLMARK_DECLARE)
#undef BELLMARK_DECLARE

#define BELLMARK_CALL(group, name) in_group(group, name##_command()),
#define BELLMARK_LEAVE_OUT(group, name)

inline std::vector<Command> all_commands() {
  return {BELLMARK_COMMANDS(BELLMARK_CALL, BELLMARK_CALL)};
}

inline std::vector<Command> lab_commands() {
  return {BELLMARK_COMMANDS(BELLMARK_CALL, BELLMARK_LEAVE_OUT)};
}

#undef BELLMARK_CALL
#undef BELLMARK_LEAVE_OUT

}  // namespace bellmark::cli
