// What can be said before a run of cells that it could not measure.
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
  /// Of a cell of that variant, whose name is left out of the reason.
  void add(const std::string& variant, const std::string& reason);
  /// Lines of text; "" when all can be.
  std::string text(std::size_t cell_count) const;

 private:
  std::map<std::string, std::size_t> counts_;
};

struct Foresight {
  Reasons reasons;
  std::vector<std::string> unopened;  ///< inputs that are too large to be looked into for a plan
};

/// Without measuring, and opening no more than what opens in a moment. Throws InputError, with file
/// and line, on an input that can't be opened at all.
Foresight foresee(const plan::Plan& plan);

}  // namespace bellmark::run
