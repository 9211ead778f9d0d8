#include "harness/serve/latencies.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace bellmark::serve {
namespace {

double rounded(double ms) { return std::round(ms * 1000) / 1000; }

/// The least value that at least this share of all values does not exceed.
double quantile(const std::vector<float>& sorted, double share) {
  const auto rank = static_cast<std::size_t>(std::ceil(share * static_cast<double>(sorted.size())));
  return rounded(sorted[std::max<std::size_t>(rank, 1) - 1]);
}

}  // namespace

void Latencies::add(const std::string& path, unsigned status, double ms) {
  OfPath& of_path = paths_[path];
  of_path.last[of_path.count++ % kKept] = static_cast<float>(ms);
  of_path.most_ms = std::max(of_path.most_ms, ms);
  ++statuses_[status];
}

Json Latencies::requests() const {
  Json json = Json::object();
  for (const auto& [path, of_path] : paths_) {
    std::vector<float> sorted(
        of_path.last.begin(),
        of_path.last.begin() +
            static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(of_path.count, kKept)));
    std::ranges::sort(sorted);
    json[path] = Json{{"count", of_path.count},
                      {"p50_ms", quantile(sorted, 0.5)},
                      {"p99_ms", quantile(sorted, 0.99)},
                      {"most_ms", rounded(of_path.most_ms)}};
  }
  return json;
}

Json Latencies::answers() const {
  Json json = Json::object();
  for (const auto& [status, count] : statuses_) json[std::to_string(status)] = count;
  return json;
}

}  // namespace bellmark::serve
