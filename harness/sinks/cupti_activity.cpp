// The kernels and copies that a stretch of work ran on the GPU, and their times: CUPTI's Activity
// API.
#include "harness/sinks/cupti_activity.hpp"

#include <cxxabi.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <utility>

#include "harness/sinks/cupti.hpp"

#if BELLMARK_HAVE_CUPTI
#include <mutex>

#include "harness/sinks/cupti_api.hpp"
#endif

namespace bellmark::sinks {
namespace {

void widen(Extent& extent, std::uint64_t value, bool is_first) {
  extent.least = is_first ? value : std::min(extent.least, value);
  extent.largest = is_first ? value : std::max(extent.largest, value);
}

/// Adds a stretch to a total, or counts it as a stretch without a time.
template <class Total, class Record>
void add_time(Total& total, const Record& record, std::uint64_t count) {
  if (record.begin_ns == 0 || record.end_ns < record.begin_ns) {
    total.untimed_count += count;
  } else {
    total.gpu_ns += record.end_ns - record.begin_ns;
  }
}

template <class Total>
std::vector<Total> longest_first(const std::map<std::string, Total>& totals) {
  std::vector<Total> sorted;
  sorted.reserve(totals.size());
  for (const auto& [name, total] : totals) sorted.push_back(total);
  std::ranges::stable_sort(sorted, std::greater<>(), &Total::gpu_ns);
  return sorted;
}

}  // namespace

std::string demangled(const std::string& name) {
  // A C name may look like a type's code: `f` would become `float`.
  if (!name.starts_with("_Z")) return name;
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), std::free);
  return status == 0 && text ? text.get() : name;
}

std::string copy_kind_name(unsigned kind) {
  static constexpr std::array<const char*, 11> kNames = {
      "unknown",          "host-to-device", "device-to-host",  "host-to-array",
      "array-to-host",    "array-to-array", "array-to-device", "device-to-array",
      "device-to-device", "host-to-host",   "peer-to-peer"};
  return kind < kNames.size() ? kNames[kind] : kNames[0];
}

TimeSplit& TimeSplit::operator+=(const TimeSplit& other) {
  launch_ns += other.launch_ns;
  kernel_ns += other.kernel_ns;
  copy_ns += other.copy_ns;
  gap_ns += other.gap_ns;
  synchronise_ns += other.synchronise_ns;
  return *this;
}

TimeSplit split_of(std::uint64_t begin_ns, std::uint64_t end_ns, std::vector<Stretch> stretches) {
  // The begins and ends of kernels and copies, in the order of time.
  struct Edge {
    std::uint64_t at_ns;
    int kernels;
    int copies;
  };
  std::vector<Edge> edges;
  for (const Stretch& stretch : stretches) {
    const std::uint64_t first = std::clamp(stretch.begin_ns, begin_ns, end_ns);
    const std::uint64_t last = std::clamp(stretch.end_ns, begin_ns, end_ns);
    const int kernel = stretch.is_kernel ? 1 : 0;
    edges.push_back({first, kernel, 1 - kernel});
    edges.push_back({last, -kernel, kernel - 1});
  }
  TimeSplit split;
  if (edges.empty()) {
    split.launch_ns = end_ns - begin_ns;
    return split;
  }
  std::ranges::sort(edges, {}, &Edge::at_ns);
  split.launch_ns = edges.front().at_ns - begin_ns;
  split.synchronise_ns = end_ns - edges.back().at_ns;
  int kernels = 0;
  int copies = 0;
  for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
    kernels += edges[i].kernels;
    copies += edges[i].copies;
    const std::uint64_t passed_ns = edges[i + 1].at_ns - edges[i].at_ns;
    (kernels > 0 ? split.kernel_ns : copies > 0 ? split.copy_ns : split.gap_ns) += passed_ns;
  }
  return split;
}

void ActivityTotals::note(std::uint64_t begin_ns, std::uint64_t end_ns, bool is_kernel) {
  if (begin_ns == 0 || end_ns < begin_ns) {
    has_untimed_ = true;
  } else {
    stretches_.push_back({begin_ns, end_ns, is_kernel});
  }
}

void ActivityTotals::end_query(std::uint64_t begin_ns, std::uint64_t end_ns) {
  split_ += split_of(begin_ns, std::max(begin_ns, end_ns), std::exchange(stretches_, {}));
}

std::optional<TimeSplit> ActivityTotals::split() const {
  return has_untimed_ ? std::nullopt : std::optional(split_);
}

void ActivityTotals::add(const KernelRecord& record) {
  note(record.begin_ns, record.end_ns, true);
  KernelTotal& total = kernels_[record.name];
  const bool is_first = total.launch_count == 0;
  ++total.launch_count;
  add_time(total, record, 1);
  total.registers_per_thread = std::max(total.registers_per_thread, record.registers_per_thread);
  total.static_shared_bytes = std::max(total.static_shared_bytes, record.static_shared_bytes);
  widen(total.dynamic_shared_bytes, record.dynamic_shared_bytes, is_first);
  widen(total.grid_blocks, record.grid_blocks, is_first);
  widen(total.block_threads, record.block_threads, is_first);
}

void ActivityTotals::add(const CopyRecord& record) {
  note(record.begin_ns, record.end_ns, false);
  CopyTotal& total = copies_[record.kind];
  total.kind = record.kind;
  total.count += record.count;
  total.bytes += record.bytes;
  add_time(total, record, record.count);
}

std::vector<KernelTotal> ActivityTotals::kernels() const {
  std::map<std::string, KernelTotal> named;
  for (const auto& [name, total] : kernels_) {
    named.emplace(name, total).first->second.name = demangled(name);
  }
  return longest_first(named);
}

std::vector<CopyTotal> ActivityTotals::copies() const { return longest_first(copies_); }

#if BELLMARK_HAVE_CUPTI

namespace {

static_assert(CUPTI_ACTIVITY_MEMCPY_KIND_HTOD == 1 && CUPTI_ACTIVITY_MEMCPY_KIND_DTOH == 2 &&
              CUPTI_ACTIVITY_MEMCPY_KIND_DTOD == 8 && CUPTI_ACTIVITY_MEMCPY_KIND_PTOP == 10);

/// KIND_KERNEL would serialise the kernels.
constexpr std::array kKinds = {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_MEMCPY,
                               CUPTI_ACTIVITY_KIND_MEMSET};

constexpr std::size_t kBufferBytes = std::size_t{4} << 20;
constexpr std::size_t kBufferAlignment = 8;

/// CUPTI's callbacks carry no pointer of ours, and may come from one of CUPTI's threads.
struct Collector {
  std::mutex mutex;
  ActivityTotals* totals = nullptr;  ///< null while nobody records
  std::string failure;
};

Collector& collector() {
  static Collector collector;
  return collector;
}

std::uint64_t product(std::int32_t x, std::int32_t y, std::int32_t z) {
  return static_cast<std::uint64_t>(x) * static_cast<std::uint64_t>(y) *
         static_cast<std::uint64_t>(z);
}

void take(ActivityTotals& totals, const CUpti_Activity& activity) {
  if (activity.kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) {
    const auto& kernel = reinterpret_cast<const CUpti_ActivityKernel10&>(activity);
    totals.add(
        KernelRecord{.name = kernel.name == nullptr ? "unnamed" : kernel.name,
                     .begin_ns = kernel.start,
                     .end_ns = kernel.end,
                     .registers_per_thread = kernel.registersPerThread,
                     .static_shared_bytes = static_cast<std::uint64_t>(kernel.staticSharedMemory),
                     .dynamic_shared_bytes = static_cast<std::uint64_t>(kernel.dynamicSharedMemory),
                     .grid_blocks = product(kernel.gridX, kernel.gridY, kernel.gridZ),
                     .block_threads = product(kernel.blockX, kernel.blockY, kernel.blockZ)});
  } else if (activity.kind == CUPTI_ACTIVITY_KIND_MEMCPY) {
    const auto& copy = reinterpret_cast<const CUpti_ActivityMemcpy6&>(activity);
    totals.add(CopyRecord{.kind = copy_kind_name(copy.copyKind),
                          .count = std::max<std::uint64_t>(1, copy.copyCount),
                          .bytes = copy.bytes,
                          .begin_ns = copy.start,
                          .end_ns = copy.end});
  } else if (activity.kind == CUPTI_ACTIVITY_KIND_MEMSET) {
    const auto& set = reinterpret_cast<const CUpti_ActivityMemset4&>(activity);
    totals.add(
        CopyRecord{.kind = "memset", .bytes = set.bytes, .begin_ns = set.start, .end_ns = set.end});
  }
}

void CUPTIAPI buffer_requested(std::uint8_t** buffer, std::size_t* size,
                               std::size_t* record_count) {
  *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(kBufferAlignment, kBufferBytes));
  *size = *buffer == nullptr ? 0 : kBufferBytes;
  *record_count = 0;  // as many as fit
}

/// Called by C, so it must not throw.
void CUPTIAPI buffer_completed(CUcontext, std::uint32_t, std::uint8_t* buffer, std::size_t,
                               std::size_t valid_bytes) {
  const std::lock_guard lock(collector().mutex);
  try {
    CUpti_Activity* activity = nullptr;
    while (collector().totals != nullptr && buffer != nullptr && valid_bytes > 0) {
      const CUptiResult result =
          cupti::api().cuptiActivityGetNextRecord(buffer, valid_bytes, &activity);
      if (result == CUPTI_ERROR_MAX_LIMIT_REACHED) break;
      cupti::check(result, "cuptiActivityGetNextRecord");
      take(*collector().totals, *activity);
    }
  } catch (const std::exception& error) {
    collector().failure = error.what();
  }
  std::free(buffer);
}

void register_callbacks() {
  static const bool registered = [] {
    cupti::check(cupti::api().cuptiActivityRegisterCallbacks(buffer_requested, buffer_completed),
                 "cuptiActivityRegisterCallbacks");
    return true;
  }();
  static_cast<void>(registered);
}

/// Passes CUPTI's remaining records to the collector, or drops them if nobody records.
void flush() {
  cupti::check(cupti::api().cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED),
               "cuptiActivityFlushAll");
}

/// On the clock of the records.
std::uint64_t now_ns() {
  std::uint64_t now = 0;
  cupti::check(cupti::api().cuptiGetTimestamp(&now), "cuptiGetTimestamp");
  return now;
}

void disable_all() {
  for (const CUpti_ActivityKind kind : kKinds) {
    cupti::check(cupti::api().cuptiActivityDisable(kind), "cuptiActivityDisable");
  }
}

void record_into(ActivityTotals* totals) {
  const std::lock_guard lock(collector().mutex);
  collector().totals = totals;
}

}  // namespace

KernelActivity::~KernelActivity() {
  if (is_running_) stop();
}

void KernelActivity::start() {
  if (!failure_.empty()) return;
  try {
    cupti::current_context();
    register_callbacks();
    is_running_ = true;
    for (const CUpti_ActivityKind kind : kKinds) {
      cupti::check(cupti::api().cuptiActivityEnable(kind), "cuptiActivityEnable");
    }
    record_into(&totals_);
    begin_ns_ = now_ns();
  } catch (const cupti::Failure& failure) {
    failure_ = failure.what();
  }
}

void KernelActivity::stop() {
  if (!is_running_) return;
  is_running_ = false;
  try {
    const std::uint64_t end_ns = now_ns();
    cupti::synchronize_context();
    flush();
    std::size_t dropped = 0;
    cupti::check(cupti::api().cuptiActivityGetNumDroppedRecords(nullptr, 0, &dropped),
                 "cuptiActivityGetNumDroppedRecords");
    if (dropped > 0 && failure_.empty()) {
      failure_ = "CUPTI dropped " + std::to_string(dropped) + " records: ask for fewer queries";
    }
    record_into(nullptr);
    disable_all();
    totals_.end_query(begin_ns_, end_ns);
  } catch (const cupti::Failure& failure) {
    record_into(nullptr);
    if (failure_.empty()) failure_ = failure.what();
  }
  const std::lock_guard lock(collector().mutex);
  if (failure_.empty()) failure_ = collector().failure;
}

#else

KernelActivity::~KernelActivity() = default;

void KernelActivity::start() {
  is_running_ = true;
  failure_ = cupti::unavailable();
}

void KernelActivity::stop() { is_running_ = false; }

#endif

}  // namespace bellmark::sinks
