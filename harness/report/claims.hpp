// Claims over several results, for people and for programs.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace bellmark::report {

using Json = nlohmann::ordered_json;

/// What one result says of a claim.
struct Judgement {
  std::size_t result;  ///< index
  const Json* verdict;
  bool decides;  ///< false of a rerun, which is listed beside the result that decides
};

/// One claim over the results of one machine and build: the weakest verdict over its experiments,
/// with every reason.
struct ClaimRow {
  std::string claim;
  std::string machine;  ///< "" where all results come from one machine
  std::string build;    ///< "" where all results that decide on this machine come from one build
  std::string verdict;
  std::string headline;
  std::string text;
  std::string reason;
  std::vector<std::string> doubts = {};  ///< reasons of verdicts that were not judged
  Json stand_in;                         ///< of the weakest verdict, or null
  std::vector<Judgement> judged;
};

/// The claims in the order of their numbers, Y2 before Y11, those of each machine apart. Of several
/// results of an experiment one decides: the most faithful (all its blocks, the full form, the
/// nearest data, the largest graph, after all of which comes what doubts left unjudged), of equals
/// the first that was begun. Experiments that different builds decided are not merged: each build
/// has a row. Results that only show a claim count where none judges it. `judged` points into
/// `results`.
std::vector<ClaimRow> merge_claims(const std::vector<Json>& results);

/// Whether a quick form decides.
bool is_quick(const ClaimRow& row);

/// The headline with what qualifies it: the quick form, and the machine and the build where several
/// are told apart.
std::string headline_of(const ClaimRow& row);

/// How much of the claim was judged: `3 of 4 rows; 32 queries of the paper's 1000; 2 reruns`. ""
/// where all of it was and nothing is known of the paper's queries.
std::string coverage_of(const ClaimRow& row);

/// Results in a document: named by their files, or whole, with the unit and title of each metric
/// that their figures show.
enum class Results { named, whole };

/// What programs read of results: the merged claims with every verdict
/// (harness/schema/verdicts.schema.json). `files` names where the results lie.
Json claims_document(const std::vector<std::string>& files, const std::vector<Json>& results,
                     Results detail);

}  // namespace bellmark::report
