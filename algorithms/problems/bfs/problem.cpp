// Breadth-first search: queries, facts, and the certificate that proves an answer.
#include "algorithms/problems/bfs/problem.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <mutex>
#include <span>

#include "algorithms/problems/bfs/block.hpp"
#include "algorithms/problems/bfs/certificate_gpu.hpp"
#include "algorithms/problems/graph_input/graph_input.hpp"
#include "base/digest.hpp"
#include "base/error.hpp"
#include "base/parallel.hpp"
#include "graph/open.hpp"

namespace bellmark {
namespace {

using Fault = std::optional<std::string>;

/// hiragushi2013, Figure 11: rows that a whole warp reads are longer.
constexpr std::uint64_t kWarpRow = 32;

std::string level_text(Level level) {
  return level == kNoLevel ? "unreached" : "at level " + std::to_string(level);
}

std::string vertex_text(const Bfs::Answer& answer, Vertex v) {
  return "vertex " + id_text(v) + ", " + level_text(answer.levels[v]) + ",";
}

/// The lowest vertex for which `wrong` holds, kNoVertex if there is none. All threads look.
template <class Wrong>
Vertex lowest(Vertex vertex_count, Wrong wrong) {
  std::atomic<Vertex> found{kNoVertex};
  in_parallel(vertex_count, [&](std::uint64_t begin, std::uint64_t end) {
    for (auto v = static_cast<Vertex>(begin); v < end; ++v) {
      if (!wrong(v)) continue;
      Vertex before = found.load(std::memory_order_relaxed);
      while (v < before && !found.compare_exchange_weak(before, v, std::memory_order_relaxed)) {
      }
      return;
    }
  });
  return found;
}

Fault check_shape(Vertex n, const Bfs::Query& query, const Bfs::Answer& answer) {
  if (query.source >= n) return "the source " + id_text(query.source) + " is not in the graph";
  if (answer.levels.size() == n && answer.predecessors.size() == n) return std::nullopt;
  return "the answer has " + std::to_string(answer.levels.size()) + " levels and " +
         std::to_string(answer.predecessors.size()) + " predecessors for " + std::to_string(n) +
         " vertices";
}

Fault check_source(const Bfs::Query& query, const Bfs::Answer& answer) {
  if (answer.levels[query.source] != 0) {
    return "the source " + id_text(query.source) + " is " +
           level_text(answer.levels[query.source]) + ", not at level 0";
  }
  if (answer.predecessors[query.source] != kNoVertex) {
    return "the source " + id_text(query.source) + " has predecessor " +
           id_text(answer.predecessors[query.source]) + ", where it must have none";
  }
  return std::nullopt;
}

/// Whether v hangs one level below its predecessor, or is unreached and has none.
bool hangs(const Bfs::Query& query, const Bfs::Answer& answer, Vertex v) {
  const Vertex p = answer.predecessors[v];
  if (v == query.source) return true;
  if (answer.levels[v] == kNoLevel) return p == kNoVertex;
  return p < answer.levels.size() && answer.levels[p] != kNoLevel &&
         answer.levels[v] == answer.levels[p] + 1;
}

std::string hanging_text(const Bfs::Answer& answer, Vertex v) {
  const Vertex p = answer.predecessors[v];
  const std::string subject = vertex_text(answer, v);
  if (p == kNoVertex) return subject + " has no predecessor";
  if (p >= answer.levels.size()) return subject + " has predecessor " + id_text(p) + ", no vertex";
  return subject + " has predecessor " + id_text(p) + ", which is " + level_text(answer.levels[p]);
}

/// No arc may lead more than a level down. Marks in `found` the vertices that an arc from their
/// predecessor enters. One pass over the arcs does both; a search of each predecessor's row would
/// take quadratic time on a star.
Fault check_arcs(const Graph& graph, const Bfs::Answer& answer, std::vector<unsigned char>& found) {
  const auto& levels = answer.levels;
  const auto offsets = graph.row_offsets();
  const auto heads = graph.heads();
  const auto too_far = [&](Vertex u, Offset e) { return levels[heads[e]] > levels[u] + 1; };
  const Vertex u = lowest(graph.vertex_count(), [&](Vertex tail) {
    if (levels[tail] == kNoLevel) return false;
    bool wrong = false;
    for (Offset e = offsets[tail]; e < offsets[tail + 1]; ++e) {
      wrong |= too_far(tail, e);
      if (answer.predecessors[heads[e]] == tail) {
        std::atomic_ref(found[heads[e]]).store(1, std::memory_order_relaxed);
      }
    }
    return wrong;
  });
  if (u == kNoVertex) return std::nullopt;
  Offset e = offsets[u];
  while (!too_far(u, e)) ++e;
  return vertex_text(answer, heads[e]) + " is entered by an arc from " + id_text(u) + ", " +
         level_text(levels[u]);
}

void add_degree_facts(const Graph& graph, Facts& facts) {
  const Vertex n = graph.vertex_count();
  const auto offsets = graph.row_offsets();
  if (n == 0) return;
  // Vertices by the number of bits of their degree less one: above 2^k is k + 1 bits or more.
  std::array<std::uint64_t, 65> by_width{};
  for (Vertex v = 0; v < n; ++v) {
    const Offset degree = offsets[v + 1] - offsets[v];
    if (degree > 0) ++by_width[static_cast<std::size_t>(std::bit_width(degree - 1))];
  }
  std::uint64_t above = 0;
  for (const std::uint64_t count : by_width) above += count;
  above -= by_width[0];
  for (std::size_t k = 0; above > 0; above -= by_width[++k]) {
    facts.emplace_back("degrees_above_" + std::to_string(std::uint64_t{1} << k) + "_ratio",
                       static_cast<double>(above) / n);
  }
  if (graph.arc_count() == 0) return;
  std::atomic<std::uint64_t> long_rows{0};
  in_parallel(n, [&](std::uint64_t begin, std::uint64_t end) {
    std::uint64_t count = 0;
    for (std::uint64_t v = begin; v < end; ++v) {
      if (offsets[v + 1] - offsets[v] <= kWarpRow) continue;
      std::array<std::uint64_t, Bfs::kBlocks> arcs{};
      for (Offset e = offsets[v]; e < offsets[v + 1]; ++e) {
        ++arcs[bfs::part_of(n, graph.heads()[e], Bfs::kBlocks)];
      }
      count += static_cast<std::uint64_t>(
          std::count_if(arcs.begin(), arcs.end(), [](std::uint64_t a) { return a > kWarpRow; }));
    }
    long_rows += count;
  });
  facts.emplace_back("block_degrees_above_32_ratio",
                     static_cast<double>(long_rows) / (static_cast<double>(n) * Bfs::kBlocks));
}

}  // namespace

Bfs::Certificate::Certificate(const Graph& graph, Offset gpu_from_arc_count)
    : graph_(graph), gpu_from_arc_count_(gpu_from_arc_count) {}

Bfs::Certificate::~Certificate() = default;

bfs::GpuCertificate* Bfs::Certificate::gpu() {
  // Asked again at each check: the variant that starts CUDA may be prepared after others' answers.
  if (!gpu_ && graph_.arc_count() >= gpu_from_arc_count_) gpu_ = bfs::make_gpu_certificate(graph_);
  return gpu_.get();
}

std::optional<std::string> Bfs::Certificate::check(const Query& query, const Answer& answer) {
  on_gpu_ = false;
  if (Fault fault = check_shape(graph_.vertex_count(), query, answer)) return fault;
  bfs::GpuCertificate* const gpu = this->gpu();
  if (gpu == nullptr) return check_on_cpu(query, answer);
  on_gpu_ = true;
  const gpu::FailedChecks failed = gpu->failed_checks(query, answer);
  if (failed == 0) return std::nullopt;
  if (Fault fault = check_on_cpu(query, answer)) return fault;
  throw Error(ExitCode::internal, "certificate of " + query_text(query),
              "on the GPU these of Graph500's checks fail: " + gpu::failed_text(failed) +
                  "; on the CPU none does",
              "hide the GPU with CUDA_VISIBLE_DEVICES= to check on the CPU alone");
}

std::optional<std::string> Bfs::Certificate::check_on_cpu(const Query& query,
                                                          const Answer& answer) const {
  const Vertex n = graph_.vertex_count();
  if (Fault fault = check_source(query, answer)) return fault;
  const Vertex loose = lowest(n, [&](Vertex v) { return !hangs(query, answer, v); });
  if (loose != kNoVertex) return hanging_text(answer, loose);
  std::vector<unsigned char> found(n);
  if (Fault fault = check_arcs(graph_, answer, found)) return fault;
  const Vertex apart = lowest(n, [&](Vertex v) {
    return v != query.source && answer.levels[v] != kNoLevel && found[v] == 0;
  });
  if (apart == kNoVertex) return std::nullopt;
  return vertex_text(answer, apart) + " has predecessor " + id_text(answer.predecessors[apart]) +
         ", but no arc leads from there";
}

Graph Bfs::open(const std::string& reference) { return open_graph(reference); }

bool Bfs::look_ahead(const std::string& reference) { return opens_at_once(reference); }

Facts Bfs::facts(const Graph& graph) {
  Facts facts = graph_facts(graph);
  if (!graph.edge_list_degrees().empty()) {
    facts.emplace_back("edge_list_edge_count", edge_list_edge_count(graph));
  }
  add_degree_facts(graph, facts);
  return facts;
}

void Bfs::check_rule(const QueryRule& rule) { check_source_rule(rule, kName); }

std::vector<Bfs::Query> Bfs::make_queries(const Graph& graph, const QueryRule& rule) {
  std::vector<Query> queries;
  for (const Vertex source : make_sources(graph, rule, kName)) queries.push_back({source});
  return queries;
}

std::string Bfs::query_text(const Query& query) { return "source " + id_text(query.source); }

std::uint64_t Bfs::digest(const Answer& answer) {
  return digest64(std::as_bytes(std::span(answer.levels)));
}

Facts Bfs::answer_facts(const Graph& graph, const Answer& answer) {
  const bool symmetric = graph.properties().symmetric;
  const auto offsets = graph.row_offsets();
  const auto list_degrees =
      symmetric ? graph.edge_list_degrees() : std::span<const std::uint32_t>();
  std::mutex mutex;
  Level deepest = 0;
  std::uint64_t reached_count = 0;
  std::uint64_t end_count = 0;
  in_parallel(graph.vertex_count(), [&](std::uint64_t begin, std::uint64_t end) {
    Level deepest_here = 0;
    std::uint64_t reached = 0;
    std::uint64_t ends = 0;
    for (std::uint64_t v = begin; v < end; ++v) {
      if (answer.levels[v] == kNoLevel) continue;
      deepest_here = std::max(deepest_here, answer.levels[v]);
      ++reached;
      ends += list_degrees.empty() ? offsets[v + 1] - offsets[v] : list_degrees[v];
    }
    const std::scoped_lock lock(mutex);
    deepest = std::max(deepest, deepest_here);
    reached_count += reached;
    end_count += ends;
  });
  return {{"level_count", std::uint64_t{deepest} + 1},
          {"reached_count", reached_count},
          {"traversed_edge_count", symmetric ? end_count / 2 : end_count}};
}

std::string Bfs::unmet(Need need, const Graph& graph) { return graph_unmet(need, graph); }

void Bfs::verify(const Graph& graph, std::string_view reference) { verify_graph(graph, reference); }

}  // namespace bellmark
