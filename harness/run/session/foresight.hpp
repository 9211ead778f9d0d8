// Finds cells that a run could not measure, before the run.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "harness/plan/plan.hpp"

namespace bellmark::run {

/// Why cells can't be measured, each reason with the number of its cells.
class Reasons {
 public:
  /// Adds a reason of a cell of the variant. The variant's name is left out of the reason.
  void add(const std::string& variant, const std::string& reason);
  /// Lines of text; "" when all cells can be measured.
  std::string text(std::size_t cell_count) const;

 private:
  std::map<std::string, std::size_t> counts_;
};

struct Foresight {
  Reasons reasons;
  std::vector<std::string> unopened;  ///< inputs that are too large to open for a plan
};

/// Measures nothing, and opens only inputs that open in a moment. Throws InputError, with file and
/// line, on an input that can't be opened at all.
Foresight foresee(const plan::Plan& plan);

}  // namespace bellmark::run
