// Claims over several results, for people and for programs.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace bellmark::report {

using Json = nlohmann::ordered_json;

/// One claim over several results: the weakest verdict, with every reason. Results that only show
/// it count where none judges it, runs that ended before they had intervals where no longer run of
/// their experiment does.
struct ClaimRow {
  std::string claim;
  std::string verdict;
  std::string headline;
  std::string text;
  std::string reason;
  std::vector<std::string> doubts = {};  ///< reasons of verdicts that were not judged
  Json stand_in;                         ///< of the weakest verdict, or null
  /// Every verdict that counts or only shows it, with its result's index.
  std::vector<std::pair<std::size_t, const Json*>> judged;
};

/// The claims in the order of their numbers: Y2 before Y11. `judged` points into `results`.
std::vector<ClaimRow> merge_claims(const std::vector<Json>& results);

/// Results in a document: named by their files, or whole, with the unit and title of each metric
/// that their figures show.
enum class Results { named, whole };

/// What programs read of results: the merged claims with every verdict
/// (harness/schema/verdicts.schema.json). `files` names where the results lie.
Json claims_document(const std::vector<std::string>& files, const std::vector<Json>& results,
                     Results detail);

}  // namespace bellmark::report
