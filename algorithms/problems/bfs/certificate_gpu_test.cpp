// Bfs::Certificate on the GPU: it finds the same faults as the CPU, and both are right. The faults
// that problem_test.cpp makes go through both, too.
#include "algorithms/problems/bfs/certificate_gpu.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "algorithms/gpu/gpu.hpp"
#include "algorithms/problems/bfs/gpu_test_support.hpp"
#include "algorithms/problems/bfs/problem.hpp"
#include "algorithms/problems/bfs/test_support.hpp"
#include "algorithms/testing/zoo.hpp"
#include "base/error.hpp"

namespace bellmark {
namespace {

using bfs::make_gpu_certificate;
using gpu::check_bit;
using gpu::FailedChecks;

/// The tails of arcs into each vertex, with repetition.
std::vector<std::vector<Vertex>> tails_of(const Graph& graph) {
  std::vector<std::vector<Vertex>> tails(graph.vertex_count());
  for (Vertex u = 0; u < graph.vertex_count(); ++u) {
    for (Offset e = graph.row_offsets()[u]; e < graph.row_offsets()[u + 1]; ++e) {
      tails[graph.heads()[e]].push_back(u);
    }
  }
  return tails;
}

/// One of the right answers: each predecessor is drawn from the right ones.
Bfs::Answer right_answer(const Graph& graph, Vertex source, std::mt19937_64& draw) {
  const auto tails = tails_of(graph);
  Bfs::Answer answer = {testing::oracle_levels(graph, source), {}};
  answer.predecessors.assign(graph.vertex_count(), kNoVertex);
  for (Vertex v = 0; v < graph.vertex_count(); ++v) {
    if (v == source || answer.levels[v] == kNoLevel) continue;
    std::vector<Vertex> above;
    for (const Vertex u : tails[v]) {
      if (answer.levels[u] == answer.levels[v] - 1) above.push_back(u);
    }
    answer.predecessors[v] = above.at(draw() % above.size());
  }
  return answer;
}

/// By the definition, from the oracle's levels.
bool is_right(const Graph& graph, Vertex source, const Bfs::Answer& answer) {
  const auto levels = testing::oracle_levels(graph, source);
  if (answer.levels != levels) return false;
  const auto tails = tails_of(graph);
  for (Vertex v = 0; v < graph.vertex_count(); ++v) {
    const Vertex p = answer.predecessors[v];
    if (v == source || levels[v] == kNoLevel) {
      if (p != kNoVertex) return false;
    } else if (p >= graph.vertex_count() || levels[p] != levels[v] - 1 ||
               std::count(tails[v].begin(), tails[v].end(), p) == 0) {
      return false;
    }
  }
  return true;
}

/// The checks of the five that fail, each by its own words in Bfs::Certificate. O(n m).
FailedChecks failed_by_definition(const Graph& graph, Vertex source, const Bfs::Answer& answer) {
  const auto tails = tails_of(graph);
  const auto& levels = answer.levels;
  FailedChecks failed = 0;
  for (Vertex v = 0; v < graph.vertex_count(); ++v) {
    const bool reached = levels[v] != kNoLevel;
    const Vertex p = answer.predecessors[v];
    const bool hangs = p < graph.vertex_count() && levels[p] != kNoLevel;
    if (v == source && (levels[v] != 0 || p != kNoVertex)) failed |= check_bit(1);
    if (v != source && reached && !hangs) failed |= check_bit(1);
    if (v != source && reached && hangs) {
      if (levels[v] != levels[p] + 1) failed |= check_bit(2);
      if (std::count(tails[v].begin(), tails[v].end(), p) == 0) failed |= check_bit(5);
    }
    if (v != source && !reached && p != kNoVertex) failed |= check_bit(4);
    for (const Vertex u : tails[v]) {
      if (levels[u] == kNoLevel) continue;
      if (!reached) failed |= check_bit(4);
      if (reached && levels[v] > levels[u] + 1) failed |= check_bit(3);
    }
  }
  return failed;
}

/// One change; the answer may stay right.
void change(const Graph& graph, Bfs::Answer& answer, std::mt19937_64& draw) {
  const Vertex n = graph.vertex_count();
  const auto v = static_cast<Vertex>(draw() % n);
  const auto other = static_cast<Vertex>(draw() % n);
  switch (draw() % 10) {
    case 0:
      ++answer.levels[v];
      break;
    case 1:
      --answer.levels[v];
      break;
    case 2:
      answer.levels[v] = static_cast<Level>(draw() % 4);
      break;
    case 3:
      answer.levels[v] = kNoLevel;
      break;
    case 4:
      answer.levels[v] = answer.levels[other];
      break;
    case 5:
      answer.predecessors[v] = other;
      break;
    case 6:
      answer.predecessors[v] = kNoVertex;
      break;
    case 7:
      answer.predecessors[v] = n + static_cast<Vertex>(draw() % 3);
      break;
    case 8:
      answer.levels[v] = kNoLevel;
      answer.predecessors[v] = kNoVertex;
      break;
    case 9:
      answer.predecessors[v] = other;
      answer.levels[v] = answer.levels[other] + 1;
      break;
  }
}

struct Case {
  Vertex source;
  Bfs::Answer answer;
};

/// A right answer, others with one change, and some with several.
std::vector<Case> cases_of(const Graph& graph, std::mt19937_64& draw) {
  const auto source = static_cast<Vertex>(draw() % graph.vertex_count());
  std::vector<Case> cases = {{source, right_answer(graph, source, draw)}};
  for (int i = 0; i < 12; ++i) {
    Bfs::Answer answer = right_answer(graph, source, draw);
    for (int changes = i < 9 ? 1 : 5; changes > 0; --changes) change(graph, answer, draw);
    cases.push_back({source, std::move(answer)});
  }
  return cases;
}

/// Directed and symmetric graphs with loops, parallel arcs, vertices alone, no arcs at all, hubs.
std::vector<Graph> graphs() {
  std::vector<Graph> graphs;
  for (const auto& [name, graph] : testing::zoo()) graphs.push_back(graph);
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    graphs.push_back(testing::small_random_graph(seed));
  }
  for (const Vertex n : {1U, 2U, 31U, 33U, 257U}) {
    graphs.push_back(Graph::from_arcs(n, {}));
    graphs.push_back(testing::star_of(n));
    graphs.push_back(testing::chain_of(n));
  }
  graphs.push_back(testing::hubs_and_crumbs());
  return graphs;
}

TEST(BfsCertificateOnCpu, IsRightOnRandomAnswers) {
  std::mt19937_64 draw(1);
  std::array<int, 2> counts = {0, 0};
  for (const Graph& graph : graphs()) {
    Bfs::Certificate certificate(graph, graph.arc_count() + 1);
    for (const auto& [source, answer] : cases_of(graph, draw)) {
      const bool right = is_right(graph, source, answer);
      ++counts[right ? 1 : 0];
      const auto fault = certificate.check({source}, answer);
      ASSERT_EQ(fault == std::nullopt, right) << fault.value_or("accepted");
      ASSERT_EQ(failed_by_definition(graph, source, answer) == 0, right);
      ASSERT_FALSE(certificate.on_gpu());
    }
  }
  EXPECT_GT(counts[0], 1000);
  EXPECT_GT(counts[1], 300);
}

TEST(BfsCertificateOnGpu, FindsWhatTheCpuFinds) {
  if (const std::string reason = testing::start_gpu(); !reason.empty()) GTEST_SKIP() << reason;
  std::mt19937_64 draw(1);
  std::array<int, 5> counts = {};
  for (const Graph& graph : graphs()) {
    Bfs::Certificate on_cpu(graph, graph.arc_count() + 1);
    Bfs::Certificate on_gpu(graph, graph.arc_count());
    const auto gpu = make_gpu_certificate(graph);
    ASSERT_NE(gpu, nullptr);
    for (const auto& [source, answer] : cases_of(graph, draw)) {
      const FailedChecks failed = gpu->failed_checks({source}, answer);
      ASSERT_EQ(failed, failed_by_definition(graph, source, answer));
      ASSERT_EQ(on_gpu.check({source}, answer), on_cpu.check({source}, answer));
      ASSERT_TRUE(on_gpu.on_gpu());
      for (unsigned check = 1; check <= 5; ++check) {
        counts[check - 1] += (failed & check_bit(check)) != 0 ? 1 : 0;
      }
    }
  }
  for (unsigned check = 1; check <= 5; ++check) EXPECT_GT(counts[check - 1], 50) << check;
}

/// Vertex 0 has an arc to each of the tails, and each tail has its own heads: every arc alone
/// reaches its head. Rows of `degrees` arcs, the empty ones too, begin and end around the ends of
/// warps' shares of the arcs.
class Broom {
 public:
  explicit Broom(const std::vector<Vertex>& degrees) {
    const auto tail_count = static_cast<Vertex>(degrees.size());
    Vertex head = 1 + tail_count;
    std::vector<Arc> arcs;
    for (Vertex tail = 1; tail <= tail_count; ++tail) arcs.push_back({0, tail, 1});
    for (Vertex tail = 1; tail <= tail_count; ++tail) {
      for (Vertex i = 0; i < degrees[tail - 1]; ++i) arcs.push_back({tail, head++, 1});
    }
    graph = Graph::from_arcs(head, arcs);
    std::mt19937_64 draw(1);
    right = right_answer(graph, 0, draw);
  }

  Graph graph;
  Bfs::Answer right;
};

TEST(BfsCertificateOnGpu, SeesEveryArcOfLongShortAndEmptyRows) {
  if (const std::string reason = testing::start_gpu(); !reason.empty()) GTEST_SKIP() << reason;
  const std::vector<std::vector<Vertex>> shapes = {
      {0, 1010, 0, 0, 1, 1024, 0, 1, 1023, 1025, 0, 0, 31, 33, 3000, 0, 0},
      std::vector<Vertex>(1500, 1),
      {5000},
      {0, 0, 0, 2047, 0},
  };
  for (const auto& degrees : shapes) {
    const Broom broom(degrees);
    const auto gpu = make_gpu_certificate(broom.graph);
    ASSERT_NE(gpu, nullptr);
    // No arc's head lacks its mark, or check 5 would fail.
    EXPECT_EQ(gpu->failed_checks({0}, broom.right), 0U);
    const auto offsets = broom.graph.row_offsets();
    const Offset arc_count = broom.graph.arc_count();
    for (Vertex u = 1; u < broom.graph.vertex_count(); ++u) {
      for (Offset e = offsets[u]; e < offsets[u + 1]; ++e) {
        const bool at_a_border = (e + 1) % 1024 <= 2 || e == offsets[u] || e + 1 == offsets[u + 1];
        if (!at_a_border || (degrees.size() == 1500 && e % 37 != 0 && e + 1 != arc_count)) continue;
        const Vertex head = broom.graph.heads()[e];
        Bfs::Answer answer = broom.right;
        answer.levels[head] = kNoLevel;
        answer.predecessors[head] = kNoVertex;
        ASSERT_EQ(gpu->failed_checks({0}, answer), check_bit(4)) << "arc " << e;
        answer = broom.right;
        answer.predecessors[head] = u == 1 ? 2 : 1;
        if (degrees.size() == 1) continue;  // there is no other tail
        ASSERT_EQ(gpu->failed_checks({0}, answer), check_bit(5)) << "arc " << e;
      }
    }
    // The same certificate still finds no fault in a right answer.
    EXPECT_EQ(gpu->failed_checks({0}, broom.right), 0U);
  }
}

/// More arcs than the device's warps take at once; the fault is at the last.
TEST(BfsCertificateOnGpu, GoesRoundOverAHub) {
  if (const std::string reason = testing::start_gpu(); !reason.empty()) GTEST_SKIP() << reason;
  constexpr Vertex kLeaves = 12'000'000;
  std::vector<Arc> arcs;
  arcs.reserve(kLeaves);
  for (Vertex v = 1; v <= kLeaves; ++v) arcs.push_back({0, v, 1});
  const Graph graph = Graph::from_arcs(kLeaves + 1, arcs);
  Bfs::Answer answer = {std::vector<Level>(kLeaves + 1, 1), std::vector<Vertex>(kLeaves + 1, 0)};
  answer.levels[0] = 0;
  answer.predecessors[0] = kNoVertex;
  Bfs::Certificate certificate(graph, 0);
  EXPECT_EQ(certificate.check({0}, answer), std::nullopt);
  answer.levels[kLeaves] = kNoLevel;
  answer.predecessors[kLeaves] = kNoVertex;
  EXPECT_EQ(certificate.check({0}, answer),
            "vertex 12000001, unreached, is entered by an arc from 1, at level 0");
  EXPECT_TRUE(certificate.on_gpu());
}

TEST(BfsCertificateOnGpu, SmallGraphsAreTheCpus) {
  if (const std::string reason = testing::start_gpu(); !reason.empty()) GTEST_SKIP() << reason;
  std::mt19937_64 draw(1);
  const Graph graph = testing::star_of(50);
  const Bfs::Answer right = right_answer(graph, 0, draw);
  for (const Offset from : {graph.arc_count() + 1, Bfs::Certificate::kGpuFromArcCount}) {
    Bfs::Certificate certificate(graph, from);
    EXPECT_EQ(certificate.check({0}, right), std::nullopt);
    EXPECT_FALSE(certificate.on_gpu());
  }
  Bfs::Certificate certificate(graph, graph.arc_count());
  EXPECT_EQ(certificate.check({0}, right), std::nullopt);
  EXPECT_TRUE(certificate.on_gpu());
}

/// The graph changes after its upload, without the certificate's knowledge.
TEST(BfsCertificateOnGpu, ContradictionIsAnErrorOfBellmark) {
  if (const std::string reason = testing::start_gpu(); !reason.empty()) GTEST_SKIP() << reason;
  const std::vector<Offset> row_offsets = {0, 2, 2, 2};
  std::vector<Vertex> heads = {1, 2};
  const Graph graph = Graph::adopt(nullptr, row_offsets, heads, {}, {}, {});
  Bfs::Certificate certificate(graph, 0);
  EXPECT_EQ(certificate.check({0}, {{0, 1, 1}, {kNoVertex, 0, 0}}), std::nullopt);
  heads[1] = 1;
  try {
    certificate.check({0}, {{0, 1, kNoLevel}, {kNoVertex, 0, kNoVertex}});
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::internal);
    EXPECT_EQ(std::string(error.what()),
              "certificate of source 1: on the GPU these of Graph500's checks fail: 4; on the CPU "
              "none does; hide the GPU with CUDA_VISIBLE_DEVICES= to check on the CPU alone");
  }
}

TEST(BfsCertificateOnGpu, WithoutADeviceTheCpuChecks) {
  if (gpu::unmet().empty()) GTEST_SKIP() << "a device is here";
  const Graph graph = testing::star_of(3);
  EXPECT_EQ(make_gpu_certificate(graph), nullptr);
  Bfs::Certificate certificate(graph, 0);
  EXPECT_EQ(certificate.check({0}, {{0, 1, 1, 1}, {kNoVertex, 0, 0, 0}}), std::nullopt);
  EXPECT_FALSE(certificate.on_gpu());
}

TEST(BfsCertificateOnGpu, HalfOfTheMemoryIsTheVariants) {
  EXPECT_TRUE(gpu::leaves_room(50, 100, 100));
  EXPECT_FALSE(gpu::leaves_room(51, 100, 100));
  EXPECT_TRUE(gpu::leaves_room(10, 60, 100));
  EXPECT_FALSE(gpu::leaves_room(11, 60, 100));
  EXPECT_FALSE(gpu::leaves_room(70, 60, 0));
}

TEST(BfsCertificateOnGpu, NamesTheChecks) {
  EXPECT_EQ(gpu::failed_text(check_bit(3)), "3");
  EXPECT_EQ(gpu::failed_text(check_bit(1) | check_bit(4) | check_bit(5)), "1, 4, 5");
}

}  // namespace
}  // namespace bellmark
