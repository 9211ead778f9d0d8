// Distributed breadth-first search: queries, facts, and the certificate that proves an answer.
#include "algorithms/distributed_bfs/problem.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <limits>
#include <mutex>
#include <span>
#include <utility>

#include "algorithms/bfs/levels.hpp"
#include "algorithms/distributed_bfs/mail.hpp"
#include "algorithms/graph_input/graph_input.hpp"
#include "base/digest.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "graph/dimacs.hpp"
#include "graph/parallel.hpp"

namespace bellmark {
namespace {

using bfs::VertexRange;
using bfs::Word;
using distributed_bfs::DistributedGraph;
using distributed_bfs::GridRanks;
using distributed_bfs::Group;
using distributed_bfs::Mail;

constexpr std::uint64_t kNowhere = std::numeric_limits<std::uint64_t>::max();

/// The first fault that this rank has found: at the lowest vertex of those that it looks at.
struct Fault {
  std::uint64_t vertex = kNowhere;
  std::string text;
};

/// Collective: the text of the fault at the lowest vertex, of the lowest rank that names it.
std::optional<std::string> agreed(const Fault& own, Communicator& ranks) {
  const std::uint64_t lowest = ranks.all_reduce(own.vertex, Reduction::least);
  if (lowest == kNowhere) return std::nullopt;
  const std::uint64_t speaker =
      ranks.all_reduce(own.vertex == lowest ? ranks.rank() : kNowhere, Reduction::least);
  std::string text = own.text;
  std::array<std::uint64_t, 1> size = {text.size()};
  ranks.broadcast(size, speaker);
  text.resize(size[0]);
  ranks.broadcast(text, speaker);
  return text;
}

std::string level_text(Level level) {
  return level == kNoLevel ? "unreached" : "at level " + std::to_string(level);
}

std::string vertex_text(Vertex v, Level level) {
  return "vertex " + id_text(v) + ", " + level_text(level) + ",";
}

Fault size_fault(const DistributedGraph& graph, const DistributedBfs::Answer& answer) {
  const std::size_t rank = graph.ranks().rank();
  const VertexRange piece = graph.partition().piece(rank);
  if (answer.vertices == piece && answer.levels.size() == piece.size() &&
      answer.predecessors.size() == piece.size()) {
    return {};
  }
  return {rank, "the answer of rank " + std::to_string(rank) + " has " +
                    std::to_string(answer.levels.size()) + " levels and " +
                    std::to_string(answer.predecessors.size()) + " predecessors for " +
                    std::to_string(piece.size()) + " vertices"};
}

Fault source_fault(Vertex source, const DistributedBfs::Answer& answer) {
  if (source < answer.vertices.begin || source >= answer.vertices.end) return {};
  const Level level = answer.levels[source - answer.vertices.begin];
  const Vertex predecessor = answer.predecessors[source - answer.vertices.begin];
  const std::string subject = "the source " + id_text(source);
  if (level != 0) return {source, subject + " is " + level_text(level) + ", not at level 0"};
  if (predecessor != kNoVertex) {
    return {source,
            subject + " has predecessor " + id_text(predecessor) + ", where it must have none"};
  }
  return {};
}

/// Collective: the levels of the predecessors of the answer's vertices; kNoLevel for none.
std::vector<Level> predecessor_levels(const DistributedGraph& graph,
                                      const DistributedBfs::Answer& answer) {
  const auto& partition = graph.partition();
  const std::size_t size = graph.ranks().size();
  Mail<Vertex> questions(graph.ranks());
  Mail<Level> answers(graph.ranks());
  for (const Vertex p : answer.predecessors) {
    if (p < graph.vertex_count()) questions.to(partition.owner_of(p)).push_back(p);
  }
  questions.deliver();
  for (std::size_t rank = 0; rank < size; ++rank) {
    for (const Vertex p : questions.from(rank)) {
      answers.to(rank).push_back(answer.levels[p - answer.vertices.begin]);
    }
  }
  answers.deliver();
  std::vector<std::size_t> read(size);
  std::vector<Level> levels;
  levels.reserve(answer.predecessors.size());
  for (const Vertex p : answer.predecessors) {
    if (p >= graph.vertex_count()) {
      levels.push_back(kNoLevel);
    } else {
      const std::size_t owner = partition.owner_of(p);
      levels.push_back(answers.from(owner)[read[owner]++]);
    }
  }
  return levels;
}

/// A vertex that doesn't hang one level below its predecessor, or is unreached and has one.
Fault hanging_fault(const DistributedGraph& graph, Vertex source,
                    const DistributedBfs::Answer& answer,
                    const std::vector<Level>& predecessor_levels) {
  for (Vertex i = 0; i < answer.vertices.size(); ++i) {
    const Vertex v = answer.vertices.begin + i;
    const Vertex p = answer.predecessors[i];
    const Level level = answer.levels[i];
    const Level above = predecessor_levels[i];
    if (v == source) continue;
    if (level == kNoLevel ? p == kNoVertex : above != kNoLevel && level == above + 1) continue;
    const std::string subject = vertex_text(v, level);
    if (p == kNoVertex) return {v, subject + " has no predecessor"};
    const std::string named = subject + " has predecessor " + id_text(p) + ", ";
    if (p >= graph.vertex_count()) return {v, named + "no vertex"};
    return {v, named + "which is " + level_text(above)};
  }
  return {};
}

/// What the block of this rank needs of an answer.
struct BlockLevels {
  std::vector<Level> rows;
  std::vector<Level> columns;
  std::vector<Vertex> column_predecessors;
};

/// Collective.
BlockLevels fetch(const GridRanks& grid, const DistributedBfs::Answer& answer) {
  BlockLevels fetched;
  fetched.rows.resize(grid.row().part().size());
  grid.row().gather_values<Level>(answer.levels, fetched.rows);
  const auto of_columns = [&](std::span<const std::uint32_t> own, std::vector<std::uint32_t>& all) {
    std::vector<std::uint32_t> piece(grid.column().piece().size());
    grid.to_column<std::uint32_t>(own, piece);
    all.resize(grid.column().part().size());
    grid.column().gather_values<std::uint32_t>(piece, all);
  };
  of_columns(answer.levels, fetched.columns);
  of_columns(answer.predecessors, fetched.column_predecessors);
  return fetched;
}

/// An arc that leads more than a level down. Marks in `entered` the columns that an arc from their
/// predecessor enters. All threads that the process may use.
Fault arc_fault(const bfs::Block& block, const BlockLevels& levels, std::span<Word> entered) {
  Fault first;
  std::mutex mutex;
  const auto look_at = [&](Vertex u) {
    const Vertex tail = block.rows().begin + u;
    for (Offset e = block.row_offsets()[u]; e < block.row_offsets()[u + 1]; ++e) {
      const Vertex v = block.heads()[e];
      if (levels.column_predecessors[v] == tail) bfs::insert<true>(entered, v);
      if (levels.columns[v] <= levels.rows[u] + 1) continue;
      const std::scoped_lock lock(mutex);
      if (first.vertex <= tail) continue;
      first = {tail, vertex_text(block.columns().begin + v, levels.columns[v]) +
                         " is entered by an arc from " + id_text(tail) + ", " +
                         level_text(levels.rows[u])};
    }
  };
  in_parallel_rows(block.row_offsets().data(), block.rows().size(),
                   [&](std::uint64_t begin, std::uint64_t end) {
                     for (auto u = static_cast<Vertex>(begin); u < end; ++u) {
                       if (levels.rows[u] != kNoLevel) look_at(u);
                     }
                   });
  return first;
}

/// Collective: those of this rank's vertices that any block has marked.
std::vector<Word> marked(const GridRanks& grid, std::span<const Word> columns) {
  const Group& column = grid.column();
  const std::size_t word_count = bfs::word_count(column.piece().size());
  std::vector<Word> received(word_count * column.size());
  column.deal_set(columns, received);
  for (std::size_t w = word_count; w < received.size(); ++w) {
    received[w % word_count] |= received[w];
  }
  std::vector<Word> own(bfs::word_count(grid.row().piece().size()));
  grid.to_row<Word>(std::span(received).first(word_count), own);
  return own;
}

Fault apart_fault(Vertex source, const DistributedBfs::Answer& answer,
                  std::span<const Word> entered) {
  for (Vertex i = 0; i < answer.vertices.size(); ++i) {
    const Vertex v = answer.vertices.begin + i;
    if (v == source || answer.levels[i] == kNoLevel || bfs::contains(entered, i)) continue;
    return {v, vertex_text(v, answer.levels[i]) + " has predecessor " +
                   id_text(answer.predecessors[i]) + ", but no arc leads from there"};
  }
  return {};
}

/// Collective: for each of `vertices` whether an arc leaves it.
std::vector<bool> with_arcs(const DistributedGraph& graph, const std::vector<Vertex>& vertices) {
  const VertexRange piece = graph.partition().piece(graph.ranks().rank());
  std::vector<std::uint64_t> flags(vertices.size());
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    const Vertex v = vertices[i];
    if (v < piece.begin || v >= piece.end) continue;
    flags[i] = graph.degrees()[v - piece.begin] > 0 ? 1 : 0;
  }
  graph.ranks().all_reduce(flags, Reduction::any_bit);
  return {flags.begin(), flags.end()};
}

/// As make_sources() draws them, without the degrees of others' vertices.
std::vector<Vertex> uniform_sources(const DistributedGraph& graph, const QueryRule& rule) {
  check_query_count(rule.count);
  const Vertex n = graph.vertex_count();
  std::vector<Vertex> sources;
  if (n == 0) return sources;
  const auto& degrees = graph.degrees();
  const auto own_count = static_cast<std::uint64_t>(
      std::count_if(degrees.begin(), degrees.end(), [](Offset degree) { return degree > 0; }));
  const std::uint64_t left =
      graph.arc_count() == 0 ? n : graph.ranks().all_reduce(own_count, Reduction::sum);
  const bool distinct = rule.count <= left;
  std::vector<bool> drawn(n);
  constexpr std::size_t kAtOnce = 1024;
  for (std::uint64_t i = 0; sources.size() < rule.count;) {
    std::vector<Vertex> candidates;
    while (candidates.size() < kAtOnce) {
      candidates.push_back(draw_vertex(rule.seed, DrawStream::sources, i++, n));
    }
    const std::vector<bool> leaves = with_arcs(graph, candidates);
    for (std::size_t c = 0; c < kAtOnce && sources.size() < rule.count; ++c) {
      if ((!leaves[c] && graph.arc_count() > 0) || (distinct && drawn[candidates[c]])) continue;
      drawn[candidates[c]] = true;
      sources.push_back(candidates[c]);
    }
  }
  return sources;
}

std::vector<Vertex> listed_sources(const DistributedGraph& graph, const QueryRule& rule) {
  std::vector<Vertex> sources;
  for (const std::uint64_t id : rule.list) {
    if (id < 1 || id > graph.vertex_count()) {
      throw InputError("queries", "vertex " + std::to_string(id) + " is not in the graph",
                       "ids run from 1 to " + std::to_string(graph.vertex_count()));
    }
    sources.push_back(static_cast<Vertex>(id - 1));
  }
  return sources;
}

/// Of two numbers that belong together.
std::uint64_t pair_digest(Vertex first, std::uint32_t second) {
  const std::uint64_t pair = std::uint64_t{first} << 32 | second;
  return digest64(std::as_bytes(std::span(&pair, 1)));
}

std::string arcs_digest(const DistributedGraph& graph) {
  std::atomic<std::uint64_t> sum = 0;
  for (const bfs::Block& block : graph.blocks()) {
    in_parallel_rows(
        block.row_offsets().data(), block.rows().size(),
        [&](std::uint64_t begin, std::uint64_t end) {
          std::uint64_t part = 0;
          for (auto u = static_cast<Vertex>(begin); u < end; ++u) {
            for (Offset e = block.row_offsets()[u]; e < block.row_offsets()[u + 1]; ++e) {
              part += pair_digest(block.rows().begin + u, block.columns().begin + block.heads()[e]);
            }
          }
          sum += part;
        });
  }
  return Digest()
      .add(std::uint64_t{graph.vertex_count()})
      .add(graph.ranks().all_reduce(sum, Reduction::sum))
      .hex();
}

/// Vertices by the number of bits of their degree less one: above 2^k is k + 1 bits or more.
void add_degree_facts(const DistributedGraph& graph, Facts& facts) {
  std::array<std::uint64_t, 65> by_width{};
  for (const Offset degree : graph.degrees()) {
    if (degree > 0) ++by_width[static_cast<std::size_t>(std::bit_width(degree - 1))];
  }
  graph.ranks().all_reduce(by_width, Reduction::sum);
  std::uint64_t above = 0;
  for (std::size_t k = 1; k < by_width.size(); ++k) above += by_width[k];
  for (std::size_t k = 0; above > 0; above -= by_width[++k]) {
    facts.emplace_back("degrees_above_" + std::to_string(std::uint64_t{1} << k) + "_ratio",
                       static_cast<double>(above) / graph.vertex_count());
  }
}

}  // namespace

std::optional<std::string> DistributedBfs::Certificate::check(const Query& query,
                                                              const Answer& answer) const {
  Communicator& ranks = graph_.ranks();
  const Vertex source = query.source;
  if (source >= graph_.vertex_count()) {
    return "the source " + id_text(source) + " is not in the graph";
  }
  if (auto fault = agreed(size_fault(graph_, answer), ranks)) return fault;
  if (auto fault = agreed(source_fault(source, answer), ranks)) return fault;
  const std::vector<Level> above = predecessor_levels(graph_, answer);
  if (auto fault = agreed(hanging_fault(graph_, source, answer, above), ranks)) return fault;
  std::vector<Word> entered(bfs::word_count(grid_.column().part().size()));
  const Fault far = arc_fault(graph_.blocks()[0], fetch(grid_, answer), entered);
  if (auto fault = agreed(far, ranks)) return fault;
  return agreed(apart_fault(source, answer, marked(grid_, entered)), ranks);
}

DistributedGraph DistributedBfs::open(const std::string& reference) {
  return DistributedGraph::open(reference, world());
}

Facts DistributedBfs::facts(const Input& graph) {
  Facts facts = {{"digest", arcs_digest(graph)},
                 {"vertex_count", std::uint64_t{graph.vertex_count()}},
                 {"arc_count", std::uint64_t{graph.arc_count()}},
                 {"symmetric", graph.symmetric()},
                 {"sorted_rows", graph.sorted_rows()},
                 {"provenance", graph.provenance()}};
  if (const auto count = graph.edge_list_edge_count()) {
    facts.emplace_back("edge_list_edge_count", *count);
  }
  if (graph.vertex_count() == 0) return facts;
  facts.emplace_back("mean_degree", static_cast<double>(graph.arc_count()) /
                                        static_cast<double>(graph.vertex_count()));
  add_degree_facts(graph, facts);
  return facts;
}

std::vector<DistributedBfs::Query> DistributedBfs::make_queries(const Input& graph,
                                                                const QueryRule& rule) {
  std::vector<Vertex> sources;
  if (rule.kind == "uniform-sources") {
    sources = uniform_sources(graph, rule);
  } else if (rule.kind == "list") {
    sources = listed_sources(graph, rule);
  } else if (rule.kind == "file") {
    sources = read_ss(rule.file, graph.vertex_count());
  } else {
    throw InputError("queries", "kind '" + rule.kind + "' is unknown for " + kName,
                     suggestion(rule.kind, {"uniform-sources", "list", "file"}));
  }
  std::vector<Query> queries;
  queries.reserve(sources.size());
  for (const Vertex source : sources) queries.push_back({source});
  return queries;
}

std::uint64_t DistributedBfs::digest(const Answer& answer) {
  std::uint64_t sum = 0;
  for (Vertex i = 0; i < answer.vertices.size(); ++i) {
    sum += pair_digest(answer.vertices.begin + i, answer.levels[i]);
  }
  return answer.ranks->all_reduce(sum, Reduction::sum);
}

Facts DistributedBfs::answer_facts(const Input& graph, const Answer& answer) {
  const bool by_list = graph.symmetric() && graph.edge_list_edge_count();
  const std::vector<Offset>& degrees = by_list ? graph.edge_list_degrees() : graph.degrees();
  Level deepest = 0;
  std::array<std::uint64_t, 2> counts{};  // of reached vertices, and of ends of edges there
  for (Vertex i = 0; i < answer.vertices.size(); ++i) {
    if (answer.levels[i] == kNoLevel) continue;
    deepest = std::max(deepest, answer.levels[i]);
    ++counts[0];
    counts[1] += degrees[i];
  }
  const std::uint64_t last = graph.ranks().all_reduce(deepest, Reduction::largest);
  graph.ranks().all_reduce(counts, Reduction::sum);
  return {{"level_count", last + 1},
          {"reached_count", counts[0]},
          {"traversed_edge_count", graph.symmetric() ? counts[1] / 2 : counts[1]}};
}

std::string DistributedBfs::unmet(Need need, const Input& graph) {
  if (need == Need::symmetric && !graph.symmetric()) return "the graph is not symmetric";
  if (need == Need::sorted_rows && !graph.sorted_rows()) {
    return "the graph's rows are not sorted by head";
  }
  return {};
}

}  // namespace bellmark
