// The flags for the destinations of finished runs.
#pragma once

#include "harness/run/session/experiments.hpp"

namespace CLI {
class App;
}

namespace bellmark::cli {

void add_output_options(CLI::App& app, run::Output& output);

}  // namespace bellmark::cli
