// Verdicts on stored results by the rules of this build, whichever rules judged them first.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

namespace bellmark::cli {

using Json = nlohmann::ordered_json;

/// Remarks on several results: each remark once, with the names of its results.
class Notes {
 public:
  /// `text` follows "was" or "were".
  void add(const std::string& name, const std::string& text) { names_[text].insert(name); }

  /// Prints to stderr.
  void print() const;

 private:
  std::map<std::string, std::set<std::string>> names_;
};

/// Replaces the verdicts of each result. It judges by the claims of the named `experiment`, or else
/// by the result's own. A result from before these rules is judged by the claims of this build's
/// experiment of its name. Without such an experiment its verdicts stay.
Notes judge_anew(std::vector<Json>& results, const std::string& experiment = {});

}  // namespace bellmark::cli
