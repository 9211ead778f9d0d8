// A search by levels over ranks in a grid, whose bitmaps never leave the GPUs: the search of
// GridSearch, which works in the memory of hosts, with NCCL in the place of the communicator.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "algorithms/gpu/gpu.cuh"
#include "algorithms/problems/distributed_bfs/grid_ranks.hpp"
#include "algorithms/searches/bfs/hybrid_gpu_device.cuh"
#include "algorithms/searches/distributed_bfs/device_block.cuh"
#include "algorithms/searches/distributed_bfs/device_step_log.cuh"
#include "algorithms/searches/distributed_bfs/grid_steps.hpp"
#include "algorithms/searches/distributed_bfs/nccl.hpp"
#include "algorithms/searches/distributed_bfs/nccl_grid_search.hpp"
#include "base/error.hpp"

namespace bellmark::distributed_bfs {
namespace {

using bfs::hybrid_gpu::add_counts;
using bfs::hybrid_gpu::bits_beyond;
using bfs::hybrid_gpu::blocks_of;
using bfs::hybrid_gpu::Counts;
using bfs::hybrid_gpu::kBlock;
using gpu::kAllLanes;
using gpu::kWarp;
using gpu::lowest_bit;

constexpr const char* kFamily = "distributed-bfs/hybrid-gpu";
constexpr unsigned kBits = bfs::hybrid_gpu::kWordBits;

/// A rank in one of its groups, as the kernels see it.
struct SeatView {
  // Of the part.
  Vertex vertex_count;
  std::uint32_t word_count;
  Bits* visited;
  // Of the piece.
  Vertex piece_vertex_count;
  std::uint32_t piece_word_count;
  Bits* fresh;           ///< new in the last level: the piece's place in the part's frontier
  const Bits* found;     ///< by this rank: its place in the part's finds
  const Bits* received;  ///< found by each member, one bitmap after the other; not this one's
  Bits* known;           ///< visited
  Bits* given;           ///< by each member, one bitmap after the other
  Vertex* predecessors;
  std::uint32_t member_count;
  std::uint32_t self;
};

/// Nothing is visited, all else having been cleared, and the source is new if it is in the piece.
/// One thread.
__global__ void begin_kernel(SeatView seat, Vertex source, bool has_source) {
  // A word of the host's may end in two of these.
  for (std::uint32_t back = 1; back <= 2 && back <= seat.word_count; ++back) {
    const std::uint32_t word = seat.word_count - back;
    seat.visited[word] = bits_beyond(seat.vertex_count, word);
  }
  if (!has_source) return;
  seat.fresh[source / kBits] = Bits{1} << source % kBits;
  seat.predecessors[source] = kNoVertex;
}

/// The work of choose() in search.hpp, a thread a word. It reads 4 bytes from each member until all
/// vertices that anybody may have found have been found, and writes 12 for the outcome. The givers
/// are kept as a bitmap for each member: at most a read and a write of 4 bytes for 32 vertices,
/// coalesced. A number for each vertex would be a write for each vertex.
__global__ void __launch_bounds__(kBlock) choose_kernel(SeatView seat) {
  const std::uint32_t word = blockIdx.x * kBlock + threadIdx.x;
  if (word >= seat.piece_word_count) return;
  const Bits known = seat.known[word];
  Bits missing = ~known;
  std::uint32_t member = seat.self;
  for (std::uint32_t i = 0; i < seat.member_count && missing != 0; ++i) {
    const std::size_t place = std::size_t{member} * seat.piece_word_count + word;
    const Bits bits = (i == 0 ? seat.found[word] : seat.received[place]) & missing;
    if (bits != 0) seat.given[place] |= bits;
    missing &= ~bits;
    member = member + 1 == seat.member_count ? 0 : member + 1;
  }
  seat.fresh[word] = ~missing & ~known;
}

/// New vertices become known and get their level; they and their arcs are added to the counts. A
/// warp goes through 32 words, of which it reads 4 bytes each. It goes through those that are not
/// empty together: a line of levels and two of arc counts for each.
__global__ void __launch_bounds__(kBlock) settle_kernel(SeatView seat, Level level, Level* levels,
                                                        const Offset* arc_counts, Counts* counts) {
  const std::uint32_t word = blockIdx.x * kBlock + threadIdx.x;
  const unsigned lane = threadIdx.x % kWarp;
  const Bits mine = word < seat.piece_word_count ? seat.fresh[word] : 0;
  if (mine != 0) seat.known[word] |= mine;
  unsigned long long arc_count = 0;
  for (unsigned rest = __ballot_sync(kAllLanes, mine != 0); rest != 0; rest &= rest - 1) {
    const unsigned owner = lowest_bit(rest);
    const Bits bits = __shfl_sync(kAllLanes, mine, owner);
    if ((bits >> lane & 1) == 0) continue;
    const std::size_t v = std::size_t{word - lane + owner} * kBits + lane;
    levels[v] = level;
    arc_count += arc_counts[v];
  }
  add_counts<kBlock>(*counts, static_cast<unsigned>(__popc(mine)), arc_count);
}

/// Each vertex that was folded in this seat gets the predecessor that its giver has. `own` are this
/// rank's predecessors for its piece, and `received` those of each member, one piece after the
/// other. A thread a vertex: a warp reads one word of each member until it has all givers.
__global__ void __launch_bounds__(kBlock)
    take_predecessors_kernel(SeatView seat, const Vertex* own, const Vertex* received) {
  const std::uint64_t v = std::uint64_t{blockIdx.x} * kBlock + threadIdx.x;
  if (v >= seat.piece_vertex_count) return;
  for (std::uint32_t member = 0; member < seat.member_count; ++member) {
    const Bits given = seat.given[std::size_t{member} * seat.piece_word_count + v / kBits];
    if ((given >> v % kBits & 1) == 0) continue;
    seat.predecessors[v] =
        member == seat.self ? own[v] : received[std::size_t{member} * seat.piece_vertex_count + v];
    return;
  }
}

/// The places of the members' pieces in a group's arrays: in those of the part, and in those that
/// have a piece of this member's for each.
struct Places {
  /// `size_of(n)`: the number of elements that an array has for n vertices.
  template <class SizeOf>
  Places(const Group& group, SizeOf size_of) {
    for (std::size_t m = 0; m < group.size(); ++m)
      of_part.push_back(size_of(group.range_of(m).begin));
    of_part.push_back(size_of(group.part().size()));
    for (std::size_t m = 0; m <= group.size(); ++m) {
      received.push_back(m * size_of(group.piece().size()));
    }
  }

  std::vector<std::size_t> of_part;
  std::vector<std::size_t> received;
};

/// A rank in one of its groups: its knowledge of the group's part, and the piece of the part that
/// it folds. A bitmap of the part has the host's bytes, so that the pieces' are in whole words.
class DeviceSeat {
 public:
  explicit DeviceSeat(const Group& of_group)
      : group_(of_group),
        words_(of_group, [](Vertex n) { return std::size_t{device_word_count(n)}; }),
        vertices_(of_group, [](Vertex n) { return std::size_t{n}; }) {}

  /// Device memory that allocate() will take.
  std::uint64_t bytes() const {
    return (3 * part_words() + piece_words() + 2 * received_words()) * sizeof(Bits) +
           (std::uint64_t{group_.part().size()} + group_.piece().size()) * sizeof(Vertex);
  }
  /// `nccl`: the group's, which must outlive the calls.
  void allocate(NcclGroup& nccl) {
    nccl_ = &nccl;
    for (auto* bitmap : {&frontier_, &visited_, &found_}) {
      *bitmap = gpu::DeviceArray<Bits>(part_words());
    }
    known_ = gpu::DeviceArray<Bits>(piece_words());
    received_ = gpu::DeviceArray<Bits>(received_words());
    given_ = gpu::DeviceArray<Bits>(received_words());
    side_predecessors_ = gpu::DeviceArray<Vertex>(group_.part().size());
    predecessors_ = gpu::DeviceArray<Vertex>(group_.piece().size());
    // They are sent as they are where nothing was found.
    side_predecessors_.clear();
    predecessors_.clear();
  }

  /// Of the part.
  std::uint32_t word_count() const { return static_cast<std::uint32_t>(part_words()); }
  Bits* frontier() const { return frontier_.data(); }
  Bits* visited() const { return visited_.data(); }
  Bits* found() const { return found_.data(); }
  Vertex* side_predecessors() const { return side_predecessors_.data(); }
  /// Of the piece.
  std::span<Bits> fresh() const {
    return {frontier_.data() + words_.of_part[self()], piece_words()};
  }
  std::span<Vertex> predecessors() const { return {predecessors_.data(), predecessors_.size()}; }
  const gpu::DeviceArray<Vertex>& predecessor_array() const { return predecessors_; }

  SeatView view() const {
    return {.vertex_count = group_.part().size(),
            .word_count = word_count(),
            .visited = visited_.data(),
            .piece_vertex_count = group_.piece().size(),
            .piece_word_count = static_cast<std::uint32_t>(piece_words()),
            .fresh = fresh().data(),
            .found = found_.data() + words_.of_part[self()],
            .received = received_.data(),
            .known = known_.data(),
            .given = given_.data(),
            .predecessors = predecessors_.data(),
            .member_count = static_cast<std::uint32_t>(group_.size()),
            .self = static_cast<std::uint32_t>(self())};
  }

  /// The source counts as found by a level before the first.
  void begin(Vertex source, cudaStream_t stream) const {
    for (const auto* bitmap : {&visited_, &known_, &given_, &frontier_}) {
      gpu::check(cudaMemsetAsync(bitmap->data(), 0, bitmap->bytes(), stream), "cudaMemsetAsync");
    }
    const VertexRange piece = group_.piece();
    const bool has_source = source >= piece.begin && source < piece.end;
    begin_kernel<<<1, 1, 0, stream>>>(view(), has_source ? source - piece.begin : 0, has_source);
    gpu::check_launch("begin");
  }

  /// Collective: new vertices of all pieces are the frontier, and visited.
  void expand(cudaStream_t stream) const {
    nccl_->all_gather({frontier_.data(), frontier_.size()}, words_.of_part, stream);
    unite(visited_.data(), frontier_.data(), word_count(), stream);
  }

  /// Collective: the members' finds go to the owners of the pieces, and become new there.
  void fold(cudaStream_t stream) const {
    nccl_->all_to_all({found_.data(), found_.size()}, words_.of_part,
                      {received_.data(), received_.size()}, words_.received, stream);
    choose_kernel<<<blocks_of(piece_words(), kBlock), kBlock, 0, stream>>>(view());
    gpu::check_launch("choose");
  }

  /// New vertices become known.
  void settle(cudaStream_t stream) const {
    unite(known_.data(), fresh().data(), static_cast<std::uint32_t>(piece_words()), stream);
  }

  /// The number of elements that find_predecessors() works in.
  std::size_t more_vertices() const { return group_.size() > 1 ? vertices_.received.back() : 0; }

  /// Collective: every member gives all its predecessors for the others' pieces, 4 bytes a vertex
  /// of the part. To ask for the folded ones, as hosts do, takes lists and their sizes, which only
  /// the host could tell NCCL.
  void find_predecessors(std::span<Vertex> received, cudaStream_t stream) const {
    nccl_->all_to_all({side_predecessors_.data(), side_predecessors_.size()}, vertices_.of_part,
                      received, vertices_.received, stream);
    take_predecessors_kernel<<<blocks_of(group_.piece().size(), kBlock), kBlock, 0, stream>>>(
        view(), side_predecessors_.data() + vertices_.of_part[self()], received.data());
    gpu::check_launch("take_predecessors");
  }

 private:
  std::size_t self() const { return group_.members().rank(); }
  std::size_t part_words() const { return words_.of_part.back(); }
  std::size_t piece_words() const { return words_.received[1]; }
  std::size_t received_words() const { return words_.received.back(); }

  const Group& group_;
  Places words_;
  Places vertices_;
  NcclGroup* nccl_ = nullptr;
  gpu::DeviceArray<Bits> frontier_;
  gpu::DeviceArray<Bits> visited_;
  gpu::DeviceArray<Bits> found_;
  gpu::DeviceArray<Bits> known_;
  gpu::DeviceArray<Bits> received_;
  gpu::DeviceArray<Bits> given_;
  gpu::DeviceArray<Vertex> side_predecessors_;  ///< of this rank's finds in the part
  gpu::DeviceArray<Vertex> predecessors_;
};

/// The levels are GridSearch's, and send the bytes that its comment says. The predecessors take 4
/// bytes for each vertex of each group's part at each other member. They go once for columns if a
/// level went top-down, and once for rows if one went bottom-up. 4 n bytes more go where columns'
/// move to rows.
///
/// A level is work in one stream. The host waits for it once, for 16 bytes: the counts of new
/// vertices in the rank's own piece. Hosts add these up, as they do without NCCL: the plan is
/// theirs, and NCCL would put one more kernel into every level. Nothing overlaps. Collectives of
/// two groups at once, in two streams, may run in one order here and in another there. Then they
/// would wait for each other for ever.
class NcclGridSearch final : public Search {
 public:
  NcclGridSearch(const DistributedGraph& graph, const SearchOptions& options, RunContext& context)
      : graph_(graph),
        grid_(graph.partition(), graph.ranks()),
        rows_(grid_.row()),
        columns_(grid_.column()),
        plan_(graph, options),
        ranks_nccl_(make_nccl_group(grid_.ranks())),
        row_nccl_(make_nccl_group(grid_.row().members())),
        column_nccl_(make_nccl_group(grid_.column().members())),
        log_(grid_steps(Predecessors::all_at_once, false), grid_growth(),
             [this] { return traffic(); }) {
    const std::size_t more = std::max(rows_.more_vertices(), columns_.more_vertices());
    const std::size_t piece = grid_.row().piece().size();
    const std::uint64_t bytes = rows_.bytes() + columns_.bytes() + more * sizeof(Vertex) +
                                piece * (sizeof(Level) + sizeof(Offset)) + sizeof(Counts);
    gpu::require_memory(bytes, kFamily);
    context.account("device vertices", bytes);
    rows_.allocate(*row_nccl_);
    columns_.allocate(*column_nccl_);
    received_predecessors_ = gpu::DeviceArray<Vertex>(more);
    levels_ = gpu::DeviceArray<Level>(piece);
    arc_counts_ = gpu::DeviceArray<Offset>(piece);
    arc_counts_.upload(graph_.degrees());
    counts_ = gpu::DeviceArray<Counts>(1);
    fetched_ = gpu::PinnedArray<Counts>(1);
    // Waits for the uploads.
    block_ = std::make_unique<DeviceBlock>(graph_.blocks()[0], options.threshold, kFamily, context);
  }

  void run(Vertex source) override {
    log_.clear(stream_);
    begin(source);
    bool went_top_down = false;
    bool went_bottom_up = false;
    while (next_level()) {
      rows_.expand(stream_);
      if (plan_.level().bottom_up) {
        went_bottom_up = true;
        columns_.expand(stream_);
        log_.close(kExpand, stream_);
        block_->bottom_up(columns_.frontier(), rows_.visited(), rows_.found(),
                          rows_.side_predecessors(), 0, rows_.word_count(), stream_);
        log_.close(kSearch, stream_);
        rows_.fold(stream_);
        log_.close(kFold, stream_);
        to_column(rows_.fresh(), columns_.fresh());
      } else {
        went_top_down = true;
        log_.close(kExpand, stream_);
        block_->top_down(rows_.frontier(), columns_.visited(), columns_.found(),
                         columns_.side_predecessors(), 0, rows_.word_count(), stream_);
        log_.close(kSearch, stream_);
        columns_.fold(stream_);
        log_.close(kFold, stream_);
        to_row(columns_.fresh(), rows_.fresh());
      }
      log_.close(kTranspose, stream_);
      if (plan_.depth() == 0) log_.add(kSearch, kArcs, graph_.blocks()[0].arc_count());
      log_.add(kSearch, kBitmapBytes, (rows_.word_count() + columns_.word_count()) * sizeof(Bits));
    }
    if (went_top_down) {
      columns_.find_predecessors(received_predecessors(), stream_);
      to_row(columns_.predecessors(), rows_.predecessors());
    }
    if (went_bottom_up) rows_.find_predecessors(received_predecessors(), stream_);
    log_.close(kPredecessors, stream_);
    log_.add(kPredecessors, kVertices, grid_.row().piece().size());
    stream_.synchronize();
  }

  void extract(DistributedBfs::Answer& answer) const override {
    const VertexRange piece = grid_.row().piece();
    answer = {&grid_.ranks(), piece, std::vector<Level>(piece.size()),
              std::vector<Vertex>(piece.size())};
    levels_.download(answer.levels);
    rows_.predecessor_array().download(answer.predecessors);
    for (Vertex v = 0; v < piece.size(); ++v) {
      if (answer.levels[v] == kNoLevel) answer.predecessors[v] = kNoVertex;
    }
  }

  PhaseLog phase_log() const override { return log_.phase_log(grid_.ranks()); }
  std::uint64_t level_count() const override { return log_.level_count(); }
  std::uint64_t reached_count() const override { return plan_.visited_count(); }

 private:
  Traffic traffic() const {
    Traffic sum;
    add_traffic(grid_.ranks(), sum);
    for (const auto* group : {&ranks_nccl_, &row_nccl_, &column_nccl_}) add_traffic(**group, sum);
    return sum;
  }

  void begin(Vertex source) {
    plan_.clear();
    settled_ = {};
    next_depth_ = 0;
    gpu::check(cudaMemsetAsync(levels_.data(), 0xff, levels_.bytes(), stream_), "cudaMemsetAsync");
    static_assert(kNoLevel == ~Level{0});
    gpu::check(cudaMemsetAsync(counts_.data(), 0, counts_.bytes(), stream_), "cudaMemsetAsync");
    rows_.begin(source, stream_);
    columns_.begin(source, stream_);
  }

  /// Settles the last finds, and plans the next level.
  bool next_level() {
    const SeatView seat = rows_.view();
    settle_kernel<<<blocks_of(seat.piece_word_count, kBlock), kBlock, 0, stream_>>>(
        seat, next_depth_, levels_.data(), arc_counts_.data(), counts_.data());
    gpu::check_launch("settle");
    gpu::check(cudaMemcpyAsync(fetched_.data(), counts_.data(), counts_.bytes(),
                               cudaMemcpyDeviceToHost, stream_),
               "cudaMemcpyAsync");
    stream_.synchronize();
    const Counts before = settled_;
    settled_ = fetched_[0];
    ++next_depth_;
    if (!plan_.next(settled_.vertex_count - before.vertex_count,
                    settled_.arc_count - before.arc_count)) {
      log_.close(kPlan, stream_);
      return false;
    }
    columns_.settle(stream_);
    log_.open(plan_.level(), kPlan, stream_);
    return true;
  }

  /// Collective: like GridRanks::to_column() and to_row().
  void to_column(std::span<const std::uint32_t> of_row, std::span<std::uint32_t> of_column) {
    ranks_nccl_->exchange(of_row, grid_.folder(), of_column, grid_.owner(), stream_);
  }
  void to_row(std::span<const std::uint32_t> of_column, std::span<std::uint32_t> of_row) {
    ranks_nccl_->exchange(of_column, grid_.owner(), of_row, grid_.folder(), stream_);
  }

  std::span<Vertex> received_predecessors() const {
    return {received_predecessors_.data(), received_predecessors_.size()};
  }

  const DistributedGraph graph_;
  GridRanks grid_;
  DeviceSeat rows_;
  DeviceSeat columns_;
  Plan plan_;
  std::unique_ptr<DeviceBlock> block_;
  gpu::DeviceArray<Vertex> received_predecessors_;
  gpu::DeviceArray<Level> levels_;
  gpu::DeviceArray<Offset> arc_counts_;  ///< that leave the piece's vertices, in all blocks
  gpu::DeviceArray<Counts> counts_;      ///< of this rank's, from the search's beginning
  gpu::PinnedArray<Counts> fetched_;
  Counts settled_ = {};
  Level next_depth_ = 0;  ///< of the vertices that are settled next
  gpu::Stream stream_;
  // It goes before anything else, because freeing waits for the device: a rank that fails gives up
  // calls that the others would never answer.
  std::unique_ptr<NcclGroup> ranks_nccl_;
  std::unique_ptr<NcclGroup> row_nccl_;
  std::unique_ptr<NcclGroup> column_nccl_;
  DeviceStepLog log_;
};

}  // namespace

std::unique_ptr<Search> make_nccl_grid_search(const DistributedGraph& graph,
                                              const SearchOptions& options, RunContext& context) {
  if (options.by_group || options.lists) {
    throw UnmetError("transfer=nccl", "the GPUs send each other one bitmap a group",
                     "leave exchange and frontier at their defaults");
  }
  if (const std::string reason = nccl_absence(); !reason.empty()) {
    throw UnmetError("transfer=nccl", reason);
  }
  return std::make_unique<NcclGridSearch>(graph.dealt_as(PartitionKind::grid), options, context);
}

}  // namespace bellmark::distributed_bfs
