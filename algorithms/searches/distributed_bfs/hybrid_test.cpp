// distributed-bfs/hybrid over ranks that are threads: both kinds, both directions at every level,
// remains of an earlier query, and the bytes that a level sends.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/problems/distributed_bfs/test_support.hpp"
#include "algorithms/searches/distributed_bfs/search.hpp"
#include "base/error.hpp"
#include "graph/generate.hpp"

namespace bellmark::distributed_bfs {
namespace {

using testing::column;
using testing::expect_right_answers;
using testing::scattered_graph;

struct Launch {
  std::string kind;
  std::size_t size;
};

const std::vector<Launch>& all_launches() {
  static const std::vector<Launch> launches = {{"grid", 1}, {"grid", 2},  {"grid", 3},
                                               {"grid", 4}, {"grid", 6},  {"grid", 8},
                                               {"grid", 9}, {"pairs", 2}, {"pairs", 8}};
  return launches;
}

/// Forced and free: a large alpha goes bottom-up at once, alpha 1 late; a large beta stays
/// bottom-up.
const std::vector<std::string>& all_keys() {
  static const std::vector<std::string> keys = {
      "direction=top-down",
      "direction=bottom-up",
      "direction=hybrid",
      "direction=hybrid,alpha=1000000000,beta=1000000000",
      "direction=hybrid,alpha=1000000000,beta=1",
      "direction=hybrid,alpha=1,beta=1",
      "overlap=off",
      "frontier=auto",
      "frontier=auto,direction=bottom-up,overlap=off",
  };
  return keys;
}

void expect_right_with_all_keys(const Graph& graph, const std::vector<Vertex>& sources,
                                const std::vector<std::string>& chosen_keys = all_keys()) {
  for (const auto& [kind, size] : all_launches()) {
    for (const std::string& keys : chosen_keys) {
      if (!graph.properties().symmetric && keys != "direction=top-down") continue;
      if (kind == "pairs" && keys.find("frontier=auto") != std::string::npos) continue;
      const std::string threads = size <= 2 ? "3" : "1";
      const std::string variant =
          "distributed-bfs/hybrid:partition=" + kind + "," + keys + ",threads=" + threads;
      SCOPED_TRACE(variant + ", " + std::to_string(size) + " ranks");
      run_ranks(size,
                [&](Communicator& ranks) { expect_right_answers(variant, graph, sources, ranks); });
      if (::testing::Test::HasFailure()) return;
    }
  }
}

TEST(DistributedHybrid, PaperNameIsItsPairs) {
  const auto selections = Registry::global().select("hiragushi2013:cluster-cpu-only");
  ASSERT_EQ(selections.size(), 1u);
  EXPECT_EQ(selections[0].name(),
            "distributed-bfs/hybrid:partition=pairs,direction=hybrid,alpha=10,beta=14,threads=1");
}

TEST(DistributedHybrid, ScatteredGraphs) {
  for (std::uint32_t seed = 1; seed <= 9; ++seed) {
    SCOPED_TRACE(seed);
    const Graph graph = scattered_graph(seed, seed % 3 != 0);
    const Vertex n = graph.vertex_count();
    expect_right_with_all_keys(graph, {0, n / 2, n - 1, n / 3});
    if (HasFailure()) return;
  }
}

TEST(DistributedHybrid, KroneckerGraphs) {
  for (const char* reference : {"kronecker:scale=8,seed=2", "kronecker:scale=10,edge-factor=3",
                                "kronecker:scale=12,edge-factor=8,seed=3"}) {
    SCOPED_TRACE(reference);
    const Graph graph = make_graph(reference);
    expect_right_with_all_keys(graph, {graph.heads()[0], graph.heads()[99], 1});
    if (HasFailure()) return;
  }
}

TEST(DistributedHybrid, HubsChainsLoopsAndCrumbs) {
  expect_right_with_all_keys(testing::star_of(3000), {0, 17, 3000});
  expect_right_with_all_keys(testing::chain_of(90), {0, 80});
  // The last queries begin at vertices that few others are reached from.
  expect_right_with_all_keys(testing::hubs_and_crumbs(), {0, 1000, 296, 999, 3});
}

TEST(DistributedHybrid, FewerVerticesThanRanks) {
  for (const auto& [name, graph] : testing::zoo()) {
    SCOPED_TRACE(name);
    const Vertex n = graph.vertex_count();
    expect_right_with_all_keys(testing::both_ways(graph), {0, n - 1},
                               {"direction=top-down", "direction=bottom-up"});
    if (HasFailure()) return;
  }
}

TEST(DistributedHybrid, ThirtyTwoPairs) {
  const Graph graph = make_graph("kronecker:scale=11,edge-factor=4,seed=6");
  for (const std::string& keys : all_keys()) {
    if (keys.find("frontier=auto") != std::string::npos) continue;
    run_ranks(32, [&](Communicator& ranks) {
      expect_right_answers("distributed-bfs/hybrid:partition=pairs," + keys, graph,
                           {graph.heads()[0], 5}, ranks);
    });
    if (HasFailure()) return;
  }
}

TEST(DistributedHybrid, PairsSpeakGroupByGroup) {
  const Graph graph = make_graph("kronecker:scale=11,edge-factor=4,seed=6");
  for (const std::size_t size : {2, 8, 32}) {
    for (const std::string keys :
         {"direction=top-down", "direction=bottom-up,threads=2", "overlap=off"}) {
      SCOPED_TRACE(keys + ", " + std::to_string(size) + " ranks");
      run_ranks(size, [&](Communicator& ranks) {
        expect_right_answers("distributed-bfs/hybrid:partition=pairs,exchange=by-group," + keys,
                             graph, {graph.heads()[0], 5}, ranks);
      });
      if (HasFailure()) return;
    }
  }
}

// Pieces of 131,072 vertices and more are several portions of RankTeam::for_portions().
TEST(DistributedHybrid, ThreadsShareTheStepsBetweenSearches) {
  const Graph graph = make_graph("kronecker:scale=19,edge-factor=2,seed=4");
  for (const auto& [kind, size] :
       std::vector<Launch>{{"grid", 1}, {"grid", 2}, {"grid", 4}, {"pairs", 2}}) {
    for (const std::string keys : {"direction=hybrid", "direction=top-down"}) {
      SCOPED_TRACE(kind + ", " + keys + ", " + std::to_string(size) + " ranks");
      run_ranks(size, [&, kind = kind](Communicator& ranks) {
        expect_right_answers("distributed-bfs/hybrid:threads=3,partition=" + kind + "," + keys,
                             graph, {graph.heads()[0], graph.heads()[99]}, ranks);
      });
      if (HasFailure()) return;
    }
  }
}

// Each arc lies in one block.
TEST(DistributedHybrid, RanksCountTheirPartsOfTheWork) {
  const Graph graph = testing::chain_of(90);
  for (const auto& [kind, size] : all_launches()) {
    for (const std::string threads : {"1", "3"}) {
      SCOPED_TRACE(kind + ", " + std::to_string(size) + " ranks, threads=" + threads);
      run_ranks(size, [&, kind = kind](Communicator& ranks) {
        const auto sums = [&](const std::string& direction) {
          SearchWork work;
          expect_right_answers("distributed-bfs/hybrid:partition=" + kind +
                                   ",direction=" + direction + ",threads=" + threads,
                               graph, {40}, ranks, false, &work);
          EXPECT_EQ(work.value(WorkCount::atomics).has_value(), threads == "3");
          EXPECT_EQ(work.reason(WorkCount::relaxations), kNoLengths);
          return std::array{
              ranks.all_reduce(work.value(WorkCount::scanned).value(), Reduction::sum),
              ranks.all_reduce(work.value(WorkCount::looked_at_arcs).value(), Reduction::sum)};
        };
        const auto [down_scans, down_arcs] = sums("top-down");
        EXPECT_EQ(down_arcs, graph.arc_count());
        EXPECT_GE(down_scans, graph.vertex_count());
        const auto [up_scans, up_arcs] = sums("bottom-up");
        EXPECT_GT(up_scans, graph.vertex_count()) << "again in each level";
        EXPECT_GE(up_arcs, graph.vertex_count() - 1);
      });
      if (HasFailure()) return;
    }
  }
}

TEST(DistributedHybrid, EachFormRefusesTheOthersKeys) {
  const Graph graph = testing::star_of(9);
  run_ranks(2, [&](Communicator& ranks) {
    RunContext context;
    const DistributedGraph distributed = DistributedGraph::of(graph, ranks);
    EXPECT_THROW(make_search(PartitionKind::grid, distributed, {.by_group = true}, context),
                 UnmetError);
    EXPECT_THROW(make_search(PartitionKind::grid, distributed, {.gpu_count = 2}, context),
                 UnmetError);
    EXPECT_THROW(make_search(PartitionKind::pairs, distributed, {.lists = true}, context),
                 UnmetError);
  });
}

TEST(DistributedHybrid, PairsRefuseOtherNumbersOfRanks) {
  for (const std::size_t size : {1, 3, 4, 6}) {
    run_ranks(size, [&](Communicator& ranks) {
      const DistributedGraph graph = DistributedGraph::of(testing::star_of(9), ranks);
      RunContext context;
      EXPECT_THROW(make_search(PartitionKind::pairs, graph, {}, context), UnmetError);
    });
  }
}

TEST(DistributedHybrid, NeedsASymmetricGraphUnlessAllIsTopDown) {
  const auto needs = [](const char* variant) {
    return Registry::global().select(variant).at(0).needs(Need::symmetric);
  };
  EXPECT_TRUE(needs("distributed-bfs/hybrid"));
  EXPECT_TRUE(needs("distributed-bfs/hybrid:partition=pairs,direction=bottom-up"));
  EXPECT_FALSE(needs("distributed-bfs/hybrid:partition=pairs,direction=top-down"));
  EXPECT_FALSE(needs("distributed-bfs/hybrid:direction=top-down"));
}

TEST(DistributedHybrid, PhaseLogSaysWhichWayEachLevelWent) {
  // A chain of 4 to a hub with 1000 leaves, as in bfs/hybrid's test: the rule sees whole numbers.
  std::vector<std::pair<Vertex, Vertex>> edges = {{0, 1}, {1, 2}, {2, 3}};
  for (Vertex leaf = 4; leaf < 1004; ++leaf) edges.push_back({3, leaf});
  const Graph graph = testing::from_edges(1004, edges);
  for (const auto& [kind, size] : all_launches()) {
    run_ranks(size, [&, kind = kind](Communicator& ranks) {
      const PhaseLog log = expect_right_answers(
          "distributed-bfs/hybrid:partition=" + kind + ",alpha=10,beta=14", graph, {0}, ranks);
      using Values = std::vector<std::uint64_t>;
      EXPECT_EQ(column(log, "bottom_up"), (Values{0, 0, 0, 1, 1}));
      EXPECT_EQ(column(log, "frontier_count"), (Values{1, 1, 1, 1, 1000}));
      EXPECT_EQ(column(log, "frontier_arc_count"), (Values{1, 2, 2, 1001, 1000}));
      EXPECT_EQ(column(log, "unvisited_count"), (Values{1003, 1002, 1001, 1000, 0}));
    });
  }
}

/// Times of steps: each between 0 and the level's, in order of rank.
TEST(DistributedHybrid, PhaseLogHasTimesOfAllRanks) {
  const Graph graph = make_graph("kronecker:scale=10,seed=2");
  for (const std::string kind : {"grid", "pairs"}) {
    run_ranks(8, [&](Communicator& ranks) {
      const PhaseLog log = expect_right_answers("distributed-bfs/hybrid:partition=" + kind, graph,
                                                {graph.heads()[0]}, ranks);
      const auto total = column(log, "host_ns");
      std::size_t time_count = 0;
      for (const std::string& name : log.columns) {
        const std::size_t at = name.find("_least_ns");
        if (at == std::string::npos) continue;
        const std::string step = name.substr(0, at);
        const auto least = column(log, name);
        const auto median = column(log, step + "_median_ns");
        const auto largest = column(log, step + "_largest_ns");
        for (std::size_t level = 0; level < total.size(); ++level) {
          EXPECT_LE(least[level], median[level]);
          EXPECT_LE(median[level], largest[level]);
          EXPECT_LE(largest[level], total[level]);
        }
        ++time_count;
      }
      EXPECT_EQ(time_count, kind == "grid" ? 6U : 7U);
    });
  }
}

/// The bytes of `rank_count` ranks that add up `value_count` numbers (Traffic::sent_bytes).
std::uint64_t sum_bytes(std::uint64_t value_count, std::size_t rank_count) {
  std::uint64_t bytes = 0;
  for (std::size_t rank = 0; rank < rank_count; ++rank) {
    const std::uint64_t mine = value_count / rank_count + (rank < value_count % rank_count ? 1 : 0);
    bytes += (value_count - mine + mine * (rank_count - 1)) * sizeof(std::uint64_t);
  }
  return bytes;
}

// 2^12 vertices are 64 words; the model is that of GridSearch's comment.
TEST(DistributedHybrid, AGridSendsWhatItsModelSays) {
  const Graph graph = make_graph("kronecker:scale=12,edge-factor=8,seed=3");
  constexpr std::uint64_t kBitmap = 4096 / 8;
  for (const auto& [size, keys] : std::vector<std::pair<std::size_t, std::string>>{
           {1, ""}, {2, ""}, {3, ""}, {4, ""}, {6, ":overlap=off"}, {8, ":overlap=off"}, {9, ""}}) {
    const Partition partition(PartitionKind::grid, 4096, size);
    const std::uint64_t rows = partition.row_part_count();
    const std::uint64_t columns = partition.column_part_count();
    std::uint64_t staying_bytes = 0;  // of pieces at the same rank in both groups
    for (std::size_t k = 0; k < size; ++k) {
      if (partition.owner(k) == partition.folder(k)) {
        staying_bytes += bfs::word_count(partition.piece(k).size()) * sizeof(bfs::Word);
      }
    }
    run_ranks(size, [&, keys = keys, size = size](Communicator& ranks) {
      const PhaseLog log =
          expect_right_answers("distributed-bfs/hybrid" + keys, graph, {graph.heads()[0]}, ranks);
      const auto up = column(log, "bottom_up");
      const auto plan = column(log, "plan_sent_bytes");
      ASSERT_GT(std::count(up.begin(), up.end(), 1U), 0);
      ASSERT_GT(std::count(up.begin(), up.end(), 0U), 0);
      for (std::size_t level = 0; level < up.size(); ++level) {
        const bool bottom_up = up[level] == 1;
        EXPECT_EQ(column(log, "expand_sent_bytes")[level],
                  kBitmap * (columns - 1 + (bottom_up ? rows - 1 : 0)));
        EXPECT_EQ(column(log, "fold_sent_bytes")[level],
                  kBitmap * (bottom_up ? columns - 1 : rows - 1));
        EXPECT_EQ(column(log, "transpose_sent_bytes")[level], kBitmap - staying_bytes);
        // The end of the last level shows that there is no further one.
        const std::uint64_t plan_count = level + 1 == up.size() ? 2 : 1;
        EXPECT_EQ(plan[level], sum_bytes(2, size) * plan_count);
      }
      // At the end of both directions: two deliveries with their sizes, and one piece of columns.
      // Every vertex asks for at most one predecessor.
      const std::uint64_t sizes_bytes = 2 * sizeof(std::uint64_t) * size * (rows - 1 + columns - 1);
      const auto predecessors = column(log, "predecessors_sent_bytes");
      EXPECT_EQ(std::count(predecessors.begin(), predecessors.end() - 1, 0U),
                static_cast<std::ptrdiff_t>(up.size()) - 1);
      const std::uint64_t asked = predecessors.back();
      const std::uint64_t fixed = sizes_bytes + 32 * (kBitmap - staying_bytes);
      EXPECT_GE(asked, fixed);
      EXPECT_LE(asked, fixed + 8 * std::uint64_t{4096});
      EXPECT_EQ((asked - fixed) % 8, 0U);
    });
    if (HasFailure()) return;
  }
}

// 64 vertices, one in each word, around the source, which they find again. So each is found once,
// by a rank of the first row, and each row finds the source once.
TEST(DistributedHybrid, AGridSendsListsWhereTheyAreShorter) {
  std::vector<std::pair<Vertex, Vertex>> edges;
  for (Vertex word = 0; word < 64; ++word) edges.push_back({0, 64 * word + 1});
  const Graph graph = testing::from_edges(4096, edges);
  for (const std::size_t size : {1, 2, 3, 4, 6, 8, 9}) {
    const Partition partition(PartitionKind::grid, 4096, size);
    const std::uint64_t rows = partition.row_part_count();
    const std::uint64_t columns = partition.column_part_count();
    std::uint64_t found_elsewhere = 0;
    std::uint64_t moving_count = 0;
    std::uint64_t moving_vertex_count = 0;
    for (std::size_t k = 0; k < size; ++k) {
      const std::uint64_t count = bfs::word_count(partition.piece(k).size());
      if (k % rows != 0) found_elsewhere += count;
      if (partition.owner(k) == partition.folder(k)) continue;
      ++moving_count;
      moving_vertex_count += count;
    }
    run_ranks(size, [&](Communicator& ranks) {
      const PhaseLog log = expect_right_answers(
          "distributed-bfs/hybrid:direction=top-down,frontier=auto", graph, {0}, ranks);
      using Values = std::vector<std::uint64_t>;
      const std::uint64_t fold = sum_bytes(1, size) + (rows - 1) * 8 * size;
      EXPECT_EQ(column(log, "expand_sent_bytes"),
                (Values{(columns - 1) * (8 * size + 4), (columns - 1) * (8 * size + 4 * 64)}));
      EXPECT_EQ(column(log, "fold_sent_bytes"),
                (Values{fold + 4 * found_elsewhere, fold + 4 * (rows - 1)}));
      EXPECT_EQ(column(log, "transpose_sent_bytes"),
                (Values{8 * moving_count + 4 * moving_vertex_count, 8 * moving_count}));
    });
    if (HasFailure()) return;
  }
}

TEST(DistributedHybrid, AGridSendsBitmapsWhereListsAreNotShorter) {
  const Graph graph = make_graph("kronecker:scale=12,edge-factor=8,seed=3");
  constexpr std::uint64_t kBitmap = 4096 / 8;
  for (const std::size_t size : {4, 6, 9}) {
    const Partition partition(PartitionKind::grid, 4096, size);
    const std::uint64_t rows = partition.row_part_count();
    const std::uint64_t columns = partition.column_part_count();
    run_ranks(size, [&](Communicator& ranks) {
      const PhaseLog log = expect_right_answers("distributed-bfs/hybrid:frontier=auto", graph,
                                                {graph.heads()[0]}, ranks);
      const auto up = column(log, "bottom_up");
      std::size_t as_list = 0;
      for (std::size_t level = 0; level < up.size(); ++level) {
        const std::uint64_t list = 8 * size + 4 * column(log, "frontier_count")[level];
        as_list += list < kBitmap ? 1 : 0;
        EXPECT_EQ(column(log, "expand_sent_bytes")[level],
                  std::min(list, kBitmap) * (columns - 1 + (up[level] == 1 ? rows - 1 : 0)));
        EXPECT_LE(column(log, "fold_sent_bytes")[level],
                  sum_bytes(1, size) + kBitmap * (up[level] == 1 ? columns - 1 : rows - 1));
        EXPECT_LE(column(log, "transpose_sent_bytes")[level], kBitmap);
      }
      EXPECT_GT(as_list, 0U);
      EXPECT_LT(as_list, up.size());
    });
    if (HasFailure()) return;
  }
}

// The model is that of PairsSearch's comment: the bytes are the same, whatever is under way at
// once.
TEST(DistributedHybrid, PairsSendWhatTheirModelSays) {
  const Graph graph = make_graph("kronecker:scale=12,edge-factor=8,seed=3");
  constexpr std::uint64_t kBitmap = 4096 / 8;
  for (const auto& [size, keys] :
       std::vector<std::pair<std::size_t, std::string>>{{2, ""},
                                                        {8, ""},
                                                        {32, ""},
                                                        {2, ",overlap=off"},
                                                        {8, ",overlap=off"},
                                                        {8, ",exchange=by-group"},
                                                        {32, ",exchange=by-group,overlap=off"}}) {
    SCOPED_TRACE(std::to_string(size) + " ranks" + keys);
    const std::uint64_t parts = Partition(PartitionKind::pairs, 4096, size).row_part_count();
    run_ranks(size, [&, keys = keys](Communicator& ranks) {
      const PhaseLog log = expect_right_answers("distributed-bfs/hybrid:partition=pairs" + keys,
                                                graph, {graph.heads()[0]}, ranks);
      const auto exchanged = column(log, "exchange_sent_bytes");
      const auto frontier = column(log, "frontier_count");
      for (std::size_t level = 0; level < exchanged.size(); ++level) {
        EXPECT_EQ(column(log, "assign_sent_bytes")[level], 2 * kBitmap * (parts - 1));
        EXPECT_EQ(column(log, "all_gather_sent_bytes")[level], kBitmap * (parts - 1));
        const std::uint64_t found = level + 1 < frontier.size() ? frontier[level + 1] : 0;
        EXPECT_LE(exchanged[level], 4 * found);
        EXPECT_EQ(exchanged[level] % 4, 0U);
      }
    });
    if (HasFailure()) return;
  }
}

TEST(DistributedSearch, ChooseTakesEachNewVertexFromOneMember) {
  using bfs::Word;
  // Three members, two words; this is member 1. Bit 0 is known. All have found bit 1, members 0 and
  // 2 bit 2, nobody bit 3.
  const std::vector<Word> received = {0b0111, 1, 0b0011, 0, 0b0110, 1};
  const std::vector<Word> known = {0b0001, 0};
  std::vector<Word> fresh(2, ~Word{0});
  std::vector<std::vector<Word>> taken(3, std::vector<Word>(2));
  choose(received, 3, 1, known, fresh, 0, 2,
         [&](std::size_t m, std::size_t w, Word bits) { taken[m][w] |= bits; });
  EXPECT_EQ(fresh, (std::vector<Word>{0b0110, 1}));
  EXPECT_EQ(taken[0], (std::vector<Word>{0, 0}));
  EXPECT_EQ(taken[1], (std::vector<Word>{0b0010, 0}));
  EXPECT_EQ(taken[2], (std::vector<Word>{0b0100, 1}));
}

}  // namespace
}  // namespace bellmark::distributed_bfs
