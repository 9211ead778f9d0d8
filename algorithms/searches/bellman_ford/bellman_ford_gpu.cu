// sssp/bellman-ford-gpu: Bellman-Ford on the GPU after ma2022 (sections 3.2.2 and 4.2), lengths of
// any sign. The host launches a round, fetches the number of vertices that it changed, and stops
// after a round that changed none. A change in round n proves a negative cycle, which predecessors
// then show. Where negative lengths exist, predecessors are looked at after rounds 1, 2, 4, 8, ...
// too, so that a cycle seldom takes n rounds. bellman_ford_gpu.cuh has the kernels, and the proof.
//
// The time. The thesis counts copies and launches as overhead that the GPU pays, so its times
// include them: copy=included copies the graph to the device and the answer back within run(). Work
// before that is not in the time: rows turned into the matrix, memory allocated and pinned.
//
// transfer=streamed copies rows of the matrix in parts on several streams. Round 1 runs on a part
// as soon as it is there, on the same stream. Later rounds need the whole matrix. A matrix that
// does not fit device memory is refused with the figures. To copy it again in every round would
// measure the bus and nothing else.
#include <thrust/iterator/counting_iterator.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cub/device/device_select.cuh>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/contract/registry.hpp"
#include "algorithms/gpu/gpu.cuh"
#include "algorithms/gpu/gpu.hpp"
#include "algorithms/problems/sssp/predecessor_cycles.hpp"
#include "algorithms/problems/sssp/problem.hpp"
#include "algorithms/searches/bellman_ford/bellman_ford_gpu.cuh"
#include "algorithms/searches/bellman_ford/bellman_ford_gpu.hpp"

namespace bellmark::bellman_ford_gpu {
namespace {

/// Rounds beyond it are not logged.
constexpr std::size_t kLogCapacity = std::size_t{1} << 20;

struct LoggedRound {
  std::uint64_t updated_count;
  std::uint64_t host_ns;
};

/// K of section 4.2.3: threads for m vertices, in whole warps.
constexpr std::uint64_t whole_warps(std::uint64_t m) { return (m + kWarp - 1) / kWarp * kWarp; }

std::uint32_t blocks_of(std::uint64_t threads) {
  return static_cast<std::uint32_t>((threads + kBlock - 1) / kBlock);
}

/// The vertices whose flag is set, in order. Called with `area` null it gives the size of its work
/// area.
void select_flagged(void* area, std::size_t& area_bytes, const std::uint8_t* flags, Vertex* listed,
                    std::uint32_t* listed_count, Vertex vertex_count, cudaStream_t stream) {
  gpu::check(cub::DeviceSelect::Flagged(area, area_bytes, thrust::counting_iterator<Vertex>(0),
                                        flags, listed, listed_count, vertex_count, stream),
             "cub::DeviceSelect::Flagged");
}

template <class T>
void copy_to_device(T* device, const T* host, std::size_t count, cudaStream_t stream) {
  gpu::check(cudaMemcpyAsync(device, host, count * sizeof(T), cudaMemcpyHostToDevice, stream),
             "cudaMemcpyAsync");
}

template <class T>
void copy_to_host(T* host, const T* device, std::size_t count, cudaStream_t stream) {
  gpu::check(cudaMemcpyAsync(host, device, count * sizeof(T), cudaMemcpyDeviceToHost, stream),
             "cudaMemcpyAsync");
}

/// An array that is filled on the host and copied to the device, once or in every run.
template <class T>
struct Copied {
  gpu::PinnedArray<T> host;
  gpu::DeviceArray<T> device;

  Copied() = default;
  explicit Copied(std::size_t size) : host(size), device(size) {}
  std::span<T> values() const { return {host.data(), host.size()}; }
  void copy(cudaStream_t stream) const {
    if (host.size() > 0) copy_to_device(device.data(), host.data(), host.size(), stream);
  }
};

/// The graph on the device in storage=csr: its transpose, and with compaction the heads of its rows
/// as well.
struct CopiedRows {
  Copied<std::uint32_t> in_offsets;
  Copied<Vertex> tails;
  Copied<Length> lengths;
  Copied<std::uint32_t> out_offsets;
  Copied<Vertex> heads;

  static std::uint64_t bytes(const Graph& graph, bool with_heads) {
    const std::uint64_t offsets = sizeof(std::uint32_t) * (std::uint64_t{graph.vertex_count()} + 1);
    const std::uint64_t arcs = graph.arc_count();
    return offsets + (sizeof(Vertex) + sizeof(Length)) * arcs +
           (with_heads ? offsets + sizeof(Vertex) * arcs : 0);
  }

  void fill(const Graph& graph, bool with_heads) {
    const Vertex n = graph.vertex_count();
    const auto m = static_cast<std::size_t>(graph.arc_count());
    in_offsets = Copied<std::uint32_t>(std::size_t{n} + 1);
    tails = Copied<Vertex>(m);
    lengths = Copied<Length>(m);
    const auto offsets = in_offsets.values();
    std::fill(offsets.begin(), offsets.end(), 0);
    for (const Vertex head : graph.heads()) ++offsets[head + 1];
    for (Vertex v = 0; v < n; ++v) offsets[v + 1] += offsets[v];
    std::vector<std::uint32_t> next(offsets.begin(), offsets.end());
    for (Vertex u = 0; u < n; ++u) {
      for (Offset e = graph.row_offsets()[u]; e < graph.row_offsets()[u + 1]; ++e) {
        const std::uint32_t at = next[graph.heads()[e]]++;
        tails.host[at] = u;
        lengths.host[at] = graph.length(e);
      }
    }
    if (!with_heads) return;
    out_offsets = Copied<std::uint32_t>(std::size_t{n} + 1);
    std::copy(graph.row_offsets().begin(), graph.row_offsets().end(), out_offsets.host.data());
    heads = Copied<Vertex>(m);
    std::copy(graph.heads().begin(), graph.heads().end(), heads.host.data());
  }

  void copy(cudaStream_t stream) const {
    in_offsets.copy(stream);
    tails.copy(stream);
    lengths.copy(stream);
    out_offsets.copy(stream);
    heads.copy(stream);
  }

  /// Pinned memory that no further copy needs.
  void forget_host() {
    in_offsets.host = {};
    tails.host = {};
    lengths.host = {};
    out_offsets.host = {};
    heads.host = {};
  }

  InRows in_rows() const {
    return {in_offsets.device.data(), tails.device.data(), lengths.device.data()};
  }
  OutRows out_rows() const { return {out_offsets.device.data(), heads.device.data()}; }
};

/// `shared` is of the matrix only: the reads of a row of arcs have no order that blocks could
/// share.
template <Storage storage, bool shared, bool compaction, class Label>
class BellmanFordGpu {
 public:
  using Problem = Sssp;
  static constexpr bool kMatrix = storage == Storage::matrix;

  static Description describe() {
    return bellman_ford_gpu::describe(
        {storage, shared, compaction, static_cast<int>(8 * sizeof(Label))});
  }

  static Settings resolve(const Settings& settings, const Graph& graph) {
    return bellman_ford_gpu::resolve(settings, graph);
  }

  explicit BellmanFordGpu(const Settings& settings)
      : copy_included_(settings.get("copy") == "included"),
        streamed_(settings.get("transfer") == "streamed"),
        stream_count_(static_cast<std::size_t>(settings.integer("streams"))),
        part_count_(static_cast<std::uint32_t>(settings.integer("parts"))) {}

  void prepare(const Graph& graph, RunContext& context) {
    if (const std::string reason = gpu::unmet(); !reason.empty()) {
      throw UnmetError(kName, reason, "run it where a CUDA device is");
    }
    vertex_count_ = graph.vertex_count();
    has_negative_ = graph.properties().least_length < 0;
    if (has_negative_) cycles_ = PredecessorCycles(vertex_count_);
    const Offset degree = graph.arc_count() / std::max<Vertex>(1, vertex_count_);
    lanes_ = std::bit_floor(static_cast<unsigned>(std::clamp<Offset>(degree, 1, kWarp)));
    require_room(graph, context);
    allocate();
    stream_ = std::make_unique<gpu::Stream>();
    fill(graph);
    if (!copy_included_) {
      copy_graph();
      stream_->synchronize();
      matrix_.host = {};
      rows_.forget_host();
    }
    // The default stream must be done: a Stream doesn't wait for it.
    gpu::check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  }

  void run(std::span<const Sssp::Query> queries, RunContext& context) {
    const Vertex source = queries[0].source;
    cycle_.clear();
    log_.clear();
    round_count_ = 0;
    if (copy_included_ && !streamed_) {
      const gpu::GpuPhase phase(context, "copy", *stream_);
      copy_graph();
    }
    {
      const gpu::GpuPhase phase(context, "initialise", *stream_);
      initialise(source);
    }
    {
      gpu::GpuPhase phase(context, "search", *stream_);
      search(context);
      phase.note("round_count", round_count_);
    }
    if (copy_included_) {
      const gpu::GpuPhase phase(context, "result", *stream_);
      copy_answer();
    }
    stream_->synchronize();
  }

  void extract(Sssp::Answer& answer) const {
    answer = {};
    answer.negative_cycle = cycle_;
    if (!cycle_.empty()) return;
    if (!copy_included_) {
      copy_answer();
      stream_->synchronize();
    }
    answer.distances.resize(vertex_count_);
    for (std::size_t v = 0; v < vertex_count_; ++v) {
      const Label distance = result_distances_[v];
      answer.distances[v] = distance == kInfinite<Label> ? kUnreached : Distance{distance};
    }
    answer.predecessors.assign(result_predecessors_.data(),
                               result_predecessors_.data() + vertex_count_);
  }

  /// A round a line: `updated_count` vertices whose distance it lowered, `host_ns` from its first
  /// launch until the host knows them. There is no log when there were more rounds than it holds.
  PhaseLog phase_log() const {
    if (log_.size() != round_count_) return {};
    PhaseLog log;
    log.columns = {"updated_count", "host_ns"};
    for (const LoggedRound& round : log_) {
      log.values.push_back(round.updated_count);
      log.values.push_back(round.host_ns);
    }
    return log;
  }

 private:
  /// Entries of a row of distances.
  std::size_t row_size() const { return kMatrix ? matrix_pitch(vertex_count_) : vertex_count_; }

  void require_room(const Graph& graph, RunContext& context) const {
    const std::uint64_t n = graph.vertex_count();
    if constexpr (!kMatrix) {
      constexpr Offset kMostArcs = (Offset{1} << 31) - 1;
      if (graph.arc_count() > kMostArcs) {
        throw UnmetError(kName,
                         std::to_string(graph.arc_count()) + " arcs are more than the " +
                             std::to_string(kMostArcs) + " that its 32-bit indices reach",
                         "use a smaller graph");
      }
    }
    const std::uint64_t graph_bytes =
        kMatrix ? matrix_bytes(graph.vertex_count()) : CopiedRows::bytes(graph, compaction);
    const std::uint64_t vertex_bytes = 2 * sizeof(Label) * row_size() + sizeof(Vertex) * n;
    std::size_t area_bytes = 0;
    if (compaction) {
      select_flagged(nullptr, area_bytes, nullptr, nullptr, nullptr, vertex_count_, nullptr);
    }
    const std::uint64_t list_bytes =
        compaction ? (sizeof(Vertex) + sizeof(std::uint8_t)) * n + area_bytes : 0;
    gpu::require_memory(graph_bytes + vertex_bytes + list_bytes + sizeof(State), kName);
    if (kMatrix) require_pinnable(vertex_count_, host_memory_bytes());
    context.account("device graph", graph_bytes);
    context.account("device vertices", vertex_bytes);
    context.account("device lists", list_bytes);
    context.account("pinned graph", copy_included_ ? graph_bytes : 0);
    context.account("pinned answer", (sizeof(Label) + sizeof(Vertex)) * n);
  }

  void allocate() {
    const std::size_t n = vertex_count_;
    for (auto& row : distances_) row = gpu::DeviceArray<Label>(row_size());
    predecessors_ = gpu::DeviceArray<Vertex>(n);
    state_ = gpu::DeviceArray<State>(1);
    fetched_ = gpu::PinnedArray<State>(1);
    result_distances_ = gpu::PinnedArray<Label>(n);
    result_predecessors_ = gpu::PinnedArray<Vertex>(n);
    log_.reserve(std::min(n, kLogCapacity));
    if constexpr (compaction) {
      flags_ = gpu::DeviceArray<std::uint8_t>(n);
      listed_ = gpu::DeviceArray<Vertex>(n);
      std::size_t bytes = 0;
      select_flagged(nullptr, bytes, nullptr, nullptr, nullptr, vertex_count_, nullptr);
      area_ = gpu::DeviceArray<std::byte>(bytes);
    }
    if (!streamed_) return;
    for (std::size_t i = 0; i < stream_count_; ++i) {
      streams_.push_back(std::make_unique<gpu::Stream>());
      streams_done_.push_back(std::make_unique<gpu::Event>());
    }
    initialised_ = std::make_unique<gpu::Event>();
  }

  void fill(const Graph& graph) {
    if constexpr (kMatrix) {
      matrix_ = Copied<Length>(matrix_bytes(vertex_count_) / sizeof(Length));
      fill_matrix(graph, matrix_.values());
    } else {
      rows_.fill(graph, compaction);
    }
  }

  void copy_graph() const {
    if constexpr (kMatrix) {
      matrix_.copy(*stream_);
    } else {
      rows_.copy(*stream_);
    }
  }

  void copy_answer() const {
    copy_to_host(result_distances_.data(), distances_[current_].data(), vertex_count_, *stream_);
    copy_to_host(result_predecessors_.data(), predecessors_.data(), vertex_count_, *stream_);
  }

  void initialise(Vertex source) {
    current_ = 0;
    initialise_kernel<<<blocks_of(row_size()), kBlock, 0, *stream_>>>(
        distances_[0].data(), distances_[1].data(), row_size(), predecessors_.data(),
        compaction ? flags_.data() : nullptr, compaction ? listed_.data() : nullptr, state_.data(),
        vertex_count_, source);
    gpu::check_launch("initialise");
    listed_count_ = 1;
    if constexpr (!kMatrix && compaction) {
      flag_heads_kernel<<<1, kBlock, 0, *stream_>>>(rows_.out_rows(), source, flags_.data());
      gpu::check_launch("flag_heads");
      select(*stream_);
      fetch_state();
    }
  }

  void search(const RunContext& context) {
    for (std::uint64_t round = 1;; ++round) {
      const std::uint64_t start_ns = gpu::host_now_ns();
      const std::uint32_t changed_count = search_round(round, context);
      ++round_count_;
      if (log_.size() < log_.capacity())
        log_.push_back({changed_count, gpu::host_now_ns() - start_ns});
      if (changed_count == 0) return;
      // Without negative lengths a change in round n would be a fault of this program.
      const bool proven = round >= vertex_count_;
      if (!proven && !(has_negative_ && std::has_single_bit(round))) continue;
      const gpu::GpuPhase phase(context, "negative-cycle", *stream_);
      copy_to_host(result_predecessors_.data(), predecessors_.data(), vertex_count_, *stream_);
      stream_->synchronize();
      cycle_ = cycles_.find({result_predecessors_.data(), vertex_count_});
      if (!cycle_.empty()) return;
      if (!proven) continue;
      throw Error(ExitCode::internal, kName,
                  "round n lowered a distance, but predecessors have no cycle");
    }
  }

  /// One round; returns the number of vertices that it changed. Waits.
  std::uint32_t search_round(std::uint64_t round, const RunContext& context) {
    const gpu::GpuPhase phase(context, "round", *stream_);
    const auto parity = static_cast<unsigned>(round % 2);
    if constexpr (kMatrix) {
      if (streamed_ && round == 1) {
        first_round_in_parts(parity);
      } else {
        reduce_rows(0, vertex_count_, parity, *stream_);
      }
      current_ = 1 - current_;
      if constexpr (compaction) select(*stream_);
      fetch_state();
      return compaction ? listed_count_ : fetched_[0].changed_count[parity];
    } else if constexpr (compaction) {
      if (listed_count_ == 0) return 0;
      reduce_and_commit_listed(parity);
      select(*stream_);
      fetch_state();
      return fetched_[0].changed_count[parity];
    } else {
      all_rows_kernel<<<blocks_of(std::uint64_t{vertex_count_} * lanes_), kBlock, 0, *stream_>>>(
          rows_.in_rows(), round_arrays(), vertex_count_, lanes_, parity, state_.data());
      gpu::check_launch("all_rows");
      current_ = 1 - current_;
      fetch_state();
      return fetched_[0].changed_count[parity];
    }
  }

  Round<Label> round_arrays() const {
    return {distances_[current_].data(), distances_[1 - current_].data(), predecessors_.data()};
  }

  void select(cudaStream_t stream) {
    std::size_t bytes = area_.size();
    select_flagged(area_.data(), bytes, flags_.data(), listed_.data(), &state_.data()->listed_count,
                   vertex_count_, stream);
  }

  /// The state by which the host decides: the thesis's feedback after every round.
  void fetch_state() {
    copy_to_host(fetched_.data(), state_.data(), 1, *stream_);
    stream_->synchronize();
    listed_count_ = fetched_[0].listed_count;
  }

  /// Rows [first, end) of the matrix.
  void reduce_rows(Vertex first, Vertex end, unsigned parity, cudaStream_t stream) const {
    const Matrix matrix = {matrix_.device.data(), matrix_pitch(vertex_count_)};
    const std::uint32_t blocks = (end - first + kRowsAtOnce - 1) / kRowsAtOnce;
    if constexpr (compaction) {
      listed_columns_kernel<shared><<<blocks, kBlock, 0, stream>>>(
          matrix, round_arrays(), listed_.data(), listed_count_, first, end, flags_.data());
    } else {
      all_columns_kernel<shared><<<blocks, kBlock, 0, stream>>>(matrix, round_arrays(), first, end,
                                                                parity, state_.data());
    }
    gpu::check_launch("rows of the matrix");
  }

  void first_round_in_parts(unsigned parity) {
    initialised_->record(*stream_);
    for (const auto& stream : streams_) {
      gpu::check(cudaStreamWaitEvent(*stream, *initialised_), "cudaStreamWaitEvent");
    }
    const std::uint64_t pitch = matrix_pitch(vertex_count_);
    const Vertex rows_each = (vertex_count_ + part_count_ - 1) / part_count_;
    std::size_t next_stream = 0;
    for (std::uint64_t first = 0; first < vertex_count_; first += rows_each) {
      const auto end =
          static_cast<Vertex>(std::min<std::uint64_t>(vertex_count_, first + rows_each));
      const cudaStream_t stream = *streams_[next_stream];
      next_stream = (next_stream + 1) % streams_.size();
      copy_to_device(matrix_.device.data() + first * pitch, matrix_.host.data() + first * pitch,
                     (end - first) * pitch, stream);
      reduce_rows(static_cast<Vertex>(first), end, parity, stream);
    }
    for (std::size_t i = 0; i < streams_.size(); ++i) {
      streams_done_[i]->record(*streams_[i]);
      gpu::check(cudaStreamWaitEvent(*stream_, *streams_done_[i]), "cudaStreamWaitEvent");
    }
  }

  void reduce_and_commit_listed(unsigned parity) {
    const std::uint64_t threads = whole_warps(listed_count_);
    const auto threads_a_block = [](std::uint64_t count) {
      return static_cast<std::uint32_t>(std::min<std::uint64_t>(count, kBlock));
    };
    const std::uint64_t lanes = threads * lanes_;
    listed_rows_kernel<<<blocks_of(lanes), threads_a_block(lanes), 0, *stream_>>>(
        rows_.in_rows(), round_arrays(), listed_.data(), listed_count_, lanes_, flags_.data());
    gpu::check_launch("listed_rows");
    commit_kernel<<<blocks_of(threads), threads_a_block(threads), 0, *stream_>>>(
        rows_.out_rows(), distances_[current_].data(), distances_[1 - current_].data(),
        listed_.data(), listed_count_, flags_.data(), parity, state_.data());
    gpu::check_launch("commit");
  }

  bool copy_included_;
  bool streamed_;
  std::size_t stream_count_;
  std::uint32_t part_count_;
  Vertex vertex_count_ = 0;
  bool has_negative_ = false;
  PredecessorCycles cycles_;
  unsigned lanes_ = 1;  ///< storage=csr: lanes a vertex, by the mean degree

  Copied<Length> matrix_;
  CopiedRows rows_;
  std::array<gpu::DeviceArray<Label>, 2> distances_;
  gpu::DeviceArray<Vertex> predecessors_;
  gpu::DeviceArray<State> state_;
  gpu::DeviceArray<std::uint8_t> flags_;
  gpu::DeviceArray<Vertex> listed_;
  gpu::DeviceArray<std::byte> area_;  ///< CUB's
  gpu::PinnedArray<State> fetched_;
  gpu::PinnedArray<Label> result_distances_;
  gpu::PinnedArray<Vertex> result_predecessors_;
  std::unique_ptr<gpu::Stream> stream_;
  std::vector<std::unique_ptr<gpu::Stream>> streams_;
  std::vector<std::unique_ptr<gpu::Event>> streams_done_;
  std::unique_ptr<gpu::Event> initialised_;

  // Of the last run.
  std::size_t current_ = 0;  ///< the row with the latest distances
  std::uint32_t listed_count_ = 0;
  std::uint64_t round_count_ = 0;
  std::vector<Vertex> cycle_;
  std::vector<LoggedRound> log_;
};

BELLMARK_REGISTER(BellmanFordGpu<Storage::csr, false, false, std::int32_t>,
                  BellmanFordGpu<Storage::csr, false, false, std::int64_t>,
                  BellmanFordGpu<Storage::csr, false, true, std::int32_t>,
                  BellmanFordGpu<Storage::csr, false, true, std::int64_t>,
                  BellmanFordGpu<Storage::matrix, false, false, std::int32_t>,
                  BellmanFordGpu<Storage::matrix, false, false, std::int64_t>,
                  BellmanFordGpu<Storage::matrix, false, true, std::int32_t>,
                  BellmanFordGpu<Storage::matrix, false, true, std::int64_t>,
                  BellmanFordGpu<Storage::matrix, true, false, std::int32_t>,
                  BellmanFordGpu<Storage::matrix, true, false, std::int64_t>,
                  BellmanFordGpu<Storage::matrix, true, true, std::int32_t>,
                  BellmanFordGpu<Storage::matrix, true, true, std::int64_t>);

}  // namespace
}  // namespace bellmark::bellman_ford_gpu
