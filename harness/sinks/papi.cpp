// Hardware and perf counters through PAPI.
#include "harness/sinks/papi.hpp"

#include <stdexcept>
#include <thread>
#include <utility>

#include "harness/sinks/uncounted.hpp"

#if BELLMARK_HAVE_PAPI
#include <papi.h>
#include <pthread.h>

#include "harness/machine/environment.hpp"
#endif

namespace bellmark::sinks {
namespace {

#if BELLMARK_HAVE_PAPI

std::string message_of(int code) {
  const char* const text = PAPI_strerror(code);
  return text == nullptr ? "error " + std::to_string(code) : text;
}

/// Starts PAPI once a process; "" or why it can't run.
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

/// Why an event can't be added, in the words a person can act on.
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

class Papi final : public CounterSink {
 public:
  explicit Papi(Group group) : group_(std::move(group)), owner_(std::this_thread::get_id()) {
    const int created = PAPI_create_eventset(&event_set_);
    for (const Event& event : group_.events) {
      int code = created;
      if (code == PAPI_OK) code = PAPI_add_named_event(event_set_, event.name.c_str());
      reasons_.push_back(code == PAPI_OK ? "" : refusal(event.name, code));
      counted_ += code == PAPI_OK ? 1 : 0;
    }
  }

  ~Papi() override {
    if (is_running_) PAPI_stop(event_set_, nullptr);
    PAPI_cleanup_eventset(event_set_);
    PAPI_destroy_eventset(&event_set_);
  }

  std::string name() const override { return "papi"; }

  std::optional<std::string> unavailable() const override {
    if (counted_ > 0) return std::nullopt;
    return reasons_.front();
  }

  void start() override {
    if (std::this_thread::get_id() != owner_) {
      throw std::logic_error("papi: started by a thread that did not open it");
    }
    is_started_ = true;
    if (counted_ == 0) return;
    const int code = PAPI_start(event_set_);
    is_running_ = code == PAPI_OK;
    failure_ = is_running_ ? "" : "PAPI cannot start counting: " + message_of(code);
  }

  std::vector<Reading> stop() override {
    if (!is_started_) throw std::logic_error("papi: stopped, but not started");
    is_started_ = false;
    std::vector<long long> values(counted_);
    if (is_running_) {
      is_running_ = false;
      const int code = PAPI_stop(event_set_, values.data());
      if (code != PAPI_OK) failure_ = "PAPI cannot read the counters: " + message_of(code);
    }
    std::vector<Reading> readings;
    std::size_t next = 0;
    for (std::size_t i = 0; i < group_.events.size(); ++i) {
      Reading reading{group_.events[i].name, group_.events[i].unit, std::nullopt, reasons_[i]};
      if (reasons_[i].empty()) {
        const std::int64_t value = values[next++];
        if (failure_.empty()) {
          reading.value = value;
        } else {
          reading.reason = failure_;
        }
      }
      readings.push_back(std::move(reading));
    }
    return readings;
  }

 private:
  Group group_;
  std::thread::id owner_;
  int event_set_ = PAPI_NULL;
  std::vector<std::string> reasons_;  ///< one per event; "" when it is counted
  std::size_t counted_ = 0;
  std::string failure_;  ///< why this stretch could not be counted
  bool is_started_ = false;
  bool is_running_ = false;  ///< the counters are on
};

#endif

}  // namespace

std::unique_ptr<CounterSink> open_papi(const Group& group) {
#if BELLMARK_HAVE_PAPI
  if (!papi_failure().empty()) return std::make_unique<Uncounted>("papi", group, papi_failure());
  return std::make_unique<Papi>(group);
#else
  return std::make_unique<Uncounted>("papi", group, "built without PAPI: " BELLMARK_PAPI_REASON);
#endif
}

}  // namespace bellmark::sinks
