// Delta-stepping by threads beyond right answers with one (conformance_test.cpp): more threads than
// cores, hubs, zero lengths, every tuning, labels that are never reset, and refusals.
#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include "algorithms/contract/registry.hpp"
#include "algorithms/problems/sssp/problem.hpp"
#include "algorithms/searches/delta_stepping/labels.hpp"
#include "algorithms/searches/delta_stepping/options.hpp"
#include "algorithms/searches/delta_stepping/rounds.hpp"
#include "algorithms/testing/zoo.hpp"
#include "graph/generate.hpp"

namespace bellmark::delta_stepping {
namespace {

using SsspWorkload = detail::WorkloadOf<Sssp>;
using testing::oracle_distances;

constexpr Length kLongest = std::numeric_limits<Length>::max();
constexpr std::array kThreadCounts = {1, 2, 3, 8};

Settings resolve(const std::string& keys, const Graph& graph) {
  Settings settings;
  for (const Key& key : describe({}).keys) {
    settings.set(key.name, key.default_value);
  }
  if (!keys.empty()) {
    const Settings given = Settings::parse(keys);
    for (const auto& [key, value] : given.entries()) settings.set(key, value);
  }
  return delta_stepping::resolve(settings, graph);
}

std::string refusal(const std::string& keys, const Graph& graph) {
  try {
    return "accepted: " + resolve(keys, graph).text();
  } catch (const InputError& error) {
    return error.what();
  }
}

std::vector<std::uint64_t> expected_digests(const SsspWorkload& workload) {
  std::vector<std::uint64_t> digests;
  for (const Sssp::Query& query : workload.queries) {
    Sssp::Answer answer;
    answer.distances = oracle_distances(workload.input, query.source);
    digests.push_back(Sssp::digest(answer));
  }
  return digests;
}

struct Noted : Recorder {
  void begin(std::string_view) override {}
  void note(std::string_view name, std::uint64_t value) override {
    notes.emplace_back(name, value);
  }
  void end() override {}
  std::uint64_t operator[](std::string_view name) const {
    for (const auto& [noted, value] : notes) {
      if (noted == name) return value;
    }
    ADD_FAILURE() << "no note " << name;
    return 0;
  }
  std::vector<std::pair<std::string, std::uint64_t>> notes;
};

/// Runs all queries with one variant. Each answer is certified and compared with Bellman-Ford's.
void expect_right(const std::string& keys, SsspWorkload& workload,
                  const std::vector<std::uint64_t>& expected) {
  const auto selections = Registry::global().select("sssp/delta-stepping:" + keys);
  ASSERT_EQ(selections.size(), 1U);
  Settings resolved;
  const auto bound = find_instance(selections[0], workload, resolved).bind(workload, resolved);
  RunContext context;
  bound->prepare(context);
  for (std::size_t query = 0; query < workload.query_count(); ++query) {
    bound->run(query, 1, context);
    ASSERT_EQ(bound->certify(query), std::nullopt) << keys << ", query " << query;
    ASSERT_EQ(bound->digest(query), expected[query]) << keys;
  }
}

void expect_right_with_all_threads(const std::string& keys, SsspWorkload& workload) {
  const auto expected = expected_digests(workload);
  for (const int threads : kThreadCounts) {
    expect_right("threads=" + std::to_string(threads) + keys, workload, expected);
    if (::testing::Test::HasFailure()) return;
  }
}

Graph star(Vertex leaves) {
  std::vector<Arc> arcs;
  for (Vertex v = 1; v <= leaves; ++v) {
    arcs.push_back({0, v, static_cast<Length>(v * 7919 % 1009)});
    arcs.push_back({v, 0, static_cast<Length>(v * 7919 % 1009)});
    arcs.push_back({v, v % leaves + 1, static_cast<Length>(v % 5)});
  }
  return Graph::from_arcs(leaves + 1, arcs);
}

TEST(DeltaStepping, AutoFitsTheGraph) {
  const Graph grid = make_graph("grid:rows=40,columns=40,lengths=uniform:1..4000");
  EXPECT_EQ(resolve("", grid).get("delta_log2"), "10");  // twice 2000 / 3.9
  EXPECT_EQ(resolve("threads=2,delta_log2=7", grid).get("delta_log2"), "7");
  EXPECT_EQ(resolve("", grid).get("rows"), "four-slots");
  const Graph core = make_graph("kronecker:scale=10,lengths=uniform:1..255");
  EXPECT_EQ(resolve("", core).get("direction"), "push-pull");
  EXPECT_EQ(resolve("", core).get("horizon"), "32");
  EXPECT_EQ(resolve("", core).get("delta_log2"), "3");  // no wider: rows by length
  EXPECT_EQ(resolve("direction=push", core).get("rows"), "by-length");
}

TEST(DeltaStepping, RefusesWithTheFigure) {
  const Graph graph = make_graph("random:n=100,m=2000,lengths=uniform:1..1000000");
  EXPECT_NE(refusal("delta_log2=0", graph).find("use delta_log2=8"), std::string::npos);
  EXPECT_NE(refusal("direction=push-pull", graph).find("not symmetric"), std::string::npos);
  std::vector<Arc> arcs = {{0, 1, kLongest}};
  EXPECT_EQ(refuse_label(Graph::from_arcs(65'536, arcs)), "");
  EXPECT_NE(refusal("", Graph::from_arcs(65'537, arcs)).find("47 for them"), std::string::npos);
}

TEST(DeltaStepping, WhoTouchesMemoryFirstChangesNoAnswer) {
  SsspWorkload workload{make_graph("grid:rows=60,columns=70,lengths=uniform:1..99"), {{0}, {4199}}};
  expect_right_with_all_threads(",touch=threads", workload);
  expect_right_with_all_threads(",touch=threads,rows=by-length", workload);
}

TEST(DeltaStepping, Zoo) {
  for (const auto& [name, graph] : testing::zoo()) {
    SCOPED_TRACE(name);
    const Vertex n = graph.vertex_count();
    SsspWorkload workload(graph, {{0}, {n / 2}, {n - 1}});
    expect_right_with_all_threads("", workload);
    expect_right_with_all_threads(",rows=by-length,direction=push,parcel=1", workload);
    if (HasFailure()) return;
  }
}

TEST(DeltaStepping, RandomGraphs) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE(seed);
    const Graph graph = testing::small_random_graph(seed);
    SsspWorkload workload(graph, {{0}, {graph.vertex_count() / 2}, {0}});
    expect_right_with_all_threads(",parcel=1,round=1", workload);
    if (graph.properties().symmetric) {
      expect_right_with_all_threads(",parcel=1,direction=push-pull,horizon=7", workload);
    }
    if (HasFailure()) return;
  }
}

TEST(DeltaStepping, EveryTuningGivesRightAnswers) {
  for (const char* reference : {"kronecker:scale=9,edge-factor=8,lengths=uniform:0..255,seed=3",
                                "grid:rows=40,columns=47,keep=0.8,lengths=uniform:0..300",
                                "grid:rows=30,columns=30,lengths=uniform:0..0",
                                "grid:rows=25,columns=25,lengths=log-spread:1..1000000"}) {
    SCOPED_TRACE(reference);
    const Graph graph = make_graph(reference);
    SsspWorkload workload(graph, {{0}, {graph.vertex_count() / 2}, {0}});
    for (const char* keys :
         {"", ",rows=four-slots", ",rows=by-length,direction=push,delta_log2=8,round=1,parcel=1",
          ",delta_log2=31,round=1000000", ",direction=push,delta_log2=14,parcel=126",
          ",direction=push-pull,horizon=1,parcel=1", ",direction=push-pull,horizon=40,delta_log2=9",
          ",direction=push-pull,horizon=2147483647"}) {
      expect_right_with_all_threads(keys, workload);
    }
  }
}

TEST(DeltaStepping, HubsAndChains) {
  const Graph hub = star(6000);
  SsspWorkload from_hub(hub, {{0}, {17}, {0}, {6000}});
  expect_right_with_all_threads(",rows=by-length,parcel=1", from_hub);
  expect_right_with_all_threads(",rows=four-slots,delta_log2=3", from_hub);
  std::vector<Arc> arcs;
  for (Vertex v = 0; v + 1 < 3000; ++v) arcs.push_back({v, v + 1, static_cast<Length>(v % 3)});
  SsspWorkload along(Graph::from_arcs(3000, arcs), {{0}, {2999}, {1}});
  expect_right_with_all_threads(",delta_log2=0", along);
}

// The waiting threads are kept in words of 64 threads.
TEST(DeltaStepping, ManyMoreThreadsThanCores) {
  const Graph graph = make_graph("random:n=2000,m=9000,lengths=uniform:0..900,seed=2");
  SsspWorkload workload(graph, {{0}, {7}});
  expect_right("threads=130,parcel=1", workload, expected_digests(workload));
}

// 65,536 vertices leave 47 bits for a distance that may need them all: every search fills all
// labels.
TEST(DeltaStepping, LabelsAreFilledWhenTheZerosAreUsedUp) {
  std::vector<Arc> arcs;
  for (Vertex v = 0; v < 8; ++v) arcs.push_back({v, v + 1, kLongest - static_cast<Length>(v)});
  const Graph graph = Graph::from_arcs(65'536, arcs);
  Labels labels(graph);
  labels.begin();
  const std::uint64_t zero = labels.zero();
  labels.cursor().set(3, labels.packing().word(zero + 5, 2));
  EXPECT_TRUE(labels.reached(3));
  EXPECT_EQ(labels.distance(3), 5U);
  EXPECT_EQ(labels.predecessor(3), 2U);
  labels.begin();
  EXPECT_EQ(labels.zero(), zero) << "filled, and begun again";
  EXPECT_FALSE(labels.reached(3));
  SsspWorkload workload(graph, {{0}, {4}, {1}, {0}});
  expect_right_with_all_threads("", workload);
}

TEST(DeltaStepping, SearchesFollowOneAnotherWithoutAReset) {
  const Graph graph = make_graph("random:n=400,m=700,lengths=uniform:0..50,seed=5");
  std::vector<Sssp::Query> queries;
  for (Vertex i = 0; i < 50; ++i) queries.push_back({i * 7 % 400});
  SsspWorkload workload(graph, queries);
  expect_right_with_all_threads("", workload);
}

TEST(DeltaStepping, NotesWhatItDid) {
  std::vector<Arc> arcs;
  for (Vertex v = 0; v + 1 < 500; ++v) arcs.push_back({v, v + 1, 4});
  SsspWorkload workload(Graph::from_arcs(500, arcs), {{0}});
  Settings resolved;
  const auto selections = Registry::global().select("sssp/delta-stepping:threads=2");
  const auto bound = find_instance(selections.at(0), workload, resolved).bind(workload, resolved);
  Noted noted;
  RunContext context(&noted);
  bound->prepare(context);
  bound->run(0, 1, context);
  EXPECT_EQ(noted["scanned_count"], 500U);
  EXPECT_EQ(noted["rescanned_count"], 0U);
  EXPECT_EQ(noted["queued_count"], 499U);
  EXPECT_GT(noted["fused_count"], 400U);
  EXPECT_EQ(noted["parcel_count"], 0U) << "there never is a vertex to spare";
  EXPECT_GT(noted["round_count"], 0U);
  std::uint64_t bytes = 0;
  for (const auto& [what, held] : context.accounted()) bytes += held;
  EXPECT_GT(bytes, 500U * 40);
}

struct Numbers {
  std::uint64_t value = 0;
};

/// Each thread counts its rounds, and the parcels that it was handed.
TEST(DeltaSteppingRounds, HandOverAndMeet) {
  constexpr std::size_t kThreads = 5;
  constexpr std::uint64_t kRounds = 100;
  using Handing = Rounds<Numbers>;
  Handing rounds(kThreads);
  std::array<std::uint64_t, kThreads> begun{};
  std::array<std::uint64_t, kThreads> received{};
  std::uint64_t given = 0;
  std::uint64_t led = 0;
  std::uint64_t opened = 0;
  for (int repetition = 0; repetition < 3; ++repetition) {
    begun = received = {};
    given = led = opened = 0;
    bool finished = false;
    rounds.begin();
    const auto work = [&](std::size_t thread) {
      while (!finished) {
        ++begun[thread];
        for (int i = 0; thread == 0 && i < 20; ++i) {
          if (!rounds.asked()) continue;
          const auto receiver = rounds.claim(thread);
          if (!receiver) continue;
          EXPECT_NE(*receiver, thread);
          rounds.parcel(*receiver).value = ++given;
          rounds.deliver(*receiver);
        }
        const auto lead = [&] {
          if (++led % 3 == 0) return Handing::Open::caller;
          finished = ++opened == kRounds;
          return Handing::Open::all;
        };
        while (rounds.rest(thread, lead) == Handing::Wake::parcel) {
          received[thread] += rounds.parcel(thread).value;
        }
      }
    };
    std::vector<std::thread> threads;
    for (std::size_t thread = 1; thread < kThreads; ++thread) threads.emplace_back(work, thread);
    work(0);
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(opened, kRounds);
    std::uint64_t sum = 0;
    std::uint64_t begun_alone = 0;
    for (std::size_t thread = 0; thread < kThreads; ++thread) {
      EXPECT_GE(begun[thread], kRounds);
      begun_alone += begun[thread] - kRounds;
      sum += received[thread];
    }
    EXPECT_EQ(begun_alone, led - opened);
    EXPECT_EQ(sum, given * (given + 1) / 2) << "nothing is lost, nothing comes twice";
  }
}

TEST(DeltaSteppingRounds, AThreadThatFailsEndsTheOthersRest) {
  Rounds<Numbers> rounds(70);
  rounds.begin();
  std::vector<std::thread> threads;
  for (std::size_t thread = 1; thread < 70; ++thread) {
    threads.emplace_back(
        [&rounds, thread] { rounds.rest(thread, [] { return Rounds<Numbers>::Open::all; }); });
  }
  rounds.fail();
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(rounds.failed());
  rounds.begin();
  EXPECT_FALSE(rounds.failed());
}

}  // namespace
}  // namespace bellmark::delta_stepping
