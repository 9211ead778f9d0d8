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
  std::vector<std::string> profiles;
  std::vector<std::string> baseline;
  std::string budget;
  std::string launcher;
  std::string shard;
  std::uint64_t queries = 0;
  std::int64_t seed = -1;
  double timeout_s = 0;
  std::string pages;
  std::string memory;
  std::string prepared;
  // Other people's programs.
  std::vector<std::string> commands;
  std::string command_problem = "sssp";
  std::string command_format = "gr";
  std::string command_time = "process";
  std::string command_check;
  std::string command_speaks;
  std::vector<std::string> program_files;
  std::vector<std::string> homes;  ///< NAME=FOLDER
  bool allow_commands = false;
  bool quick = false;
  bool smoke = false;
  bool energy = false;
  bool force = false;
  bool until_decided = false;

  void add_to(CLI::App& app, bool with_experiments);
  /// Other people's programs, which read graphs.
  void add_programs(CLI::App& app);
  /// Variants and programs that no experiment's file holds.
  bool is_adhoc() const { return !variants.empty() || !commands.empty(); }
  /// What the first variant answers, or the commands do.
  std::string problem() const;
  /// What -v and --command name, the programs made into families. Throws InputError.
  plan::Experiment adhoc() const;
  /// Throws InputError on an axis or duration that can't be read, and on flags that contradict each
  /// other.
  plan::Options to_options() const;
  /// The experiments named, each checked, or adhoc(). Programs of a file that did not come with
  /// Bellmark must be allowed. Throws InputError.
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

/// What is measured: `named`, or where that is "" the problem's own default input, or kDefaultGraph
/// where it takes graphs.
std::string input_or_default(const std::string& named, const std::string& problem);

/// The option that names inputs, and what it takes: graphs, inputs of another kind, or both, by
/// what the problems of this executable take.
std::string input_option();
std::string input_help();

}  // namespace bellmark::cli
