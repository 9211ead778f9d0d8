// `bellmark`: Bellmark's own problems and variants.
#include "harness/cli/commands.hpp"
#include "harness/cli/program.hpp"

int main(int argc, char** argv) {
  return bellmark::cli::run_program(bellmark::cli::all_commands(), argc, argv);
}
