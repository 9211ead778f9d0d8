// sssp/dijkstra beyond right answers (conformance_test.cpp checks those): widths, memory, phases,
// and the published answers of LDBC Graphalytics.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>

#include "algorithms/contract/registry.hpp"
#include "algorithms/problems/sssp/problem.hpp"
#include "algorithms/searches/dijkstra/options.hpp"
#include "algorithms/testing/zoo.hpp"
#include "graph/open.hpp"

namespace bellmark::dijkstra {
namespace {

using SsspWorkload = detail::WorkloadOf<Sssp>;

constexpr Length kLongest = std::numeric_limits<Length>::max();

Settings resolve(const std::string& keys, const Graph& graph) {
  Settings settings = {
      {"queue", "heap"}, {"storage", "csr"}, {"width", "auto"}, {"distance", "auto"}};
  const Settings given = Settings::parse(keys);
  for (const auto& [key, value] : given.entries()) settings.set(key, value);
  return dijkstra::resolve(settings, graph);
}

std::string refusal(const std::string& keys, const Graph& graph) {
  try {
    return "accepted: " + resolve(keys, graph).text();
  } catch (const InputError& error) {
    return error.what();
  }
}

TEST(DijkstraWidths, AutoTakesTheNarrowestThatFits) {
  const Graph narrow = Graph::from_arcs(3, std::vector<Arc>{{0, 1, 5}, {1, 2, 5}});
  const std::string start = "queue=heap,storage=csr,";
  EXPECT_EQ(resolve("", narrow).text(), start + "width=32,distance=32");
  EXPECT_EQ(resolve("width=64", narrow).text(), start + "width=64,distance=64");
  EXPECT_EQ(resolve("distance=64", narrow).text(), start + "width=32,distance=64");
  EXPECT_EQ(resolve("width=32,distance=32", narrow).text(), start + "width=32,distance=32");
  const Graph wide = Graph::from_arcs(3, std::vector<Arc>{{0, 1, kLongest}, {1, 2, kLongest}});
  EXPECT_EQ(resolve("", wide).text(), start + "width=32,distance=64");
}

TEST(DijkstraWidths, NarrowDistancesNeedRoomForOneMoreArc) {
  // Bound + largest length: 2(2^31 - 1) = 2^32 - 2 fits; another vertex and 2^32 - 1 does not.
  const Graph fits = Graph::from_arcs(2, std::vector<Arc>{{0, 1, kLongest}});
  EXPECT_EQ(resolve("distance=32", fits).get("distance"), "32");
  const Length third = kLongest / 3 * 2;
  const Graph over = Graph::from_arcs(3, std::vector<Arc>{{0, 1, third + 1}, {1, 2, third}});
  EXPECT_EQ(3 * std::uint64_t{static_cast<std::uint32_t>(third) + 1}, 4294967295u);
  EXPECT_EQ(resolve("", over).get("distance"), "64");
  const std::string error = refusal("distance=32", over);
  EXPECT_NE(error.find("2863311530"), std::string::npos) << error;
  EXPECT_NE(error.find("(n-1)*C"), std::string::npos) << error;
  EXPECT_NE(refusal("width=64,distance=32", fits).find("not offered"), std::string::npos);
}

TEST(DijkstraWidths, AutoTakesWhatWasBuilt) {
  const Graph graph = Graph::from_arcs(3, std::vector<Arc>{{0, 1, 5}, {1, 2, 5}});
  const std::string other = ",vertices=aos,arcs=aos";
  EXPECT_EQ(resolve("queue=radix" + other, graph).get("distance"), "64");
  EXPECT_EQ(resolve("queue=scan" + other, graph).get("distance"), "64");
  const bool all = kBuilt.size() >= built_count(Instances::paper);
  EXPECT_EQ(resolve("queue=dial" + other, graph).get("distance"), all ? "32" : "64");
}

/// A graph of three vertices whose largest length is `largest`.
Graph with_largest(Length largest) {
  return Graph::from_arcs(3, std::vector<Arc>{{0, 1, largest}, {1, 2, 0}});
}

TEST(DijkstraLevels, AutoTakesTheFewestThatStayInCache) {
  if (kBuilt.size() < built_count(Instances::paper)) {
    GTEST_SKIP() << "not all levels are built";
  }
  const auto levels = [](const std::string& keys, Length largest) {
    return resolve(keys + ",levels=auto", with_largest(largest)).get("levels");
  };
  const std::string buckets = "queue=multi-level,caliber=no";
  EXPECT_EQ(levels(buckets, 0), "1");
  EXPECT_EQ(levels(buckets, 8191), "1") << "8192 heads of 4 bytes";
  EXPECT_EQ(levels(buckets, 8192), "2");
  EXPECT_EQ(levels(buckets + ",width=64", 4095), "1");
  EXPECT_EQ(levels(buckets + ",width=64", 4096), "2");
  EXPECT_EQ(levels(buckets + ",width=64", 368'855), "2") << "USA-road-d";
  EXPECT_EQ(levels(buckets, kLongest), "3");
  EXPECT_EQ(levels("queue=hot", 368'855), "1");
}

TEST(DijkstraBuckets, TooLargeLengthsAreRefused) {
  const std::string error = refusal("queue=dial", with_largest(kLongest));
  EXPECT_NE(error.find("lengths up to 2147483647 need 2147483648 buckets, 8589934592 bytes, and "
                       "1073741824 are allowed"),
            std::string::npos)
      << error;
  EXPECT_NE(error.find("radix"), std::string::npos) << error;
  const Length most = (1 << 28) - 1;
  EXPECT_EQ(refusal("queue=dial", with_largest(most)).substr(0, 9), "accepted:");
  EXPECT_NE(refusal("queue=dial", with_largest(most + 1)).find("need"), std::string::npos);
  EXPECT_NE(refusal("queue=multi-level,levels=1,caliber=no", with_largest(kLongest))
                .find("use more levels"),
            std::string::npos);
  EXPECT_NE(refusal("queue=multi-level,levels=1,caliber=no,records=program", with_largest(kLongest))
                .find("need 4294967296 buckets"),
            std::string::npos);
  for (const char* queue :
       {"heap", "heap-dynamic", "scan", "open-set", "double-buckets", "radix", "fibonacci",
        "multi-level,levels=2,caliber=yes", "hot,levels=1", "mbp", "bag", "indirect-heap"}) {
    EXPECT_EQ(refusal("queue=" + std::string(queue), with_largest(kLongest)).substr(0, 9),
              "accepted:")
        << queue;
  }
}

TEST(DijkstraForms, TooLargeMatricesAreRefused) {
  const auto vertices = [](Vertex count) { return Graph::from_arcs(count, {}); };
  EXPECT_EQ(refusal("storage=matrix", vertices(32'768)).substr(0, 9), "accepted:");
  const std::string error = refusal("storage=matrix", vertices(32'769));
  EXPECT_NE(error.find("32769 x 32769 lengths of 4 bytes is larger than the 4294967296"),
            std::string::npos)
      << error;
  EXPECT_EQ(refusal("storage=linked-list", vertices(32'769)).substr(0, 9), "accepted:");
}

/// Bytes by the paper's memory model (Tables 24 to 36), exactly.
TEST(DijkstraMemory, FollowsThePapersModel) {
  const Graph graph = testing::small_random_graph(7);
  const std::uint64_t n = graph.vertex_count();
  const std::uint64_t m = graph.arc_count();
  ASSERT_GT(m, 0u);
  SsspWorkload workload(graph, {{0}});
  const auto account = [&](const std::string& pattern) {
    const auto selections = Registry::global().select(pattern);
    Settings resolved;
    const Instance& instance = find_instance(selections.at(0), workload, resolved);
    const auto variant = instance.bind(workload, resolved);
    RunContext context;
    variant->prepare(context);
    variant->run(0, 1, context);
    std::map<std::string, std::uint64_t> bytes;
    for (const auto& [name, held] : context.accounted()) bytes[name] = held;
    return bytes;
  };

  auto bytes = account("sssp/yasui2011:2-heap");
  EXPECT_EQ(bytes["arcs"], 4 * (n + 1) + 8 * m);
  EXPECT_EQ(bytes["vertices"] + bytes["queue"], 32 * n);
  bytes = account("sssp/ma2022:dijkstra-heap");
  EXPECT_EQ(bytes["vertices"] + bytes["queue"], 32 * n);
  bytes = account("sssp/yasui2011:2-heap*");
  EXPECT_EQ(bytes["vertices"], 16 * n);
  EXPECT_EQ(bytes["queue"], 16 * 256u) << "the first block is enough here";
  bytes = account("sssp/dijkstra:width=64");
  EXPECT_EQ(bytes["arcs"], 8 * (n + 1) + 16 * m);
  EXPECT_EQ(bytes["vertices"] + bytes["queue"], 40 * n);
  bytes = account("sssp/dijkstra:width=32,distance=32");
  EXPECT_EQ(bytes["vertices"], 12 * n);
  EXPECT_EQ(bytes["queue"], 8 * n);

  const auto largest = static_cast<std::uint64_t>(graph.properties().largest_length);
  bytes = account("sssp/yasui2011:buckets");
  EXPECT_EQ(bytes["arcs"], 4 * (n + 1) + 8 * m);
  EXPECT_EQ(bytes["vertices"], 24 * n) << "4 of them padding";
  EXPECT_EQ(bytes["queue"], 4 * (largest + 1));
  if (kBuilt.size() < built_count(Instances::paper)) return;
  bytes = account("sssp/ma2022:dijkstra");
  EXPECT_EQ(bytes["vertices"] + bytes["queue"], 20 * n);
  bytes = account("sssp/dijkstra:queue=dial,width=64");
  EXPECT_EQ(bytes["arcs"], 8 * (n + 1) + 16 * m);
  EXPECT_EQ(bytes["vertices"], 32 * n);
  EXPECT_EQ(bytes["queue"], 8 * (largest + 1));
  bytes = account("sssp/dijkstra:queue=heap-dynamic,arity=2,width=64");
  EXPECT_EQ(bytes["vertices"], 24 * n);
  bytes = account("sssp/dijkstra:queue=heap,arity=2,storage=matrix");
  EXPECT_EQ(bytes["arcs"], 4 * n * n);
  bytes = account("sssp/dijkstra:queue=heap,arity=2,storage=linked-list");
  EXPECT_EQ(bytes["arcs"], 4 * n + 12 * m);
}

TEST(DijkstraPhases, CountWhatTheSearchDid) {
  struct Log : Recorder {
    void begin(std::string_view phase) override { text.append(phase).append(" "); }
    void note(std::string_view name, std::uint64_t value) override {
      text.append(name).append("=").append(std::to_string(value)).append(" ");
    }
    void end() override {}
    std::string text;
  } log;
  const Graph graph = Graph::from_arcs(4, std::vector<Arc>{{0, 1, 1}, {1, 2, 1}});
  SsspWorkload workload(graph, {{0}});
  Settings resolved;
  const auto selections = Registry::global().select("sssp/dijkstra");
  const auto variant = find_instance(selections.at(0), workload, resolved).bind(workload, resolved);
  RunContext context(&log);
  variant->prepare(context);
  variant->run(0, 1, context);
  EXPECT_EQ(log.text, "initialise search settled_count=3 reached_count=3 ");
}

/// `ID` lines, `TAIL HEAD LENGTH` lines, and `ID DISTANCE` lines with hundredths or `Infinity`.
class Ldbc : public ::testing::TestWithParam<std::array<const char*, 3>> {};

TEST_P(Ldbc, AnswersAgree) {
  std::filesystem::path folder;
  for (const auto& data : data_folders()) {
    if (folder.empty() && std::filesystem::exists(data / "answers")) folder = data / "answers";
  }
  if (folder.empty()) GTEST_SKIP() << "no data folder holds answers/";
  const auto [vertices_name, arcs_name, answer_name] = GetParam();
  const auto hundredths = [](const std::string& text) {
    return static_cast<Distance>(std::llround(std::stod(text) * 100));
  };

  std::ifstream vertices(folder / vertices_name);
  std::map<std::string, Vertex> ids;
  for (std::string id; vertices >> id;) ids.emplace(id, static_cast<Vertex>(ids.size()));
  ASSERT_EQ(ids.size(), 10u);
  std::ifstream list(folder / arcs_name);
  std::vector<Arc> arcs;
  for (std::string tail, head, length; list >> tail >> head >> length;) {
    arcs.push_back({ids.at(tail), ids.at(head), static_cast<Length>(hundredths(length))});
  }
  const Graph graph = Graph::from_arcs(static_cast<Vertex>(ids.size()), arcs);
  std::ifstream answers(folder / answer_name);
  Sssp::Answer expected{std::vector(ids.size(), kUnreached), {}};
  std::size_t count = 0;
  for (std::string id, distance; answers >> id >> distance; ++count) {
    if (distance == "Infinity") continue;
    expected.distances[ids.at(id)] = hundredths(distance);
  }
  ASSERT_EQ(count, ids.size());

  SsspWorkload workload(graph, {{ids.at("1")}});
  for (const Selection& selection : Registry::global().select("sssp/*dijkstra:*")) {
    Settings resolved;
    const auto variant = find_instance(selection, workload, resolved).bind(workload, resolved);
    RunContext context;
    variant->prepare(context);
    variant->run(0, 1, context);
    EXPECT_EQ(variant->digest(0), Sssp::digest(expected)) << selection.name();
  }
}

INSTANTIATE_TEST_SUITE_P(Published, Ldbc,
                         ::testing::Values(std::array{"sssp-directed.v", "sssp-directed.e",
                                                      "sssp-directed.answer"},
                                           std::array{"example-directed.v", "example-directed.e",
                                                      "example-directed-SSSP"}));

}  // namespace
}  // namespace bellmark::dijkstra
