// Requests and their times, by path.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#include "harness/serve/request_json.hpp"

namespace bellmark::serve {

/// For one thread.
class Latencies {
 public:
  void add(const std::string& path, unsigned status, double ms);
  Json requests() const;  ///< by path: count, p50_ms, p99_ms, most_ms
  Json answers() const;   ///< by status: count

 private:
  static constexpr std::size_t kKept = 4096;
  struct OfPath {
    std::uint64_t count = 0;
    double most_ms = 0;
    std::array<float, kKept> last{};  ///< a ring
  };

  std::map<std::string, OfPath> paths_;
  std::map<unsigned, std::uint64_t> statuses_;
};

}  // namespace bellmark::serve
