// The flags for the destinations of finished runs.
#pragma once

#include "harness/run/session/experiments.hpp"

namespace CLI {
class App;
}

namespace bellmark::cli {

/// `strict_help`: the exit codes that --strict adds.
void add_output_options(
    CLI::App& app, run::Output& output,
    const char* strict_help = "exit 5 if a claim is not reproduced, 6 if inconclusive");

}  // namespace bellmark::cli
