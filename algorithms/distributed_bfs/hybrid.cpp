// distributed-bfs/hybrid: a search by levels that change direction, over ranks that hold blocks of
// the adjacency matrix, on CPU threads. hiragushi2013, section 2.4 and Figure 8; Buluc, Madduri, SC
// 2011 (two dimensions); Beamer, Buluc, Asanovic, Patterson, UCB/EECS-2013-2 (both directions).
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "algorithms/bfs/options.hpp"
#include "algorithms/contract/registry.hpp"
#include "algorithms/distributed_bfs/problem.hpp"
#include "algorithms/distributed_bfs/search.hpp"

namespace bellmark {
namespace {

using bfs::Direction;
using distributed_bfs::Form;

template <Form form, Direction direction>
class DistributedHybrid {
 public:
  using Problem = DistributedBfs;

  static Description describe() {
    Description description;
    description.name = "distributed-bfs/hybrid";
    description.summary = "By levels, top-down or bottom-up, over ranks with CPU threads";
    description.source =
        "Hiragushi, Takahashi 2013, sections 2.3, 2.4, Figure 8 (form=pairs); Beamer, Buluc, "
        "Asanovic, Patterson, UCB/EECS-2013-2";
    description.keys = {
        word_key("form", "grid", {"grid", "pairs"},
                 "how blocks of the adjacency matrix are dealt to ranks: one a "
                 "rank, or two that mirror each other, for 2^(2n + 1) ranks"),
        bfs::direction_key(),
        bfs::alpha_key(),
        bfs::beta_key(),
        bfs::threads_key(),
        implied(at_run_time(word_key("overlap", "on", {"on", "off"},
                                     "compute while bitmaps are under way, where there is "
                                     "something to compute"),
                            true)),
        implied(at_run_time(word_key("exchange", "together", {"together", "by-group"},
                                     "form=pairs: bitmaps of all groups in one all-to-all, or of "
                                     "group after group"))),
        implied(at_run_time(word_key("frontier", "bitmap", {"bitmap", "auto"},
                                     "form=grid: how sets of vertices are sent; auto: as lists "
                                     "where they are shorter")))};
    description.instance = {{"form", distributed_bfs::to_string(form)},
                            {"direction", bfs::to_string(direction)}};
    if (direction != Direction::top_down) description.needs = {Need::symmetric};
    return description;
  }

  explicit DistributedHybrid(const Settings& settings)
      : options_{direction,
                 static_cast<std::uint64_t>(settings.integer("alpha")),
                 static_cast<std::uint64_t>(settings.integer("beta")),
                 static_cast<std::size_t>(settings.integer("threads")),
                 settings.get("overlap") == "on",
                 settings.get("exchange") == "by-group",
                 settings.get("frontier") == "auto"} {}

  void prepare(const distributed_bfs::DistributedGraph& graph, RunContext& context) {
    search_ = distributed_bfs::make_search(form, graph, options_, context);
  }

  void run(std::span<const DistributedBfs::Query> queries, RunContext& context) {
    Phase phase(context, "search");
    search_->run(queries[0].source);
    phase.note("level_count", search_->level_count());
    phase.note("reached_count", search_->reached_count());
  }

  void extract(DistributedBfs::Answer& answer) const { search_->extract(answer); }

  PhaseLog phase_log() const { return search_->phase_log(); }

 private:
  distributed_bfs::SearchOptions options_;
  std::unique_ptr<distributed_bfs::Search> search_;
};

BELLMARK_REGISTER(DistributedHybrid<Form::grid, Direction::hybrid>,
                  DistributedHybrid<Form::grid, Direction::top_down>,
                  DistributedHybrid<Form::grid, Direction::bottom_up>,
                  DistributedHybrid<Form::pairs, Direction::hybrid>,
                  DistributedHybrid<Form::pairs, Direction::top_down>,
                  DistributedHybrid<Form::pairs, Direction::bottom_up>);

}  // namespace
}  // namespace bellmark
