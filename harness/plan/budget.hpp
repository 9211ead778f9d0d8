// The time that a plan takes, and the cuts when that is too long.
#pragma once

#include <cstdint>
#include <string>

#include "harness/plan/plan.hpp"

namespace bellmark::plan {

/// The expected number of queries. Opens nothing.
std::uint64_t planned_count(const QueryRule& rule);

/// The remaining queries, for people.
std::string queries_cut(std::uint64_t left, const QueryRule& rule);

/// Seconds, from the expected sizes of the graphs.
double estimate(const Plan& plan);

/// Cuts queries first, then samples. Blocks stay, because they carry the interval.
void fit_budget(Plan& plan);

}  // namespace bellmark::plan
