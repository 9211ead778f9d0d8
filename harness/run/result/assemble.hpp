// From a plan and its finished replicates to one result document.
#pragma once

#include <nlohmann/json.hpp>

#include "harness/run/supervise/supervisor.hpp"

namespace bellmark::run {

/// The result JSON (harness/schema/result.schema.json) with its verdicts, from the lines of the
/// journal. Every statistic of a result is computed here or in verdict/, and only once.
Json assemble(const plan::Plan& plan, const Probe& probe, const Supervised& supervised,
              const RunFolder& folder, const std::vector<Json>& journal);

/// The text of a result's file. It is indented, but deep parts (the rows and queries of phase logs)
/// are on one line each. So a thousand queries stay readable and small.
std::string result_text(const Json& result);

}  // namespace bellmark::run
