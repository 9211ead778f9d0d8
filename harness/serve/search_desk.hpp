// /api/search: the vertices that a variant settles, in order. One search at a time, on a thread of
// its own, so that a variant's preparations keep no worker from its requests.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "algorithms/searches/served/watched_variants.hpp"
#include "harness/serve/service.hpp"

namespace bellmark::serve {

class SearchDesk {
 public:
  using Respond = std::function<void(Answer)>;

  /// `service` must outlive it. `stop` ends a search.
  SearchDesk(const Service& service, const std::atomic<bool>& stop);
  /// Waits for the running search, which the stop ends.
  ~SearchDesk();
  SearchDesk(const SearchDesk&) = delete;
  SearchDesk& operator=(const SearchDesk&) = delete;

  /// False if another search runs. Otherwise `respond` is called later, on another thread.
  bool take(std::string body, Respond respond);

 private:
  /// A variant that is prepared for a map. The last few are kept.
  struct Prepared {
    std::string key;
    std::unique_ptr<served::WatchedVariant> variant;
    double prepare_ms;
  };

  void work();
  Answer answer(const std::string& body);
  Prepared& prepared(const Map& map, Metric metric, const std::string& variant);

  const Service& service_;
  const std::atomic<bool>& stop_;
  std::deque<Prepared> prepared_;  ///< the last used in front
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_ending_ = false;
  bool is_busy_ = false;
  std::string body_;
  Respond respond_;
  std::thread thread_;
};

}  // namespace bellmark::serve
