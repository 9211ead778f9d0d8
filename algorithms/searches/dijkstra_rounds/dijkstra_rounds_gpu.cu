// sssp/dijkstra-rounds-gpu: Dijkstra's algorithm on the GPU, many vertices closed a round (ma2022,
// sections 3.1.3 and 4.1, Algorithm 5). algorithms/searches/dijkstra_rounds/ has the criteria and
// the kernels.
//
//   loop=host   as Algorithm 5 loops: a kernel for each step of a round. The host fetches the
//   number
//               of open vertices before it creates the next round's threads
//   loop=block  the whole search in one block that waits for itself. About two vertices of a road
//               network are final a round, and a few hundred are open. There is no work for a
//               device, and the cost of a round is waiting.
//
// The time. Rows sorted by length are preparation, as in the thesis ("not counted"). It cites
// copies and launches as overhead that the GPU pays: copy=included copies the graph to the device
// and the answer back within run().
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "algorithms/contract/instances.hpp"
#include "algorithms/contract/registry.hpp"
#include "algorithms/gpu/gpu.cuh"
#include "algorithms/gpu/gpu.hpp"
#include "algorithms/problems/sssp/problem.hpp"
#include "algorithms/searches/dijkstra_rounds/options.hpp"
#include "algorithms/searches/dijkstra_rounds/rounds.cuh"

namespace bellmark::dijkstra_rounds_gpu {
namespace {

using dijkstra_rounds::kCriteria;

constexpr const char* kName = "sssp/dijkstra-rounds-gpu";

enum class Loop { host, block };

struct Options {
  Criterion criterion;
  Loop loop;
  int distance;
};

/// smoke: out and in, which in-out contains, in 32 bits only.
constexpr bool is_built(const Options& o, Instances instances) {
  return instances != Instances::smoke || o.distance == 32 || o.criterion == Criterion::open_out ||
         o.criterion == Criterion::in_out;
}

inline constexpr auto kBuilt = built_by<Options>([](auto add) {
  for (const int distance : {32, 64}) {
    for (const Loop loop : {Loop::host, Loop::block}) {
      for (const Criterion criterion : kCriteria) {
        const Options options{criterion, loop, distance};
        if (is_built(options, kInstances)) add(options);
      }
    }
  }
});

Description description_of(const Options& o) {
  Description description;
  description.name = kName;
  description.summary = "Dijkstra's algorithm on a GPU in rounds that close all final vertices";
  description.source = "ma2022 sections 3.1.3 and 4.1, Algorithm 5; Crauser et al. 1998";
  description.keys = {
      word_key("device", "gpu", {"gpu"}, "Device that runs the search"),
      dijkstra_rounds::criterion_key(),
      word_key("loop", "block", {"host", "block"},
               "Control of the rounds: by the host, or by one persistent block"),
      word_key("distance", "auto", {"auto", "32", "64"}, "Bits of a distance label"),
      at_run_time(word_key(
          "copy", "excluded", {"excluded", "included"},
          "Whether the time includes copying the graph to the device and the answer back")),
  };
  description.instance = {{"device", "gpu"},
                          {"criterion", dijkstra_rounds::text(o.criterion)},
                          {"loop", o.loop == Loop::host ? "host" : "block"},
                          {"distance", std::to_string(o.distance)}};
  description.needs = {Need::cuda, Need::non_negative};
  description.aliases = {
      {"ma2022:dijkstra-gpu", "criterion=open-out,loop=host,copy=included"},
  };
  return description;
}

std::uint32_t blocks_of(std::uint64_t threads) {
  return static_cast<std::uint32_t>((threads + kBlock - 1) / kBlock);
}

/// The graph as the kernels read it, in pinned memory.
struct HostRows {
  gpu::PinnedArray<uint2> arcs;
  gpu::PinnedArray<std::uint32_t> row_begins;
  gpu::PinnedArray<Length> lightest_in;

  HostRows() = default;
  HostRows(const Graph& graph, bool with_lightest_in)
      : arcs(graph.arc_count() + graph.vertex_count()),
        row_begins(std::size_t{graph.vertex_count()} + 1) {
    const Vertex n = graph.vertex_count();
    std::uint32_t next = 0;
    for (Vertex v = 0; v < n; ++v) {
      row_begins[v] = next;
      for (Offset e = graph.row_offsets()[v]; e < graph.row_offsets()[v + 1]; ++e) {
        arcs[next++] = {graph.heads()[e], static_cast<std::uint32_t>(graph.length(e))};
      }
      std::stable_sort(arcs.data() + row_begins[v], arcs.data() + next,
                       [](uint2 a, uint2 b) { return a.y < b.y; });
      arcs[next++] = {kRowEnd, 0};
    }
    row_begins[n] = next;
    if (!with_lightest_in) return;
    lightest_in = gpu::PinnedArray<Length>(n);
    std::fill(lightest_in.data(), lightest_in.data() + n, std::numeric_limits<Length>::max());
    for (Offset e = 0; e < graph.arc_count(); ++e) {
      Length& lightest = lightest_in[graph.heads()[e]];
      lightest = std::min(lightest, graph.length(e));
    }
  }
};

template <Options options>
class DijkstraRoundsGpu {
 public:
  using Problem = Sssp;
  using Number = std::conditional_t<options.distance == 32, std::uint32_t, std::uint64_t>;

  static Description describe() { return description_of(options); }

  static Settings resolve(const Settings& settings, const Graph& graph) {
    return dijkstra_rounds::resolve(settings, graph);
  }

  explicit DijkstraRoundsGpu(const Settings& settings)
      : copy_included_(settings.get("copy") == "included") {}

  void prepare(const Graph& graph, RunContext& context) {
    if (const std::string reason = gpu::unmet(); !reason.empty()) {
      throw UnmetError(kName, reason, "run it where a CUDA device is");
    }
    search_.vertex_count = graph.vertex_count();
    require_room(graph, context);
    allocate(graph);
    stream_ = std::make_unique<gpu::Stream>();
    rows_ = HostRows(graph, kHasLightestIn);
    has_wide_rows_ = false;
    for (Vertex v = 0; v < n(); ++v) {
      has_wide_rows_ = has_wide_rows_ || rows_.row_begins[v + 1] - rows_.row_begins[v] > kWideRow;
    }
    relax_blocks_ = 32 * static_cast<std::uint32_t>(gpu::properties().multiProcessorCount);
    if (!copy_included_) {
      copy_graph();
      stream_->synchronize();
      rows_ = HostRows();
    }
    // The default stream must be done: a Stream doesn't wait for it.
    gpu::check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  }

  void run(std::span<const Sssp::Query> queries, RunContext& context) {
    log_.clear();
    logged_ = options.loop == Loop::host || context.instrumented();
    if (copy_included_) {
      const gpu::GpuPhase phase(context, "copy", *stream_);
      copy_graph();
    }
    {
      const gpu::GpuPhase phase(context, "initialise", *stream_);
      fill(labels_);
      fill(closed_in_);
      fill(predecessors_);
      search_.log = context.instrumented() ? device_log_.data() : nullptr;
      begin_kernel<<<1, 1, 0, *stream_>>>(search_, queries[0].source);
      gpu::check_launch("begin");
    }
    {
      gpu::GpuPhase phase(context, "search", *stream_);
      if constexpr (options.loop == Loop::host) {
        search_from_host();
      } else {
        block_kernel<options.criterion><<<1, kThreads, 0, *stream_>>>(search_, has_wide_rows_);
        gpu::check_launch("search");
        fetch_state();
        require_finished(fetched_[0].open_count[0]);
      }
      phase.note("round_count", round_count());
      phase.note("closed_count", fetched_[0].closed_count);
      if constexpr (options.criterion == Criterion::open_out) {
        phase.note("reevaluated_count", fetched_[0].work.reevaluated_count);
        phase.note("examined_arc_count", fetched_[0].work.examined_arc_count);
      }
    }
    if constexpr (options.distance == 64) {
      const gpu::GpuPhase phase(context, "predecessors", *stream_);
      predecessors_kernel<<<blocks_of(n()), kBlock, 0, *stream_>>>(search_, predecessors_.data());
      gpu::check_launch("predecessors");
    }
    if (copy_included_) {
      const gpu::GpuPhase phase(context, "result", *stream_);
      copy_answer();
    }
    stream_->synchronize();
  }

  void extract(Sssp::Answer& answer) const {
    if (!copy_included_) {
      copy_answer();
      stream_->synchronize();
    }
    answer = {};
    answer.distances.resize(n());
    answer.predecessors.resize(n());
    for (std::size_t v = 0; v < n(); ++v) {
      const Number distance = Label<Number>::distance(result_labels_[v]);
      const bool reached = distance != Label<Number>::kInfinite;
      answer.distances[v] = reached ? static_cast<Distance>(distance) : kUnreached;
      answer.predecessors[v] =
          options.distance == 32 ? static_cast<Vertex>(result_labels_[v]) : result_predecessors_[v];
    }
  }

  /// A round a line: it closed `closed_count` of the `open_count` vertices at its beginning. Its
  /// time with loop=host is `host_ns`, until the host knows the vertices that are open next. With
  /// loop=block, in an instrumented run only, it is `gpu_ns` by the device's clock. There is no log
  /// when there were more rounds than it holds.
  PhaseLog phase_log() const {
    if (!logged_ || round_count() > log_capacity()) return {};
    PhaseLog log;
    if constexpr (options.loop == Loop::host) {
      log.columns = {"closed_count", "open_count", "host_ns"};
      for (const HostRound& round : log_) {
        log.values.insert(log.values.end(), {round.closed_count, round.open_count, round.host_ns});
      }
    } else {
      log.columns = {"closed_count", "open_count", "gpu_ns"};
      std::vector<LoggedRound> rounds(round_count());
      gpu::check(cudaMemcpy(rounds.data(), device_log_.data(), rounds.size() * sizeof(LoggedRound),
                            cudaMemcpyDeviceToHost),
                 "cudaMemcpy");
      for (const LoggedRound& round : rounds) {
        log.values.insert(log.values.end(), {round.closed_count, round.open_count, round.gpu_ns});
      }
    }
    return log;
  }

 private:
  static constexpr bool kHasLightestIn = kUsesIn<options.criterion>;

  struct HostRound {
    std::uint64_t closed_count;
    std::uint64_t open_count;
    std::uint64_t host_ns;
  };

  Vertex n() const { return search_.vertex_count; }
  std::uint64_t round_count() const { return fetched_[0].round_count; }
  /// A round closes at least one vertex: there are at most n rounds. Beyond a million the log stays
  /// empty.
  std::size_t log_capacity() const { return std::min<std::size_t>(n(), std::size_t{1} << 20); }

  void require_room(const Graph& graph, RunContext& context) const {
    const std::uint64_t vertices = graph.vertex_count();
    const std::uint64_t entries = graph.arc_count() + vertices;
    constexpr std::uint64_t kMostEntries = kRowEnd;
    if (entries >= kMostEntries) {
      throw UnmetError(kName,
                       std::to_string(entries) + " arcs and vertices are more than the " +
                           std::to_string(kMostEntries) + " that its 32-bit indices reach",
                       "use sssp/dijkstra");
    }
    const std::uint64_t graph_bytes = sizeof(uint2) * entries +
                                      sizeof(std::uint32_t) * (vertices + 1) +
                                      (kHasLightestIn ? sizeof(Length) * vertices : 0);
    const std::uint64_t answer_bytes =
        (sizeof(Word) + (options.distance == 64 ? sizeof(Vertex) : 0)) * vertices;
    const std::uint64_t list_bytes =
        (sizeof(std::uint32_t) + 2 * sizeof(Open) + sizeof(Vertex)) * vertices;
    const std::uint64_t log_bytes =
        options.loop == Loop::block ? sizeof(LoggedRound) * log_capacity() : 0;
    gpu::require_memory(graph_bytes + answer_bytes + list_bytes + log_bytes + sizeof(State<Number>),
                        kName);
    context.account("device graph", graph_bytes);
    context.account("device vertices", answer_bytes);
    context.account("device lists", list_bytes);
    context.account("device log", log_bytes);
    context.account("pinned graph", copy_included_ ? graph_bytes : 0);
    context.account("pinned answer", answer_bytes);
  }

  void allocate(const Graph& graph) {
    const std::size_t vertices = n();
    arcs_ = gpu::DeviceArray<uint2>(graph.arc_count() + vertices);
    row_begins_ = gpu::DeviceArray<std::uint32_t>(vertices + 1);
    lightest_in_ = gpu::DeviceArray<Length>(kHasLightestIn ? vertices : 0);
    labels_ = gpu::DeviceArray<Word>(vertices);
    closed_in_ = gpu::DeviceArray<std::uint32_t>(vertices);
    for (auto& list : open_) list = gpu::DeviceArray<Open>(vertices);
    closed_ = gpu::DeviceArray<Vertex>(vertices);
    state_ = gpu::DeviceArray<State<Number>>(1);
    fetched_ = gpu::PinnedArray<State<Number>>(1);
    fetched_[0] = {};
    result_labels_ = gpu::PinnedArray<Word>(vertices);
    if constexpr (options.distance == 64) {
      predecessors_ = gpu::DeviceArray<Vertex>(vertices);
      result_predecessors_ = gpu::PinnedArray<Vertex>(vertices);
    }
    if constexpr (options.loop == Loop::host) {
      log_.reserve(log_capacity());
    } else {
      device_log_ = gpu::DeviceArray<LoggedRound>(log_capacity());
    }
    search_ = {graph.vertex_count(),
               arcs_.data(),
               row_begins_.data(),
               lightest_in_.data(),
               labels_.data(),
               closed_in_.data(),
               {open_[0].data(), open_[1].data()},
               closed_.data(),
               state_.data(),
               nullptr,
               static_cast<std::uint32_t>(log_capacity())};
  }

  template <class T>
  void copy(const gpu::DeviceArray<T>& to, const gpu::PinnedArray<T>& from) const {
    if (from.size() == 0) return;
    gpu::check(
        cudaMemcpyAsync(to.data(), from.data(), to.bytes(), cudaMemcpyHostToDevice, *stream_),
        "cudaMemcpyAsync");
  }

  template <class T>
  void copy(const gpu::PinnedArray<T>& to, const gpu::DeviceArray<T>& from) const {
    if (to.size() == 0) return;
    gpu::check(
        cudaMemcpyAsync(to.data(), from.data(), from.bytes(), cudaMemcpyDeviceToHost, *stream_),
        "cudaMemcpyAsync");
  }

  void copy_graph() const {
    copy(arcs_, rows_.arcs);
    copy(row_begins_, rows_.row_begins);
    copy(lightest_in_, rows_.lightest_in);
  }

  void copy_answer() const {
    copy(result_labels_, labels_);
    copy(result_predecessors_, predecessors_);
  }

  /// All bits set.
  template <class T>
  void fill(const gpu::DeviceArray<T>& array) const {
    if (array.size() == 0) return;
    gpu::check(cudaMemsetAsync(array.data(), 0xff, array.bytes(), *stream_), "cudaMemsetAsync");
  }

  void fetch_state() const {
    copy(fetched_, state_);
    stream_->synchronize();
  }

  static void require_finished(std::uint32_t open_count) {
    if (open_count == 0) return;
    throw Error(ExitCode::internal, kName,
                std::to_string(open_count) + " vertices are open after as many rounds as vertices");
  }

  void search_from_host() {
    std::uint32_t open_count = 1;
    std::uint32_t round = 0;
    std::uint64_t closed_count = 0;
    for (; open_count > 0 && round < n(); ++round) {
      const std::uint64_t start_ns = gpu::host_now_ns();
      const unsigned side = round % 2;
      const std::uint32_t blocks = blocks_of(open_count);
      bounds_kernel<options.criterion><<<blocks, kBlock, 0, *stream_>>>(search_, side, open_count);
      gpu::check_launch("bounds");
      close_kernel<options.criterion>
          <<<blocks, kBlock, 0, *stream_>>>(search_, side, open_count, round);
      gpu::check_launch("close");
      relax_kernel<<<std::min(open_count, relax_blocks_), kRelaxBlock, 0, *stream_>>>(search_,
                                                                                      side);
      gpu::check_launch("relax");
      fetch_state();
      const std::uint32_t round_closed_count = fetched_[0].round_closed_count;
      if (log_.size() < log_.capacity()) {
        log_.push_back({round_closed_count, open_count, gpu::host_now_ns() - start_ns});
      }
      closed_count += round_closed_count;
      open_count = fetched_[0].open_count[1 - side];
    }
    require_finished(open_count);
    fetched_[0].closed_count = closed_count;
    fetched_[0].round_count = round;
  }

  bool copy_included_;
  bool has_wide_rows_ = false;
  std::uint32_t relax_blocks_ = 1;

  HostRows rows_;  ///< copy=included: every run copies them
  gpu::DeviceArray<uint2> arcs_;
  gpu::DeviceArray<std::uint32_t> row_begins_;
  gpu::DeviceArray<Length> lightest_in_;
  gpu::DeviceArray<Word> labels_;
  gpu::DeviceArray<std::uint32_t> closed_in_;
  gpu::DeviceArray<Vertex> predecessors_;  ///< 64-bit labels: 32-bit ones hold them
  std::array<gpu::DeviceArray<Open>, 2> open_;
  gpu::DeviceArray<Vertex> closed_;
  gpu::DeviceArray<State<Number>> state_;
  gpu::DeviceArray<LoggedRound> device_log_;
  gpu::PinnedArray<State<Number>> fetched_;
  gpu::PinnedArray<Word> result_labels_;
  gpu::PinnedArray<Vertex> result_predecessors_;
  Search<Number> search_{};
  std::unique_ptr<gpu::Stream> stream_;

  // Of the last run.
  bool logged_ = false;
  std::vector<HostRound> log_;
};

template <std::size_t... i>
bool register_built(std::index_sequence<i...>) {
  return detail::register_variants<DijkstraRoundsGpu<kBuilt[i]>...>();
}

[[maybe_unused]] const bool registered = register_built(std::make_index_sequence<kBuilt.size()>());

}  // namespace
}  // namespace bellmark::dijkstra_rounds_gpu
