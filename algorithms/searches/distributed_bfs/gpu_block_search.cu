// The host's sides are mirrored on each device that has a block at one of them, and stay there
// during a search. Over the bus go
//   a side's frontier   to the devices, when the ranks have put it together: 1 bit a vertex; each
//                       device adds it to its own `visited`
//   found vertices      from the device: 1 bit a vertex
//   predecessors        from the device: 1 bit a vertex to it, for those that are wanted, and 4
//                       bytes for each of them, written where the host reads them
// These are steps 1, 3 and 9 of hiragushi2013's Figure 8.
//
// With CPU threads beside the device (section 3.3) both have the whole frontier and all visited
// vertices, as in bfs/hybrid-cpu-gpu. Bottom-up they find rows of their own. Top-down both may find
// the same vertex, from different vertices of the frontier. Both are right, and the device's is
// taken. So each side adds the other's finds (steps 4 and 10).
//
// The host waits for all work of a walk when it receives it. It waits for a search's last uploads
// when the next search begins. So streams have to wait for each other within a level only.
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <span>
#include <string>
#include <vector>

#include "algorithms/gpu/gpu.cuh"
#include "algorithms/searches/bfs/gpu_options.hpp"
#include "algorithms/searches/bfs/hybrid_gpu_device.cuh"
#include "algorithms/searches/distributed_bfs/device_block.cuh"
#include "algorithms/searches/distributed_bfs/gpu_block_search.hpp"
#include "base/error.hpp"

namespace bellmark::distributed_bfs {
namespace {

using bfs::hybrid_gpu::blocks_of;
using bfs::hybrid_gpu::kBlock;
using bfs::hybrid_gpu::kWordBits;

constexpr const char* kName = "distributed-bfs/hybrid-gpu";

/// A word of the host's bitmaps is two of a device's.
constexpr std::uint32_t kParts = sizeof(Word) / sizeof(Bits);
static_assert(std::endian::native == std::endian::little && kParts == 2);

/// Nothing is visited. A thread a word.
__global__ void __launch_bounds__(kBlock)
    clear_kernel(Bits* visited, Vertex vertex_count, std::uint32_t word_count) {
  const std::uint32_t word = blockIdx.x * kBlock + threadIdx.x;
  if (word < word_count) visited[word] = bfs::hybrid_gpu::bits_beyond(vertex_count, word);
}

/// Predecessors of chosen vertices go to the host, unless the device has not found the vertex. A
/// thread a vertex: 4 bytes over the bus, in one packet with those of its neighbours.
__global__ void __launch_bounds__(kBlock)
    give_predecessors_kernel(const Bits* chosen, const Vertex* predecessors, Vertex vertex_count,
                             Vertex* host_predecessors) {
  const std::uint64_t v = std::uint64_t{blockIdx.x} * kBlock + threadIdx.x;
  if (v >= vertex_count || !bfs::hybrid_gpu::contains(chosen, static_cast<Vertex>(v))) return;
  const Vertex predecessor = predecessors[v];
  if (predecessor != kNoVertex) host_predecessors[v] = predecessor;
}

/// Host memory that devices copy from and to without waiting, and write to.
class PinnedMemory final : public std::pmr::memory_resource {
 private:
  void* do_allocate(std::size_t bytes, std::size_t /*alignment: a page*/) override {
    void* pointer = nullptr;
    gpu::check(cudaMallocHost(&pointer, bytes), "cudaMallocHost");
    return pointer;
  }
  void do_deallocate(void* pointer, std::size_t /*bytes*/, std::size_t /*alignment*/) override {
    cudaFreeHost(pointer);
  }
  bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override {
    return this == &other;
  }
};

/// Made before anything that needs a device: starts CUDA, or says why it doesn't.
std::pmr::memory_resource* pinned_memory() {
  bfs::require_gpu(kName);
  static PinnedMemory memory;
  return &memory;
}

/// While it lives, the calling thread uses this device; after it the one before.
class OnDevice {
 public:
  explicit OnDevice(int device) {
    gpu::check(cudaGetDevice(&before_), "cudaGetDevice");
    gpu::check(cudaSetDevice(device), "cudaSetDevice");
  }
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;
  ~OnDevice() { cudaSetDevice(before_); }

 private:
  int before_ = 0;
};

/// A device's data of a side.
struct Mirror {
  explicit Mirror(Vertex vertex_count)
      : frontier(device_word_count(vertex_count)),
        visited(frontier.size()),
        found(frontier.size()),
        predecessors(vertex_count) {}

  std::uint32_t word_count() const { return static_cast<std::uint32_t>(visited.size()); }

  gpu::DeviceArray<Bits> frontier;
  gpu::DeviceArray<Bits> visited;
  gpu::DeviceArray<Bits> found;
  gpu::DeviceArray<Vertex> predecessors;
  gpu::Event arrived;  ///< the frontier, which is visited
};

struct Device {
  explicit Device(int of_number) : number(of_number) {}

  int number;
  gpu::Stream stream;                            ///< of copies from the host before a walk
  std::vector<std::unique_ptr<Mirror>> mirrors;  ///< by side; null where no block has it
};

/// A block on a device.
struct Placed {
  Placed(const bfs::Block& block, const SearchOptions& options, Device& on, RunContext& context)
      : device(&on),
        arcs(block, options.threshold, kName, context),
        word_count(bfs::word_count(block.rows().size())),
        cpu_word_count(bfs::words_of_share(block, options.cpu_share)) {}

  bool has_device_rows() const { return cpu_word_count < word_count; }

  Device* device;
  DeviceBlock arcs;
  std::size_t word_count;      ///< of the host's bitmap of the rows
  std::size_t cpu_word_count;  ///< the CPU's
  gpu::Stream stream;
  gpu::Event searched;
  gpu::Event merged;
};

class GpuBlockSearch final : public BlockSearch {
 public:
  GpuBlockSearch(std::span<const bfs::Block> blocks, std::span<const VertexRange> parts,
                 const SearchOptions& options, RunContext& context)
      : BlockSearch(blocks, parts, pinned_memory(), options.thread_count, context),
        overlap_(options.overlap),
        has_cpu_(options.cpu_share > 0),
        last_walks_(parts.size()) {
    make_devices(options.gpu_count);
    make_mirrors(context);
    place_blocks(options, context);
    for (const Side& side : sides()) {
      found_by_device_.emplace_back(has_cpu_ ? side.found.size() : 0);
    }
    if (has_cpu_) {
      std::uint64_t bytes = 0;
      for (const auto& found : found_by_device_) bytes += found.size() * sizeof(Word);
      context.account("pinned", bytes);
    }
  }

  ~GpuBlockSearch() override {
    // Nothing may be under way to or from memory that is freed.
    for (const auto& device : devices_) {
      cudaSetDevice(device->number);
      cudaDeviceSynchronize();
    }
    cudaSetDevice(first_device_);
  }

  bool copies() const override { return true; }

  void clear() override {
    BlockSearch::clear();
    for (const auto& device : devices_) {
      const OnDevice current(device->number);
      for (std::size_t s = 0; s < sides().size(); ++s) {
        Mirror* const mirror = device->mirrors[s].get();
        if (mirror == nullptr) continue;
        clear_kernel<<<blocks_of(mirror->word_count(), kBlock), kBlock, 0, device->stream>>>(
            mirror->visited.data(), side(s).part.size(), mirror->word_count());
        gpu::check_launch("clear");
        if (!has_cpu_) continue;
        static_assert(kNoVertex == static_cast<Vertex>(-1));
        gpu::check(cudaMemsetAsync(mirror->predecessors.data(), 0xff, mirror->predecessors.bytes(),
                                   device->stream),
                   "cudaMemsetAsync");
      }
      // Also for the last search's uploads, which may have led to no walk.
      device->stream.synchronize();
    }
  }

  void visit_frontier(std::size_t s) override {
    for (const auto& device : devices_) {
      Mirror* const mirror = device->mirrors[s].get();
      if (mirror == nullptr) continue;
      const OnDevice current(device->number);
      send(side(s).frontier, mirror->frontier, device->stream);
      unite(mirror->visited.data(), mirror->frontier.data(), mirror->word_count(), device->stream);
      mirror->arrived.record(device->stream);
    }
    if (has_cpu_) BlockSearch::visit_frontier(s);
    if (overlap_) return;
    for (const auto& device : devices_) device->stream.synchronize();
  }

  void start(const Walk& walk) override {
    Placed& placed = *placed_[walk.block];
    const OnDevice current(placed.device->number);
    last_walks_[walk.to] = walk;
    // The CPU is about to write over its finds of the last level, which went to the device.
    if (has_cpu_) placed.stream.synchronize();
    if (!placed.has_device_rows()) return;
    const Mirror& from = *placed.device->mirrors[walk.from];
    const Mirror& to = *placed.device->mirrors[walk.to];
    for (const Mirror* const mirror : {&from, &to}) wait_for(mirror->arrived, placed.stream);
    const auto first = static_cast<std::uint32_t>(kParts * placed.cpu_word_count);
    const auto last = static_cast<std::uint32_t>(kParts * placed.word_count);
    if (walk.bottom_up) {
      placed.arcs.bottom_up(from.frontier.data(), to.visited.data(), to.found.data(),
                            to.predecessors.data(), first, last, placed.stream);
    } else {
      placed.arcs.top_down(from.frontier.data(), to.visited.data(), to.found.data(),
                           to.predecessors.data(), first, last, placed.stream);
    }
    placed.searched.record(placed.stream);
    if (overlap_) start_receive(walk);
  }

  /// Searches the CPU's rows, then the device's.
  void finish(const Walk& walk, Pending* under_way) override {
    Placed& placed = *placed_[walk.block];
    if (has_cpu_) {
      const Side& from = side(walk.from);
      Side& to = side(walk.to);
      if (walk.bottom_up) {
        team().bottom_up(block(walk.block), from, to, placed.cpu_word_count, under_way);
      } else {
        team().top_down(block(walk.block), from, to, placed.cpu_word_count, under_way);
      }
    }
    if (!placed.has_device_rows()) return;
    const OnDevice current(placed.device->number);
    if (under_way != nullptr) {
      Asking asking(under_way);
      while (cudaEventQuery(placed.searched) == cudaErrorNotReady) asking.ask();
      cudaGetLastError();  // "not ready" is an error to the next launch's check; others come again
    }
    gpu::check(cudaEventSynchronize(placed.searched), "cudaEventSynchronize");
  }

  void receive(const Walk& walk) override {
    Placed& placed = *placed_[walk.block];
    const OnDevice current(placed.device->number);
    if (placed.has_device_rows()) {
      if (!overlap_) start_receive(walk);
      placed.stream.synchronize();
    }
    if (has_cpu_) merge(walk);
  }

  void fetch_predecessors(std::size_t s) override {
    Side& to = side(s);
    const Placed& placed = *placed_[last_walks_[s].block];
    if (!placed.has_device_rows()) return;
    const OnDevice current(placed.device->number);
    const Mirror& mirror = *placed.device->mirrors[s];
    // The vertices found have been received.
    send(to.chosen, mirror.found, placed.stream);
    give_predecessors_kernel<<<blocks_of(to.part.size(), kBlock), kBlock, 0, placed.stream>>>(
        mirror.found.data(), mirror.predecessors.data(), to.part.size(), to.predecessors.data());
    gpu::check_launch("give_predecessors");
    placed.stream.synchronize();
  }

 private:
  void make_devices(std::size_t count) {
    gpu::check(cudaGetDevice(&first_device_), "cudaGetDevice");
    int visible_count = 0;
    gpu::check(cudaGetDeviceCount(&visible_count), "cudaGetDeviceCount");
    if (static_cast<std::size_t>(visible_count) < count) {
      throw UnmetError("gpus=" + std::to_string(count),
                       "a rank sees " + std::to_string(visible_count) + " CUDA device" +
                           (visible_count == 1 ? "" : "s"),
                       "give each rank enough of them (CUDA_VISIBLE_DEVICES), or use gpus=1");
    }
    for (std::size_t d = 0; d < count; ++d) {
      const auto number = static_cast<int>(d);
      const OnDevice current(number);
      devices_.push_back(std::make_unique<Device>(number));
    }
  }

  Device& device_of(std::size_t b) const { return *devices_[b % devices_.size()]; }

  /// Whether one of the device's blocks has side s.
  bool needs(const Device& device, std::size_t s) {
    for (std::size_t b = 0; b < blocks().size(); ++b) {
      if (&device_of(b) != &device) continue;
      if (block(b).rows() == side(s).part || block(b).columns() == side(s).part) return true;
    }
    return false;
  }

  void make_mirrors(RunContext& context) {
    std::uint64_t bitmap_bytes = 0;
    std::uint64_t vertex_bytes = 0;
    for (const auto& device : devices_) {
      std::uint64_t own_bitmap_bytes = 0;
      std::uint64_t own_vertex_bytes = 0;
      for (std::size_t s = 0; s < sides().size(); ++s) {
        if (!needs(*device, s)) continue;
        own_bitmap_bytes += 3 * side(s).found.size() * sizeof(Word);
        own_vertex_bytes += side(s).predecessors.size() * sizeof(Vertex);
      }
      const OnDevice current(device->number);
      gpu::require_memory(own_bitmap_bytes + own_vertex_bytes, kName);
      for (std::size_t s = 0; s < sides().size(); ++s) {
        device->mirrors.push_back(needs(*device, s) ? std::make_unique<Mirror>(side(s).part.size())
                                                    : nullptr);
      }
      bitmap_bytes += own_bitmap_bytes;
      vertex_bytes += own_vertex_bytes;
    }
    context.account("device bitmaps", bitmap_bytes);
    context.account("device vertices", vertex_bytes);
  }

  void place_blocks(const SearchOptions& options, RunContext& context) {
    std::uint64_t graph_bytes = 0;
    std::uint64_t list_bytes = 0;
    for (std::size_t b = 0; b < blocks().size(); ++b) {
      Device& device = device_of(b);
      const OnDevice current(device.number);
      placed_.push_back(std::make_unique<Placed>(block(b), options, device, context));
      graph_bytes += placed_[b]->arcs.graph_bytes();
      list_bytes += placed_[b]->arcs.list_bytes();
    }
    context.account("device graph", graph_bytes);
    context.account("device lists", list_bytes);
  }

  /// All of a bitmap.
  static void send(std::span<const Word> bitmap, const gpu::DeviceArray<Bits>& to,
                   cudaStream_t stream) {
    send_words(bitmap, 0, bitmap.size(), to, stream);
  }
  static void send_words(std::span<const Word> bitmap, std::size_t first, std::size_t last,
                         const gpu::DeviceArray<Bits>& to, cudaStream_t stream) {
    gpu::check(cudaMemcpyAsync(to.data() + kParts * first, bitmap.data() + first,
                               (last - first) * sizeof(Word), cudaMemcpyHostToDevice, stream),
               "cudaMemcpyAsync");
  }

  static void wait_for(cudaEvent_t event, cudaStream_t stream) {
    gpu::check(cudaStreamWaitEvent(stream, event), "cudaStreamWaitEvent");
  }

  /// Bottom-up both sides write words of their own, and the device's go where the CPU's are.
  void start_receive(const Walk& walk) {
    const Placed& placed = *placed_[walk.block];
    Side& to = side(walk.to);
    const std::size_t first = walk.bottom_up ? placed.cpu_word_count : 0;
    Word* const host =
        walk.bottom_up || !has_cpu_ ? to.found.data() : found_by_device_[walk.to].data();
    gpu::check(cudaMemcpyAsync(
                   host + first, placed.device->mirrors[walk.to]->found.data() + kParts * first,
                   (to.found.size() - first) * sizeof(Word), cudaMemcpyDeviceToHost, placed.stream),
               "cudaMemcpyAsync");
  }

  /// Each side adds the other's finds to its visited vertices. The CPU's finds may still be on
  /// their way to the device when this returns.
  void merge(const Walk& walk) {
    Placed& placed = *placed_[walk.block];
    Side& to = side(walk.to);
    if (placed.has_device_rows()) {
      const Word* const by_device = found_by_device_[walk.to].data();
      team().for_portions(to.found.size(), [&](std::size_t first, std::size_t last) {
        for (std::size_t w = first; w < last; ++w) {
          if (!walk.bottom_up) to.found[w] |= by_device[w];
          to.visited[w] |= to.found[w];
        }
      });
    }
    const std::size_t word_count = walk.bottom_up ? placed.cpu_word_count : to.found.size();
    if (word_count == 0 || !placed.has_device_rows()) return;
    Mirror& mirror = *placed.device->mirrors[walk.to];
    send_words(to.found, 0, word_count, mirror.found, placed.stream);
    unite(mirror.visited.data(), mirror.found.data(),
          static_cast<std::uint32_t>(kParts * word_count), placed.stream);
    placed.merged.record(placed.stream);
    // There the next frontier becomes visited.
    wait_for(placed.merged, placed.device->stream);
  }

  bool overlap_;
  bool has_cpu_;
  int first_device_ = 0;
  std::vector<std::unique_ptr<Device>> devices_;
  std::vector<std::unique_ptr<Placed>> placed_;          ///< by block
  std::vector<gpu::PinnedArray<Word>> found_by_device_;  ///< top-down, by side
  std::vector<Walk> last_walks_;                         ///< by the side that they went to
};

}  // namespace

std::unique_ptr<BlockSearch> make_gpu_block_search(std::span<const bfs::Block> blocks,
                                                   std::span<const VertexRange> parts,
                                                   const SearchOptions& options,
                                                   RunContext& context) {
  return std::make_unique<GpuBlockSearch>(blocks, parts, options, context);
}

}  // namespace bellmark::distributed_bfs
