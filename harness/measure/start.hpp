// What is done, untimed, right before a timed run.
#pragma once

#include <string>
#include <string_view>

namespace bellmark::measure {

enum class Start {
  as_left,  ///< nothing: caches are as the run before left them, mostly another cell's
  hot,      ///< the same query has just run
  cold,     ///< other data lies in the caches of the cores and of the GPU
  idle      ///< cores and GPU have had nothing to do for kIdleMilliseconds
};

inline constexpr int kIdleMilliseconds = 50;

std::string to_string(Start start);
/// Throws InputError with the names that there are.
Start start_of(std::string_view name);

}  // namespace bellmark::measure
