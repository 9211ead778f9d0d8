// From a plan and its finished replicates to the one result document.
#pragma once

#include <nlohmann/json.hpp>

#include "harness/run/supervise/supervisor.hpp"

namespace bellmark::run {

/// The result JSON (harness/schema/result.schema.json), verdicts included, from the lines of the
/// journal. Every statistic that a
/// result holds is computed here and in verdict/, once.
Json assemble(const plan::Plan& plan, const Probe& probe, const Supervised& supervised,
              const RunFolder& folder, const std::vector<Json>& journal);

/// The result as its file has it: indented, but what lies deep (the rows and queries of phase logs)
/// on one line each, so that a thousand queries stay readable and small.
std::string result_text(const Json& result);

}  // namespace bellmark::run
