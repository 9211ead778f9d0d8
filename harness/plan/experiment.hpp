// An experiment of a TOML file: variants, workload, axes, claims.
#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/contract/problem.hpp"
#include "harness/external/program.hpp"
#include "harness/machine/frequency.hpp"
#include "harness/machine/pages.hpp"
#include "harness/plan/stand_in_class.hpp"

namespace bellmark::plan {

using Json = nlohmann::ordered_json;

/// A value on an axis: a string, a number or a boolean.
using AxisValue = Json;
using Axis = std::pair<std::string, std::vector<AxisValue>>;

/// Picks cells: every named axis must have one of the values.
struct Selector {
  std::vector<Axis> wanted;

  /// `axes` is one cell's object of axis -> value.
  bool matches(const Json& axes) const;
  bool empty() const { return wanted.empty(); }
  std::string text() const;
};

/// The paper's figures; every part may be missing.
struct PaperValue {
  std::optional<double> value;
  std::optional<double> low;
  std::optional<double> high;
  std::string quoted;

  /// Either a figure or a range is enough to judge by.
  bool is_given() const { return value || (low && high); }
};

/// One inequality of a trend or shape. Its value is metric(numerator) / metric(denominator), or
/// metric(numerator) without a denominator. It must lie within the paper's range or bounds of its
/// own.
struct Statement {
  std::string text;
  std::string metric;  ///< of this statement; "" for the claim's
  Selector numerator;
  Selector denominator;
  Selector over_numerator;  ///< of the ratio that divides the first; else both empty
  Selector over_denominator;
  std::string mean_over;       ///< the axis over which ratios are averaged; "" for each ratio alone
  std::size_t mean_count = 0;  ///< number of ratios in that mean
  std::optional<double> at_least;
  std::optional<double> at_most;
  std::string reason;  ///< why the bounds are the statement's own: the paper's words
  PaperValue paper;
  double rival = 1;  ///< the ratio that the sentence denies
};

/// One figure of an absolute claim, shown beside the paper's.
struct ShownCell {
  Selector where;
  Selector denominator;  ///< of the cells that divide it; else empty
  std::optional<double> paper;
  std::string text;
};

/// The kind of a claim, which decides how it is judged (docs/explain/how-claims-are-judged.md).
enum class ClaimKind { order, ratio, trend, shape, slope, crossing, argmin, absolute };
std::string to_string(ClaimKind kind);

/// The deciding cause in the paper's explanation: memory (caches, bandwidth, layouts), the number
/// of operations, or only the order of times.
enum class About { unsaid, memory, work, order };
std::string to_string(About about);

struct Claim {
  std::string id;
  ClaimKind kind = ClaimKind::absolute;
  std::string text;
  std::string metric = "wall_ns";  ///< by name: see metric.hpp
  std::string along;               ///< argmin, slope, crossing: the axis
  std::vector<Selector> order;     ///< order: slowest first
  Selector numerator;              ///< ratio, crossing
  Selector denominator;
  Selector where;  ///< restricts every kind
  std::vector<Statement> statements;
  std::vector<ShownCell> cells;
  PaperValue paper;
  /// It judges the purpose of the stand-in. It is a check of the stand-in, and no verdict on the
  /// paper, until the paper's own data are measured.
  bool checks_stand_in = false;
  double rival = 1;  ///< ratio: the value that the sentence denies; slope: its exponent
  About about = About::unsaid;
  std::string sentence;  ///< the paper's own, in English
};

struct Exclude {
  Selector where;
  std::string why;
};

/// The changes of `--quick`: fewer queries, samples and axis values; never fewer blocks.
struct QuickForm {
  std::optional<std::uint64_t> query_count;
  std::optional<std::uint64_t> sample_count;
  std::optional<double> seconds_per_process;
  std::vector<StandIn> stand_ins;  ///< replace the experiment's, if its graphs differ
  std::vector<Axis> axes;
};

struct Experiment {
  std::string id;
  std::string title;
  std::string paper_key;
  std::string paper_item;
  std::optional<std::uint64_t> paper_query_count;
  std::string citation;       ///< from paper.toml beside the file
  std::string paper_machine;  ///< from paper.toml
  std::vector<std::string> variants;
  std::string problem;
  QueryRule queries;
  std::vector<Axis> axes;
  std::vector<Exclude> excludes;
  std::string placement = "core:0";
  std::uint64_t process_count = 1;
  std::uint64_t rank_count = 1;
  std::string launcher;  ///< words that start ranks (`mpirun -n {ranks}`); "" for no ranks
  std::string frequency = machine::kUnchanged;
  machine::Pages pages = machine::Pages::huge;  ///< of all cells alike
  std::size_t block_count = 6;
  bool states_block_count = false;  ///< else its claims decide the number
  std::size_t sample_count = 30;
  double seconds_per_process = 2;
  double timeout_s = 600;
  bool memory = false;
  bool energy = false;  ///< of all cells; cells on a GPU always have it
  std::vector<std::string> counters;
  std::vector<std::string> profiles;  ///< profilers, each in a pass of its own
  bool diagnose = false;              ///< find the variant's bottleneck (verdict/diagnosis.hpp)
  Selector baseline;
  std::string baseline_variant = {};  ///< canonical; by the command line alone
  QuickForm quick;
  std::vector<StandIn> stand_ins;  ///< none: the paper's own data
  std::string stand_in = {};       ///< of a plan: its replacements for stated settings
  Json figure;  ///< for analysis/, passed on as it is; a list where several; null when none
  std::vector<Claim> claims;
  std::vector<external::Program> programs;  ///< other people's programs of its variants
  std::vector<std::string> program_files;   ///< files that define some of them
  std::string name;                         ///< the file's name in errors
  std::string text;                         ///< the file's own text: results carry it
};

/// Larger numbers than these are typing errors, and would only fail during a run.
inline constexpr std::uint64_t kMostBlocks = 10'000;
inline constexpr std::uint64_t kMostSamples = 1'000'000;
inline constexpr std::uint64_t kMostQueries = 10'000'000;
inline constexpr std::uint64_t kMostProcesses = 10'000;
inline constexpr std::uint64_t kMostRanks = 1'000'000;
inline constexpr double kLongestSeconds = 1e9;

/// The rules under which a text was written. Statements of older texts have bounds without a
/// reason.
enum class Rules { of_this_build, older };

/// Parses an experiment. `name` is the text's name in errors. Throws InputError with `file:line`,
/// the wrong key and the nearest known key.
Experiment parse_experiment(const std::string& text, const std::string& name,
                            Rules rules = Rules::of_this_build);

/// Reads one `.toml` file; `paper.toml` in the same folder adds citation and machine.
Experiment read_experiment(const std::filesystem::path& file);

/// The claims of papers, a short sentence for each claim (`yasui2011/Y3`), from every `paper.toml`
/// that came with Bellmark.
std::map<std::string, std::string> paper_sentences();

/// The programs of the `peers` folders that came with Bellmark, made into families. Starts nothing.
std::vector<external::Program> installed_programs();

/// True if a file came with Bellmark, and so may name programs to start.
bool is_installed(const std::filesystem::path& file);

/// The files of a reference: a file, or a folder's experiments in name order, without paper.toml. A
/// path that doesn't exist is looked up in the experiments folder of the source tree or beside the
/// executable. It may be a file or an id: `yasui2011`, `yasui2011/table4`, `yasui2011/T4`. Throws
/// InputError with the nearest known name. A claim's name gets the experiments that test it.
std::vector<std::filesystem::path> find_experiments(const std::string& reference);

/// Whether the experiment's file has this path (`axes.arity`).
bool states(const Experiment& experiment, const std::string& path);

/// `file:line` of a path in the experiment's file (`claim[0].where.arity`), or of the table around
/// it if the path isn't there. With a `value` it is the line of that element of a list. "experiment
/// 'ID'" where no file states the experiment.
std::string place_of(const Experiment& experiment, const std::string& path,
                     const std::string& value = {});

/// A value of an axis as people write it: strings without quotes.
std::string axis_text(const AxisValue& value);

}  // namespace bellmark::plan
