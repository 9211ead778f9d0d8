// Deliberately wrong variants: each spoils a right answer in one way, and must be caught. Their
// names begin with `test-wrong`, so that other tests can leave them out.
#include <algorithm>
#include <span>
#include <string>

#include "algorithms/contract/registry.hpp"
#include "algorithms/problems/bfs/problem.hpp"
#include "algorithms/problems/p2p/problem.hpp"
#include "algorithms/problems/sssp/problem.hpp"
#include "algorithms/testing/zoo.hpp"

namespace bellmark {
namespace {

/// A right answer: tight arcs found from the oracle's distances, nearest vertices first.
Sssp::Answer right_answer(const Graph& graph, Vertex source) {
  Sssp::Answer answer{testing::oracle_distances(graph, source), {}};
  answer.predecessors.assign(graph.vertex_count(), kNoVertex);
  std::vector<Vertex> tree = {source};
  for (std::size_t i = 0; i < tree.size(); ++i) {
    const Vertex u = tree[i];
    for (Offset e = graph.row_offsets()[u]; e < graph.row_offsets()[u + 1]; ++e) {
      const Vertex v = graph.heads()[e];
      if (v == source || answer.predecessors[v] != kNoVertex) continue;
      if (answer.distances[v] != answer.distances[u] + graph.length(e)) continue;
      answer.predecessors[v] = u;
      tree.push_back(v);
    }
  }
  return answer;
}

enum class Fault { too_large, too_small, predecessor, unreached };

/// Spoils the answer for the last vertex that is reached from the source, other than itself.
template <Fault fault>
class WrongSssp {
 public:
  using Problem = Sssp;

  static Description describe() {
    constexpr const char* kNames[] = {"too-large", "too-small", "predecessor", "unreached"};
    Description description;
    description.name = std::string("sssp/test-wrong-") + kNames[static_cast<int>(fault)];
    description.summary = "deliberately wrong";
    description.source = "test";
    description.needs = {Need::non_negative};
    return description;
  }

  explicit WrongSssp(const Settings&) {}
  void prepare(const Graph& graph, RunContext&) { graph_ = graph; }

  void run(std::span<const Sssp::Query> queries, RunContext&) {
    const Vertex source = queries[0].source;
    answer_ = right_answer(graph_, source);
    Vertex victim = graph_.vertex_count();
    for (Vertex v = 0; v < graph_.vertex_count(); ++v) {
      if (v != source && answer_.distances[v] != kUnreached) victim = v;
    }
    if (victim == graph_.vertex_count()) return;
    if (fault == Fault::too_large) answer_.distances[victim] += 1;
    if (fault == Fault::too_small) answer_.distances[victim] -= 1;
    if (fault == Fault::predecessor) answer_.predecessors[victim] = victim;
    if (fault == Fault::unreached) {
      answer_.distances[victim] = kUnreached;
      answer_.predecessors[victim] = kNoVertex;
    }
  }

  void extract(Sssp::Answer& answer) const { answer = answer_; }

 private:
  Graph graph_;
  Sssp::Answer answer_;
};

/// Forgets the last vertex of the path, or claims the shortest distance plus one.
template <bool claims>
class WrongP2p {
 public:
  using Problem = P2p;

  static Description describe() {
    Description description;
    description.name = std::string("p2p/test-wrong-") + (claims ? "distance" : "path");
    description.summary = "deliberately wrong";
    description.source = "test";
    description.needs = {Need::non_negative};
    return description;
  }

  explicit WrongP2p(const Settings&) {}
  void prepare(const Graph& graph, RunContext&) { graph_ = graph; }

  void run(std::span<const P2p::Query> queries, RunContext&) {
    const auto [source, target] = queries[0];
    const Sssp::Answer tree = right_answer(graph_, source);
    answer_.distance = tree.distances[target];
    answer_.path.clear();
    if (answer_.distance == kUnreached) return;
    for (Vertex v = target; v != kNoVertex; v = tree.predecessors[v]) answer_.path.push_back(v);
    std::ranges::reverse(answer_.path);
    if (claims) {
      answer_.distance += 1;
    } else {
      answer_.path.pop_back();
    }
  }

  void extract(P2p::Answer& answer) const { answer = answer_; }

 private:
  Graph graph_;
  P2p::Answer answer_;
};

/// Spoils the answer for the last vertex that is reached from the source, other than itself.
template <Fault fault>
class WrongBfs {
 public:
  using Problem = Bfs;

  static Description describe() {
    constexpr const char* kNames[] = {"too-deep", "too-high", "predecessor", "unreached"};
    Description description;
    description.name = std::string("bfs/test-wrong-") + kNames[static_cast<int>(fault)];
    description.summary = "deliberately wrong";
    description.source = "test";
    return description;
  }

  explicit WrongBfs(const Settings&) {}
  void prepare(const Graph& graph, RunContext&) { graph_ = graph; }

  void run(std::span<const Bfs::Query> queries, RunContext&) {
    const Vertex source = queries[0].source;
    answer_.levels = testing::oracle_levels(graph_, source);
    answer_.predecessors.assign(graph_.vertex_count(), kNoVertex);
    Vertex victim = graph_.vertex_count();
    for (Vertex u = 0; u < graph_.vertex_count(); ++u) {
      if (u != source && answer_.levels[u] != kNoLevel) victim = u;
      for (Offset e = graph_.row_offsets()[u]; e < graph_.row_offsets()[u + 1]; ++e) {
        const Vertex v = graph_.heads()[e];
        if (answer_.levels[u] != kNoLevel && answer_.levels[v] == answer_.levels[u] + 1) {
          answer_.predecessors[v] = u;
        }
      }
    }
    if (victim == graph_.vertex_count()) return;
    if (fault == Fault::too_large) answer_.levels[victim] += 1;
    if (fault == Fault::too_small) answer_.levels[victim] -= 1;
    if (fault == Fault::predecessor) answer_.predecessors[victim] = victim;
    if (fault == Fault::unreached) {
      answer_.levels[victim] = kNoLevel;
      answer_.predecessors[victim] = kNoVertex;
    }
  }

  void extract(Bfs::Answer& answer) const { answer = answer_; }

 private:
  Graph graph_;
  Bfs::Answer answer_;
};

BELLMARK_REGISTER(WrongSssp<Fault::too_large>, WrongSssp<Fault::too_small>,
                  WrongSssp<Fault::predecessor>, WrongSssp<Fault::unreached>, WrongP2p<true>,
                  WrongP2p<false>, WrongBfs<Fault::too_large>, WrongBfs<Fault::too_small>,
                  WrongBfs<Fault::predecessor>, WrongBfs<Fault::unreached>);

}  // namespace
}  // namespace bellmark
