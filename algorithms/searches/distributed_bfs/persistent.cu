// distributed-bfs/persistent: Bellmark's own search over the GPUs of one host, one a rank. The
// whole search is one persistent kernel a GPU, and the kernels reach each other's memory.
// persistent_device.cuh has the kernel and its cost model, gpu/peer_memory.cuh the memory.
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/contract/registry.hpp"
#include "algorithms/gpu/awake_links.cuh"
#include "algorithms/gpu/gpu.cuh"
#include "algorithms/gpu/peer_memory.cuh"
#include "algorithms/problems/distributed_bfs/problem.hpp"
#include "algorithms/searches/bfs/gpu_options.hpp"
#include "algorithms/searches/bfs/persistent_layout.hpp"
#include "algorithms/searches/bfs/persistent_rows.cuh"
#include "algorithms/searches/distributed_bfs/persistent_device.cuh"
#include "algorithms/searches/distributed_bfs/persistent_layout.hpp"
#include "algorithms/searches/distributed_bfs/persistent_steps.hpp"
#include "algorithms/searches/distributed_bfs/step_log.hpp"
#include "base/error.hpp"
#include "base/paged_array.hpp"
#include "base/parallel.hpp"

namespace bellmark {
namespace {

namespace persistent = distributed_bfs::persistent;
namespace engine = bfs::persistent;
using distributed_bfs::GridRanks;
using gpu::download;
using gpu::upload;

constexpr const char* kFamily = "distributed-bfs/persistent";
/// The number of levels of a recorded run that are kept.
constexpr std::uint32_t kRecordCapacity = distributed_bfs::StepLog::kMostLevels;

class DistributedPersistent {
 public:
  using Problem = DistributedBfs;

  static Description describe() {
    Description description;
    description.name = kFamily;
    description.summary =
        "Levels top-down or bottom-up in one persistent kernel on each rank's GPU";
    description.source =
        "direction: Beamer, Asanovic, Patterson (SC 2012); two dimensions: Buluc, Madduri (SC "
        "2011); the kernels are its own";
    description.keys = {
        implied(at_run_time(formerly("form", word_key("partition", "rows", {"rows", "grid"},
                                                      "Part of the adjacency matrix on a rank: "
                                                      "whole rows, or a block of an R x C grid")))),
        at_run_time(integer_key("alpha", 60, 0, kLargestFactor,
                                "A level goes bottom-up when alpha * arcs of the frontier > arcs "
                                "of unvisited vertices, unless the frontier shrank. 0: never"),
                    true),
        at_run_time(
            integer_key(
                "beta", 256, 1, kLargestFactor,
                "A level goes top-down again when beta * vertices of the frontier < vertices"),
            true),
        at_run_time(integer_key("owner-lists", 16, 0, kLargestFactor,
                                "partition=rows, top-down: ranks list found vertices by owner when "
                                "owner-lists * arcs of the frontier > vertices. 0: never"),
                    true),
        implied(at_run_time(
            word_key("links", "left-alone", {"left-alone", "kept-awake"},
                     "left-alone: idle links between GPUs sleep, and a search waits for them. "
                     "kept-awake: small copies between searches keep them awake"))),
        untimed_key({"ids"})};
    description.needs = {Need::cuda};
    description.refuse_ranks = [](const Settings&, std::size_t rank_count) -> std::string {
      if (rank_count <= persistent::kMostRanks) return {};
      return too_many(rank_count).what();
    };
    return description;
  }

  explicit DistributedPersistent(const Settings& settings)
      : kind_(settings.get("partition") == "rows" ? distributed_bfs::PartitionKind::rows
                                                  : distributed_bfs::PartitionKind::grid),
        alpha_(static_cast<std::uint64_t>(settings.integer("alpha"))),
        beta_(static_cast<std::uint64_t>(settings.integer("beta"))),
        owner_lists_(static_cast<std::uint64_t>(settings.integer("owner-lists"))),
        keep_links_awake_(settings.get("links") == "kept-awake") {}

  void prepare(const distributed_bfs::DistributedGraph& graph, RunContext& context) {
    bfs::require_gpu(kFamily);
    if (graph.ranks().size() > persistent::kMostRanks) {
      throw too_many(graph.ranks().size());
    }
    graph_ = graph.dealt_as(kind_);
    grid_ = std::make_unique<GridRanks>(graph_.partition(), graph_.ranks());
    persistent::Layout layout(graph_, *grid_);
    fill(layout);
    allocate(layout, context);
    graph_.drop_blocks();
    originals_ = std::move(layout.originals);
    positions_ = std::move(layout.positions);
    context.account("numbering", (originals_.size() + positions_.size()) * sizeof(Vertex));
    stream_ = std::make_unique<gpu::Stream>();
    // An upload may still be under way when its call returns, and the stream doesn't wait for it.
    gpu::check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    if (keep_links_awake_) {
      awake_links_ = std::make_unique<gpu::AwakeLinks>(*peers_);
      context.account("device copies that keep links awake", gpu::AwakeLinks::kBytes);
    }
    graph.ranks().barrier();  // no kernel writes to memory that isn't clear yet
  }

  void run(std::span<const DistributedBfs::Query> queries, RunContext& context) {
    source_ = queries[0].source;
    const bfs::VertexRange piece = grid_->row().piece();
    search_.source = engine::kNoHead;
    if (source_ >= piece.begin && source_ < piece.end) {
      const Vertex index = source_ - piece.begin;
      if (positions_[index] != kNoVertex) search_.source = positions_[index];
      search_.source_degree = persistent::short_degree(graph_.degrees()[index]);
    }
    const auto pause =
        awake_links_ == nullptr ? std::unique_lock<std::mutex>() : awake_links_->pause();
    recorded_ = context.instrumented();
    search_.records = recorded_ ? records_.data() : nullptr;
    {
      const gpu::GpuPhase phase(context, "search", *stream_);
      void* arguments[] = {&search_};
      gpu::check(cudaLaunchCooperativeKernel(reinterpret_cast<void*>(persistent::search_kernel),
                                             dim3(grid_size_), dim3(engine::kDeviceThreads),
                                             arguments, 0, *stream_),
                 "search_kernel");
    }
    stream_->synchronize();
  }

  /// Collective: predecessors are known by their places in their owners' pieces, and the owners
  /// turn them into ids. Each rank gets a bitmap of the wanted ones in its piece, and answers in
  /// their order. O(n / P) by all threads that the process may use. A rank sends and receives n / 8
  /// bytes, and 4 for each predecessor.
  ///
  /// This function has more than 60 lines: answers come in the order of the questions.
  void extract(DistributedBfs::Answer& answer) const {
    const bfs::VertexRange piece = grid_->row().piece();
    answer.ranks = &graph_.ranks();
    answer.vertices = piece;
    answer.levels.assign(piece.size(), kNoLevel);
    answer.predecessors.assign(piece.size(), kNoVertex);

    const auto own_count = static_cast<Vertex>(originals_.size());
    const PagedArray<persistent::Visit> visits = download_visits();
    const std::vector<std::uint32_t> visited = download(row_visited_);
    const auto for_each_position = [&](auto visit) {
      in_parallel(own_count, [&](std::uint64_t begin, std::uint64_t end) {
        for (auto position = static_cast<Vertex>(begin); position < end; ++position) {
          visit(position);
        }
      });
    };

    // A predecessor that is no vertex, as only a wrong search gives, counts as none, so that the
    // certificate names it.
    const Vertex piece_size = search_.stripe_count * persistent::kStripe;
    const Vertex place_count = piece_size * search_.rank_count;
    const auto has_predecessor = [&](Vertex position) {
      return reached(visited, position) && piece.begin + originals_[position] != source_ &&
             visits[position].predecessor < place_count;
    };
    const auto predecessor_of = [&](Vertex position) {
      const persistent::Place place = search_.all_numbers.place(visits[position].predecessor);
      return place.piece * piece_size + place.position;
    };
    std::vector<bfs::Word> wanted(bfs::word_count(place_count));
    for_each_position([&](Vertex position) {
      if (has_predecessor(position)) bfs::insert<true>(wanted, predecessor_of(position));
    });
    const std::vector<std::size_t> words = offsets_of(bfs::word_count(piece_size));
    std::vector<bfs::Word> asked(wanted.size());
    graph_.ranks().all_to_all(wanted, words, asked, words);

    const std::vector<Vertex> wanted_before = members_before(wanted);
    const std::vector<Vertex> asked_before = members_before(asked);
    std::vector<Vertex> answers(asked_before.back());
    in_parallel(asked.size(), [&](std::uint64_t begin, std::uint64_t end) {
      Vertex next = asked_before[begin];
      bfs::for_each_member(asked, begin, end, [&](Vertex place) {
        const Vertex position = place % piece_size;
        answers[next++] = position < own_count ? piece.begin + originals_[position] : kNoVertex;
      });
    });
    std::vector<Vertex> ids(wanted_before.back());
    std::vector<std::size_t> answer_offsets;
    std::vector<std::size_t> id_offsets;
    for (const std::size_t word : words) {
      answer_offsets.push_back(asked_before[word]);
      id_offsets.push_back(wanted_before[word]);
    }
    graph_.ranks().all_to_all(answers, answer_offsets, ids, id_offsets);

    for_each_position([&](Vertex position) {
      const Vertex index = originals_[position];
      if (reached(visited, position)) answer.levels[index] = visits[position].level;
      if (!has_predecessor(position)) return;
      const Vertex place = predecessor_of(position);
      const bfs::Word below = wanted[place / bfs::kWordBits] & (bfs::bit(place) - 1);
      answer.predecessors[index] =
          ids[wanted_before[place / bfs::kWordBits] + static_cast<Vertex>(std::popcount(below))];
    });
    // Without a number it reaches itself.
    if (source_ >= piece.begin && source_ < piece.end) answer.levels[source_ - piece.begin] = 0;
  }

  /// Collective: a row a level, of recorded runs. `exchange` is the barrier between ranks, with a
  /// rank's wait for others in it. In the first level it is timed from the kernel's beginning:
  /// clearing, links that wake, ranks that were launched later. `gather` is the reading of others'
  /// finds, and its `sent_bytes` are the bytes read. In a grid a search also writes to other ranks
  /// on its way: bottom-up 8 bytes for a vertex that it finds and 4 for a word of them. These are
  /// in no column.
  PhaseLog phase_log() const {
    distributed_bfs::StepLog log(
        persistent::steps(),
        persistent::growth(kind_ == distributed_bfs::PartitionKind::rows, persistent::kMostRanks),
        {}, false);
    log.reserve(graph_.vertex_count());
    if (recorded_) {
      const std::vector<persistent::LevelRecord> records = download(records_);
      const persistent::SearchRecord whole = download(record_).front();
      // Nothing where there were more levels than it has room for.
      std::vector<std::uint64_t> frontier_counts(
          whole.level_count <= kRecordCapacity ? whole.level_count : 0);
      count_levels(frontier_counts);
      graph_.ranks().all_reduce(frontier_counts, Reduction::sum);
      std::uint64_t unvisited = graph_.vertex_count();
      for (std::size_t i = 0; i < frontier_counts.size(); ++i) {
        const persistent::LevelRecord& record = records[i];
        unvisited -= frontier_counts[i];
        const std::uint64_t begin_ns = i == 0 ? whole.begun_ns : records[i - 1].searched_ns;
        std::array<distributed_bfs::StepCost, persistent::kStepCount> costs =
            counts(record, i == 0);
        costs[persistent::kExchange].ns = record.exchanged_ns - begin_ns;
        costs[persistent::kGather].ns = record.gathered_ns - record.exchanged_ns;
        costs[persistent::kSearch].ns = record.searched_ns - record.gathered_ns;
        log.push({.bottom_up = record.bottom_up != 0,
                  .frontier_count = frontier_counts[i],
                  .unvisited_count = unvisited},
                 costs);
      }
    }
    return log.phase_log(graph_.ranks());
  }

 private:
  static UnmetError too_many(std::size_t rank_count) {
    return UnmetError(kFamily,
                      std::to_string(rank_count) + " ranks, and it takes up to " +
                          std::to_string(persistent::kMostRanks),
                      "use fewer ranks");
  }

  static constexpr std::int64_t kLargestFactor = 1'000'000'000;

  /// For a vertex of this rank's, by its position.
  bool reached(const std::vector<std::uint32_t>& row_visited, Vertex position) const {
    const Vertex row = search_.row_numbers.number({own_row_piece(), position});
    return (row_visited[row / gpu::kWarp] >> row % gpu::kWarp & 1) != 0;
  }
  std::uint32_t own_row_piece() const { return search_.rank % search_.row_numbers.piece_count(); }

  /// The visits of this rank's vertices, by their positions; vertices that were not reached have
  /// none.
  PagedArray<persistent::Visit> download_visits() const {
    PagedArray<persistent::Visit> visits(originals_.size());
    gpu::check(cudaMemcpy(visits.data(), peers_->own() + search_.parts.visits,
                          originals_.size() * sizeof(persistent::Visit), cudaMemcpyDeviceToHost),
               "cudaMemcpy");
    return visits;
  }

  /// Adds to each level the number of its vertices that are this rank's.
  void count_levels(std::span<std::uint64_t> counts) const {
    const PagedArray<persistent::Visit> visits = download_visits();
    const std::vector<std::uint32_t> visited = download(row_visited_);
    std::mutex adding;
    in_parallel(originals_.size(), [&](std::uint64_t begin, std::uint64_t end) {
      std::vector<std::uint64_t> own(counts.size());
      for (auto position = static_cast<Vertex>(begin); position < end; ++position) {
        const Level level = visits[position].level;
        if (reached(visited, position) && level < own.size()) ++own[level];
      }
      const std::scoped_lock lock(adding);
      std::transform(own.begin(), own.end(), counts.begin(), counts.begin(), std::plus<>());
    });
  }

  /// 0, size, 2 * size, ... for each rank and after the last.
  std::vector<std::size_t> offsets_of(std::size_t size) const {
    std::vector<std::size_t> offsets;
    for (std::size_t rank = 0; rank <= search_.rank_count; ++rank) offsets.push_back(rank * size);
    return offsets;
  }
  /// The number of members before each word of a set, and in the whole set.
  static std::vector<Vertex> members_before(const std::vector<bfs::Word>& set) {
    std::vector<Vertex> before(set.size() + 1);
    prefix_sums(
        set.size(), [&](std::uint64_t word) { return std::popcount(set[word]); }, before.data());
    return before;
  }

  /// The costs of a level's steps.
  std::array<distributed_bfs::StepCost, persistent::kStepCount> counts(
      const persistent::LevelRecord& record, bool is_first) const {
    using namespace distributed_bfs;
    std::array<StepCost, persistent::kStepCount> costs;
    StepCost& exchange = costs[persistent::kExchange];
    StepCost& gather = costs[persistent::kGather];
    StepCost& search = costs[persistent::kSearch];
    const std::uint64_t other_count = search_.rank_count - 1;
    exchange.sent_bytes = other_count * sizeof(persistent::Mail);
    exchange.counts[kMessages] = other_count;
    if (is_first) {
      exchange.counts[kStarts] = other_count > 0 ? 1 : 0;
      search.counts[kArcs] = heads_.size();
    }
    gather.counts[kCalls] = other_count > 0 ? 1 : 0;
    gather.sent_bytes = gather.counts[kMessageBytes] = read_bytes(record);
    if (record.bottom_up != 0) search.counts[kBitmapBytes] = row_visited_.bytes();
    return costs;
  }

  /// The bytes of other ranks' memory that a level's gather reads.
  std::uint64_t read_bytes(const persistent::LevelRecord& record) const {
    const std::uint64_t listed_bytes = record.read_count * sizeof(persistent::Claim);
    if (record.gathered == persistent::Gathered::lists) return listed_bytes;
    const std::uint64_t piece_bytes = search_.stripe_count * persistent::kStripe / 8;
    const std::uint32_t column_size = search_.column_numbers.piece_count();
    const bool own_column = search_.rank / column_size == search_.column_part;
    return listed_bytes +
           (search_.row_numbers.piece_count() - 1 + column_size - (own_column ? 1 : 0)) *
               piece_bytes;
  }

  /// The kernel's facts of the block, but for its arrays.
  void fill(const persistent::Layout& layout) {
    Communicator& ranks = graph_.ranks();
    search_ = {};
    search_.row_numbers = layout.rows;
    search_.column_numbers = layout.columns;
    search_.all_numbers = layout.all;
    search_.rank = static_cast<std::uint32_t>(ranks.rank());
    search_.rank_count = static_cast<std::uint32_t>(ranks.size());
    search_.row_part = search_.rank / layout.rows.piece_count();
    search_.column_part = search_.rank % layout.rows.piece_count();
    search_.stripe_count = layout.stripe_count;
    search_.symmetric = graph_.symmetric();
    search_.alpha = alpha_;
    search_.beta = beta_;
    search_.owner_lists = search_.row_numbers.piece_count() == 1 ? owner_lists_ : 0;
    search_.vertex_count = layout.vertex_count;
    search_.arc_count = graph_.arc_count();
    search_.record_capacity = kRecordCapacity;
  }

  /// The number of blocks of the search's kernel that the device holds at once.
  static unsigned most_blocks() {
    int blocks = 0;
    gpu::check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, persistent::search_kernel,
                                                             engine::kDeviceThreads, 0),
               "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
    return static_cast<unsigned>(blocks * gpu::properties().multiProcessorCount);
  }

  /// The number of pieces that all rows of hubs are cut into.
  static std::uint64_t hub_piece_count(const persistent::Layout& layout) {
    std::uint64_t count = 0;
    for (std::uint64_t row = 0; row + 1 < layout.row_offsets.size(); ++row) {
      const std::uint32_t degree =
          layout.row_offsets.data()[row + 1] - layout.row_offsets.data()[row];
      if (degree < engine::kHubDegree) continue;
      count += (degree + engine::kPieceArcs - 1) / engine::kPieceArcs;
    }
    return count;
  }

  /// The device's arrays. The context and require_memory() hear of their size first.
  void allocate(const persistent::Layout& layout, RunContext& context) {
    const std::uint64_t row_count = layout.row_offsets.size() - 1;
    const std::uint64_t column_count = layout.column_count();
    const unsigned most = most_blocks();
    const std::uint64_t warps =
        std::min<std::uint64_t>(most * (engine::kDeviceThreads / gpu::kWarp), layout.piece_size());
    search_.parts = persistent::PeerParts(layout.piece_size(), column_count,
                                          search_.owner_lists > 0 ? search_.rank_count : 0,
                                          persistent::kOwnerListPiece * warps);
    const std::uint64_t piece_count = hub_piece_count(layout);
    const Vertex longer_end = engine::longer_end(layout.row_offsets);
    const std::uint64_t row_bytes =
        (2 * row_count + 1 + layout.heads.size() + layout.mean_degrees.size() +
         std::uint64_t{engine::kNextHeads} * longer_end) *
        sizeof(std::uint32_t);
    const std::uint64_t queue_bytes =
        row_count * sizeof(Vertex) + piece_count * sizeof(engine::HubPiece);
    const std::uint64_t vertex_bytes =
        (row_count + column_count) / 8 + kRecordCapacity * sizeof(persistent::LevelRecord);
    const std::uint64_t awake_bytes = keep_links_awake_ ? gpu::AwakeLinks::kBytes : 0;
    gpu::require_memory(row_bytes + queue_bytes + vertex_bytes + search_.parts.size +
                            gpu::PeerMemory::kPage + awake_bytes,
                        kFamily);
    context.account("device rows", row_bytes);
    context.account("device queues", queue_bytes);
    context.account("device visited bits", vertex_bytes);
    context.account("device memory that ranks share", search_.parts.size);

    row_offsets_ = upload(layout.row_offsets);
    heads_ = upload(layout.heads);
    first_heads_ = upload(engine::first_heads(layout.row_offsets, layout.heads));
    next_heads_ = upload(engine::next_heads(layout.row_offsets, layout.heads, longer_end));
    mean_degrees_ = upload(layout.mean_degrees);
    row_sizes_ = upload(layout.row_sizes);
    column_sizes_ = upload(layout.column_sizes);
    row_visited_ = gpu::DeviceArray<std::uint32_t>(row_count / gpu::kWarp);
    column_visited_ = gpu::DeviceArray<std::uint32_t>(column_count / gpu::kWarp);
    queue_ = gpu::DeviceArray<Vertex>(row_count);
    pieces_ = gpu::DeviceArray<engine::HubPiece>(piece_count);
    control_ = gpu::DeviceArray<persistent::Control>(1);
    control_.clear();
    records_ = gpu::DeviceArray<persistent::LevelRecord>(kRecordCapacity);
    record_ = gpu::DeviceArray<persistent::SearchRecord>(1);
    peers_ = std::make_unique<gpu::PeerMemory>(search_.parts.size, graph_.ranks(), kFamily,
                                               "use distributed-bfs/hybrid-gpu there");
    gpu::check(cudaMemset(peers_->own(), 0, peers_->size()), "cudaMemset");

    search_.rows = {row_offsets_.data(), heads_.data(), first_heads_.data(),
                    reinterpret_cast<const uint4*>(next_heads_.data()), longer_end};
    search_.row_sizes = row_sizes_.data();
    search_.column_sizes = column_sizes_.data();
    search_.mean_degrees = mean_degrees_.data();
    std::copy(peers_->peers().begin(), peers_->peers().end(), search_.peers);
    search_.row_visited = row_visited_.data();
    search_.column_visited = column_visited_.data();
    search_.queue = queue_.data();
    search_.pieces = pieces_.data();
    search_.control = control_.data();
    search_.record = record_.data();
    grid_size_ = std::max(1U, most / peers_->sharing_count());
  }

  distributed_bfs::PartitionKind kind_;
  std::uint64_t alpha_;
  std::uint64_t beta_;
  std::uint64_t owner_lists_;
  bool keep_links_awake_;
  distributed_bfs::DistributedGraph graph_;
  std::unique_ptr<GridRanks> grid_;
  std::vector<Vertex> originals_;  ///< Layout's
  std::vector<Vertex> positions_;
  unsigned grid_size_ = 1;
  persistent::Search search_;
  gpu::DeviceArray<std::uint32_t> row_offsets_;
  gpu::DeviceArray<Vertex> heads_;
  gpu::DeviceArray<Vertex> first_heads_;
  gpu::DeviceArray<Vertex> next_heads_;
  gpu::DeviceArray<std::uint32_t> mean_degrees_;
  gpu::DeviceArray<std::uint32_t> row_sizes_;
  gpu::DeviceArray<std::uint32_t> column_sizes_;
  gpu::DeviceArray<std::uint32_t> row_visited_;
  gpu::DeviceArray<std::uint32_t> column_visited_;
  gpu::DeviceArray<Vertex> queue_;
  gpu::DeviceArray<engine::HubPiece> pieces_;
  gpu::DeviceArray<persistent::Control> control_;
  gpu::DeviceArray<persistent::LevelRecord> records_;
  gpu::DeviceArray<persistent::SearchRecord> record_;
  std::unique_ptr<gpu::PeerMemory> peers_;
  std::unique_ptr<gpu::AwakeLinks> awake_links_;  ///< null where they are left alone
  std::unique_ptr<gpu::Stream> stream_;

  // Of the last run.
  Vertex source_ = 0;
  bool recorded_ = false;
};

BELLMARK_REGISTER(DistributedPersistent);

}  // namespace
}  // namespace bellmark
