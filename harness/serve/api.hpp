// Passes a request to its handler: the paths, their methods, and the counts.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <string>

#include "harness/serve/answer.hpp"
#include "harness/serve/latencies.hpp"
#include "harness/serve/page_files.hpp"
#include "harness/serve/search_desk.hpp"
#include "harness/serve/service.hpp"
#include "harness/serve/workers.hpp"

namespace bellmark::serve {

/// The HTTP server counts them, and this reads them.
struct Connections {
  std::size_t open = 0;
  std::size_t limit = 0;
  std::uint64_t refused = 0;
};

/// Only the HTTP server's thread calls its functions.
class Api {
 public:
  /// All arguments must outlive it.
  Api(Service& service, Workers& workers, SearchDesk& searches, const PageFiles& page,
      const Connections& connections);

  /// Answers at once or later. `respond` may be called on any thread.
  void handle(Request request, const Respond& respond);

  /// Counts an answer that has left under `path`, the path of handle().
  void count(const std::string& path, unsigned status, double ms);
  /// The path under which a target is counted: a known path, or `other`.
  static std::string counted_path(const std::string& target);

  /// Requests are answered to the end, but health says that no more should come.
  void set_stopping() { is_stopping_ = true; }

 private:
  Answer health() const;
  Answer counts() const;
  Answer page(const Request& request, const std::string& path) const;

  Service& service_;
  Workers& workers_;
  SearchDesk& searches_;
  const PageFiles& page_;
  const Connections& connections_;
  Latencies latencies_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  bool is_stopping_ = false;
};

}  // namespace bellmark::serve
