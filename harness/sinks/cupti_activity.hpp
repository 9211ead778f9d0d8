// Which kernels and copies a stretch of work ran on the GPU, and for how long: CUPTI's Activity
// API.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace bellmark::sinks {

/// Least and largest of what was added; both 0 before.
struct Extent {
  std::uint64_t least = 0;
  std::uint64_t largest = 0;
};

/// One launch, as CUPTI records it.
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

/// Adds records up.
class ActivityTotals {
 public:
  void add(const KernelRecord& record);
  void add(const CopyRecord& record);

  /// By name, then the ones that took longest first.
  std::vector<KernelTotal> kernels() const;
  std::vector<CopyTotal> copies() const;

 private:
  std::map<std::string, KernelTotal> kernels_;
  std::map<std::string, CopyTotal> copies_;
};

/// `_Z5relaxPj` -> `relax(unsigned int*)`; a name that is not mangled stays as it is.
std::string demangled(const std::string& name);

/// CUPTI's number of a kind of copy (CUpti_ActivityMemcpyKind) in words.
std::string copy_kind_name(unsigned kind);

/// Records what runs between start() and stop(); several such stretches add up. Recording costs
/// half a microsecond and more a launch, so it belongs in a pass of its own. One at a time in a
/// process. Kernels stay concurrent.
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

  /// Why the totals can't be trusted or don't exist; "" while all is well. Once set it stays.
  const std::string& failure() const { return failure_; }
  const ActivityTotals& totals() const { return totals_; }

 private:
  ActivityTotals totals_;
  std::string failure_;
  bool is_running_ = false;
};

}  // namespace bellmark::sinks
