// The common part of all problems on a graph: facts, needs, and queries drawn from the vertices.
#include "algorithms/problems/graph_input/graph_input.hpp"

#include <cmath>

#include "base/error.hpp"
#include "base/input.hpp"
#include "graph/dimacs.hpp"

namespace bellmark {
namespace {

std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

/// Mean, deviation and the distribution over the decades: suzuki, Table 1 and Figure 3, describe a
/// map so. A graph without arcs has none of them. O(m).
void add_length_facts(const Graph& graph, Facts& facts) {
  if (graph.arc_count() == 0) return;
  const double arcs = static_cast<double>(graph.arc_count());
  std::vector<std::int64_t> bounds = {1};
  while (bounds.back() < graph.properties().largest_length) bounds.push_back(bounds.back() * 10);
  std::vector<std::uint64_t> arcs_within(bounds.size());
  double sum = 0;
  for (Offset e = 0; e < graph.arc_count(); ++e) {
    const Length length = graph.length(e);
    sum += static_cast<double>(length);
    std::size_t decade = 0;
    while (bounds[decade] < length) ++decade;
    ++arcs_within[decade];
  }
  const double mean = sum / arcs;
  double squares = 0;
  for (Offset e = 0; e < graph.arc_count(); ++e) {
    const double off = static_cast<double>(graph.length(e)) - mean;
    squares += off * off;
  }
  facts.emplace_back("mean_length", mean);
  facts.emplace_back("length_deviation", std::sqrt(squares / arcs));
  std::uint64_t within = 0;
  for (std::size_t decade = 0; decade < bounds.size(); ++decade) {
    within += arcs_within[decade];
    facts.emplace_back("lengths_at_most_" + std::to_string(bounds[decade]) + "_ratio",
                       static_cast<double>(within) / arcs);
  }
}

std::vector<Vertex> uniform_sources(const Graph& graph, const QueryRule& rule) {
  const Vertex n = graph.vertex_count();
  std::vector<Vertex> sources;
  if (n == 0) return sources;
  std::vector<bool> skipped(n);
  Vertex left = n;
  if (graph.arc_count() > 0) {
    for (Vertex v = 0; v < n; ++v) {
      skipped[v] = graph.row_offsets()[v] == graph.row_offsets()[v + 1];
      left -= skipped[v] ? 1 : 0;
    }
  }
  const bool distinct = rule.count <= left;
  for (std::uint64_t i = 0; sources.size() < rule.count; ++i) {
    const Vertex source = draw_vertex(rule.seed, DrawStream::sources, i, n);
    if (skipped[source]) continue;
    skipped[source] = distinct;
    sources.push_back(source);
  }
  return sources;
}

}  // namespace

Facts graph_facts(const Graph& graph) {
  const GraphProperties& properties = graph.properties();
  Facts facts = {{"digest", graph.content_digest()},
                 {"vertex_count", std::uint64_t{graph.vertex_count()}},
                 {"arc_count", std::uint64_t{graph.arc_count()}},
                 {"symmetric", properties.symmetric},
                 {"sorted_rows", properties.sorted_rows},
                 {"least_length", std::int64_t{properties.least_length}},
                 {"largest_length", std::int64_t{properties.largest_length}},
                 {"provenance", graph.provenance()}};
  if (graph.vertex_count() > 0) {
    facts.emplace_back("mean_degree", static_cast<double>(graph.arc_count()) /
                                          static_cast<double>(graph.vertex_count()));
  }
  add_length_facts(graph, facts);
  return facts;
}

std::string graph_unmet(Need need, const Graph& graph) {
  if (const Length least = graph.properties().least_length;
      need == Need::non_negative && least < 0) {
    return "the graph has negative lengths, the least is " + std::to_string(least);
  }
  if (need == Need::symmetric && !graph.properties().symmetric) {
    return "the graph is not symmetric; add ',arcs=both' after its name";
  }
  if (need == Need::sorted_rows && !graph.properties().sorted_rows) {
    return "the graph's rows are not sorted by head";
  }
  return {};
}

std::optional<Length> shortest_arc(const Graph& graph, Vertex u, Vertex v) {
  std::optional<Length> shortest;
  for (Offset e = graph.row_offsets()[u]; e < graph.row_offsets()[u + 1]; ++e) {
    if (graph.heads()[e] != v) continue;
    if (!shortest || graph.length(e) < *shortest) shortest = graph.length(e);
  }
  return shortest;
}

Vertex draw_vertex(std::uint64_t seed, DrawStream stream, std::uint64_t i, Vertex n) {
  constexpr std::uint64_t kGolden = 0x9e3779b97f4a7c15;
  const std::uint64_t start = mix(seed + static_cast<std::uint64_t>(stream) * kGolden);
  const std::uint64_t x = mix(start + (i + 1) * kGolden);
  return static_cast<Vertex>(((x >> 32) * n) >> 32);
}

std::vector<Vertex> make_sources(const Graph& graph, const QueryRule& rule,
                                 std::string_view problem) {
  check_source_rule(rule, problem);
  if (rule.kind == "uniform-sources") return uniform_sources(graph, rule);
  if (rule.kind == "file") return read_ss(rule.file, graph.vertex_count());
  std::vector<Vertex> sources;
  for (const std::uint64_t id : rule.list) sources.push_back(vertex_from_id(id, graph));
  return sources;
}

void check_vertex_rule(const QueryRule& rule, std::string_view problem, const std::string& drawn) {
  check_query_kind(rule, problem, {drawn, "list", "file"});
  if (rule.kind == "list" && rule.list.empty()) {
    throw InputError("queries", "a list without ids", "write list = [1, 2], of ids from 1");
  }
  if (rule.kind == "file") open_for_reading(rule.file);
  if (rule.kind == drawn) check_query_count(rule.count);
}

void check_source_rule(const QueryRule& rule, std::string_view problem) {
  check_vertex_rule(rule, problem, "uniform-sources");
}

Vertex vertex_from_id(std::uint64_t id, const Graph& graph) {
  if (id >= 1 && id <= graph.vertex_count()) return static_cast<Vertex>(id - 1);
  throw InputError("queries", "vertex " + std::to_string(id) + " is not in the graph",
                   "ids run from 1 to " + std::to_string(graph.vertex_count()));
}

std::string id_text(Vertex vertex) { return std::to_string(std::uint64_t{vertex} + 1); }

}  // namespace bellmark
