// The summary of the phase logs of a cell's queries.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <vector>

#include "algorithms/contract/run_context.hpp"

namespace bellmark::run {

using Json = nlohmann::ordered_json;

/// The logs of one query: of a run that counted, and of a plain run of the same query.
struct QueryLog {
  std::size_t query = 0;
  PhaseLog instrumented;
  PhaseLog plain;
};

/// The result's `phase_log` (described in result.schema.json); null without logs. The first
/// queries' logs are kept whole unless they have more than 20,000 rows.
///
/// Counting disturbs the clock, so columns that end in `_ns` come from the plain runs. All plain
/// runs must have logged them for the same number of phases as the instrumented runs.
/// `plain_columns` names these columns.
///
/// Classes of `updated_count` are its decades: 1000 stands for 101 to 1000, 1 for 0 and 1. Throws
/// Error(internal) on a log whose rows are not whole or whose columns change between queries.
Json phase_log_json(std::vector<QueryLog> logs);

/// The least power of ten that is not below `count`.
std::uint64_t decade_of(std::uint64_t count);

}  // namespace bellmark::run
