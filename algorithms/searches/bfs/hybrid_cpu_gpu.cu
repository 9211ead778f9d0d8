// bfs/hybrid-cpu-gpu: Hybrid-BFS with CPU threads and one GPU, both at work on every level
// (hiragushi2013, section 3.3). The rows of the matrix are split once: the first ones, the CPU's,
// have `cpu_share` percent of the arcs. Top-down a side goes along the arcs of its own rows in the
// frontier; bottom-up it looks at its own unvisited rows. Both sides have the whole frontier and
// all visited vertices.
//
// A level (steps 1 to 4 of the paper's Figure 8; the others are between nodes):
//   GPU      its kernels, then a copy of its finds to the host
//   CPU      meanwhile its rows; then a copy of its finds to the device, which may go on while
//            the GPU is still busy
//   merge    each side adds the other's finds, at the same time
// Bottom-up the sides find rows of their own, and only those words are copied. Top-down both may
// find the same vertex, from different vertices of the frontier. Both are right, and the GPU's
// counts.
//
// Where levels are wanted, the GPU writes them: those of its own finds in its kernels, those of the
// CPU's when it merges them. Predecessors stay with the side that found them. In the end the GPU
// fetches those that are the CPU's alone from pinned memory: the answer is an array on the device.
#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <span>
#include <vector>

#include "algorithms/contract/registry.hpp"
#include "algorithms/gpu/gpu.cuh"
#include "algorithms/parallel/spin_barrier.hpp"
#include "algorithms/parallel/thread_team.hpp"
#include "algorithms/problems/bfs/levels.hpp"
#include "algorithms/problems/bfs/problem.hpp"
#include "algorithms/searches/bfs/gpu_options.hpp"
#include "algorithms/searches/bfs/hybrid_gpu_search.cuh"
#include "algorithms/searches/bfs/options.hpp"

namespace bellmark::bfs::hybrid_gpu {
namespace {

constexpr const char* kName = "bfs/hybrid-cpu-gpu";

/// A word of the CPU's bitmaps is two of the GPU's.
constexpr std::uint32_t kParts = sizeof(Word) / sizeof(Bits);
static_assert(std::endian::native == std::endian::little && kParts == 2);

template <Direction direction, class RowOffset>
class HybridCpuGpu {
 public:
  using Problem = Bfs;

  static Description describe() {
    Description description = Search<direction, RowOffset>::describe();
    description.name = kName;
    description.summary = "Levels top-down or bottom-up on CPU threads and one GPU together";
    description.source = "Hiragushi, Takahashi 2013, section 3.3";
    description.keys = {cpu_share_key(25), direction_key(),     alpha_key(),
                        beta_key(),        threshold_key(),     threads_key(),
                        row_offsets_key(), untimed_levels_key()};
    description.aliases = {
        {"hiragushi2013:cpu+gpu",
         "cpu_share=25,direction=hybrid,alpha=10,beta=14,threshold=32,untimed=levels"}};
    return description;
  }

  static Settings resolve(const Settings& settings, const Graph& graph) {
    return resolve_row_offsets(settings, graph.arc_count());
  }

  explicit HybridCpuGpu(const Settings& settings)
      : search_(settings),
        cpu_share_(static_cast<std::uint64_t>(settings.integer("cpu_share"))),
        thread_count_(static_cast<std::size_t>(settings.integer("threads"))) {}

  void prepare(const Graph& graph, RunContext& context) {
    block_ = Block(graph);
    words_ = word_count(graph.vertex_count());
    cpu_words_ = words_of_share(block_, cpu_share_);
    if (!has_cpu()) thread_count_ = 1;
    prepare_memory(graph.vertex_count(), context);
    sending_ = std::make_unique<gpu::Stream>();
    sent_ = std::make_unique<gpu::Event>();
    received_from_gpu_ = std::make_unique<gpu::Event>();
    team_ = std::make_unique<ThreadTeam>(thread_count_, context);
    barrier_ = std::make_unique<SpinBarrier>(thread_count_);
  }

  void run(std::span<const Bfs::Query> queries, RunContext& context) {
    source_ = queries[0].source;
    instrumented_ = context.instrumented();
    cpu_ns_.clear();
    fault_ = nullptr;
    {
      gpu::GpuPhase phase(context, "search", search_.stream());
      team_->run([this](std::size_t thread) { work(thread); });
      if (fault_ != nullptr) std::rethrow_exception(fault_);
      search_.note_counts(phase);
    }
    if (has_cpu()) {
      const gpu::GpuPhase phase(context, "predecessors", search_.stream());
      search_.levels().fetch_predecessors(from_cpu_.data(), predecessors_.data(), search_.stream());
    }
    search_.stream().synchronize();
  }

  void extract(Bfs::Answer& answer) const { search_.extract(answer); }

  /// A level a line. In an instrumented run also the time of each side for its rows, without copies
  /// and merging: `gpu_ns`, by events around its kernels, and `cpu_ns`, by the host's clock.
  PhaseLog phase_log() const {
    const PhaseLog log = search_.phase_log();
    return instrumented_ ? with_column(log, "cpu_ns", cpu_ns_) : log;
  }

 private:
  /// Words that a CPU thread takes at a time.
  static constexpr std::size_t kPortion = 64;

  bool has_cpu() const { return cpu_words_ > 0; }
  bool has_gpu() const { return cpu_words_ < words_; }

  void prepare_memory(Vertex n, RunContext& context) {
    const std::size_t shared_words = has_cpu() ? words_ : 0;
    const std::size_t shared_vertices = has_cpu() ? n : 0;
    const std::uint64_t merge_bytes = 2 * shared_words * sizeof(Word);
    search_.prepare(block_, merge_bytes, kName, context);
    context.account("device merge", merge_bytes);
    context.account("pinned", 3 * shared_words * sizeof(Word) + shared_vertices * sizeof(Vertex));
    context.account("vertices", 2 * shared_words * sizeof(Word));
    received_ = gpu::DeviceArray<Bits>(kParts * shared_words);
    from_cpu_ = gpu::DeviceArray<Bits>(kParts * shared_words);
    for (auto& found : found_by_cpu_) found = gpu::PinnedArray<Word>(shared_words);
    found_by_gpu_ = gpu::PinnedArray<Word>(shared_words);
    predecessors_ = gpu::PinnedArray<Vertex>(shared_vertices);
    frontier_.resize(shared_words);
    visited_.resize(shared_words);
    listed_.resize(thread_count_);
    for (auto& list : listed_) list.reserve(has_cpu() ? kPortion * bfs::kWordBits : 0);
  }

  /// All levels, as each thread goes through them. Thread 0 alone talks to the GPU. Its exception
  /// ends the search for all: a thread that left would leave the others at the barrier for ever.
  void work(std::size_t thread) noexcept {
    begin_words(thread);
    if (thread == 0) attempt([this] { begin(); });
    barrier_->wait();
    while (!finished_) {
      const std::uint64_t begin_ns = gpu::host_now_ns();
      if (thread_count_ == 1) {
        search_rows<false>(thread);
      } else {
        search_rows<true>(thread);
      }
      barrier_->wait();
      if (thread == 0) {
        cpu_level_ns_ = gpu::host_now_ns() - begin_ns;
        attempt([this] { exchange(); });
      }
      barrier_->wait();
      merge_words(thread);
      barrier_->wait();
      if (thread == 0) attempt([this] { end_level(); });
      barrier_->wait();
    }
  }

  template <class Step>
  void attempt(Step step) noexcept {
    if (fault_ != nullptr) return;
    try {
      step();
    } catch (...) {
      fault_ = std::current_exception();
      finished_ = true;
    }
  }

  /// Nothing but the source is visited, in this thread's words.
  void begin_words(std::size_t thread) {
    for_own_words(thread, [this](std::size_t w) {
      const Word own = w == source_ / bfs::kWordBits ? bit(source_) : 0;
      frontier_[w] = own;
      visited_[w] = own | (w + 1 == words_ ? bfs::bits_beyond(block_.rows().size()) : 0);
      found_by_cpu_[0][w] = 0;
    });
  }

  template <class Visit>
  void for_own_words(std::size_t thread, Visit visit) {
    const auto [first, last] =
        part(static_cast<Vertex>(frontier_.size()), static_cast<Vertex>(thread),
             static_cast<Vertex>(thread_count_));
    for (std::size_t w = first; w < last; ++w) visit(w);
  }

  void begin() {
    search_.begin(source_, instrumented_);
    gpu::check(cudaMemsetAsync(from_cpu_.data(), 0, from_cpu_.bytes(), search_.stream()),
               "cudaMemsetAsync");
    side_ = 0;
    begin_level();
  }

  /// Plans the next level and starts the GPU's part of it.
  void begin_level() {
    finished_ = !search_.plan();
    if (finished_) return;
    portions_.open(cpu_words_);
    search_.launch(static_cast<std::uint32_t>(kParts * cpu_words_));
    if (!has_cpu() || !has_gpu()) return;
    const std::size_t first = first_word_of_gpu();
    gpu::check(cudaMemcpyAsync(
                   found_by_gpu_.data() + first, search_.levels().next().data() + kParts * first,
                   (words_ - first) * sizeof(Word), cudaMemcpyDeviceToHost, search_.stream()),
               "cudaMemcpyAsync");
    received_from_gpu_->record(search_.stream());
  }

  /// The place where this level's finds of the GPU begin; top-down they may be anywhere.
  std::size_t first_word_of_gpu() const {
    if (!has_gpu()) return words_;
    return search_.level().bottom_up ? cpu_words_ : 0;
  }

  /// The CPU's part of a level.
  template <bool kShared>
  void search_rows(std::size_t thread) {
    const std::span<Word> found(found_by_cpu_[side_].data(), found_by_cpu_[side_].size());
    if (search_.level().bottom_up) {
      portions_.take(kPortion, [&](std::size_t first, std::size_t last) {
        bottom_up(block_, first, last, frontier_, visited_, found,
                  [&](Vertex v, Vertex u) { predecessors_[v] = u; });
      });
      return;
    }
    std::vector<Vertex>& list = listed_[thread];
    portions_.take(kPortion, [&](std::size_t first, std::size_t last) {
      list.clear();
      for_each_member(frontier_, first, last, [&](Vertex u) { list.push_back(u); });
      top_down<kShared>(block_, list, visited_, [&](Vertex v, Vertex u) {
        predecessors_[v] = u;
        insert<kShared>(found, v);
      });
    });
  }

  /// Sends the CPU's finds, has the GPU merge them, and waits for the GPU's finds. The GPU's
  /// merging and this side's go on at once.
  void exchange() {
    if (has_cpu()) {
      const std::size_t words = search_.level().bottom_up ? cpu_words_ : words_;
      gpu::check(cudaMemcpyAsync(received_.data(), found_by_cpu_[side_].data(),
                                 words * sizeof(Word), cudaMemcpyHostToDevice, *sending_),
                 "cudaMemcpyAsync");
      sent_->record(*sending_);
      gpu::check(cudaStreamWaitEvent(search_.stream(), *sent_), "cudaStreamWaitEvent");
      const auto size = static_cast<std::uint32_t>(kParts * words);
      const bool has_own = has_gpu() && !search_.level().bottom_up;
      search_.levels().merge(received_.data(), from_cpu_.data(), size, has_own, search_.stream());
    }
    search_.fetch_counts();
    if (has_cpu() && has_gpu()) {
      gpu::check(cudaEventSynchronize(*received_from_gpu_), "cudaEventSynchronize");
    }
  }

  /// The frontier of the next level, in this thread's words. The CPU's finds may still be on their
  /// way to the device. The next level has the other side, which arrived long before.
  void merge_words(std::size_t thread) {
    const Word* const found = found_by_cpu_[side_].data();
    Word* const other_side = found_by_cpu_[1 - side_].data();
    const std::size_t first_of_gpu = first_word_of_gpu();
    for_own_words(thread, [&](std::size_t w) {
      const Word reached = found[w] | (w < first_of_gpu ? 0 : found_by_gpu_[w]);
      frontier_[w] = reached;
      visited_[w] |= reached;
      other_side[w] = 0;
    });
  }

  void end_level() {
    search_.finish();
    if (instrumented_) cpu_ns_.push_back(cpu_level_ns_);
    side_ = 1 - side_;
    begin_level();
  }

  Search<direction, RowOffset> search_;
  std::uint64_t cpu_share_;
  std::size_t thread_count_;

  Block block_;
  std::size_t words_ = 0;
  std::size_t cpu_words_ = 0;  ///< the CPU's rows; the others are the GPU's

  gpu::DeviceArray<Bits> received_;
  gpu::DeviceArray<Bits> from_cpu_;
  std::unique_ptr<gpu::Stream> sending_;
  std::unique_ptr<gpu::Event> sent_;
  std::unique_ptr<gpu::Event> received_from_gpu_;

  std::unique_ptr<ThreadTeam> team_;
  std::unique_ptr<SpinBarrier> barrier_;
  Portions portions_;
  std::vector<Word> frontier_;
  std::vector<Word> visited_;
  std::array<gpu::PinnedArray<Word>, 2> found_by_cpu_;  ///< taken in turn by the levels
  gpu::PinnedArray<Word> found_by_gpu_;
  gpu::PinnedArray<Vertex> predecessors_;    ///< of the CPU's finds
  std::vector<std::vector<Vertex>> listed_;  ///< a thread's vertices of the frontier, by portion

  // Thread 0 writes these, and the level that `search_` plans, while all others wait.
  bool finished_ = false;
  std::size_t side_ = 0;  ///< of `found_by_cpu_`
  std::exception_ptr fault_;
  std::uint64_t cpu_level_ns_ = 0;

  // Of the last run.
  Vertex source_ = 0;
  bool instrumented_ = false;
  std::vector<std::uint64_t> cpu_ns_;
};

BELLMARK_REGISTER(HybridCpuGpu<Direction::hybrid, std::uint32_t>,
                  HybridCpuGpu<Direction::top_down, std::uint32_t>,
                  HybridCpuGpu<Direction::bottom_up, std::uint32_t>,
                  HybridCpuGpu<Direction::hybrid, std::uint64_t>,
                  HybridCpuGpu<Direction::top_down, std::uint64_t>,
                  HybridCpuGpu<Direction::bottom_up, std::uint64_t>);

}  // namespace
}  // namespace bellmark::bfs::hybrid_gpu
