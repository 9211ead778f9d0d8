// The number of a family's compile-time instances that are built: the CMake option
// BELLMARK_INSTANCES.
#pragma once

#include <array>
#include <cstddef>

namespace bellmark {

/// smoke: at most 15 a family; paper: at most 99, those of the paper's experiments; full: all.
enum class Instances { smoke, paper, full };

#if defined(BELLMARK_INSTANCES_full)
inline constexpr Instances kInstances = Instances::full;
#elif defined(BELLMARK_INSTANCES_smoke)
inline constexpr Instances kInstances = Instances::smoke;
#else
inline constexpr Instances kInstances = Instances::paper;
#endif

/// The array of the types that `list(add)` adds, in that order. `list` is a lambda without
/// captures. It is called once to count and once to fill the array.
template <class Options, class List>
constexpr auto built_by(List) {
  constexpr std::size_t kCount = [] {
    std::size_t count = 0;
    List{}([&](const Options&) { ++count; });
    return count;
  }();
  std::array<Options, kCount> built{};
  std::size_t next = 0;
  List{}([&](const Options& options) { built[next++] = options; });
  return built;
}

}  // namespace bellmark
