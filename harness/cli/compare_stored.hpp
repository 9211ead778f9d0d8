// Compares two stored results, or folders of them.
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
  std::optional<double> least_ratio;  ///< the least ratio that counts as a difference
  bool across_machines = false;
  bool strict = false;
};

/// Prints the comparison. For two folders, it compares the experiments that both have. Throws
/// InputError if they share nothing, and if machine, GPU, compiler or graph differ without
/// permission.
ExitCode compare_stored(const StoredComparison& asked);

}  // namespace bellmark::cli
