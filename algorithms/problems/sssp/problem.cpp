// Single-source shortest paths: queries, and the certificate that proves an answer.
#include "algorithms/problems/sssp/problem.hpp"

#include <compare>
#include <span>

#include "algorithms/problems/graph_input/graph_input.hpp"
#include "algorithms/problems/sssp/certificate_gpu.hpp"
#include "algorithms/problems/sssp/plain_search.hpp"
#include "base/digest.hpp"
#include "base/error.hpp"
#include "graph/open.hpp"

namespace bellmark {
namespace {

using Fault = std::optional<std::string>;

/// Distances have this digest only by a chance of 2^-64.
constexpr std::uint64_t kNegativeCycleDigest = 0x6e65676174697665;

std::string vertex_text(Vertex v) { return "vertex " + id_text(v); }

std::string arc_text(Vertex tail, Vertex head, Length length) {
  return "arc " + id_text(tail) + " -> " + id_text(head) + " of length " + std::to_string(length);
}

/// `distance` compared with `from` + `length` in exact arithmetic: a wrong answer's distances may
/// be of any size.
std::strong_ordering compare(Distance distance, Distance from, Length length) {
  Distance through = 0;
  if (!__builtin_add_overflow(from, Distance{length}, &through)) return distance <=> through;
  return length < 0 ? std::strong_ordering::greater : std::strong_ordering::less;
}

std::string distance_text(Distance distance) {
  return distance == kUnreached ? "unreached" : std::to_string(distance);
}

Fault check_source(std::size_t n, const Sssp::Query& query, const Sssp::Answer& answer) {
  if (answer.distances.size() != n || answer.predecessors.size() != n) {
    return "the answer has " + std::to_string(answer.distances.size()) + " distances and " +
           std::to_string(answer.predecessors.size()) + " predecessors for " + std::to_string(n) +
           " vertices";
  }
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
/// them. One pass over the arcs does both; a search of each predecessor's row would take quadratic
/// time on a star.
Fault check_arcs(const Graph& graph, const Sssp::Answer& answer, std::vector<bool>& tight) {
  const auto& distances = answer.distances;
  const auto offsets = graph.row_offsets();
  const auto heads = graph.heads();
  for (Vertex u = 0; u < graph.vertex_count(); ++u) {
    if (distances[u] == kUnreached) continue;
    for (Offset e = offsets[u]; e < offsets[u + 1]; ++e) {
      const Vertex v = heads[e];
      const Length length = graph.length(e);
      const auto order = compare(distances[v], distances[u], length);
      if (std::is_gt(order) || distances[v] == kUnreached) {
        return vertex_text(v) + " has distance " + distance_text(distances[v]) + ", but " +
               arc_text(u, v, length) + " from distance " + distance_text(distances[u]) +
               " is shorter";
      }
      if (std::is_eq(order) && answer.predecessors[v] == u) tight[v] = true;
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

/// A cycle goes from vertex to vertex along arcs and meets none twice. `length` becomes the sum, of
/// the shortest arc where there are parallel ones. It has at most n arcs: the sum fits.
Fault check_cycle(const Graph& graph, const std::vector<Vertex>& cycle, Distance& length) {
  std::vector<bool> seen(graph.vertex_count());
  for (const Vertex v : cycle) {
    const bool known = v < graph.vertex_count();
    if (!known) return "the negative cycle has " + vertex_text(v) + ", no vertex";
    if (seen[v]) return "the negative cycle has " + vertex_text(v) + " twice";
    seen[v] = true;
  }
  length = 0;
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    const Vertex next = cycle[(i + 1) % cycle.size()];
    const auto arc = shortest_arc(graph, cycle[i], next);
    if (!arc) {
      return "the negative cycle goes from " + id_text(cycle[i]) + " to " + id_text(next) +
             ", but there is no such arc";
    }
    length += *arc;
  }
  return std::nullopt;
}

/// Whether there is a path. By breadth-first search. O(n + m).
bool reaches(const Graph& graph, Vertex source, Vertex target) {
  std::vector<bool> reached(graph.vertex_count());
  std::vector<Vertex> queue = {source};
  reached[source] = true;
  for (std::size_t i = 0; i < queue.size() && !reached[target]; ++i) {
    const Vertex u = queue[i];
    for (Offset e = graph.row_offsets()[u]; e < graph.row_offsets()[u + 1]; ++e) {
      const Vertex v = graph.heads()[e];
      if (reached[v]) continue;
      reached[v] = true;
      queue.push_back(v);
    }
  }
  return reached[target];
}

Fault check_negative_cycle(const Graph& graph, const Sssp::Query& query,
                           const Sssp::Answer& answer) {
  const auto& cycle = answer.negative_cycle;
  if (!answer.distances.empty() || !answer.predecessors.empty()) {
    return "the answer has a negative cycle, " + std::to_string(answer.distances.size()) +
           " distances and " + std::to_string(answer.predecessors.size()) +
           " predecessors, where a negative cycle leaves none";
  }
  Distance length = 0;
  if (Fault fault = check_cycle(graph, cycle, length)) return fault;
  if (length >= 0) {
    return "the negative cycle through " + vertex_text(cycle[0]) + " has length " +
           std::to_string(length);
  }
  if (!reaches(graph, query.source, cycle[0])) {
    return "the negative cycle through " + vertex_text(cycle[0]) +
           " is not reached from the source " + id_text(query.source);
  }
  return std::nullopt;
}

std::string negative_cycle_fact(const Graph& graph) {
  const std::optional<bool> present = has_negative_cycle(graph);
  if (!present) return "not available: sums of lengths may not fit 64 bits";
  return *present ? "present" : "none";
}

}  // namespace

Sssp::Certificate::Certificate(const Graph& graph, Offset gpu_from_arc_count)
    : graph_(graph), gpu_from_arc_count_(gpu_from_arc_count) {}

Sssp::Certificate::~Certificate() = default;

sssp::GpuCertificate* Sssp::Certificate::gpu() {
  // Asked again at each check: the variant that starts CUDA may be prepared after others' answers.
  if (!gpu_ && graph_.arc_count() >= gpu_from_arc_count_) gpu_ = sssp::make_gpu_certificate(graph_);
  return gpu_.get();
}

std::optional<std::string> Sssp::Certificate::check(const Query& query, const Answer& answer) {
  on_gpu_ = false;
  if (query.source >= graph_.vertex_count()) {
    return "the source " + id_text(query.source) + " is not in the graph";
  }
  if (!answer.negative_cycle.empty()) return check_negative_cycle(graph_, query, answer);
  if (Fault fault = check_source(graph_.vertex_count(), query, answer)) return fault;
  sssp::GpuCertificate* const gpu = this->gpu();
  if (gpu == nullptr) return check_on_cpu(query, answer);
  on_gpu_ = true;
  const auto [failed, may_circle] = gpu->check(query, answer);
  if (failed == 0) return may_circle ? check_tree(query, answer) : std::nullopt;
  if (Fault fault = check_on_cpu(query, answer)) return fault;
  throw Error(
      ExitCode::internal, "certificate of " + query_text(query),
      "on the GPU these checks fail: " + gpu::failed_text(failed) + "; on the CPU none does",
      "hide the GPU with CUDA_VISIBLE_DEVICES= to check on the CPU alone");
}

std::optional<std::string> Sssp::Certificate::check_on_cpu(const Query& query,
                                                           const Answer& answer) const {
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

bool Sssp::look_ahead(const std::string& reference) { return opens_at_once(reference); }

Facts Sssp::facts(const Graph& graph) {
  Facts facts = graph_facts(graph);
  if (graph.properties().least_length < 0) {
    facts.emplace_back("negative_cycle", negative_cycle_fact(graph));
  }
  return facts;
}

void Sssp::check_rule(const QueryRule& rule) { check_source_rule(rule, kName); }

std::vector<Sssp::Query> Sssp::make_queries(const Graph& graph, const QueryRule& rule) {
  std::vector<Query> queries;
  for (const Vertex source : make_sources(graph, rule, kName)) queries.push_back({source});
  return queries;
}

std::string Sssp::query_text(const Query& query) { return "source " + id_text(query.source); }

std::uint64_t Sssp::digest(const Answer& answer) {
  if (!answer.negative_cycle.empty()) return kNegativeCycleDigest;
  return digest64(std::as_bytes(std::span(answer.distances)));
}

Facts Sssp::answer_facts(const Graph& graph, const Answer& answer) {
  Distance length = 0;
  if (answer.negative_cycle.empty() || check_cycle(graph, answer.negative_cycle, length)) return {};
  return {{"negative_cycle_arc_count", std::uint64_t{answer.negative_cycle.size()}},
          {"negative_cycle_length", length}};
}

std::string Sssp::unmet(Need need, const Graph& graph) { return graph_unmet(need, graph); }

void Sssp::verify(const Graph& graph, std::string_view reference) {
  verify_graph(graph, reference);
}

}  // namespace bellmark
