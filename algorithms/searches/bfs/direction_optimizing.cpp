// bfs/direction-optimizing: the fastest search on CPU threads (cpu_search.hpp).
#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <variant>

#include "algorithms/contract/registry.hpp"
#include "algorithms/problems/bfs/problem.hpp"
#include "algorithms/searches/bfs/cpu_search.hpp"
#include "algorithms/searches/bfs/options.hpp"

namespace bellmark {
namespace {

// On Graph500's Kronecker graph of scale 20 alpha of 4 to 60 and beta of 1 to 64 take the same time
// within 1 %.
constexpr std::int64_t kAlpha = 15;
constexpr std::int64_t kBeta = 4;
constexpr std::int64_t kShareFrom = 16'384;  ///< some 50 us of one thread

/// Rows by degree pay where few vertices have most arcs; a road map loses the order of its file.
constexpr double kSkew = 16;

class BfsDirectionOptimizing {
 public:
  using Problem = Bfs;

  static Description describe() {
    Description description;
    description.name = "bfs/direction-optimizing";
    description.summary =
        "Levels in both directions, rows by degree; one thread takes small levels";
    description.source =
        "Beamer, Asanovic, Patterson, SC 2012; Yasui, Fujisawa, Sato, ISC 2015 (rows by degree)";
    description.keys = {
        at_run_time(word_key("order", "auto", {"auto", "as-given", "by-degree"},
                             "Numbering inside. by-degree: vertices with most arcs come first. "
                             "auto: by-degree where the largest degree is 16 times the mean")),
        bfs::alpha_key(kAlpha),
        bfs::beta_key(kBeta),
        at_run_time(integer_key("share-from", kShareFrom, 0, 1'000'000'000,
                                "Threads share a level from this size on: arcs of the frontier, or "
                                "unvisited vertices bottom-up"),
                    true),
        bfs::threads_key(),
        untimed_key({kNothing, "levels-and-ids"}),
    };
    description.needs = {Need::symmetric};
    return description;
  }

  static Settings resolve(const Settings& settings, const Graph& graph) {
    Settings resolved = settings;
    if (settings.get("order") == "auto") {
      resolved.set("order", is_skewed(graph) ? "by-degree" : "as-given");
    }
    return resolved;
  }

  explicit BfsDirectionOptimizing(const Settings& settings)
      : is_whole_(settings.get(kUntimed) == kNothing),
        tuning_{.thread_count = static_cast<std::size_t>(settings.integer("threads")),
                .order = settings.get("order") == "by-degree" ? bfs::Order::by_degree
                                                              : bfs::Order::as_given,
                .alpha = static_cast<std::uint64_t>(settings.integer("alpha")),
                .beta = static_cast<std::uint64_t>(settings.integer("beta")),
                .share_from = static_cast<std::uint64_t>(settings.integer("share-from"))} {}

  void prepare(const Graph& graph, RunContext& context) {
    if (graph.arc_count() <= std::numeric_limits<std::uint32_t>::max()) {
      make<std::uint32_t>(graph, context);
    } else {
      make<std::uint64_t>(graph, context);
    }
  }

  void run(std::span<const Bfs::Query> queries, RunContext& context) {
    std::visit(
        [&](const auto& search) {
          {
            Phase phase(context, "search");
            search->run(queries[0].source, context.instrumented(), context.work());
            phase.note("level_count", search->log().level_count());
            phase.note("reached_count", search->reached_count());
          }
          const Phase phase(context, "renumber");
          search->renumber();
        },
        search_);
  }

  void extract(Bfs::Answer& answer) const {
    std::visit([&](const auto& search) { search->extract(answer); }, search_);
  }

  /// Times are those of instrumented runs.
  PhaseLog phase_log() const {
    return std::visit([](const auto& search) { return search->log().phase_log(); }, search_);
  }

 private:
  template <class RowOffset, bool kWhole>
  using Search = std::unique_ptr<bfs::CpuSearch<RowOffset, kWhole>>;

  template <class RowOffset>
  void make(const Graph& graph, RunContext& context) {
    if (is_whole_) {
      search_ = std::make_unique<bfs::CpuSearch<RowOffset, true>>(graph, tuning_, context);
    } else {
      search_ = std::make_unique<bfs::CpuSearch<RowOffset, false>>(graph, tuning_, context);
    }
  }

  static bool is_skewed(const Graph& graph) {
    Offset largest_degree = 0;
    for (Vertex v = 0; v < graph.vertex_count(); ++v) {
      largest_degree =
          std::max(largest_degree, graph.row_offsets()[v + 1] - graph.row_offsets()[v]);
    }
    return static_cast<double>(largest_degree) * static_cast<double>(graph.vertex_count()) >=
           kSkew * static_cast<double>(graph.arc_count());
  }

  bool is_whole_;
  bfs::Tuning tuning_;
  std::variant<Search<std::uint32_t, true>, Search<std::uint32_t, false>,
               Search<std::uint64_t, true>, Search<std::uint64_t, false>>
      search_;
};

BELLMARK_REGISTER(BfsDirectionOptimizing);

}  // namespace
}  // namespace bellmark
