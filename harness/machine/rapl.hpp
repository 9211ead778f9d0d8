// Energy of this machine's CPUs: RAPL counters as Linux shows them under powercap.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/machine/files.hpp"

namespace bellmark::machine {

/// The packages' energy counters. Each package is counted whole: other programs' work and what idle
/// cores take is in it. Also of AMD processors, which Linux shows under the same name.
class Rapl {
 public:
  explicit Rapl(FileRoot root = {});

  /// Joules of all packages together since it was made, or why that is unknown. Counters begin
  /// again at their end, so it must be asked within one round of each: a quarter of an hour at 300
  /// W of the usual range.
  std::optional<double> energy_j();
  /// Why there is no value; "" when there is one.
  const std::string& reason() const { return reason_; }

 private:
  struct Package {
    std::string folder;
    long long range_uj = 0;
    long long last_uj = 0;
    double sum_uj = 0;
  };

  /// The counter now; nothing, and a reason, when it can't be read.
  std::optional<long long> read(const Package& package);

  FileRoot root_;
  std::vector<Package> packages_;
  std::string reason_;
};

}  // namespace bellmark::machine
