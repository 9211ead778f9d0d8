// The common part of GPU variants: errors as reasons, accounted device memory, phases timed by
// events. Included by `.cu` files only.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "algorithms/contract/run_context.hpp"
#include "base/error.hpp"

namespace bellmark::gpu {

/// Throws when a CUDA call failed. A fault in a kernel is sticky: the process can't use the device
/// after it. Its cell fails, and the run goes on in a fresh process.
inline void check(cudaError_t status, std::string_view call) {
  if (status == cudaSuccess) return;
  throw Error(ExitCode::crash, call, cudaGetErrorString(status),
              "run the cell under compute-sanitizer");
}

/// Checks the launch that came just before it.
inline void check_launch(std::string_view kernel) { check(cudaGetLastError(), kernel); }

/// The host's clock, for variants that log times of rounds from there.
inline std::uint64_t host_now_ns() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
}

/// The device that the calling thread uses.
inline cudaDeviceProp properties() {
  int device = 0;
  check(cudaGetDevice(&device), "cudaGetDevice");
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, device), "cudaGetDeviceProperties");
  return properties;
}

/// Throws UnmetError, with both figures, when `bytes` more of device memory would not fit. Call it
/// before the first allocation.
inline void require_memory(std::uint64_t bytes, std::string_view what) {
  std::size_t free = 0;
  std::size_t total = 0;
  check(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
  if (bytes <= free) return;
  constexpr std::uint64_t kMebi = 1 << 20;
  throw UnmetError(what,
                   "needs " + std::to_string((bytes + kMebi - 1) / kMebi) +
                       " MiB of device memory, and " + std::to_string(free / kMebi) + " of " +
                       std::to_string(total / kMebi) + " MiB are free",
                   "use a smaller graph or another device");
}

struct DeviceFree {
  void operator()(void* pointer) const { cudaFree(pointer); }
};
struct HostFree {
  void operator()(void* pointer) const { cudaFreeHost(pointer); }
};

/// An uninitialised array of trivial values in device memory.
template <class T>
class DeviceArray {
 public:
  DeviceArray() = default;
  explicit DeviceArray(std::size_t size) : size_(size) {
    void* pointer = nullptr;
    check(cudaMalloc(&pointer, std::max<std::size_t>(1, bytes())), "cudaMalloc");
    pointer_.reset(static_cast<T*>(pointer));
  }

  T* data() const { return pointer_.get(); }
  std::size_t size() const { return size_; }
  std::uint64_t bytes() const { return std::uint64_t{size_} * sizeof(T); }

  /// `values` must have size() elements. The copy may still be under way on return, and a Stream
  /// doesn't wait for it: end prepare() with cudaDeviceSynchronize().
  void upload(std::span<const T> values) {
    check(cudaMemcpy(data(), values.data(), bytes(), cudaMemcpyHostToDevice), "upload");
  }
  /// All bits zero.
  void clear() { check(cudaMemset(data(), 0, bytes()), "cudaMemset"); }
  void download(std::span<T> values) const {
    check(cudaMemcpy(values.data(), data(), values.size_bytes(), cudaMemcpyDeviceToHost),
          "download");
  }

 private:
  std::unique_ptr<T, DeviceFree> pointer_;
  std::size_t size_ = 0;
};

/// A device's copy of a vector, or of anything else that has data() and size().
template <class Values>
auto upload(const Values& values) {
  DeviceArray<std::remove_cvref_t<decltype(*values.data())>> array(values.size());
  array.upload({values.data(), values.size()});
  return array;
}

template <class T>
std::vector<T> download(const DeviceArray<T>& array) {
  std::vector<T> values(array.size());
  array.download(values);
  return values;
}

/// An array in pinned host memory, for copies that don't wait.
template <class T>
class PinnedArray {
 public:
  PinnedArray() = default;
  explicit PinnedArray(std::size_t size) : size_(size) {
    void* pointer = nullptr;
    check(cudaMallocHost(&pointer, std::max<std::size_t>(1, size * sizeof(T))), "cudaMallocHost");
    pointer_.reset(static_cast<T*>(pointer));
  }

  T* data() const { return pointer_.get(); }
  T& operator[](std::size_t i) const { return pointer_.get()[i]; }
  std::size_t size() const { return size_; }

 private:
  std::unique_ptr<T, HostFree> pointer_;
  std::size_t size_ = 0;
};

/// A stream of its own: nothing waits for the legacy default stream.
class Stream {
 public:
  Stream() {
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cudaStreamCreate");
  }
  ~Stream() { cudaStreamDestroy(stream_); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  operator cudaStream_t() const { return stream_; }
  void synchronize() const { check(cudaStreamSynchronize(stream_), "cudaStreamSynchronize"); }

 private:
  cudaStream_t stream_ = nullptr;
};

class Event {
 public:
  Event() { check(cudaEventCreate(&event_), "cudaEventCreate"); }
  ~Event() { cudaEventDestroy(event_); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;

  operator cudaEvent_t() const { return event_; }
  void record(cudaStream_t stream) { check(cudaEventRecord(event_, stream), "cudaEventRecord"); }

 private:
  cudaEvent_t event_ = nullptr;
};

/// A phase of work on a stream. Beside the host's wall time it notes `gpu_ns`, the time between two
/// events on the stream. They are read when the run is over, so that nothing waits inside it.
class GpuPhase {
 public:
  GpuPhase(const RunContext& context, std::string_view name, cudaStream_t stream)
      : recorder_(context.recorder()), phase_(context, name), stream_(stream) {
    if (recorder_ == nullptr) return;
    events_ = std::make_shared<std::array<Event, 2>>();
    (*events_)[0].record(stream_);
  }
  ~GpuPhase() {
    if (recorder_ == nullptr) return;
    cudaEventRecord((*events_)[1], stream_);
    recorder_->note_later("gpu_ns", [events = events_] {
      float milliseconds = 0;
      check(cudaEventSynchronize((*events)[1]), "cudaEventSynchronize");
      check(cudaEventElapsedTime(&milliseconds, (*events)[0], (*events)[1]),
            "cudaEventElapsedTime");
      return static_cast<std::uint64_t>(static_cast<double>(milliseconds) * 1e6);
    });
  }
  GpuPhase(const GpuPhase&) = delete;
  GpuPhase& operator=(const GpuPhase&) = delete;

  void note(std::string_view name, std::uint64_t value) { phase_.note(name, value); }

 private:
  Recorder* recorder_;
  Phase phase_;
  cudaStream_t stream_;
  std::shared_ptr<std::array<Event, 2>> events_;
};

}  // namespace bellmark::gpu
