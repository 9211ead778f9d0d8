// What the run of a query does, as far as that is known: rates are made of it.
#pragma once

#include <cstdint>

namespace bellmark {

/// Each is 0 where nothing is said of it. It is what the problem calls for, or what the algorithm
/// does; whoever declares it says which.
struct Work {
  std::uint64_t bytes = 0;       ///< read or written: bytes a second
  std::uint64_t operations = 0;  ///< additions, multiplications, comparisons: operations a second
  std::uint64_t items = 0;       ///< of whatever the problem has many of: items a second
};

}  // namespace bellmark
