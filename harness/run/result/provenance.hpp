// The origin of a result: program, libraries, command line, experiment.
#pragma once

#include "harness/plan/plan.hpp"
#include "harness/run/supervise/run_folder.hpp"

namespace bellmark::run {

/// The result's `provenance` (result.schema.json), of a run by the build with these facts
/// (machine::build_facts()).
Json provenance_json(const plan::Plan& plan, const RunFolder& folder, const Json& build_facts);

}  // namespace bellmark::run
