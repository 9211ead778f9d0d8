// The kernels and copies that a stretch of work ran on the GPU, and their times: CUPTI's Activity
// API.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace bellmark::sinks {

/// The least and largest added value; both 0 before.
struct Extent {
  std::uint64_t least = 0;
  std::uint64_t largest = 0;
};

/// One launch, in CUPTI's record.
struct KernelRecord {
  std::string name;  ///< mangled
  std::uint64_t begin_ns = 0;
  std::uint64_t end_ns = 0;  ///< both 0 when CUPTI could not note the time
  std::uint64_t registers_per_thread = 0;
  std::uint64_t static_shared_bytes = 0;
  std::uint64_t dynamic_shared_bytes = 0;
  std::uint64_t grid_blocks = 0;
  std::uint64_t block_threads = 0;
};

/// One copy or memset.
struct CopyRecord {
  std::string kind;         ///< `host-to-device`, ..., `memset`
  std::uint64_t count = 1;  ///< a batch is one record
  std::uint64_t bytes = 0;
  std::uint64_t begin_ns = 0;
  std::uint64_t end_ns = 0;
};

/// All launches of one kernel.
struct KernelTotal {
  std::string name;  ///< demangled
  std::uint64_t launch_count = 0;
  std::uint64_t untimed_count = 0;  ///< launches without a time
  std::uint64_t gpu_ns = 0;         ///< of the others
  std::uint64_t registers_per_thread = 0;
  std::uint64_t static_shared_bytes = 0;
  Extent dynamic_shared_bytes;
  Extent grid_blocks;
  Extent block_threads;
};

/// All copies of one kind.
struct CopyTotal {
  std::string kind;
  std::uint64_t count = 0;
  std::uint64_t untimed_count = 0;
  std::uint64_t bytes = 0;
  std::uint64_t gpu_ns = 0;
};

/// A kernel or a copy on CUPTI's clock.
struct Stretch {
  std::uint64_t begin_ns = 0;
  std::uint64_t end_ns = 0;
  bool is_kernel = false;
};

/// The division of the time of queries by the GPU's work. The parts add up to the whole time.
struct TimeSplit {
  std::uint64_t launch_ns = 0;       ///< before the first kernel or copy began
  std::uint64_t kernel_ns = 0;       ///< while a kernel ran
  std::uint64_t copy_ns = 0;         ///< while a copy or memset ran, and no kernel
  std::uint64_t gap_ns = 0;          ///< between them, while the GPU was idle
  std::uint64_t synchronise_ns = 0;  ///< after the last one ended

  TimeSplit& operator+=(const TimeSplit& other);
};

/// The split of one query that ran from `begin_ns` to `end_ns`; parts outside are cut off. For a
/// query that ran nothing on the GPU, all time is launch. O(n log n) in the number of stretches.
TimeSplit split_of(std::uint64_t begin_ns, std::uint64_t end_ns, std::vector<Stretch> stretches);

/// Adds records up.
class ActivityTotals {
 public:
  void add(const KernelRecord& record);
  void add(const CopyRecord& record);
  /// Ends the query whose records were added after the last call.
  void end_query(std::uint64_t begin_ns, std::uint64_t end_ns);

  /// By name, the longest time first.
  std::vector<KernelTotal> kernels() const;
  std::vector<CopyTotal> copies() const;
  /// The split of all queries; nothing if a record has no time.
  std::optional<TimeSplit> split() const;

 private:
  void note(std::uint64_t begin_ns, std::uint64_t end_ns, bool is_kernel);

  std::vector<Stretch> stretches_;  ///< of the query that runs
  TimeSplit split_;
  bool has_untimed_ = false;
  std::map<std::string, KernelTotal> kernels_;
  std::map<std::string, CopyTotal> copies_;
};

/// `_Z5relaxPj` -> `relax(unsigned int*)`; a name that is not mangled stays as it is.
std::string demangled(const std::string& name);

/// CUPTI's number of a kind of copy (CUpti_ActivityMemcpyKind) in words.
std::string copy_kind_name(unsigned kind);

/// Records the work between start() and stop(); several such stretches add up. Recording costs half
/// a microsecond and more for each launch, so it belongs in a pass of its own. Only one may run in
/// a process. Kernels stay concurrent.
class KernelActivity {
 public:
  KernelActivity() = default;
  KernelActivity(const KernelActivity&) = delete;
  KernelActivity& operator=(const KernelActivity&) = delete;
  ~KernelActivity();

  /// The calling thread must have used CUDA.
  void start();
  /// The work must be done: a variant's run() ends with a synchronise.
  void stop();

  /// Why the totals are missing or can't be trusted; "" while all is well. Once set it stays.
  const std::string& failure() const { return failure_; }
  const ActivityTotals& totals() const { return totals_; }

 private:
  ActivityTotals totals_;
  std::string failure_;
  [[maybe_unused]] std::uint64_t begin_ns_ = 0;  ///< a build without CUPTI has no use for it
  bool is_running_ = false;
};

}  // namespace bellmark::sinks
