// Claims over several results, for people and for programs.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace bellmark::report {

using Json = nlohmann::ordered_json;

/// The judgement of a claim by one result.
struct Judgement {
  std::size_t result;  ///< index
  const Json* verdict;
  bool decides;  ///< false for a rerun, which is listed beside the deciding result
};

/// One claim over the results of one machine and build: the weakest verdict over its experiments,
/// with every reason.
struct ClaimRow {
  std::string claim;
  std::string machine;  ///< "" where all results come from one machine
  std::string build;    ///< "" where all deciding results on this machine come from one build
  std::string verdict;
  std::string headline;
  std::string text;
  std::string reason;
  std::vector<std::string> doubts = {};  ///< reasons of verdicts that were not judged
  Json stand_in;                         ///< of the weakest verdict, or null
  std::vector<Judgement> judged;
};

/// The claims in the order of their numbers, Y2 before Y11, with a row for each machine. Of several
/// results of an experiment the most faithful one decides. Its criteria are, in order: all its
/// blocks, the full form, the nearest data, the largest graph. Parts that doubts left unjudged come
/// last. Of equals the first that was begun decides.
///
/// Experiments that different builds decided are not merged: each build has a row. Results that
/// only show a claim count if none judges it. `judged` points into `results`.
std::vector<ClaimRow> merge_claims(const std::vector<Json>& results);

/// True if a quick form decides.
bool is_quick(const ClaimRow& row);

/// The headline with its qualifications: the quick form, and the machine and the build if several
/// are told apart.
std::string headline_of(const ClaimRow& row);

/// The judged part of the claim: `3 of 4 rows; 32 queries of the paper's 1000; 2 reruns`. "" if all
/// of it was judged and the paper's number of queries is unknown.
std::string coverage_of(const ClaimRow& row);

/// The results in a document: only the names of their files, or whole, with the unit and title of
/// each metric in their figures.
enum class Results { named, whole };

/// The document for programs: the merged claims with every verdict
/// (harness/schema/verdicts.schema.json). `files` names the results' files.
Json claims_document(const std::vector<std::string>& files, const std::vector<Json>& results,
                     Results detail);

}  // namespace bellmark::report
