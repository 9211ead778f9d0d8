// Distributed breadth-first search: queries, facts, and the certificate that proves an answer.
#include "algorithms/problems/distributed_bfs/problem.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <limits>
#include <mutex>
#include <span>
#include <utility>

#include "algorithms/problems/bfs/levels.hpp"
#include "algorithms/problems/graph_input/graph_input.hpp"
#include "base/digest.hpp"
#include "base/error.hpp"
#include "base/paged_array.hpp"
#include "base/parallel.hpp"
#include "base/text.hpp"
#include "graph/dimacs.hpp"
#include "graph/open.hpp"

namespace bellmark {
namespace {

using bfs::VertexRange;
using bfs::Word;
using distributed_bfs::DistributedGraph;
using distributed_bfs::GridRanks;
using distributed_bfs::Group;

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

/// The fault at the lowest of `vertices` that is wrong, by is_wrong(i) and text(i) of the i-th of
/// them. All threads that the process may use.
template <class IsWrong, class Text>
Fault lowest_fault(VertexRange vertices, IsWrong is_wrong, Text text) {
  Fault lowest;
  std::mutex mutex;
  in_parallel(vertices.size(), [&](std::uint64_t begin, std::uint64_t end) {
    auto i = static_cast<Vertex>(begin);
    while (i < end && !is_wrong(i)) ++i;
    if (i == end) return;
    const std::scoped_lock lock(mutex);
    if (vertices.begin + i < lowest.vertex) lowest = {vertices.begin + i, text(i)};
  });
  return lowest;
}

/// The part of an answer that this rank's block needs.
struct BlockLevels {
  PagedArray<Level> rows;
  PagedArray<Level> columns;
  PagedArray<Vertex> column_predecessors;
};

/// Collective.
BlockLevels fetch(const GridRanks& grid, const DistributedBfs::Answer& answer) {
  BlockLevels fetched{PagedArray<Level>(grid.row().part().size()),
                      PagedArray<Level>(grid.column().part().size()),
                      PagedArray<Vertex>(grid.column().part().size())};
  grid.row().gather_values<Level>(answer.levels, fetched.rows.values());
  const PagedArray<std::uint32_t> piece(grid.column().piece().size());
  const auto of_columns = [&](std::span<const std::uint32_t> own, std::span<std::uint32_t> all) {
    grid.to_column<std::uint32_t>(own, piece.values());
    grid.column().gather_values<std::uint32_t>(piece.values(), all);
  };
  of_columns(answer.levels, fetched.columns.values());
  of_columns(answer.predecessors, fetched.column_predecessors.values());
  return fetched;
}

/// A column that doesn't hang one level below its predecessor, or is unreached and has one. It says
/// nothing of a column whose predecessor is in no row: the blocks of that row look at it.
Fault hanging_fault(const bfs::Block& block, Vertex vertex_count, Vertex source,
                    const BlockLevels& levels) {
  const VertexRange rows = block.rows();
  const auto is_wrong = [&](Vertex column) {
    const Vertex p = levels.column_predecessors[column];
    const Level level = levels.columns[column];
    if (block.columns().begin + column == source) return false;
    if (p >= vertex_count) return p != kNoVertex || level != kNoLevel;
    if (p < rows.begin || p >= rows.end) return false;
    const Level above = levels.rows[p - rows.begin];
    return level == kNoLevel || above == kNoLevel || level != above + 1;
  };
  return lowest_fault(block.columns(), is_wrong, [&](Vertex column) {
    const Vertex p = levels.column_predecessors[column];
    const std::string subject = vertex_text(block.columns().begin + column, levels.columns[column]);
    if (p == kNoVertex) return subject + " has no predecessor";
    const std::string named = subject + " has predecessor " + id_text(p) + ", ";
    if (p >= vertex_count) return named + "no vertex";
    return named + "which is " + level_text(levels.rows[p - rows.begin]);
  });
}

/// An arc that leads more than a level down. Marks in `entered` the columns that an arc from their
/// predecessor enters, a level below it. All threads that the process may use.
///
/// This function has more than 60 lines: three loops over one row share its block's arrays.
Fault arc_fault(const bfs::Block& block, const BlockLevels& levels, std::span<Word> entered) {
  // Each arc's head is asked for a byte, because a cache holds four times as many bytes as levels.
  // The last byte stands for all deeper levels, too, and for no level.
  constexpr Level kLastByte = 255;
  const PagedArray<std::uint8_t> bytes(levels.columns.size());
  in_parallel(bytes.size(), [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t v = begin; v < end; ++v) {
      bytes[v] = static_cast<std::uint8_t>(std::min(levels.columns[v], kLastByte));
    }
  });

  const auto mark = [&](Vertex tail, Vertex v) {
    if (levels.column_predecessors[v] == tail) bfs::insert<true>(entered, v);
  };
  // Whether no arc leads too far down. It has no branches that depend on levels, because nothing
  // could predict them.
  const auto mark_by_bytes = [&](Vertex tail, Level below, std::span<const Vertex> heads) {
    bool right = true;
    std::array<Vertex, 256> next;
    while (!heads.empty()) {
      const auto some = heads.first(std::min(heads.size(), next.size()));
      std::size_t count = 0;
      for (const Vertex v : some) {
        next[count] = v;
        count += bytes[v] == below ? 1 : 0;
        right &= bytes[v] <= below;
      }
      for (std::size_t i = 0; i < count; ++i) mark(tail, next[i]);
      heads = heads.subspan(some.size());
    }
    return right;
  };

  Fault lowest;
  std::mutex mutex;
  // Whether all of the row's arcs are right.
  const auto look_at = [&](Vertex u) {
    const Vertex tail = block.rows().begin + u;
    const Level level = levels.rows[u];
    const auto heads = block.heads().subspan(block.row_offsets()[u],
                                             block.row_offsets()[u + 1] - block.row_offsets()[u]);
    if (level + 1 < kLastByte) {
      if (mark_by_bytes(tail, level + 1, heads)) return true;
    } else {
      for (const Vertex v : heads) mark(tail, v);
    }
    for (const Vertex v : heads) {
      if (levels.columns[v] <= level + 1) continue;
      const std::scoped_lock lock(mutex);
      if (tail < lowest.vertex) {
        lowest = {tail, vertex_text(block.columns().begin + v, levels.columns[v]) +
                            " is entered by an arc from " + id_text(tail) + ", " +
                            level_text(level)};
      }
      return false;
    }
    return true;
  };
  in_parallel_rows(block.row_offsets().data(), block.rows().size(),
                   [&](std::uint64_t begin, std::uint64_t end) {
                     for (auto u = static_cast<Vertex>(begin); u < end; ++u) {
                       if (levels.rows[u] != kNoLevel && !look_at(u)) return;
                     }
                   });
  return lowest;
}

/// Collective: this rank's vertices that any block has marked.
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
  const Vertex first = answer.vertices.begin;
  return lowest_fault(
      answer.vertices,
      [&](Vertex i) {
        return first + i != source && answer.levels[i] != kNoLevel && !bfs::contains(entered, i);
      },
      [&](Vertex i) {
        return vertex_text(first + i, answer.levels[i]) + " has predecessor " +
               id_text(answer.predecessors[i]) + ", but no arc leads from there";
      });
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

/// The sources that make_sources() draws, without the degrees of others' vertices.
std::vector<Vertex> uniform_sources(const DistributedGraph& graph, const QueryRule& rule) {
  const Vertex n = graph.vertex_count();
  std::vector<Vertex> sources;
  if (n == 0) return sources;
  const auto& degrees = graph.degrees();
  std::atomic<std::uint64_t> own_count = 0;
  in_parallel(degrees.size(), [&](std::uint64_t begin, std::uint64_t end) {
    std::uint64_t count = 0;
    for (std::uint64_t i = begin; i < end; ++i) count += degrees[i] > 0 ? 1 : 0;
    own_count += count;
  });
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

/// The digest of two numbers that belong together.
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
  std::mutex mutex;
  in_parallel(graph.degrees().size(), [&](std::uint64_t begin, std::uint64_t end) {
    std::array<std::uint64_t, 65> by_width_here{};
    for (std::uint64_t i = begin; i < end; ++i) {
      const Offset degree = graph.degrees()[i];
      if (degree > 0) ++by_width_here[static_cast<std::size_t>(std::bit_width(degree - 1))];
    }
    const std::scoped_lock lock(mutex);
    for (std::size_t k = 0; k < by_width.size(); ++k) by_width[k] += by_width_here[k];
  });
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
  const bfs::Block& block = graph_.blocks()[0];
  std::vector<Word> entered(bfs::word_count(block.columns().size()));
  {
    const BlockLevels levels = fetch(grid_, answer);
    const Fault hanging = hanging_fault(block, graph_.vertex_count(), source, levels);
    if (auto fault = agreed(hanging, ranks)) return fault;
    if (auto fault = agreed(arc_fault(block, levels, entered), ranks)) return fault;
  }
  return agreed(apart_fault(source, answer, marked(grid_, entered)), ranks);
}

DistributedGraph DistributedBfs::open(const std::string& reference) {
  return DistributedGraph::open(reference, world());
}

bool DistributedBfs::look_ahead(const std::string& reference) { return opens_at_once(reference); }

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

void DistributedBfs::check_rule(const QueryRule& rule) { check_source_rule(rule, kName); }

std::vector<DistributedBfs::Query> DistributedBfs::make_queries(const Input& graph,
                                                                const QueryRule& rule) {
  check_rule(rule);
  std::vector<Vertex> sources;
  if (rule.kind == "uniform-sources") {
    sources = uniform_sources(graph, rule);
  } else if (rule.kind == "list") {
    sources = listed_sources(graph, rule);
  } else {
    sources = read_ss(rule.file, graph.vertex_count());
  }
  std::vector<Query> queries;
  queries.reserve(sources.size());
  for (const Vertex source : sources) queries.push_back({source});
  return queries;
}

std::uint64_t DistributedBfs::digest(const Answer& answer) {
  std::atomic<std::uint64_t> sum = 0;
  in_parallel(answer.vertices.size(), [&](std::uint64_t begin, std::uint64_t end) {
    std::uint64_t part = 0;
    for (auto i = static_cast<Vertex>(begin); i < end; ++i) {
      part += pair_digest(answer.vertices.begin + i, answer.levels[i]);
    }
    sum += part;
  });
  return answer.ranks->all_reduce(sum, Reduction::sum);
}

Facts DistributedBfs::answer_facts(const Input& graph, const Answer& answer) {
  const bool by_list = graph.symmetric() && graph.edge_list_edge_count();
  const std::vector<Offset>& degrees = by_list ? graph.edge_list_degrees() : graph.degrees();
  Level deepest = 0;
  std::array<std::uint64_t, 2> counts{};  // reached vertices, and ends of edges there
  std::mutex mutex;
  in_parallel(answer.vertices.size(), [&](std::uint64_t begin, std::uint64_t end) {
    Level deepest_here = 0;
    std::array<std::uint64_t, 2> counts_here{};
    for (std::uint64_t i = begin; i < end; ++i) {
      if (answer.levels[i] == kNoLevel) continue;
      deepest_here = std::max(deepest_here, answer.levels[i]);
      ++counts_here[0];
      counts_here[1] += degrees[i];
    }
    const std::scoped_lock lock(mutex);
    deepest = std::max(deepest, deepest_here);
    for (std::size_t i = 0; i < counts.size(); ++i) counts[i] += counts_here[i];
  });
  const std::uint64_t last = graph.ranks().all_reduce(deepest, Reduction::largest);
  graph.ranks().all_reduce(counts, Reduction::sum);
  return {{"level_count", last + 1},
          {"reached_count", counts[0]},
          {"traversed_edge_count", graph.symmetric() ? counts[1] / 2 : counts[1]}};
}

std::string DistributedBfs::unmet(Need need, const Input& graph) {
  if (need == Need::symmetric && !graph.symmetric()) {
    return "the graph is not symmetric; add ',arcs=both' after its name";
  }
  if (need == Need::sorted_rows && !graph.sorted_rows()) {
    return "the graph's rows are not sorted by head";
  }
  return {};
}

}  // namespace bellmark
