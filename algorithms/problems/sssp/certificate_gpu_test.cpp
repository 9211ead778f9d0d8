// Sssp::Certificate on the GPU: it finds the same faults as the CPU, and both are right.
#include "algorithms/problems/sssp/certificate_gpu.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/gpu/gpu.hpp"
#include "algorithms/problems/bfs/gpu_test_support.hpp"
#include "algorithms/problems/sssp/problem.hpp"
#include "algorithms/testing/zoo.hpp"
#include "base/error.hpp"

namespace bellmark::sssp {
namespace {

using gpu::check_bit;

struct InArc {
  Vertex tail;
  Length length;
};

std::vector<std::vector<InArc>> in_arcs(const Graph& graph) {
  std::vector<std::vector<InArc>> arcs(graph.vertex_count());
  for (Vertex u = 0; u < graph.vertex_count(); ++u) {
    for (Offset e = graph.row_offsets()[u]; e < graph.row_offsets()[u + 1]; ++e) {
      arcs[graph.heads()[e]].push_back({u, graph.length(e)});
    }
  }
  return arcs;
}

/// Above 0 where `distance` is more than `from` + `length`, in exact arithmetic; 0 where they are
/// equal.
int compare(Distance distance, Distance from, Length length) {
  Distance through = 0;
  if (__builtin_add_overflow(from, Distance{length}, &through)) return length < 0 ? 1 : -1;
  return distance == through ? 0 : distance > through ? 1 : -1;
}

bool reaches(const std::vector<InArc>& arcs, const Sssp::Answer& answer, Vertex v, Vertex tail) {
  return std::ranges::any_of(arcs, [&](const InArc& arc) {
    return arc.tail == tail && answer.distances[tail] != kUnreached &&
           compare(answer.distances[v], answer.distances[tail], arc.length) == 0;
  });
}

/// Right but for arcs of length 0 and less, which may make a cycle of its predecessors. Each
/// predecessor is drawn from the vertices that have a tight arc.
Sssp::Answer tight_answer(const Graph& graph, Vertex source, std::mt19937_64& draw) {
  Sssp::Answer answer = {testing::oracle_distances(graph, source), {}};
  if (answer.distances.empty()) return answer;  // a negative cycle
  const auto arcs = in_arcs(graph);
  answer.predecessors.assign(graph.vertex_count(), kNoVertex);
  for (Vertex v = 0; v < graph.vertex_count(); ++v) {
    if (v == source || answer.distances[v] == kUnreached) continue;
    std::vector<Vertex> before;
    for (const InArc& arc : arcs[v]) {
      if (reaches(arcs[v], answer, v, arc.tail)) before.push_back(arc.tail);
    }
    answer.predecessors[v] = before.at(draw() % before.size());
  }
  return answer;
}

/// By the words of GpuFindings, one arc at a time.
GpuFindings by_definition(const Graph& graph, Vertex source, const Sssp::Answer& answer) {
  const auto arcs = in_arcs(graph);
  GpuFindings found;
  for (Vertex v = 0; v < graph.vertex_count(); ++v) {
    const Vertex predecessor = answer.predecessors[v];
    for (const InArc& arc : arcs[v]) {
      if (answer.distances[arc.tail] == kUnreached) continue;
      const int order = compare(answer.distances[v], answer.distances[arc.tail], arc.length);
      if (answer.distances[v] == kUnreached || order > 0) found.failed |= check_bit(1);
      found.may_circle |= arc.tail == predecessor && order == 0 && arc.length <= 0;
    }
    if (v == source) continue;
    if (answer.distances[v] == kUnreached) {
      if (predecessor != kNoVertex) found.failed |= check_bit(3);
    } else if (predecessor >= graph.vertex_count() || !reaches(arcs[v], answer, v, predecessor)) {
      found.failed |= check_bit(2);
    }
  }
  return found;
}

/// One change, not at the source; the answer may stay right.
void change(const Graph& graph, Vertex source, Sssp::Answer& answer, std::mt19937_64& draw) {
  const Vertex n = graph.vertex_count();
  const auto v = static_cast<Vertex>(draw() % n);
  const auto other = static_cast<Vertex>(draw() % n);
  if (v == source) return;
  constexpr Distance kLargest = kUnreached - 1;
  switch (draw() % 9) {
    case 0:
      answer.distances[v] -= answer.distances[v] > std::numeric_limits<Distance>::min() ? 1 : 0;
      break;
    case 1:
      answer.distances[v] += answer.distances[v] < kLargest ? 1 : 0;
      break;
    case 2:
      answer.distances[v] = kLargest;
      break;
    case 3:
      answer.distances[v] = std::numeric_limits<Distance>::min();
      break;
    case 4:
      answer.predecessors[v] = other;
      break;
    case 5:
      answer.predecessors[v] = kNoVertex;
      break;
    case 6:
      answer.predecessors[v] = n + static_cast<Vertex>(draw() % 3);
      break;
    case 7:
      answer.distances[v] = kUnreached;
      answer.predecessors[v] = kNoVertex;
      break;
    case 8:
      answer.distances[v] = answer.distances[other];
      answer.predecessors[v] = other;
      break;
  }
}

/// Directed and symmetric graphs with loops, parallel arcs, lengths of 0 and less, and no arcs.
std::vector<Graph> graphs() {
  std::vector<Graph> graphs;
  for (const auto& [name, graph] : testing::zoo()) graphs.push_back(graph);
  for (const auto& [name, graph] : testing::negative_zoo()) graphs.push_back(graph);
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    graphs.push_back(testing::small_random_graph(seed));
    graphs.push_back(testing::small_random_negative_graph(seed));
  }
  for (const Vertex n : {1U, 2U, 33U}) graphs.push_back(Graph::from_arcs(n, {}));
  return graphs;
}

TEST(SsspCertificateOnGpu, FindsWhatTheCpuFinds) {
  if (const std::string reason = testing::start_gpu(); !reason.empty()) GTEST_SKIP() << reason;
  std::mt19937_64 draw(1);
  std::array<int, 3> failures = {};
  std::array<int, 2> faults = {};
  int circle_count = 0;
  for (const Graph& graph : graphs()) {
    const auto source = static_cast<Vertex>(draw() % graph.vertex_count());
    const Sssp::Answer right = tight_answer(graph, source, draw);
    if (right.distances.empty()) continue;
    Sssp::Certificate on_cpu(graph, graph.arc_count() + 1);
    Sssp::Certificate on_gpu(graph, graph.arc_count());
    const auto gpu = make_gpu_certificate(graph);
    ASSERT_NE(gpu, nullptr);
    for (int i = 0; i < 12; ++i) {
      Sssp::Answer answer = right;
      for (int changes = std::min(i, i < 9 ? 1 : 5); changes > 0; --changes) {
        change(graph, source, answer, draw);
      }
      const GpuFindings found = gpu->check({source}, answer);
      const GpuFindings expected = by_definition(graph, source, answer);
      ASSERT_EQ(found.failed, expected.failed);
      ASSERT_EQ(found.may_circle, expected.may_circle);
      const auto fault = on_cpu.check({source}, answer);
      ASSERT_EQ(on_gpu.check({source}, answer), fault);
      ASSERT_TRUE(on_gpu.on_gpu());
      ASSERT_FALSE(on_cpu.on_gpu());
      for (unsigned check = 1; check <= 3; ++check) {
        failures[check - 1] += (found.failed & check_bit(check)) != 0 ? 1 : 0;
      }
      ++faults[fault ? 1 : 0];
      circle_count += fault && found.failed == 0 ? 1 : 0;
    }
  }
  for (const int count : failures) EXPECT_GT(count, 50);
  for (const int count : faults) EXPECT_GT(count, 500);
  EXPECT_GT(circle_count, 10) << "only the walk along predecessors finds these";
}

/// The last arc of a row longer than the device's warps take at once.
TEST(SsspCertificateOnGpu, GoesRoundOverAHub) {
  if (const std::string reason = testing::start_gpu(); !reason.empty()) GTEST_SKIP() << reason;
  constexpr Vertex kLeaves = 12'000'000;
  std::vector<Arc> arcs;
  arcs.reserve(kLeaves);
  for (Vertex v = 1; v <= kLeaves; ++v) arcs.push_back({0, v, 7});
  const Graph graph = Graph::from_arcs(kLeaves + 1, arcs);
  Sssp::Answer answer = {std::vector<Distance>(kLeaves + 1, 7),
                         std::vector<Vertex>(kLeaves + 1, 0)};
  answer.distances[0] = 0;
  answer.predecessors[0] = kNoVertex;
  Sssp::Certificate certificate(graph, 0);
  EXPECT_EQ(certificate.check({0}, answer), std::nullopt);
  answer.distances[kLeaves] = 8;
  EXPECT_EQ(certificate.check({0}, answer),
            "vertex 12000001 has distance 8, but arc 1 -> 12000001 of length 7 from distance 0 is "
            "shorter");
  EXPECT_TRUE(certificate.on_gpu());
}

/// The graph changes after its upload, without the certificate's knowledge.
TEST(SsspCertificateOnGpu, ContradictionIsAnErrorOfBellmark) {
  if (const std::string reason = testing::start_gpu(); !reason.empty()) GTEST_SKIP() << reason;
  const std::vector<Offset> row_offsets = {0, 1, 1};
  const std::vector<Vertex> heads = {1};
  std::vector<Length> lengths = {3};
  const Graph graph = Graph::adopt(nullptr, row_offsets, heads, lengths, {}, {});
  Sssp::Certificate certificate(graph, 0);
  EXPECT_EQ(certificate.check({0}, {{0, 3}, {kNoVertex, 0}}), std::nullopt);
  lengths[0] = 4;
  try {
    certificate.check({0}, {{0, 4}, {kNoVertex, 0}});
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::internal);
    EXPECT_EQ(std::string(error.what()),
              "certificate of source 1: on the GPU these checks fail: 1, 2; on the CPU none does; "
              "hide the GPU with CUDA_VISIBLE_DEVICES= to check on the CPU alone");
  }
}

TEST(SsspCertificateOnGpu, WithoutADeviceTheCpuChecks) {
  if (gpu::unmet().empty()) GTEST_SKIP() << "a device is here";
  const Graph graph = Graph::from_arcs(2, std::vector<Arc>{{0, 1, 3}});
  EXPECT_EQ(make_gpu_certificate(graph), nullptr);
  Sssp::Certificate certificate(graph, 0);
  EXPECT_EQ(certificate.check({0}, {{0, 3}, {kNoVertex, 0}}), std::nullopt);
  EXPECT_FALSE(certificate.on_gpu());
}

}  // namespace
}  // namespace bellmark::sssp
