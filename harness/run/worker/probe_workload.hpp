// What is known of a workload and its cells before anything is measured.
#pragma once

#include <nlohmann/json.hpp>

namespace bellmark::run {

using Json = nlohmann::ordered_json;

/// Opens the workload of `request` (problem, graph, queries) and checks it whole (a mapped file's
/// digest too). Returns `facts`, `query_count`, `query_digest`, `first_queries`, and for each of
/// the request's `cells` {id, variant}: `resolved`, its canonical name with `auto` values resolved,
/// and when it can't be measured `code` (unmet-need | bad-setting | not-built) and `reason`, else
/// null. Ranks (a request with `rank_count`) run it together and agree; only a problem that is
/// distributed can be theirs. Throws InputError when the workload can't be opened.
Json probe_workload(const Json& request);

}  // namespace bellmark::run
