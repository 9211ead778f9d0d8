// sssp/harish: Bellman-Ford by phases on the GPU, after Harish and Narayanan (HiPC 2007), and the
// three systems of suzuki (Suzuki, Kan, Hayashi, Yoshikawa: Accelerating SSSP Algorithm on GPU with
// Adaptive Thread Creation). A phase is RELAX, which lowers the candidates of the updated vertices'
// neighbours, and UPDATE, which commits candidates as distances. So every phase works on the
// distances of its beginning, whichever threads are created:
//   all-vertices      one for every vertex, always (Algorithms 1-3; the paper's Conventional)
//   updated-vertices  one for every updated vertex, always (Algorithms 5, 6; its Selection)
//   adaptive          one of the two, by the time that phases take (Algorithm 4; its Proposal)
// All three go through the same phases: their distances agree after each.
//
// The time. The paper's figures are phase times: the host's clock around RELAX, NR_a = NW_a with
// the clearing of NW_a, and UPDATE. The termination test and SWITCH_KERNEL lie outside. The phase
// log has these times (loop=host: `host_ns`); run() is everything from initialising to the answer
// on the device.
//
// Choices that the text leaves open:
//   NR_a = NW_a   swaps two pointers. The prose copies; no claim rests on the copy, and the
//                 assignment means the exchange of roles. The way to the host remains in the phase
//                 time: UPDATE's number of threads is the number of entries of NW_a.
//   M_a is empty  with lists: NR_a is empty, which the host knows already. Without: UPDATE raises
//                 a flag, and the host fetches and clears it after the phase. Nothing is counted.
//   the average   of this and the previous phase, also right after a switch; the first phase has
//                 its own time only. Algorithm 4 as printed has none (compare=this-phase).
//
// Predecessors. They are in none of the algorithms, and no figure covers them: section 3 says that
// they "can also be obtained". So the phases stay the paper's. One pass over the arcs finds
// predecessors from the final distances, inside run(). A vertex takes the least tail of a tight arc
// of positive length. Where lengths of 0 exist, tight arcs may form a cycle. Vertices that only
// such arcs reach are claimed from the others outwards, in rounds (harish.cuh proves that a tree
// results). To keep predecessors in the phases instead, distance and predecessor would be one
// atomic word. That is twice the width that the paper's atomics work on, and out of reach for
// 64-bit distances.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "algorithms/contract/registry.hpp"
#include "algorithms/gpu/gpu.cuh"
#include "algorithms/gpu/gpu.hpp"
#include "algorithms/problems/sssp/problem.hpp"
#include "algorithms/searches/harish/harish.cuh"
#include "algorithms/searches/harish/harish_loops.cuh"
#include "algorithms/searches/harish/options.hpp"
#include "algorithms/searches/harish/repeating_graph.cuh"

namespace bellmark::harish {
namespace {

template <Options options>
class Harish {
 public:
  using Problem = Sssp;
  using Distance = std::conditional_t<options.distance == 32, std::uint32_t, unsigned long long>;

  static Description describe() { return harish::describe(options); }

  static Settings resolve(const Settings& settings, const Graph& graph) {
    return harish::resolve(settings, graph);
  }

  explicit Harish(const Settings& settings)
      : thresholds_{static_cast<std::uint64_t>(settings.integer("up-us")) * 1000,
                    static_cast<std::uint64_t>(settings.integer("down-us")) * 1000,
                    settings.get("compare") == "this-phase"},
        block_(static_cast<std::uint32_t>(settings.integer("block"))) {}

  void prepare(const Graph& graph, RunContext& context) {
    if (const std::string reason = gpu::unmet(); !reason.empty()) {
      throw UnmetError("sssp/harish", reason, "run it where a CUDA device is");
    }
    require_indexable(graph);
    allocate(graph, context);
    upload(graph);
    has_zero_lengths_ = graph.arc_count() > 0 && graph.properties().least_length == 0;
    stream_ = std::make_unique<gpu::Stream>();
    fetched_ = gpu::PinnedArray<std::uint32_t>(1);
    if constexpr (options.loop == Loop::host) {
      phases_.reserve(log_capacity());
      begin_ = std::make_unique<gpu::Event>();
      end_ = std::make_unique<gpu::Event>();
    }
    if constexpr (options.loop == Loop::graph) build_graph();
    if constexpr (options.loop == Loop::cooperative) {
      fixed_blocks_ = filling_blocks(persistent_kernel<options.threads, Distance>);
    }
    // An upload may still be under way when its call returns, and the stream doesn't wait for it.
    gpu::check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  }

  void run(std::span<const Sssp::Query> queries, RunContext& context) {
    remember_schedule();
    source_ = queries[0].source;
    instrumented_ = context.instrumented();
    {
      const gpu::GpuPhase phase(context, "initialise", *stream_);
      initialise_kernel<<<blocks(n()), block_, 0, *stream_>>>(search_, workspace_, source_);
      gpu::check_launch("initialise");
      // The first phase's clock must not run while this does.
      if constexpr (options.loop == Loop::host) stream_->synchronize();
    }
    if constexpr (options.loop == Loop::host) {
      search_from_host(context);
    } else {
      const gpu::GpuPhase phase(context, "search", *stream_);
      if constexpr (options.loop == Loop::graph) graph_.launch(*stream_);
      if constexpr (options.loop == Loop::cooperative) launch_persistent();
    }
    {
      const gpu::GpuPhase phase(context, "predecessors", *stream_);
      find_predecessors();
    }
    stream_->synchronize();
    has_run_ = true;
    unremembered_ = options.threads == ThreadCreation::adaptive && !instrumented_;
  }

  void extract(Sssp::Answer& answer) const {
    remember_schedule();
    std::vector<Distance> distances(n());
    distances_.download(distances);
    answer.distances.resize(n());
    for (std::size_t v = 0; v < distances.size(); ++v) {
      const Distance distance = distances[v];
      const bool reached = distance != Search<Distance>::kInfinite;
      answer.distances[v] = reached ? static_cast<bellmark::Distance>(distance) : kUnreached;
    }
    answer.predecessors.resize(n());
    predecessors_.download(answer.predecessors);
  }

  /// A phase a line. A column is there when the run knew its value for every phase:
  ///   updated_count  vertices whose distance the phase lowered
  ///   thread_count   threads created for RELAX and UPDATE, block sizes not rounded up
  ///   host_ns        phase time as the paper has it, by the host's clock
  ///   gpu_ns         by events around the same kernels, or by the device's clock
  ///   all_vertices   1: threads for all vertices; 0: for the updated ones
  PhaseLog phase_log() const {
    if (!has_run_) return {};
    const std::vector<LoggedLine> logged = lines();
    if (logged.empty()) return {};
    PhaseLog log;
    const bool host = options.loop == Loop::host;
    const bool counted = options.threads == ThreadCreation::updated_vertices ||
                         (options.loop != Loop::graph && instrumented_);
    const bool has_threads = options.loop != Loop::cooperative;
    const bool has_gpu_time = !host || instrumented_;
    const std::tuple<bool, const char*, std::uint64_t LoggedLine::*> columns[] = {
        {counted, "updated_count", &LoggedLine::updated_count},
        {has_threads, "thread_count", &LoggedLine::thread_count},
        {host, "host_ns", &LoggedLine::host_ns},
        {has_gpu_time, "gpu_ns", &LoggedLine::gpu_ns},
        {true, "all_vertices", &LoggedLine::all_vertices}};
    for (const auto& [known, name, member] : columns) {
      if (known) log.columns.emplace_back(name);
    }
    for (const LoggedLine& line : logged) {
      for (const auto& [known, name, member] : columns) {
        if (known) log.values.push_back(line.*member);
      }
    }
    return log;
  }

 private:
  static constexpr bool kHasLists = options.threads != ThreadCreation::all_vertices;

  struct LoggedLine {
    std::uint64_t updated_count = 0;
    std::uint64_t thread_count = 0;
    std::uint64_t host_ns = 0;
    std::uint64_t gpu_ns = 0;
    std::uint64_t all_vertices = 0;
  };

  Vertex n() const { return search_.vertex_count; }
  std::uint32_t blocks(Vertex threads) const {
    return static_cast<std::uint32_t>((std::uint64_t{threads} + block_ - 1) / block_);
  }

  /// A path has fewer arcs than the graph has vertices, and the last phase finds nothing, so there
  /// are at most n phases. Beyond a million the log stays empty.
  std::size_t log_capacity() const { return std::min<std::size_t>(n(), std::size_t{1} << 20); }

  static void require_indexable(const Graph& graph) {
    constexpr std::uint64_t kMost = (std::uint64_t{1} << 31) - 1;
    const auto require = [](std::uint64_t count, const char* what) {
      if (count <= kMost) return;
      throw UnmetError("sssp/harish",
                       std::to_string(count) + " " + what + " are more than the " +
                           std::to_string(kMost) + " that its 32-bit indices reach",
                       "use a smaller graph");
    };
    require(graph.vertex_count(), "vertices");
    require(graph.arc_count(), "arcs");
  }

  void allocate(const Graph& graph, RunContext& context) {
    const std::uint64_t vertices = graph.vertex_count();
    const std::uint64_t arcs = graph.arc_count();
    search_.vertex_count = graph.vertex_count();
    const std::uint64_t listed = kHasLists ? vertices : 0;
    const std::uint64_t logged = options.loop == Loop::host ? 0 : log_capacity();
    const std::uint64_t scheduled =
        options.loop == Loop::cooperative && options.threads == ThreadCreation::adaptive
            ? log_capacity()
            : 0;
    const std::uint64_t graph_bytes =
        sizeof(std::uint32_t) * (vertices + 1) + (sizeof(Vertex) + sizeof(Length)) * arcs;
    const std::uint64_t vertex_bytes =
        (2 * sizeof(Distance) + sizeof(std::uint8_t) + sizeof(Vertex)) * vertices;
    const std::uint64_t list_bytes = (2 * sizeof(Vertex) + sizeof(std::uint32_t)) * listed;
    const std::uint64_t log_bytes = sizeof(LoggedPhase) * logged + scheduled;
    gpu::require_memory(graph_bytes + vertex_bytes + list_bytes + log_bytes + sizeof(State),
                        "sssp/harish");
    context.account("device graph", graph_bytes);
    context.account("device vertices", vertex_bytes);
    context.account("device lists", list_bytes);
    context.account("device log", log_bytes);

    row_offsets_ = gpu::DeviceArray<std::uint32_t>(vertices + 1);
    heads_ = gpu::DeviceArray<Vertex>(arcs);
    lengths_ = gpu::DeviceArray<Length>(arcs);
    updated_ = gpu::DeviceArray<std::uint8_t>(vertices);
    distances_ = gpu::DeviceArray<Distance>(vertices);
    candidates_ = gpu::DeviceArray<Distance>(vertices);
    predecessors_ = gpu::DeviceArray<Vertex>(vertices);
    state_ = gpu::DeviceArray<State>(1);
    search_ = {graph.vertex_count(), row_offsets_.data(), heads_.data(),      lengths_.data(),
               updated_.data(),      distances_.data(),   candidates_.data(), nullptr,
               predecessors_.data()};
    workspace_ = {state_.data(), {nullptr, nullptr}, nullptr, static_cast<std::uint32_t>(logged)};
    if constexpr (kHasLists) {
      scheduled_ = gpu::DeviceArray<std::uint32_t>(listed);
      search_.scheduled = scheduled_.data();
      for (std::size_t i = 0; i < lists_.size(); ++i) {
        lists_[i] = gpu::DeviceArray<Vertex>(listed);
        workspace_.lists[i] = lists_[i].data();
      }
    }
    log_ = gpu::DeviceArray<LoggedPhase>(logged);
    workspace_.log = log_.data();
    device_schedule_ = gpu::DeviceArray<std::uint8_t>(scheduled);
    // Figures that a phase doesn't know are copied to the host with the others.
    state_.clear();
    log_.clear();
  }

  void upload(const Graph& graph) {
    std::vector<std::uint32_t> offsets(graph.row_offsets().begin(), graph.row_offsets().end());
    offsets.resize(row_offsets_.size());  // a graph without vertices has none
    row_offsets_.upload(offsets);
    heads_.upload(graph.heads());
    if (graph.has_lengths()) {
      lengths_.upload(graph.lengths());
    } else {
      lengths_.upload(std::vector<Length>(graph.arc_count(), 1));
    }
  }

  /// Blocks that fill the device with `kernel`, all at once.
  template <class Kernel>
  std::uint32_t filling_blocks(Kernel kernel) const {
    int blocks_each = 0;
    gpu::check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks_each, kernel,
                                                             static_cast<int>(block_), 0),
               "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
    return static_cast<std::uint32_t>(std::max(1, blocks_each) *
                                      gpu::properties().multiProcessorCount);
  }

  /// Algorithm 4; with threads for the same vertices always, Algorithm 1 or its counterpart for the
  /// updated vertices.
  void search_from_host(const RunContext& context) {
    phases_.clear();
    const std::vector<std::uint8_t>* const repeated = schedule_to_repeat();
    ThreadsFor threads_for = first_threads(options.threads);
    Vertex* read = workspace_.lists[0];   // NR_a
    Vertex* write = workspace_.lists[1];  // NW_a
    std::uint32_t listed_count = 1;       // entries of NR_a: the source
    std::uint64_t previous_ns = 0;
    for (bool again = true; again;) {
      LoggedLine line;
      line.all_vertices = threads_for == ThreadsFor::all_vertices ? 1 : 0;
      const std::uint64_t start_ns = gpu::host_now_ns();
      if (instrumented_) begin_->record(*stream_);
      if (threads_for == ThreadsFor::all_vertices) {
        relax_and_update_all(context);
        line.thread_count = 2 * std::uint64_t{n()};
      } else {
        if constexpr (kHasLists) {
          line.thread_count = listed_count;
          listed_count = relax_and_update_listed(context, read, listed_count, write);
          std::swap(read, write);
          line.thread_count += listed_count;
          line.updated_count = listed_count;
        }
      }
      if (instrumented_) end_->record(*stream_);
      stream_->synchronize();
      line.host_ns = gpu::host_now_ns() - start_ns;
      if (instrumented_) line.gpu_ns = phase_gpu_ns();

      again = threads_for == ThreadsFor::all_vertices ? take_any_updated() : listed_count > 0;
      if (threads_for == ThreadsFor::all_vertices && instrumented_)
        line.updated_count = count_updated();
      phases_.push_back(line);
      if constexpr (options.threads == ThreadCreation::adaptive) {
        const std::size_t next_phase = phases_.size();
        const ThreadsFor next =
            repeated != nullptr && next_phase < repeated->size()
                ? static_cast<ThreadsFor>((*repeated)[next_phase])
                : next_threads(threads_for, next_phase == 1 ? line.host_ns : previous_ns,
                               line.host_ns, thresholds_);
        if (again && threads_for == ThreadsFor::all_vertices &&
            next == ThreadsFor::updated_vertices) {
          listed_count = list_updated(context, read);
        }
        threads_for = next;
      }
      previous_ns = line.host_ns;
    }
  }

  /// Algorithm 1, lines 6-9.
  void relax_and_update_all(const RunContext& context) {
    {
      const gpu::GpuPhase phase(context, "relax", *stream_);
      relax_kernel<<<blocks(n()), block_, 0, *stream_>>>(search_);
      gpu::check_launch("relax");
    }
    const gpu::GpuPhase phase(context, "update", *stream_);
    update_kernel<<<blocks(n()), block_, 0, *stream_>>>(search_, state_.data());
    gpu::check_launch("update");
  }

  /// Algorithm 4 from SELECT_RELAX_KERNEL to SELECT_UPDATE_KERNEL. Returns the number of vertices
  /// in `write`, which the caller takes for NR_a. Every one of them was improved and will be
  /// updated, so M_a is empty exactly when the list is.
  std::uint32_t relax_and_update_listed(const RunContext& context, const Vertex* read,
                                        std::uint32_t listed_count, Vertex* write) {
    {
      const gpu::GpuPhase phase(context, "relax", *stream_);
      select_relax_kernel<<<blocks(listed_count), block_, 0, *stream_>>>(
          search_, read, listed_count, write, state_.data());
      gpu::check_launch("select_relax");
    }
    const std::uint32_t appended_count = take(state_.data()->appended_count[0]);
    if (appended_count == 0) return 0;  // a grid of no threads can't be launched
    const gpu::GpuPhase phase(context, "update", *stream_);
    select_update_kernel<<<blocks(appended_count), block_, 0, *stream_>>>(search_, write,
                                                                          appended_count);
    gpu::check_launch("select_update");
    return appended_count;
  }

  /// Fetches a counter that the kernels launched so far have left, and clears it. A loop on the
  /// host can't do without this way to the host. Waits.
  std::uint32_t take(std::uint32_t& on_device) {
    gpu::check(cudaMemcpyAsync(fetched_.data(), &on_device, sizeof(std::uint32_t),
                               cudaMemcpyDeviceToHost, *stream_),
               "cudaMemcpyAsync");
    gpu::check(cudaMemsetAsync(&on_device, 0, sizeof(std::uint32_t), *stream_), "cudaMemsetAsync");
    stream_->synchronize();
    return fetched_[0];
  }

  bool take_any_updated() { return take(state_.data()->any_updated[0]) != 0; }

  std::uint32_t count_updated() {
    count_kernel<<<blocks(n()), block_, 0, *stream_>>>(search_, state_.data());
    gpu::check_launch("count");
    return take(state_.data()->updated_count);
  }

  /// Algorithm 4's SWITCH_KERNEL. Returns the number of vertices listed.
  std::uint32_t list_updated(const RunContext& context, Vertex* list) {
    const gpu::GpuPhase phase(context, "switch", *stream_);
    switch_kernel<<<blocks(n()), block_, 0, *stream_>>>(search_, list, state_.data());
    gpu::check_launch("switch");
    return take(state_.data()->switched_count);
  }

  std::uint64_t phase_gpu_ns() const {
    float milliseconds = 0;
    gpu::check(cudaEventElapsedTime(&milliseconds, *begin_, *end_), "cudaEventElapsedTime");
    return static_cast<std::uint64_t>(static_cast<double>(milliseconds) * 1e6);
  }

  void build_graph() {
    if constexpr (kHasLists) fixed_blocks_ = filling_blocks(graph_select_relax_kernel<Distance>);
    cudaStream_t stream = *stream_;
    const auto launch_first = [&] {
      begin_kernel<<<1, 1, 0, stream>>>(workspace_);
      gpu::check_launch("begin");
    };
    graph_.build(stream, launch_first, [&](cudaGraphConditionalHandle handle) {
      if constexpr (kHasLists) {
        graph_select_relax_kernel<<<fixed_blocks_, block_, 0, stream>>>(search_, workspace_);
        graph_select_update_kernel<<<fixed_blocks_, block_, 0, stream>>>(search_, workspace_);
        end_updated_vertices_kernel<<<1, 1, 0, stream>>>(workspace_, handle);
      } else {
        const std::uint32_t all = std::max(1U, blocks(n()));
        relax_kernel<<<all, block_, 0, stream>>>(search_);
        update_kernel<<<all, block_, 0, stream>>>(search_, state_.data());
        end_all_vertices_kernel<<<1, 1, 0, stream>>>(workspace_, handle);
      }
      gpu::check_launch("phase");
    });
  }

  void launch_persistent() {
    Steering steering{thresholds_, device_schedule_.data(), 0, instrumented_};
    if (const auto* const repeated = schedule_to_repeat(); repeated != nullptr) {
      gpu::check(cudaMemcpyAsync(device_schedule_.data(), repeated->data(), repeated->size(),
                                 cudaMemcpyHostToDevice, *stream_),
                 "cudaMemcpyAsync");
      steering.schedule_count = static_cast<std::uint32_t>(repeated->size());
    }
    void* arguments[] = {&search_, &workspace_, &steering};
    gpu::check(
        cudaLaunchCooperativeKernel(persistent_kernel<options.threads, Distance>,
                                    dim3(fixed_blocks_), dim3(block_), arguments, 0, *stream_),
        "cudaLaunchCooperativeKernel");
  }

  void find_predecessors() {
    predecessors_kernel<<<blocks(n()), block_, 0, *stream_>>>(search_);
    gpu::check_launch("predecessors");
    if (!has_zero_lengths_) return;
    do {
      zero_length_predecessors_kernel<<<blocks(n()), block_, 0, *stream_>>>(search_, source_,
                                                                            state_.data());
      gpu::check_launch("zero_length_predecessors");
    } while (take_any_updated());
  }

  /// The last run's phases; none when there were more than the log holds.
  std::vector<LoggedLine> lines() const {
    if constexpr (options.loop == Loop::host) {
      return phases_;
    } else {
      State state{};
      state_.download(std::span(&state, 1));
      if (state.phase_count > log_.size()) return {};
      std::vector<LoggedPhase> logged(state.phase_count);
      log_.download(logged);
      std::vector<LoggedLine> lines;
      for (const LoggedPhase& phase : logged) {
        const bool all = phase.threads_for == ThreadsFor::all_vertices;
        LoggedLine line;
        line.updated_count = phase.updated_count;
        line.thread_count = 2 * (all ? std::uint64_t{n()} : std::uint64_t{fixed_blocks_} * block_);
        line.gpu_ns = phase.gpu_ns;
        line.all_vertices = all ? 1 : 0;
        lines.push_back(line);
      }
      return lines;
    }
  }

  /// Keeps the choices of the last plain run, by its source. It is done outside of run() where
  /// possible: extract() does it, and changes nothing of the answer.
  void remember_schedule() const {
    if (!std::exchange(unremembered_, false)) return;
    std::vector<std::uint8_t>& schedule = schedules_[source_];
    schedule.clear();
    for (const LoggedLine& line : lines()) {
      schedule.push_back(static_cast<std::uint8_t>(line.all_vertices));
    }
  }

  /// In an instrumented run, the choices of the last plain run of the same query; null without one.
  const std::vector<std::uint8_t>* schedule_to_repeat() const {
    if (!instrumented_) return nullptr;
    const auto found = schedules_.find(source_);
    return found == schedules_.end() ? nullptr : &found->second;
  }

  Thresholds thresholds_;
  std::uint32_t block_;
  bool has_zero_lengths_ = false;

  gpu::DeviceArray<std::uint32_t> row_offsets_;
  gpu::DeviceArray<Vertex> heads_;
  gpu::DeviceArray<Length> lengths_;
  gpu::DeviceArray<std::uint8_t> updated_;
  gpu::DeviceArray<Distance> distances_;
  gpu::DeviceArray<Distance> candidates_;
  gpu::DeviceArray<std::uint32_t> scheduled_;
  gpu::DeviceArray<Vertex> predecessors_;
  std::array<gpu::DeviceArray<Vertex>, 2> lists_;
  gpu::DeviceArray<State> state_;
  gpu::DeviceArray<LoggedPhase> log_;
  gpu::DeviceArray<std::uint8_t> device_schedule_;
  Search<Distance> search_{};  ///< the arrays, as kernels take them
  Workspace workspace_{};
  gpu::PinnedArray<std::uint32_t> fetched_;
  std::unique_ptr<gpu::Stream> stream_;
  std::unique_ptr<gpu::Event> begin_;
  std::unique_ptr<gpu::Event> end_;
  RepeatingGraph graph_;
  std::uint32_t fixed_blocks_ = 0;  ///< of kernels whose grid doesn't depend on the list

  // Of the last run.
  Vertex source_ = 0;
  bool instrumented_ = false;
  bool has_run_ = false;
  mutable bool unremembered_ = false;
  std::vector<LoggedLine> phases_;  ///< loop=host
  mutable std::unordered_map<Vertex, std::vector<std::uint8_t>> schedules_;
};

template <std::size_t... i>
bool register_built(std::index_sequence<i...>) {
  return detail::register_variants<Harish<kBuilt[i]>...>();
}

[[maybe_unused]] const bool registered = register_built(std::make_index_sequence<kBuilt.size()>());

}  // namespace
}  // namespace bellmark::harish
