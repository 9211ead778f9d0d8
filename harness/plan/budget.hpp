// How long a plan would take, and what goes when that is too long.
#pragma once

#include <cstdint>
#include <string>

#include "harness/plan/plan.hpp"

namespace bellmark::plan {

/// How many queries there will be; nothing is opened to know it.
std::uint64_t planned_count(const QueryRule& rule);

/// What is left of the queries, for people.
std::string queries_cut(std::uint64_t left, const QueryRule& rule);

/// Seconds, from the sizes that the graphs are expected to have.
double estimate(const Plan& plan);

/// Queries go first, then samples; blocks stay, because they carry the interval.
void fit_budget(Plan& plan);

}  // namespace bellmark::plan
