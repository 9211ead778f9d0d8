// The state of caches and cores right before a timed run, which is prepared untimed.
#pragma once

#include <string>
#include <string_view>

namespace bellmark::measure {

enum class Start {
  as_left,  ///< as the run before left the caches, mostly another cell's
  hot,      ///< the same query has just run
  cold,     ///< other data lies in the caches of the cores and of the GPU
  idle      ///< cores and GPU were idle for kIdleMilliseconds
};

inline constexpr int kIdleMilliseconds = 50;

std::string to_string(Start start);
/// Throws InputError that lists the names.
Start start_of(std::string_view name);

}  // namespace bellmark::measure
