// p2p/label-correcting: approximate buckets until the target's distance is final.
#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include "algorithms/contract/registry.hpp"
#include "algorithms/problems/p2p/problem.hpp"
#include "algorithms/searches/label_correcting/contracted_route.hpp"
#include "algorithms/searches/label_correcting/search.hpp"

namespace bellmark {
namespace {

template <label_correcting::Options options>
class P2pLabelCorrecting {
 public:
  using Problem = P2p;

  static Description describe() {
    Description description = label_correcting::describe(options);
    description.name = "p2p/label-correcting";
    description.summary = "Label correcting with approximate buckets; stops at the target's";
    description.keys.push_back(label_correcting::contract_key());
    return description;
  }
  static Settings resolve(const Settings& settings, const Graph& graph) {
    return label_correcting::resolve_contracting(settings, graph);
  }

  explicit P2pLabelCorrecting(const Settings& settings)
      : search_(label_correcting::tuning(settings)) {
    if constexpr (options.contracts()) {
      if (label_correcting::contracts(settings)) core_.emplace(label_correcting::tuning(settings));
    }
  }

  void prepare(const Graph& graph, RunContext& context) {
    if (core_) return core_->prepare(graph, context);
    search_.prepare(graph, context);
  }

  void run(std::span<const P2p::Query> queries, RunContext& context) {
    Phase phase(context, "search");
    const auto [source, target] = queries[0];
    target_ = target;
    if (core_) {
      core_->run(source, target, context);
      return note(phase, core_->counts());
    }
    search_.run(source, std::span(&target_, 1), context);
    note(phase, search_.counts());
  }

  void extract(P2p::Answer& answer) const {
    answer.path.clear();
    answer.distance = kUnreached;
    if (core_) {
      answer.path.assign(core_->reversed().begin(), core_->reversed().end());
      if (!answer.path.empty()) answer.distance = static_cast<Distance>(core_->distance());
    } else if (const auto& labels = search_.labels(); labels.reached(target_)) {
      answer.distance = static_cast<Distance>(labels.distance(target_));
      for (Vertex v = target_; v != kNoVertex; v = labels.cursor().predecessor(v)) {
        answer.path.push_back(v);
      }
    }
    std::ranges::reverse(answer.path);
  }

 private:
  label_correcting::Search<options> search_;
  std::optional<label_correcting::ContractedRoute<options.contracting()>> core_;
  Vertex target_ = 0;
};

template <std::size_t... i>
bool register_built(std::index_sequence<i...>) {
  return detail::register_variants<P2pLabelCorrecting<label_correcting::kBuilt[i]>...>();
}

[[maybe_unused]] const bool registered =
    register_built(std::make_index_sequence<label_correcting::kBuilt.size()>());

}  // namespace
}  // namespace bellmark
