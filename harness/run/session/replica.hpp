// A second measurement of a stored result: its experiment and settings, planned here.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "harness/run/session/session.hpp"

namespace bellmark::run {

/// Settings that may differ from the result's.
struct ReplicaChanges {
  bool quick = false;
  std::optional<double> budget_s;
  std::string launcher;  ///< of ranks; a result's launcher is never started
  bool force = false;
  bool allow_commands = false;  ///< start other people's programs that the result defines
};

struct Replica {
  plan::Experiment experiment;
  plan::Options options;
  std::optional<Prepared> prepared;            ///< nothing where no cell can be measured here
  std::map<std::string, std::string> missing;  ///< graph, as cells have it -> why it is not used
};

/// Plans the result's cells, and probes them. Results hold the experiment's text, but older ones
/// lack options. The options that give most of the result's cells are taken: the ids of cells
/// follow from their settings. Graphs that are missing here, or differ, are left out. Throws
/// InputError for a result that can't be planned here; messages call it `name`.
Replica prepare_replica(const Json& result, const std::string& name, const ReplicaChanges& changes);

}  // namespace bellmark::run
