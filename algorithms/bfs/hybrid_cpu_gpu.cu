// bfs/hybrid-cpu-gpu: Hybrid-BFS with CPU threads and one GPU, both at work on every level
// (hiragushi2013, section 3.3). The rows of the matrix are split once, so that the first ones, the
// CPU's, have `cpu_share` percent of the arcs. Top-down a side goes along the arcs of its own rows
// in the frontier; bottom-up it looks at its own unvisited rows. Both have all of the frontier and
// of what is visited.
//
// A level (steps 1 to 4 of the paper's Figure 8; the others are between nodes):
//   GPU      its kernels, then a copy of what it found to the host
//   CPU      meanwhile its rows; then a copy of what it found to the device, which may go on while
//            the GPU is still busy
//   merge    each side adds what the other found, at the same time
// Bottom-up the sides find rows of their own, and only those words are copied. Top-down both may
// find the same vertex, from different vertices of the frontier: both are right, and the GPU's
// counts.
//
// Predecessors stay with the side that found them. In the end the GPU fetches those that are the
// CPU's alone from pinned memory: the answer is an array on the device.
#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "algorithms/bfs/gpu_options.hpp"
#include "algorithms/bfs/hybrid_gpu.cuh"
#include "algorithms/bfs/levels.hpp"
#include "algorithms/bfs/options.hpp"
#include "algorithms/bfs/problem.hpp"
#include "algorithms/contract/gpu.cuh"
#include "algorithms/contract/registry.hpp"
#include "algorithms/contract/spin_barrier.hpp"
#include "algorithms/contract/thread_team.hpp"

namespace bellmark::bfs::hybrid_gpu {
namespace {

constexpr const char* kName = "bfs/hybrid-cpu-gpu";

/// A word of the CPU's bitmaps is two of the GPU's.
constexpr std::uint32_t kParts = sizeof(Word) / sizeof(Bits);
static_assert(std::endian::native == std::endian::little && kParts == 2);

/// Adds the first `size` words of what the CPU found to `next`, which holds what the GPU found or,
/// where `has_own` is false, nothing yet. `from_cpu` collects what the CPU alone found. A thread a
/// word.
template <class RowOffset>
__global__ void __launch_bounds__(kBlock)
    merge_kernel(LevelView<RowOffset> view, const Bits* received, Bits* from_cpu,
                 std::uint32_t size, bool has_own) {
  const std::uint32_t word = blockIdx.x * kBlock + threadIdx.x;
  unsigned found_count = 0;
  unsigned long long found_arc_count = 0;
  if (word < size) {
    const Bits own = has_own ? view.next[word] : 0;
    const Bits fresh = received[word] & ~own;
    view.next[word] = own | fresh;
    if (fresh != 0) {
      view.visited[word] |= fresh;
      from_cpu[word] |= fresh;
      found_count = static_cast<unsigned>(__popc(fresh));
    }
    for (Bits rest = fresh; rest != 0; rest &= rest - 1) {
      const auto bit = static_cast<unsigned>(__ffs(static_cast<int>(rest))) - 1;
      found_arc_count += arc_count_of(view, word * kWordBits + bit);
    }
  }
  add_counts<kBlock>(*view.counts, found_count, found_arc_count);
}

/// Predecessors of the vertices in `from_cpu`, read over the bus where they lie: 4 bytes a vertex,
/// coalesced where its neighbours are wanted too, as in the CPU's rows most are.
template <class RowOffset>
__global__ void __launch_bounds__(kBlock)
    fetch_predecessors_kernel(LevelView<RowOffset> view, const Bits* from_cpu,
                              const Vertex* predecessors) {
  const std::uint64_t v = std::uint64_t{blockIdx.x} * kBlock + threadIdx.x;
  if (v >= view.vertex_count || !contains(from_cpu, static_cast<Vertex>(v))) return;
  view.predecessors[v] = predecessors[v];
}

/// How many words of a bitmap are the CPU's rows: those with the nearest to `percent` of the arcs.
std::size_t words_of_share(const Block& block, std::uint64_t percent) {
  const Vertex n = block.rows().size();
  const std::size_t words = word_count(n);
  if (percent == 100) return words;
  const auto arcs_before = [&](std::size_t word) {
    return n == 0 ? 0 : block.row_offsets()[std::min<std::size_t>(n, word * bfs::kWordBits)];
  };
  const Offset wanted = block.arc_count() * percent / 100;
  std::size_t low = 0;
  std::size_t high = words;
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    if (arcs_before(middle) < wanted) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  const bool nearer_below = low > 0 && wanted - arcs_before(low - 1) < arcs_before(low) - wanted;
  return nearer_below ? low - 1 : low;
}

template <Direction direction, class RowOffset>
class HybridCpuGpu {
 public:
  using Problem = Bfs;

  static Description describe() {
    Description description;
    description.name = kName;
    description.summary = "By levels, top-down or bottom-up, on CPU threads and one GPU at once";
    description.source = "Hiragushi, Takahashi 2013, section 3.3";
    description.keys = {
        at_run_time(integer_key("cpu_share", 25, 0, 100, "how much of the arcs is the CPU's"), true,
                    "percent"),
        direction_key(),
        alpha_key(),
        beta_key(),
        threshold_key(),
        threads_key(),
        row_offsets_key()};
    description.instance = {{"direction", to_string(direction)},
                            {"row_offsets", std::to_string(8 * sizeof(RowOffset))}};
    description.needs = {Need::cuda};
    if (direction != Direction::top_down) description.needs.push_back(Need::symmetric);
    description.aliases = {
        {"hiragushi2013:cpu+gpu", "cpu_share=25,direction=hybrid,alpha=10,beta=14,threshold=32"}};
    return description;
  }

  static Settings resolve(const Settings& settings, const Graph& graph) {
    return resolve_row_offsets(settings, graph.arc_count());
  }

  explicit HybridCpuGpu(const Settings& settings)
      : cpu_share_(static_cast<std::uint64_t>(settings.integer("cpu_share"))),
        alpha_(static_cast<std::uint64_t>(settings.integer("alpha"))),
        beta_(static_cast<std::uint64_t>(settings.integer("beta"))),
        threshold_(static_cast<std::uint32_t>(settings.integer("threshold"))),
        thread_count_(static_cast<std::size_t>(settings.integer("threads"))) {}

  void prepare(const Graph& graph, RunContext& context) {
    require_gpu(kName);
    block_ = Block(graph);
    rule_ = SwitchRule(alpha_, beta_, graph.vertex_count(), graph.arc_count());
    words_ = word_count(graph.vertex_count());
    cpu_words_ = words_of_share(block_, cpu_share_);
    if (!has_cpu()) thread_count_ = 1;
    prepare_memory(graph.vertex_count(), context);
    stream_ = std::make_unique<gpu::Stream>();
    sending_ = std::make_unique<gpu::Stream>();
    sent_ = std::make_unique<gpu::Event>();
    received_from_gpu_ = std::make_unique<gpu::Event>();
    clock_ = std::make_unique<LevelClock>();
    log_.reserve(graph.vertex_count());
    team_ = std::make_unique<ThreadTeam>(thread_count_, context);
    barrier_ = std::make_unique<SpinBarrier>(thread_count_);
    // What uses the default stream is done: a Stream doesn't wait for it.
    gpu::check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  }

  void run(std::span<const Bfs::Query> queries, RunContext& context) {
    instrumented_ = context.instrumented();
    source_ = queries[0].source;
    log_.clear();
    gpu_ns_.clear();
    cpu_ns_.clear();
    fault_ = nullptr;
    {
      gpu::GpuPhase phase(context, "search", *stream_);
      team_->run([this](std::size_t thread) { work(thread); });
      if (fault_ != nullptr) std::rethrow_exception(fault_);
      phase.note("level_count", log_.level_count());
      phase.note("reached_count", reached_.vertex_count);
    }
    if (has_cpu()) {
      const gpu::GpuPhase phase(context, "predecessors", *stream_);
      const unsigned blocks = DeviceLevels<RowOffset>::blocks_of(block_.rows().size(), kBlock);
      fetch_predecessors_kernel<<<blocks, kBlock, 0, *stream_>>>(levels_.view(), from_cpu_.data(),
                                                                 predecessors_.data());
      gpu::check_launch("fetch_predecessors");
    }
    stream_->synchronize();
  }

  void extract(Bfs::Answer& answer) const {
    answer.predecessors = levels_.predecessors();
    answer.levels = levels_of(answer.predecessors, source_);
  }

  /// A level a line. In an instrumented run also what each side took for its rows, without copies
  /// and merging: `gpu_ns`, by events around its kernels, and `cpu_ns`, by the host's clock.
  PhaseLog phase_log() const {
    const PhaseLog log = log_.phase_log();
    return instrumented_ ? with_column(with_column(log, "gpu_ns", gpu_ns_), "cpu_ns", cpu_ns_)
                         : log;
  }

 private:
  /// Words that a CPU thread takes at a time.
  static constexpr std::size_t kPortion = 64;

  /// The next level; thread 0 writes it while all others wait.
  struct Plan {
    bool finished = false;
    std::size_t side = 0;  ///< of `found_by_cpu_`
    LevelRow level;
  };

  bool has_cpu() const { return cpu_words_ > 0; }
  bool has_gpu() const { return cpu_words_ < words_; }
  std::uint32_t first_gpu_word() const { return static_cast<std::uint32_t>(kParts * cpu_words_); }

  void prepare_memory(Vertex n, RunContext& context) {
    const std::size_t shared_words = has_cpu() ? words_ : 0;
    const std::size_t shared_vertices = has_cpu() ? n : 0;
    const std::uint64_t merge_bytes = 2 * shared_words * sizeof(Word);
    levels_.prepare(block_, threshold_, merge_bytes, kName, context);
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

  /// All levels, as each thread goes through them. Thread 0 alone talks to the GPU. What it throws
  /// ends the search for all: a thread that left would leave the others at the barrier for ever.
  void work(std::size_t thread) noexcept {
    begin_words(thread);
    if (thread == 0) attempt([this] { begin(); });
    barrier_->wait();
    while (!plan_.finished) {
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
      plan_.finished = true;
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
    level_begin_ns_ = gpu::host_now_ns();
    levels_.begin(source_, *stream_);
    gpu::check(cudaMemsetAsync(from_cpu_.data(), 0, from_cpu_.bytes(), *stream_),
               "cudaMemsetAsync");
    reached_ = {1, block_.row_offsets()[source_ + 1] - block_.row_offsets()[source_]};
    plan_ = {};
    begin_level({0, 0});
  }

  /// Plans the level that goes on from what was reached since `before`, and starts the GPU's part
  /// of it.
  void begin_level(const Counts& before) {
    LevelRow& level = plan_.level;
    level.frontier_count = reached_.vertex_count - before.vertex_count;
    level.frontier_arc_count = reached_.arc_count - before.arc_count;
    level.unvisited_count = block_.rows().size() - reached_.vertex_count;
    level.bottom_up =
        direction == Direction::hybrid
            ? rule_.bottom_up(level.bottom_up, level.frontier_count, level.frontier_arc_count)
            : direction == Direction::bottom_up;
    plan_.finished = level.frontier_count == 0;
    if (plan_.finished) return;
    portions_.open(cpu_words_);
    if (instrumented_) clock_->start(*stream_);
    if (has_gpu()) {
      if (level.bottom_up) {
        levels_.bottom_up(first_gpu_word(), *stream_);
      } else {
        levels_.top_down(first_gpu_word(), level.frontier_arc_count, *stream_);
      }
    }
    if (instrumented_) clock_->stop(*stream_);
    if (!has_cpu() || !has_gpu()) return;
    const std::size_t first = first_word_of_gpu();
    gpu::check(cudaMemcpyAsync(found_by_gpu_.data() + first, levels_.next().data() + kParts * first,
                               (words_ - first) * sizeof(Word), cudaMemcpyDeviceToHost, *stream_),
               "cudaMemcpyAsync");
    received_from_gpu_->record(*stream_);
  }

  /// Where this level's finds of the GPU begin; top-down they may be anywhere.
  std::size_t first_word_of_gpu() const {
    if (!has_gpu()) return words_;
    return plan_.level.bottom_up ? cpu_words_ : 0;
  }

  /// The CPU's part of a level.
  template <bool kShared>
  void search_rows(std::size_t thread) {
    const std::span<Word> found(found_by_cpu_[plan_.side].data(), found_by_cpu_[plan_.side].size());
    if (plan_.level.bottom_up) {
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

  /// Sends what the CPU found, has the GPU merge it, and waits for what the GPU found: the GPU's
  /// merging and this side's go on at once.
  void exchange() {
    if (has_cpu()) {
      const std::size_t words = plan_.level.bottom_up ? cpu_words_ : words_;
      gpu::check(cudaMemcpyAsync(received_.data(), found_by_cpu_[plan_.side].data(),
                                 words * sizeof(Word), cudaMemcpyHostToDevice, *sending_),
                 "cudaMemcpyAsync");
      sent_->record(*sending_);
      gpu::check(cudaStreamWaitEvent(*stream_, *sent_), "cudaStreamWaitEvent");
      const auto size = static_cast<std::uint32_t>(kParts * words);
      const bool has_own = has_gpu() && !plan_.level.bottom_up;
      merge_kernel<<<DeviceLevels<RowOffset>::blocks_of(size, kBlock), kBlock, 0, *stream_>>>(
          levels_.view(), received_.data(), from_cpu_.data(), size, has_own);
      gpu::check_launch("merge");
    }
    levels_.fetch_counts(*stream_);
    if (has_cpu() && has_gpu()) {
      gpu::check(cudaEventSynchronize(*received_from_gpu_), "cudaEventSynchronize");
    }
  }

  /// The frontier of the next level, in this thread's words. What the CPU found may still be on its
  /// way to the device: the next level has the other side, which has been sent long since.
  void merge_words(std::size_t thread) {
    const Word* const found = found_by_cpu_[plan_.side].data();
    Word* const other_side = found_by_cpu_[1 - plan_.side].data();
    const std::size_t first_of_gpu = first_word_of_gpu();
    for_own_words(thread, [&](std::size_t w) {
      const Word reached = found[w] | (w < first_of_gpu ? 0 : found_by_gpu_[w]);
      frontier_[w] = reached;
      visited_[w] |= reached;
      other_side[w] = 0;
    });
  }

  void end_level() {
    stream_->synchronize();
    levels_.turn();
    if (instrumented_) {
      gpu_ns_.push_back(clock_->ns());
      cpu_ns_.push_back(cpu_level_ns_);
    }
    const std::uint64_t now_ns = gpu::host_now_ns();
    plan_.level.host_ns = now_ns - level_begin_ns_;
    level_begin_ns_ = now_ns;
    log_.push(plan_.level);
    const Counts before = reached_;
    reached_ = levels_.counts();
    plan_.side = 1 - plan_.side;
    begin_level(before);
  }

  std::uint64_t cpu_share_;
  std::uint64_t alpha_;
  std::uint64_t beta_;
  std::uint32_t threshold_;
  std::size_t thread_count_;

  Block block_;
  SwitchRule rule_;
  std::size_t words_ = 0;
  std::size_t cpu_words_ = 0;  ///< the CPU's rows; the others are the GPU's

  DeviceLevels<RowOffset> levels_;
  gpu::DeviceArray<Bits> received_;
  gpu::DeviceArray<Bits> from_cpu_;
  std::unique_ptr<gpu::Stream> stream_;
  std::unique_ptr<gpu::Stream> sending_;
  std::unique_ptr<gpu::Event> sent_;
  std::unique_ptr<gpu::Event> received_from_gpu_;
  std::unique_ptr<LevelClock> clock_;

  std::unique_ptr<ThreadTeam> team_;
  std::unique_ptr<SpinBarrier> barrier_;
  Portions portions_;
  std::vector<Word> frontier_;
  std::vector<Word> visited_;
  std::array<gpu::PinnedArray<Word>, 2> found_by_cpu_;  ///< taken in turn by the levels
  gpu::PinnedArray<Word> found_by_gpu_;
  gpu::PinnedArray<Vertex> predecessors_;    ///< of what the CPU found
  std::vector<std::vector<Vertex>> listed_;  ///< a thread's vertices of the frontier, a portion

  Plan plan_;
  std::exception_ptr fault_;
  Counts reached_ = {0, 0};
  std::uint64_t level_begin_ns_ = 0;
  std::uint64_t cpu_level_ns_ = 0;

  // Of the last run.
  Vertex source_ = 0;
  bool instrumented_ = false;
  LevelLog log_;
  std::vector<std::uint64_t> gpu_ns_;
  std::vector<std::uint64_t> cpu_ns_;
};

template <class RowOffset>
bool register_directions() {
  return detail::register_variants<HybridCpuGpu<Direction::hybrid, RowOffset>,
                                   HybridCpuGpu<Direction::top_down, RowOffset>,
                                   HybridCpuGpu<Direction::bottom_up, RowOffset>>();
}

[[maybe_unused]] const bool registered =
    register_directions<std::uint32_t>() && register_directions<std::uint64_t>();

}  // namespace
}  // namespace bellmark::bfs::hybrid_gpu
