// The expected size of a graph, before it is opened.
#pragma once

#include <optional>
#include <string>

namespace bellmark {

struct ExpectedSize {
  double count = 0;         ///< vertices and arcs together
  double open_ns_each = 0;  ///< opening time for each of them
};

/// From a formula's keys, or from the size of a file: right within a half. Nothing for a reference
/// that can't be read, and for a missing file. Opens no graph.
std::optional<ExpectedSize> expected_size(const std::string& reference);

}  // namespace bellmark
