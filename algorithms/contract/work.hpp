// The work of a query's run, as far as it is known: rates are made of it.
#pragma once

#include <cstdint>

namespace bellmark {

/// Each is 0 where nothing is said of it. It is the work that the problem calls for, or that the
/// algorithm does. Whoever declares it says which of the two.
struct Work {
  std::uint64_t bytes = 0;       ///< read or written: bytes a second
  std::uint64_t operations = 0;  ///< additions, multiplications, comparisons: operations a second
  std::uint64_t items = 0;       ///< of the things that the problem has many of: items a second
};

}  // namespace bellmark
