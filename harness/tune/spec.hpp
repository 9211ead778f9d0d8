// The experiments that a tuning runs, as the text of experiment files.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/machine/pages.hpp"
#include "harness/tune/objective.hpp"
#include "harness/tune/time_model.hpp"

namespace bellmark::tune {

/// One comparison: the first variant is the baseline.
struct Spec {
  std::string id;
  std::string title;
  std::vector<std::string> variants;
  std::string problem;
  std::string graph;
  std::string placement;
  std::uint64_t seed = 0;
  Effort effort;
  double timeout_s = 600;
  machine::Pages pages = machine::Pages::huge;
  Objective objective = Objective::time;  ///< measured in passes of its own, unless it is time
  std::vector<std::string> program_files = {};  ///< files that define the variants' programs
};

/// An experiment that `bellmark run` takes: a run of it can be resumed like any other.
std::string experiment_text(const Spec& spec);

/// The origin of a tuned experiment, for its head.
struct Origin {
  std::string verdict;   ///< the held-out comparison in one line
  std::string training;  ///< how many candidates, runs and queries, and their seed
  std::string machine;
  std::string graph;  ///< reference and digest
  std::string software;
  std::string command;
  std::string date;  ///< of the held-out run; handed in, so that equal findings give equal text
};

/// The beginning of every tuned_text().
inline constexpr std::string_view kTunedBeginning = "# Found by `bellmark tune`: ";

/// experiment_text() below a head of comments.
std::string tuned_text(const Spec& spec, const Origin& origin);

}  // namespace bellmark::tune
