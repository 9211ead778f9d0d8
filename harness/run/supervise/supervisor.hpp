// The supervisor: turns a plan into finished replicates, whatever workers do.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/run/supervise/journal.hpp"
#include "harness/run/supervise/run_folder.hpp"
#include "harness/run/supervise/task.hpp"

namespace bellmark::run {

/// A cell that gave no time, and why.
struct NotMeasured {
  std::size_t cell;
  std::string code;  ///< unmet-need | not-built | bad-setting | wrong-answer | crash | timeout |
                     ///< interrupted
  std::string reason;
};

/// Of a workload that could not be opened: the digest is null, with the `reason`, and there are no
/// queries.
struct WorkloadFacts {
  std::string graph;
  Json facts;
  std::size_t query_count = 0;
  std::string query_digest;
  std::vector<std::string> first_queries;
};

/// What is known before anything is measured.
struct Probe {
  std::vector<WorkloadFacts> workloads;
  std::vector<std::string> resolved;  ///< per cell: canonical name with `auto` values resolved
  std::vector<NotMeasured> not_measured;
};

/// Opens every workload once, checks it whole (a mapped file's digest too), resolves names and
/// finds unmet needs. Workloads of ranks are opened by ranks, once for each number of them and
/// place. Throws InputError for a graph or query rule that can't be opened, and for a launcher that
/// isn't there.
Probe probe(const plan::Plan& plan);

/// Notes in the folder what a run measures: graphs, queries, cells, this build and host; a resumed
/// run is compared with what it began with. Returns what readers of its times must know: other
/// builds or hosts that had a part. Throws InputError when a graph or its queries are others now.
std::vector<std::string> note_beginning(const RunFolder& folder, const plan::Plan& plan,
                                        const Probe& probe);

/// What was noted last of the run's workloads and cells, for who measures nothing more: opening
/// graphs can take as long as measuring. Throws InputError where nothing was, on another host, and
/// where the plan has other cells here.
Probe noted_probe(const RunFolder& folder, const plan::Plan& plan);

/// Told of progress; the console draws it.
class Progress {
 public:
  virtual ~Progress() = default;
  /// `finished` of `total` replicates; `remaining_s` when it can be told.
  virtual void replicate(const Task& task, std::size_t finished, std::size_t total,
                         std::optional<double> remaining_s) = 0;
  /// Running estimates: cell id -> nanoseconds of a query.
  virtual void estimate(const std::map<std::string, double>& query_ns) = 0;
  virtual void problem(const std::string& text) = 0;
};

struct Supervised {
  std::vector<NotMeasured> not_measured;
  std::vector<std::string> cuts;  ///< what the time budget left out
  bool interrupted = false;
  std::string finished;  ///< when interrupted: "3 of 14 replicates"
};

/// Runs every task that the journal doesn't hold yet. A cell that answers wrongly, crashes or hangs
/// is recorded and left out from then on; the others go on. Returns early when interrupted; throws
/// MachineError when the machine fails us (the run can be resumed).
Supervised supervise(const plan::Plan& plan, const Probe& probe, const RunFolder& folder,
                     Journal& journal, Progress& progress,
                     const std::function<bool()>& interrupted);

}  // namespace bellmark::run
