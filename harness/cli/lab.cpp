#include "harness/cli/lab.hpp"

#include <utility>

#include "harness/cli/commands.hpp"
#include "harness/cli/program.hpp"

namespace bellmark {

int lab_main(int argc, char** argv, Installation lab) {
  lab.is_lab = true;
  set_installation(std::move(lab));
  return cli::run_program(cli::lab_commands(), argc, argv);
}

}  // namespace bellmark
