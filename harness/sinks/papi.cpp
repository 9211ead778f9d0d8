// Hardware and perf counters through PAPI.
#include "harness/sinks/papi.hpp"

#include <algorithm>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <utility>

#include "harness/sinks/uncounted.hpp"

#if BELLMARK_HAVE_PAPI
#include <papi.h>
#include <pthread.h>
#include <unistd.h>

#include "harness/machine/environment.hpp"
#endif

namespace bellmark::sinks {
namespace {

#if BELLMARK_HAVE_PAPI

std::string message_of(int code) {
  const char* const text = PAPI_strerror(code);
  return text == nullptr ? "error " + std::to_string(code) : text;
}

/// Starts PAPI once in each process; "" or why it can't run.
const std::string& papi_failure() {
  static const std::string failure = [] {
    const int version = PAPI_library_init(PAPI_VER_CURRENT);
    if (version != PAPI_VER_CURRENT) {
      return "PAPI cannot start: " +
             (version > 0 ? "the library is of another version than papi.h" : message_of(version));
    }
    const int code = PAPI_thread_init([] { return static_cast<unsigned long>(pthread_self()); });
    return code == PAPI_OK ? std::string() : "PAPI cannot tell threads apart: " + message_of(code);
  }();
  return failure;
}

/// Why an event can't be added, with a remedy.
std::string refusal(const std::string& event, int code) {
  if (code == PAPI_ECNFLCT || code == PAPI_ECOUNT) {
    return "does not fit the hardware counters beside the group's other events: " +
           message_of(code);
  }
  const int component = PAPI_get_component_index("perf_event");
  const PAPI_component_info_t* const info =
      component < 0 ? nullptr : PAPI_get_component_info(component);
  if (info != nullptr && info->disabled != 0) {
    return std::string("PAPI component perf_event is off: ") + info->disabled_reason;
  }
  const bool is_software = event.starts_with("perf::");
  if (!is_software && machine::cpu_pmus().empty()) {
    return "no PMU: the kernel shows no CPU counter unit (PAPI component perf_event: " +
           message_of(code) + ")";
  }
  return "PAPI component perf_event: " + message_of(code);
}

/// Event sets are made and ended by one thread at a time. ThreadSanitizer can't see PAPI's own
/// locks, and nothing is timed there.
std::mutex& sets_mutex() {
  static std::mutex mutex;
  return mutex;
}

/// The counters of one thread.
class ThreadCounters {
 public:
  /// `thread` 0: the calling one. `reasons` gets for each event why it is not counted.
  ThreadCounters(const Group& group, pid_t thread, std::vector<std::string>& reasons) {
    const std::lock_guard lock(sets_mutex());
    int created = PAPI_create_eventset(&set_);
    if (created == PAPI_OK && thread != 0) created = attach(thread);
    for (std::size_t i = 0; i < group.events.size(); ++i) {
      int code = created;
      if (code == PAPI_OK) code = PAPI_add_named_event(set_, group.events[i].name.c_str());
      if (code == PAPI_OK) {
        counted_.push_back(i);
      } else if (reasons[i].empty()) {
        reasons[i] = refusal(group.events[i].name, code);
      }
    }
  }
  ThreadCounters(const ThreadCounters&) = delete;
  ThreadCounters& operator=(const ThreadCounters&) = delete;
  ~ThreadCounters() {
    const std::lock_guard lock(sets_mutex());
    if (is_running_) PAPI_stop(set_, nullptr);
    PAPI_cleanup_eventset(set_);
    PAPI_destroy_eventset(&set_);
  }

  /// "" or why it failed.
  std::string start() {
    if (counted_.empty()) return {};
    const int code = PAPI_start(set_);
    is_running_ = code == PAPI_OK;
    return is_running_ ? "" : "PAPI cannot start counting: " + message_of(code);
  }
  /// Adds each event's count to `values`; "" or why it failed.
  std::string stop(std::vector<long long>& values) {
    if (!is_running_) return {};
    is_running_ = false;
    std::vector<long long> own(counted_.size());
    const int code = PAPI_stop(set_, own.data());
    if (code != PAPI_OK) return "PAPI cannot read the counters: " + message_of(code);
    for (std::size_t k = 0; k < own.size(); ++k) values[counted_[k]] = own[k];
    return {};
  }

 private:
  /// Only a set that belongs to a component can be attached.
  int attach(pid_t thread) {
    const int component = PAPI_get_component_index("perf_event");
    if (component < 0) return component;
    const int code = PAPI_assign_eventset_component(set_, component);
    return code == PAPI_OK ? PAPI_attach(set_, static_cast<unsigned long>(thread)) : code;
  }

  int set_ = PAPI_NULL;
  std::vector<std::size_t> counted_;  ///< indices of the group's events, in PAPI's order
  bool is_running_ = false;           ///< the counters are on
};

class Papi final : public CounterSink {
 public:
  Papi(Group group, const Threads& threads)
      : group_(std::move(group)),
        owner_(std::this_thread::get_id()),
        reasons_(group_.events.size()) {
    for (const pid_t thread : threads.empty() ? Threads{0} : threads) {
      counters_.push_back(
          std::make_unique<ThreadCounters>(group_, thread == gettid() ? 0 : thread, reasons_));
    }
  }

  std::string name() const override { return "papi"; }

  std::optional<std::string> unavailable() const override {
    if (std::ranges::any_of(reasons_, &std::string::empty)) return std::nullopt;
    return reasons_.front();
  }

  void start() override {
    if (std::this_thread::get_id() != owner_) {
      throw std::logic_error("papi: started by a thread that did not open it");
    }
    is_started_ = true;
    failure_.clear();
    for (const auto& counters : counters_) take_failure(counters->start());
  }

  std::vector<Reading> stop() override {
    if (!is_started_) throw std::logic_error("papi: stopped, but not started");
    is_started_ = false;
    std::vector<std::vector<long long>> values;
    for (const auto& counters : counters_) {
      values.emplace_back(group_.events.size());
      take_failure(counters->stop(values.back()));
    }
    std::vector<Reading> readings;
    for (std::size_t i = 0; i < group_.events.size(); ++i) {
      Reading reading{group_.events[i].name, group_.events[i].unit, std::nullopt,
                      reasons_[i].empty() ? failure_ : reasons_[i]};
      if (reading.reason.empty()) {
        std::int64_t sum = 0;
        for (const auto& of_thread : values) {
          sum += of_thread[i];
          if (values.size() > 1) reading.by_thread.push_back(of_thread[i]);
        }
        reading.value = sum;
      }
      readings.push_back(std::move(reading));
    }
    return readings;
  }

 private:
  void take_failure(std::string failure) {
    if (failure_.empty()) failure_ = std::move(failure);
  }

  Group group_;
  std::thread::id owner_;
  std::vector<std::string> reasons_;  ///< one for each event; "" when every thread counts it
  std::vector<std::unique_ptr<ThreadCounters>> counters_;
  std::string failure_;  ///< why this stretch could not be counted
  bool is_started_ = false;
};

#endif

}  // namespace

std::unique_ptr<CounterSink> open_papi(const Group& group,
                                       [[maybe_unused]] const Threads& threads) {
#if BELLMARK_HAVE_PAPI
  if (!papi_failure().empty()) return std::make_unique<Uncounted>("papi", group, papi_failure());
  return std::make_unique<Papi>(group, threads);
#else
  return std::make_unique<Uncounted>("papi", group, "built without PAPI: " BELLMARK_PAPI_REASON);
#endif
}

}  // namespace bellmark::sinks
