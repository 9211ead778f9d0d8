// A stored result, measured again: its experiment and settings planned here.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "harness/run/session/session.hpp"

namespace bellmark::run {

/// What may be otherwise than in the result.
struct ReplicaChanges {
  bool quick = false;
  std::optional<double> budget_s;
  std::string launcher;  ///< of ranks; that of a result is never started
  bool force = false;
  bool allow_commands = false;  ///< start other people's programs that the result defines
};

struct Replica {
  plan::Experiment experiment;
  plan::Options options;
  std::optional<Prepared> prepared;            ///< nothing where no cell can be measured here
  std::map<std::string, std::string> missing;  ///< graph, as cells have it -> why it is not used
};

/// Plans what the result measured, and probes it. Results hold the experiment's text, and older
/// ones no options: of the settings that could have been, those are taken that give most of its
/// cells, whose ids are made of what they are. A graph that is not here, or is another one, is left
/// out. Throws InputError for a result that can't be planned here, with `name` for the result.
Replica prepare_replica(const Json& result, const std::string& name, const ReplicaChanges& changes);

}  // namespace bellmark::run
