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

/// Raw values of flags. to_options() turns them into plan options.
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
  /// True for variants and programs without an experiment's file.
  bool is_adhoc() const { return !variants.empty() || !commands.empty(); }
  /// The problem of the first variant, or of the commands.
  std::string problem() const;
  /// The variants of -v and --command, with the programs made into families. Throws InputError.
  plan::Experiment adhoc() const;
  /// Throws InputError on an axis or duration that can't be read, and on flags that contradict each
  /// other.
  plan::Options to_options() const;
  /// The named experiments, each checked, or adhoc(). Programs of a file from outside Bellmark must
  /// be allowed. Throws InputError.
  std::vector<plan::Experiment> read(const machine::Topology& topology) const;
};

/// The factor 1.03 of `3%` or `3`. Throws InputError on a number that is not from 0 to 100.
double factor_of_percent(const std::string& text);

/// For CLI11's check(): naming the largest double in a message helps nobody.
CLI::Validator whole_number_from(std::int64_t least,
                                 std::int64_t most = std::numeric_limits<std::int64_t>::max());
/// For seconds: at most kLongestSeconds.
CLI::Validator number_above_zero();

/// The default graph, which comes with Bellmark.
inline constexpr const char* kDefaultGraph = "dimacs:USA-road-d.NY";

/// The measured input: `named`. If that is "", it is the problem's own default input, or
/// kDefaultGraph if the problem takes graphs.
std::string input_or_default(const std::string& named, const std::string& problem);

/// The option that names inputs, and its help. The problems of this executable decide whether it
/// takes graphs, other inputs, or both.
std::string input_option();
std::string input_help();

}  // namespace bellmark::cli
