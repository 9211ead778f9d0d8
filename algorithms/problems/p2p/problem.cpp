// Point-to-point shortest paths: queries, and the certificate that proves an answer.
#include "algorithms/problems/p2p/problem.hpp"

#include <span>
#include <utility>

#include "algorithms/problems/graph_input/graph_input.hpp"
#include "algorithms/problems/sssp/plain_search.hpp"
#include "base/digest.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "graph/dimacs.hpp"
#include "graph/open.hpp"

namespace bellmark {
namespace {

using Fault = std::optional<std::string>;

Fault check_path(const Graph& graph, const P2p::Query& query, const P2p::Answer& answer) {
  const auto& path = answer.path;
  if (path.empty()) {
    return "the path is empty, but the distance is " + std::to_string(answer.distance);
  }
  if (path.front() != query.source || path.back() != query.target) {
    return "the path leads from " + id_text(path.front()) + " to " + id_text(path.back()) +
           ", not from " + id_text(query.source) + " to " + id_text(query.target);
  }
  Distance length = 0;
  for (std::size_t i = 1; i < path.size(); ++i) {
    const bool vertices = path[i - 1] < graph.vertex_count() && path[i] < graph.vertex_count();
    const auto arc = vertices ? shortest_arc(graph, path[i - 1], path[i]) : std::nullopt;
    if (!arc) {
      return "the path goes from " + id_text(path[i - 1]) + " to " + id_text(path[i]) +
             ", but there is no such arc";
    }
    length += *arc;
  }
  if (length != answer.distance) {
    return "the path has length " + std::to_string(length) + ", but the distance is given as " +
           std::to_string(answer.distance);
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> P2p::Certificate::prove(const Query& query, Distance given,
                                                   Distance& distance) {
  const std::uint64_t pair = std::uint64_t{query.source} << 32 | query.target;
  if (const auto found = asked_.find(pair); found != asked_.end()) {
    distance = found->second;
    return std::nullopt;
  }
  const bool is_other_source = query.source != last_source_ && query.source != last_asked_;
  last_asked_ = query.source;
  if (is_other_source && given != kUnreached) {
    if (!lower_bound_) lower_bound_.emplace(graph_);
    if (lower_bound_->proves(query.source, query.target, given)) {
      distance = given;
      asked_.emplace(pair, distance);
      return std::nullopt;
    }
  }
  if (query.source != last_source_) {
    Sssp::Answer answer = plain_search(graph_, query.source);
    if (const Fault fault = sssp_.check({query.source}, answer)) {
      return "the certificate's own search is at fault: " + *fault;
    }
    last_source_ = query.source;
    last_distances_ = std::move(answer.distances);
  }
  distance = last_distances_[query.target];
  asked_.emplace(pair, distance);
  return std::nullopt;
}

std::optional<std::string> P2p::Certificate::check(const Query& query, const Answer& answer) {
  if (query.source >= graph_.vertex_count() || query.target >= graph_.vertex_count()) {
    return query_text(query) + ": not in the graph";
  }
  if (answer.distance == kUnreached) {
    if (!answer.path.empty()) {
      return "the target " + id_text(query.target) + " is given as unreached, but with a path of " +
             std::to_string(answer.path.size()) + " vertices";
    }
  } else if (Fault fault = check_path(graph_, query, answer)) {
    return fault;
  }
  Distance shortest = kUnreached;
  if (Fault fault = prove(query, answer.distance, shortest)) return fault;
  if (answer.distance == shortest) return std::nullopt;
  if (answer.distance == kUnreached) {
    return "the target " + id_text(query.target) + " is given as unreached, but is at distance " +
           std::to_string(shortest);
  }
  return "the path of length " + std::to_string(answer.distance) +
         " is not shortest: the distance is " + std::to_string(shortest);
}

Graph P2p::open(const std::string& reference) { return open_graph(reference); }

bool P2p::look_ahead(const std::string& reference) { return opens_at_once(reference); }

Facts P2p::facts(const Graph& graph) { return graph_facts(graph); }

void P2p::check_rule(const QueryRule& rule) {
  check_vertex_rule(rule, kName, "uniform-pairs");
  if (rule.kind == "list" && rule.list.size() % 2 != 0) {
    throw InputError("queries", "a list of " + std::to_string(rule.list.size()) + " ids",
                     "list pairs: source, target, source, target, ...");
  }
}

std::vector<P2p::Query> P2p::make_queries(const Graph& graph, const QueryRule& rule) {
  check_rule(rule);
  std::vector<Query> queries;
  const Vertex n = graph.vertex_count();
  if (rule.kind == "uniform-pairs") {
    for (std::uint64_t i = 0; n > 0 && i < rule.count; ++i) {
      const Vertex source = draw_vertex(rule.seed, DrawStream::sources, i, n);
      const Vertex target = draw_vertex(rule.seed, DrawStream::targets, i, n);
      queries.push_back({source, target != source ? target : (target + 1) % n});
    }
  } else if (rule.kind == "list") {
    for (std::size_t i = 0; i < rule.list.size(); i += 2) {
      queries.push_back(
          {vertex_from_id(rule.list[i], graph), vertex_from_id(rule.list[i + 1], graph)});
    }
  } else {
    for (const auto& [source, target] : read_p2p(rule.file, n)) queries.push_back({source, target});
  }
  return queries;
}

std::string P2p::query_text(const Query& query) {
  return "source " + id_text(query.source) + " target " + id_text(query.target);
}

std::uint64_t P2p::digest(const Answer& answer) {
  return digest64(std::as_bytes(std::span(&answer.distance, 1)));
}

std::string P2p::unmet(Need need, const Graph& graph) { return graph_unmet(need, graph); }

void P2p::verify(const Graph& graph, std::string_view reference) { verify_graph(graph, reference); }

}  // namespace bellmark
