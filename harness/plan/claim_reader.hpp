// Claims of an experiment's file.
#pragma once

#include <string>
#include <vector>

#include "harness/plan/experiment.hpp"
#include "harness/plan/toml_table.hpp"

namespace bellmark::plan {

/// `axes` are the experiment's, which selectors may name. Throws InputError.
Claim read_claim(const Table& table, const std::vector<std::string>& axes, Rules rules);

}  // namespace bellmark::plan
