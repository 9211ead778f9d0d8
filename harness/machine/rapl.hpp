// Energy of this machine's CPUs: RAPL counters, which Linux shows under powercap.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/machine/files.hpp"

namespace bellmark::machine {

/// The packages' energy counters. Each package is counted whole, with other programs' work and the
/// draw of idle cores. Linux shows AMD processors' counters under the same name.
class Rapl {
 public:
  explicit Rapl(FileRoot root = {});

  /// Joules of all packages together from its construction on, or why they are unknown. Counters
  /// begin again at their end, so it must be called within one round of each. With the usual range,
  /// a round lasts a quarter of an hour at 300 W.
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

  /// The counter's present value; nothing, and a reason, when it can't be read.
  std::optional<long long> read(const Package& package);

  FileRoot root_;
  std::vector<Package> packages_;
  std::string reason_;
};

}  // namespace bellmark::machine
