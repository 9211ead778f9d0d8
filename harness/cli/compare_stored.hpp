// Two stored results, or folders of them, against each other.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"

namespace bellmark::cli {

struct StoredComparison {
  std::string before;  ///< a result, or a folder of some
  std::string after;
  std::optional<double> least_ratio;  ///< from which on a difference counts
  bool across_machines = false;
  bool strict = false;
};

/// Prints it. Of two folders the experiments that both have are compared. Throws InputError where
/// nothing is shared, and where machine, GPU, compiler or graph differ, unless that was allowed.
ExitCode compare_stored(const StoredComparison& asked);

}  // namespace bellmark::cli
