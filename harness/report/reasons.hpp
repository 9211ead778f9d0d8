// Why cells have no time, or no verdict.
#pragma once

#include <string>
#include <vector>

namespace bellmark::report {

/// Each reason once. Reasons that differ only in numbers have a count.
class Reasons {
 public:
  void add(const std::string& label, const std::string& reason);
  /// A line for each reason; "" if there are none.
  std::string text() const;

 private:
  struct Reason {
    std::vector<std::string> texts = {};
    std::vector<std::string> labels = {};
  };
  std::vector<Reason> reasons_;
};

}  // namespace bellmark::report
