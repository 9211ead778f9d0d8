// p2p/label-correcting: approximate buckets until the target's distance is final. A watch sees
// contract=none,sides=one alone.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include "algorithms/contract/description.hpp"
#include "algorithms/contract/run_context.hpp"
#include "algorithms/contract/watch.hpp"
#include "algorithms/problems/p2p/problem.hpp"
#include "algorithms/searches/contracted/key.hpp"
#include "algorithms/searches/label_correcting/bidirectional_search.hpp"
#include "algorithms/searches/label_correcting/contracted_route.hpp"
#include "algorithms/searches/label_correcting/search.hpp"

namespace bellmark {

template <label_correcting::Options options, class Watch = Unwatched>
class P2pLabelCorrecting {
 public:
  using Problem = P2p;

  static Description describe() {
    Description description = label_correcting::describe(options);
    description.name = "p2p/label-correcting";
    description.summary = "Label correcting with approximate buckets; stops at the target's bucket";
    description.keys.push_back(contracted::contract_key());
    description.keys.push_back(label_correcting::sides_key());
    description.keys.push_back(label_correcting::potential_key());
    return description;
  }
  static Settings resolve(const Settings& settings, const Graph& graph) {
    return label_correcting::resolve_sides(settings, graph);
  }

  explicit P2pLabelCorrecting(const Settings& settings, Watch watch = {})
      : search_(label_correcting::tuning(settings), watch) {
    if constexpr (options.contracts()) {
      label_correcting::Tuning tuning = label_correcting::tuning(settings);
      tuning.guided = label_correcting::is_guided(settings);
      const bool is_both = label_correcting::sides_of(settings) == Sides::both;
      const bool contracts = contracted::contracts(settings);
      if (contracts && is_both) core_from_both_.emplace(tuning);
      if (contracts && !is_both) core_from_one_.emplace(tuning);
      if (!contracts && is_both) from_both_.emplace(tuning);
    }
  }

  void prepare(const Graph& graph, RunContext& context) {
    if (core_from_both_) return core_from_both_->prepare(graph, context);
    if (core_from_one_) return core_from_one_->prepare(graph, context);
    if (from_both_) {
      const auto longest = static_cast<std::uint64_t>(graph.properties().largest_length);
      return from_both_->prepare(graph, {distance_bound(graph).value, longest}, graph.coordinates(),
                                 context);
    }
    search_.prepare(graph, context);
  }

  void run(std::span<const P2p::Query> queries, RunContext& context) {
    Phase phase(context, "search");
    const auto [source, target] = queries[0];
    target_ = target;
    if (core_from_both_) return find(*core_from_both_, source, phase, context);
    if (core_from_one_) return find(*core_from_one_, source, phase, context);
    if (from_both_) {
      const contracted::End ends[2] = {{source, 0}, {target, 0}};
      from_both_->run({&ends[0], 1}, {&ends[1], 1}, context);
      return note(phase, from_both_->counts());
    }
    search_.run(source, std::span(&target_, 1), context);
    note(phase, search_.counts());
  }

  void extract(P2p::Answer& answer) const {
    answer.path.clear();
    answer.distance = kUnreached;
    if (core_from_both_) {
      extract(*core_from_both_, answer);
    } else if (core_from_one_) {
      extract(*core_from_one_, answer);
    } else if (from_both_) {
      return extract_from_both(answer);
    } else if (const auto& labels = search_.labels(); labels.reached(target_)) {
      answer.distance = static_cast<Distance>(labels.distance(target_));
      for (Vertex v = target_; v != kNoVertex; v = labels.cursor().predecessor(v)) {
        answer.path.push_back(v);
      }
    }
    std::ranges::reverse(answer.path);
  }

 private:
  using Sides = label_correcting::Sides;
  template <Sides sides>
  using Route = label_correcting::ContractedRoute<options.contracting(), sides>;

  void find(auto& route, Vertex source, Phase& phase, RunContext& context) {
    route.run(source, target_, context);
    note(phase, route.counts());
  }

  static void extract(const auto& route, P2p::Answer& answer) {
    answer.path.assign(route.reversed().begin(), route.reversed().end());
    if (!answer.path.empty()) answer.distance = static_cast<Distance>(route.distance());
  }

  void extract_from_both(P2p::Answer& answer) const {
    using Both = label_correcting::BidirectionalSearch<options.contracting()>;
    if (from_both_->distance() == Both::kNoWay) return;
    answer.distance = static_cast<Distance>(from_both_->distance());
    const auto back = from_both_->from_source().cursor();
    const auto onward = from_both_->to_target().cursor();
    for (Vertex v = from_both_->meeting(); v != kNoVertex; v = back.predecessor(v)) {
      answer.path.push_back(v);
    }
    std::ranges::reverse(answer.path);
    for (Vertex v = onward.predecessor(from_both_->meeting()); v != kNoVertex;
         v = onward.predecessor(v)) {
      answer.path.push_back(v);
    }
  }

  label_correcting::Search<options, Watch> search_;
  // At most one of these, in its stead.
  std::optional<Route<Sides::one>> core_from_one_;
  std::optional<Route<Sides::both>> core_from_both_;
  std::optional<label_correcting::BidirectionalSearch<options.contracting()>> from_both_;
  Vertex target_ = 0;
};

}  // namespace bellmark
