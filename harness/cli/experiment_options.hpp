// The flags that `plan`, `run` and `compare` share.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "harness/plan/plan.hpp"

namespace CLI {
class App;
class Validator;
}  // namespace CLI

namespace bellmark::cli {

/// Raw flag values; to_options() turns them into plan options.
struct ExperimentFlags {
  std::vector<std::string> experiments;
  std::vector<std::string> variants;
  std::vector<std::string> graphs;
  std::vector<std::string> axes;
  std::vector<std::string> placements;
  std::vector<std::string> counters;
  std::vector<std::string> baseline;
  std::string budget;
  std::string launcher;
  std::string shard;
  std::uint64_t queries = 0;
  std::int64_t seed = -1;
  double timeout_s = 0;
  std::string pages;
  bool quick = false;
  bool smoke = false;
  bool force = false;
  bool until_decided = false;

  void add_to(CLI::App& app, bool with_experiments);
  /// Throws InputError on an axis or duration that can't be read, and on flags that contradict each
  /// other.
  plan::Options to_options() const;
  /// The experiments named, each checked, or the ad hoc one of `-v`. Throws InputError.
  std::vector<plan::Experiment> read(const machine::Topology& topology) const;
};

/// `3%` or `3` as the factor 1.03. Throws InputError on a number that is not from 0 to 100.
double factor_of_percent(const std::string& text);

/// For CLI11's check(): the largest double in a message helps nobody.
CLI::Validator whole_number_from(std::int64_t least,
                                 std::int64_t most = std::numeric_limits<std::int64_t>::max());
/// Of seconds: at most kLongestSeconds.
CLI::Validator number_above_zero();

/// The default graph when none is named: it comes with Bellmark.
inline constexpr const char* kDefaultGraph = "dimacs:USA-road-d.NY";

}  // namespace bellmark::cli
