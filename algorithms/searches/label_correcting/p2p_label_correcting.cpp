// p2p/label-correcting: approximate buckets until the target's distance is final.
#include <algorithm>
#include <span>
#include <utility>

#include "algorithms/contract/registry.hpp"
#include "algorithms/problems/p2p/problem.hpp"
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
    return description;
  }
  static Settings resolve(const Settings& settings, const Graph& graph) {
    return label_correcting::resolve(settings, graph);
  }

  explicit P2pLabelCorrecting(const Settings& settings)
      : search_(label_correcting::tuning(settings)) {}

  void prepare(const Graph& graph, RunContext& context) { search_.prepare(graph, context); }

  void run(std::span<const P2p::Query> queries, RunContext& context) {
    Phase phase(context, "search");
    target_ = queries[0].target;
    search_.run(queries[0].source, std::span(&target_, 1), context);
    phase.note("scanned_count", search_.counts().scanned_count);
    phase.note("queued_count", search_.counts().queued_count);
  }

  void extract(P2p::Answer& answer) const {
    const auto& labels = search_.labels();
    answer.path.clear();
    answer.distance = kUnreached;
    if (!labels.reached(target_)) return;
    answer.distance = static_cast<Distance>(labels.distance(target_));
    for (Vertex v = target_; v != kNoVertex; v = labels.cursor().predecessor(v)) {
      answer.path.push_back(v);
    }
    std::ranges::reverse(answer.path);
  }

 private:
  label_correcting::Search<options> search_;
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
