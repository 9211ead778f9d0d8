// Single-source shortest paths: queries, and the certificate that proves an answer.
#include "algorithms/sssp/problem.hpp"

#include <span>

#include "algorithms/graph_input/graph_input.hpp"
#include "base/digest.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "graph/dimacs.hpp"
#include "graph/open.hpp"

namespace bellmark {
namespace {

using Fault = std::optional<std::string>;

std::string vertex_text(Vertex v) { return "vertex " + id_text(v); }

std::string arc_text(Vertex tail, Vertex head, Length length) {
  return "arc " + id_text(tail) + " -> " + id_text(head) + " of length " + std::to_string(length);
}

std::string distance_text(Distance distance) {
  return distance == kUnreached ? "unreached" : std::to_string(distance);
}

Fault check_sizes(std::size_t n, const Sssp::Query& query, const Sssp::Answer& answer) {
  if (answer.distances.size() != n || answer.predecessors.size() != n) {
    return "the answer has " + std::to_string(answer.distances.size()) + " distances and " +
           std::to_string(answer.predecessors.size()) + " predecessors for " + std::to_string(n) +
           " vertices";
  }
  if (query.source >= n) return "the source " + id_text(query.source) + " is not in the graph";
  if (answer.distances[query.source] != 0) {
    return "the source " + id_text(query.source) + " has distance " +
           distance_text(answer.distances[query.source]) + ", not 0";
  }
  if (answer.predecessors[query.source] != kNoVertex) {
    return "the source " + id_text(query.source) + " has predecessor " +
           id_text(answer.predecessors[query.source]) + ", where it must have none";
  }
  return std::nullopt;
}

/// No arc may be relaxable. Marks in `tight` the vertices whose predecessor has a tight arc to
/// them: one pass over the arcs does both, where a search of each predecessor's row would take
/// quadratic time on a star.
Fault check_arcs(const Graph& graph, const Sssp::Answer& answer, std::vector<bool>& tight) {
  const auto& distances = answer.distances;
  const auto offsets = graph.row_offsets();
  const auto heads = graph.heads();
  for (Vertex u = 0; u < graph.vertex_count(); ++u) {
    if (distances[u] == kUnreached) continue;
    for (Offset e = offsets[u]; e < offsets[u + 1]; ++e) {
      const Vertex v = heads[e];
      const Length length = graph.length(e);
      // Differences instead of sums: a wrong answer's distances may be as large as they like.
      const bool longer = distances[v] > distances[u] && distances[v] - distances[u] > length;
      if (longer || distances[v] == kUnreached) {
        return vertex_text(v) + " has distance " + distance_text(distances[v]) + ", but " +
               arc_text(u, v, length) + " from distance " + distance_text(distances[u]) +
               " is shorter";
      }
      if (answer.predecessors[v] == u && distances[v] >= distances[u] &&
          distances[v] - distances[u] == length) {
        tight[v] = true;
      }
    }
  }
  return std::nullopt;
}

Fault check_predecessor(const Graph& graph, const Sssp::Answer& answer, Vertex v) {
  const Vertex p = answer.predecessors[v];
  const std::string subject = vertex_text(v) + " at distance " + distance_text(answer.distances[v]);
  if (p == kNoVertex) return subject + " has no predecessor";
  if (p >= graph.vertex_count()) return subject + " has predecessor " + id_text(p) + ", no vertex";
  if (answer.distances[p] == kUnreached) {
    return subject + " has predecessor " + id_text(p) + ", which is unreached";
  }
  return subject + " has predecessor " + id_text(p) + " at distance " +
         distance_text(answer.distances[p]) + ", but no arc between them has the difference";
}

/// Follows predecessors from every vertex; a walk that meets itself is a cycle. O(n).
Fault check_tree(const Sssp::Query& query, const Sssp::Answer& answer) {
  enum class Mark : unsigned char { unseen, walking, rooted };
  std::vector<Mark> marks(answer.distances.size(), Mark::unseen);
  marks[query.source] = Mark::rooted;
  for (Vertex start = 0; start < marks.size(); ++start) {
    if (answer.distances[start] == kUnreached) continue;
    Vertex v = start;
    for (; marks[v] == Mark::unseen; v = answer.predecessors[v]) marks[v] = Mark::walking;
    if (marks[v] == Mark::walking) {
      return vertex_text(v) + " at distance " + distance_text(answer.distances[v]) +
             " is its own ancestor: its predecessors form a cycle of length 0";
    }
    for (v = start; marks[v] == Mark::walking; v = answer.predecessors[v]) marks[v] = Mark::rooted;
  }
  return std::nullopt;
}

std::vector<Sssp::Query> uniform_sources(const Graph& graph, const QueryRule& rule) {
  check_query_count(rule.count);
  const Vertex n = graph.vertex_count();
  std::vector<Sssp::Query> queries;
  if (n == 0) return queries;
  std::vector<bool> skipped(n);
  Vertex left = n;
  if (graph.arc_count() > 0) {
    for (Vertex v = 0; v < n; ++v) {
      skipped[v] = graph.row_offsets()[v] == graph.row_offsets()[v + 1];
      left -= skipped[v] ? 1 : 0;
    }
  }
  const bool distinct = rule.count <= left;
  for (std::uint64_t i = 0; queries.size() < rule.count; ++i) {
    const Vertex source = draw_vertex(rule.seed, DrawStream::sources, i, n);
    if (skipped[source]) continue;
    skipped[source] = distinct;
    queries.push_back({source});
  }
  return queries;
}

}  // namespace

std::optional<std::string> Sssp::Certificate::check(const Query& query,
                                                    const Answer& answer) const {
  if (Fault fault = check_sizes(graph_.vertex_count(), query, answer)) return fault;
  std::vector<bool> tight(graph_.vertex_count());
  if (Fault fault = check_arcs(graph_, answer, tight)) return fault;
  for (Vertex v = 0; v < graph_.vertex_count(); ++v) {
    if (answer.distances[v] == kUnreached) {
      if (answer.predecessors[v] == kNoVertex) continue;
      return vertex_text(v) + " is unreached, but has predecessor " +
             id_text(answer.predecessors[v]);
    }
    if (v != query.source && !tight[v]) return check_predecessor(graph_, answer, v);
  }
  return check_tree(query, answer);
}

Graph Sssp::open(const std::string& reference) { return open_graph(reference); }

Facts Sssp::facts(const Graph& graph) { return graph_facts(graph); }

std::vector<Sssp::Query> Sssp::make_queries(const Graph& graph, const QueryRule& rule) {
  if (rule.kind == "uniform-sources") return uniform_sources(graph, rule);
  std::vector<Query> queries;
  if (rule.kind == "list") {
    for (const std::uint64_t id : rule.list) queries.push_back({vertex_from_id(id, graph)});
  } else if (rule.kind == "file") {
    for (const Vertex v : read_ss(rule.file, graph.vertex_count())) queries.push_back({v});
  } else {
    throw InputError("queries", "kind '" + rule.kind + "' is unknown for sssp",
                     suggestion(rule.kind, {"uniform-sources", "list", "file"}));
  }
  return queries;
}

std::string Sssp::query_text(const Query& query) { return "source " + id_text(query.source); }

std::uint64_t Sssp::digest(const Answer& answer) {
  return digest64(std::as_bytes(std::span(answer.distances)));
}

std::string Sssp::unmet(Need need, const Graph& graph) { return graph_unmet(need, graph); }

void Sssp::verify(const Graph& graph) { verify_graph(graph, graph.provenance()); }

}  // namespace bellmark
