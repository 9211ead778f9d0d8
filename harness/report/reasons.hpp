// Why cells have no time, or no verdict.
#pragma once

#include <string>
#include <vector>

namespace bellmark::report {

/// Each reason once, and those that differ in numbers with a count.
class Reasons {
 public:
  void add(const std::string& label, const std::string& reason);
  /// A line each; "" where there are none.
  std::string text() const;

 private:
  struct Reason {
    std::vector<std::string> texts = {};
    std::vector<std::string> labels = {};
  };
  std::vector<Reason> reasons_;
};

}  // namespace bellmark::report
