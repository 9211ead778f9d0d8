// The origin of a result: program, libraries, command line, experiment.
#pragma once

#include "harness/plan/plan.hpp"
#include "harness/run/supervise/run_folder.hpp"

namespace bellmark::run {

/// The result's `provenance` (result.schema.json).
Json provenance_json(const plan::Plan& plan, const RunFolder& folder);

}  // namespace bellmark::run
