#include "algorithms/searches/bellman_ford/options.hpp"

#include <algorithm>
#include <limits>

#include "base/error.hpp"

namespace bellmark::bellman_ford {
namespace {

constexpr std::uint64_t kNoBound = std::numeric_limits<std::uint64_t>::max();

std::uint64_t product(std::uint64_t a, std::uint64_t b) {
  return b != 0 && a > kNoBound / b ? kNoBound : a * b;
}

/// The distance of a length above 0; 0 for one below.
std::uint64_t above_zero(std::int64_t length) {
  return length > 0 ? static_cast<std::uint64_t>(length) : 0;
}

/// The largest label also says that a vertex is unreached.
template <class Label>
bool fits(std::uint64_t bound) {
  return bound < static_cast<std::uint64_t>(std::numeric_limits<Label>::max());
}

}  // namespace

std::uint64_t label_bound(const Graph& graph, Detection detection) {
  const std::uint64_t n = graph.vertex_count();
  const std::uint64_t rise = above_zero(graph.properties().largest_length);
  const std::uint64_t fall = above_zero(-std::int64_t{graph.properties().least_length});
  const std::uint64_t rows = detection == Detection::count ? product(n, n) : 2 * n;
  return std::max(product(n, rise), product(rows, fall));
}

std::string resolve_distance(const std::string& wanted, const Graph& graph, Detection detection) {
  const std::uint64_t bound = label_bound(graph, detection);
  if (wanted != "64" && fits<std::int32_t>(bound)) return "32";
  if (wanted != "32" && fits<std::int64_t>(bound)) return "64";
  const bool counts = detection == Detection::count;
  const std::string figure = bound == kNoBound ? "2^64 or more" : std::to_string(bound);
  const char* const rule = counts ? "max(n*C, n*n*c)" : "max(n*C, 2*n*c)";
  const char* const remedy = wanted == "32" ? "use distance=64 or distance=auto"
                             : counts       ? "use detection=predecessor-cycle"
                                            : "use a smaller graph or shorter lengths";
  throw InputError("distance=" + wanted,
                   "sums may reach " + figure + " (" + rule + " for lengths from -c to C), and " +
                       (wanted == "32" ? "32" : "64") + " bits hold less",
                   remedy);
}

Key distance_key() {
  return word_key("distance", "auto", {"auto", "32", "64"}, "Bits of a distance label");
}

}  // namespace bellmark::bellman_ford
