// The counts of a search's work on the device (search_work.hpp). A kernel takes WorkTally or
// NoTally as a template argument. Timed runs launch the form with NoTally, which the compiler
// leaves nothing of. Included by `.cu` files only.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "algorithms/contract/search_work.hpp"
#include "algorithms/gpu/gpu.cuh"

namespace bellmark::gpu {

/// The sums over all threads, in device memory. The names are those of Tally.
struct WorkSums {
  unsigned long long scanned_count;
  unsigned long long looked_at_arc_count;
  unsigned long long relaxation_count;
  unsigned long long lowered_count;
  unsigned long long atomic_count;
  unsigned long long failed_atomic_count;
};

/// The counts of one thread: a Tally on the device.
class WorkTally {
 public:
  __device__ void scan(std::uint32_t row_count = 1) { own_.scanned_count += row_count; }
  __device__ void look(std::uint32_t arc_count = 1) { own_.looked_at_arc_count += arc_count; }
  /// An arc was looked at to find a shorter distance of its head.
  __device__ void relax() {
    look();
    ++own_.relaxation_count;
  }
  __device__ void lower() { ++own_.lowered_count; }
  __device__ void try_atomic(bool succeeded) {
    ++own_.atomic_count;
    own_.failed_atomic_count += succeeded ? 0 : 1;
  }

  /// Ends the counting: each thread of a kernel calls it once.
  __device__ void add_to(WorkSums* sums) const {
    add(sums->scanned_count, own_.scanned_count);
    add(sums->looked_at_arc_count, own_.looked_at_arc_count);
    add(sums->relaxation_count, own_.relaxation_count);
    add(sums->lowered_count, own_.lowered_count);
    add(sums->atomic_count, own_.atomic_count);
    add(sums->failed_atomic_count, own_.failed_atomic_count);
  }

 private:
  static __device__ void add(unsigned long long& sum, unsigned long long count) {
    if (count != 0) atomicAdd(&sum, count);
  }

  WorkSums own_{};
};

/// The tally of timed runs: nothing.
struct NoTally {
  __device__ void scan(std::uint32_t = 1) const {}
  __device__ void look(std::uint32_t = 1) const {}
  __device__ void relax() const {}
  __device__ void lower() const {}
  __device__ void try_atomic(bool) const {}
  __device__ void add_to(WorkSums*) const {}
};

/// A kernel in two forms, each as a pointer or a GridKernel.
template <class Kernel>
struct TalliedKernel {
  Kernel timed{};     ///< with NoTally
  Kernel counting{};  ///< with WorkTally

  /// The form for a run: `work` is null unless it is counted.
  const Kernel& of(const WorkSums* work) const { return work == nullptr ? timed : counting; }
};

/// The host's side of the sums.
class WorkCounter {
 public:
  /// Clears the sums of a run that is counted. Null where `work` is: the run is not.
  WorkSums* begin(const SearchWork* work) {
    if (work == nullptr) return nullptr;
    if (sums_.size() == 0) sums_ = DeviceArray<WorkSums>(1);
    sums_.clear();
    // A Stream doesn't wait for the default one.
    check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    return sums_.data();
  }

  /// The counts of the run that began last and has ended.
  Tally counts() const {
    const WorkSums sums = download(sums_).front();
    Tally tally;
    tally.scanned_count = sums.scanned_count;
    tally.looked_at_arc_count = sums.looked_at_arc_count;
    tally.relaxation_count = sums.relaxation_count;
    tally.lowered_count = sums.lowered_count;
    tally.atomic_count = sums.atomic_count;
    tally.failed_atomic_count = sums.failed_atomic_count;
    return tally;
  }

 private:
  DeviceArray<WorkSums> sums_;
};

}  // namespace bellmark::gpu
