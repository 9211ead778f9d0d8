// From an experiment and the command line's changes to cells, groups and an estimate.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/contract/registry.hpp"
#include "harness/machine/memory_policy.hpp"
#include "harness/machine/topology.hpp"
#include "harness/measure/sampler.hpp"
#include "harness/measure/start.hpp"
#include "harness/plan/experiment.hpp"

namespace bellmark::plan {

/// The number of queries in the pass of visits, if there are enough. So eight other queries lie
/// between two visits to one query, and nine pairs have an interval.
inline constexpr std::uint64_t kVisitedQueries = 9;

/// The `index`-th (from 1) of `count` disjoint parts of an experiment's cells.
struct Shard {
  std::size_t index = 1;
  std::size_t count = 1;

  std::string text() const { return std::to_string(index) + "/" + std::to_string(count); }
};

/// A build of Bellmark whose worker measures cells, in place of this program's own worker.
struct Build {
  std::string name;     ///< the requested name, `v1` or a folder; a value of the axis `build`
  std::string program;  ///< path of its `bellmark`
  Json facts;           ///< its sources: the result's `provenance.builds`
};

/// The command line's changes. They are stored with the run, so that `resume` plans the same cells.
struct Options {
  std::string form = "full";  ///< full | quick | smoke
  std::vector<std::string> variants;
  std::vector<std::string> graphs;   ///< or inputs of another kind
  std::string input_axis = "graph";  ///< the axis that `graphs` gives values to; of the problem
  std::vector<std::string> placements;
  std::vector<Axis> axes;
  std::vector<std::string> counters;
  std::vector<std::string> profiles;
  std::optional<std::uint64_t> query_count;
  std::optional<std::uint64_t> seed;
  std::optional<double> budget_s;
  std::optional<double> timeout_s;
  std::string launcher;               ///< in place of the experiment's
  std::vector<std::string> baseline;  ///< replaces the experiment's: AXIS=VALUE, or a variant
  std::string pages;                  ///< likewise; "" for the experiment's
  std::string prepared;               ///< folder of prepared files; "" for none
  std::optional<Shard> shard;
  std::vector<Build> builds = {};          ///< each measures all cells; the first is the baseline
  std::optional<double> least_ratio = {};  ///< the least ratio that counts as a difference: 1.03
  bool energy = false;                     ///< also of cells that need no GPU
  bool force = false;                      ///< go on when a worker can't be pinned
  bool until_decided = false;              ///< more blocks while a claim is inconclusive

  Json to_json() const;
  static Options from_json(const Json& json);
};

/// One point of an experiment.
struct Cell {
  std::string id;       ///< 16 hexadecimal digits of its settings, never of its order
  std::string label;    ///< the axes that vary: `arity=4`; else the variant, without its defaults
  std::string variant;  ///< canonical; `auto` values unresolved
  std::string first_name;  ///< the variant's Registry::first_name(), for the id
  std::string pattern;     ///< its pattern among the experiment's `variants`
  Json axes;               ///< axis -> value
  std::string graph;       ///< the input's reference, with the values of axes that it mentions
  std::optional<StandInClass> stand_in_class;  ///< of its graph; nothing where none is stated
  std::string placement;                       ///< plain word for this cell alone: `core:1`
  std::size_t process_count = 1;
  std::size_t rank_count = 1;
  std::vector<std::string> launcher;  ///< words that start its ranks; none: it runs in one process
  std::string frequency = machine::kUnchanged;
  machine::Pages pages = machine::Pages::huge;
  std::string memory = machine::kSystemMemory;  ///< where it lies (machine/memory_policy.hpp)
  measure::Start start = measure::Start::as_left;
  /// Why there is no such place, clock or memory here, or why so many ranks can't search; "" when
  /// nothing is missing.
  std::string unmet;
  std::optional<std::size_t> build = {};  ///< index of its build; none: our own
  bool needs_cuda = false;
  bool batch = false;  ///< the variant answers all queries of a pass at once
};

/// Cells that are measured together: same graph, place, clock, memory and build. Each block has one
/// process for them, or one launch of their number of ranks. A cell of several processes has a
/// group of its own.
struct Group {
  std::string graph;
  std::string placement;
  std::size_t process_count = 1;
  std::size_t rank_count = 1;
  std::vector<std::string> launcher;
  std::string frequency = machine::kUnchanged;
  std::vector<std::size_t> cells;
  std::optional<std::size_t> build = {};  ///< of all its cells: a process is one program's
  /// The baseline among its cells that is measured twice in each block. It shows the least ratio
  /// that this run can tell from 1. Each placement has one such group.
  std::optional<std::size_t> twice = {};
  machine::Pages pages = machine::Pages::huge;
  std::string memory = machine::kSystemMemory;
};

struct Plan {
  Experiment
      experiment;  ///< with the form and the options applied; its stand-in lists the differences
  Options options;
  std::vector<Cell> cells;
  std::vector<Group> groups;
  std::size_t block_count = 6;
  /// Cells that are measured in as many blocks again, after all other cells. The first blocks chose
  /// them, and the fresh blocks judge them.
  std::vector<std::size_t> fresh_cells = {};
  /// The first block beyond the plan. A journal of more looks has later blocks.
  std::size_t end_block() const { return fresh_cells.empty() ? block_count : 2 * block_count; }
  /// Times of phases judge a claim, so they are measured in each block, too.
  bool phases_each_block = false;
  measure::StopRule stop_rule;
  /// The parts that quick, smoke, the command line, a budget, a shard or an exclude left out or
  /// replaced.
  std::vector<std::string> cuts;
  double estimated_s = 0;  ///< from the graphs' expected sizes

  /// The cells that a selector picks, in plan order.
  std::vector<const Cell*> find(const Selector& selector) const;

  /// The cells that the experiment's baseline picks, in plan order; none where it has none.
  std::vector<const Cell*> baselines() const;

  /// The cell that a cell is compared with. The candidates are the cells that the experiment's
  /// `baseline` picks, or each graph's first cell if there is no baseline. The first candidate that
  /// shares the most axes with the cell is taken. Where builds are compared, it is the same cell of
  /// the first build.
  const Cell& baseline_of(const Cell& cell) const;
};

/// Makes the plan of an experiment.
///
/// With a shard, the plan has only that shard's cells, and none if there are too many shards. Cells
/// that share a baseline stay together, because a ratio needs cells that were measured side by
/// side. Shards have about equal numbers of cells, and depend only on the request. A budget holds
/// for each shard, and cuts the queries of all shards alike.
///
/// Throws InputError for an unknown variant, key, place or counter group, and for a pattern without
/// its axis. Also when no cells are left, when the file's axes lack the baseline, and for ranks
/// without a launcher.
Plan make_plan(Experiment experiment, const Options& options, const machine::Topology& topology);

/// An experiment without a file: variants of the command line, compared on graphs.
Experiment adhoc_experiment(const std::vector<std::string>& variants);

/// A launcher's words, with the number of ranks in place of `{ranks}`, which must be there. No
/// shell reads the words. Throws InputError.
std::vector<std::string> launcher_words(const std::string& launcher, std::size_t rank_count);

/// `8m`, `90s`, `1h`, `45` (seconds). Throws InputError.
double parse_duration(const std::string& text);

/// `2/4`. Throws InputError.
Shard parse_shard(const std::string& text);

/// `key=[2:32:x2]`, `key=[1:9:2]`, `key=2..8`, `key=2,4,8`, `key=word`. Throws InputError, also on
/// a value that occurs twice.
Axis parse_axis(const std::string& text);

}  // namespace bellmark::plan
