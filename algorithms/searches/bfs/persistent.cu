// bfs/persistent: Bellmark's own breadth-first search on the GPU. The whole search is one
// persistent kernel, without a round trip to the host between levels. persistent_device.cuh and
// persistent_cluster.cuh have the kernels and their cost models.
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

#include "algorithms/contract/registry.hpp"
#include "algorithms/problems/bfs/block.hpp"
#include "algorithms/problems/bfs/problem.hpp"
#include "algorithms/searches/bfs/gpu_options.hpp"
#include "algorithms/searches/bfs/persistent.cuh"
#include "algorithms/searches/bfs/persistent_options.hpp"

namespace bellmark {
namespace {

namespace persistent = bfs::persistent;
using persistent::Scope;

template <Scope scope, class RowOffset>
class Persistent {
 public:
  using Problem = Bfs;
  static constexpr bool kCluster = scope == Scope::cluster;

  static Description describe() {
    Description description;
    description.name = persistent::kFamily;
    description.summary = "Levels top-down or bottom-up in one persistent kernel on a GPU";
    description.source =
        "direction: Beamer, Asanovic, Patterson (SC 2012); the kernels are its own";
    description.keys = {
        word_key(
            "scope", "auto", {"auto", "device", "cluster"},
            "Part of the GPU that answers a query: the whole device, or one thread-block cluster"),
        at_run_time(
            word_key("order", "auto", {"auto", "by-degree", "as-given"},
                     "Numbering inside: vertices with most arcs first, or as in the graph")),
        at_run_time(integer_key("alpha", 25, 0, kLargestFactor,
                                "scope=device: a level goes bottom-up when alpha * arcs of the "
                                "frontier > arcs of unvisited vertices. Where an estimate from "
                                "the level before is twice that, nobody counts them. 0: never"),
                    true),
        at_run_time(integer_key("beta", 256, 1, kLargestFactor,
                                "scope=device: a level goes top-down again when beta * vertices of "
                                "the frontier < vertices"),
                    true),
        implied(at_run_time(
            integer_key("stay-below", 200'000, 0, kLargestFactor,
                        "scope=device: levels stay bottom-up, whatever beta says, while unvisited "
                        "vertices + vertices / 45 < stay-below. 0: never"),
            true)),
        implied(at_run_time(
            word_key("frontier", "spans", {"pieces", "spans"},
                     "scope=device: who finds a hub lists all parts of its row, or only the hub. "
                     "Spans need order=by-degree, and are pieces elsewhere"))),
        implied(at_run_time(
            integer_key("hub-degree", 128, 2, kLargestFactor,
                        "frontier=spans: rows of so many arcs and more are cut into spans. A warp "
                        "goes along each shorter one alone"),
            true)),
        implied(at_run_time(
            word_key("answer", "gathered", {"renumbered", "gathered"},
                     "scope=device: a kernel after the search turns numbers into the graph's ids, "
                     "or the search does so at its end. No effect where levels and ids are "
                     "untimed"))),
        implied(at_run_time(
            word_key("transpose", "made", {"none", "made"},
                     "scope=device, directed graphs: rows of entering arcs, made when preparing, "
                     "let levels go bottom-up. They take as much memory as the graph's"))),
        implied(word_key("row-offsets", "auto", {"auto", "32", "64"},
                         "Bits of the place where a vertex's arcs begin. 64, which needs "
                         "scope=device and order=by-degree, is for graphs of 2^32 arcs and more")),
        untimed_key({kNothing, "levels-and-ids"})};
    description.instance = {{"scope", kCluster ? "cluster" : "device"},
                            {"row-offsets", std::to_string(8 * sizeof(RowOffset))}};
    description.needs = {Need::cuda};
    return description;
  }

  static Settings resolve(const Settings& settings, const Graph& graph) {
    return persistent::resolve(settings, graph);
  }

  explicit Persistent(const Settings& settings)
      : by_degree_(settings.get("order") == "by-degree"),
        makes_transpose_(settings.get("transpose") == "made"),
        switch_{static_cast<std::uint64_t>(settings.integer("alpha")),
                static_cast<std::uint64_t>(settings.integer("beta")),
                static_cast<std::uint64_t>(settings.integer("stay-below"))},
        engine_(settings.get(kUntimed) == kNothing,
                {.spans = settings.get("frontier") == "spans",
                 .hub_degree = static_cast<std::uint32_t>(settings.integer("hub-degree")),
                 .gathers = settings.get("answer") == "gathered"}) {}

  void prepare(const Graph& graph, RunContext& context) {
    bfs::require_gpu(persistent::kFamily);
    if constexpr (sizeof(RowOffset) == sizeof(std::uint32_t)) persistent::require_arcs(graph);
    const bool symmetric = graph.properties().symmetric;
    std::optional<Graph> transpose;
    std::optional<bfs::Block> entering;
    if (makes_transpose_) {
      transpose.emplace(transposed(graph));
      entering.emplace(*transpose);
    }
    persistent::LayoutOf<RowOffset> layout(bfs::Block(graph), by_degree_, symmetric,
                                           entering ? &*entering : nullptr);
    engine_.prepare(layout, symmetric, context);
    numbering_ = std::move(layout.numbering);  // the rows are on the device
    context.account("numbering", numbering_.bytes());
    stream_ = std::make_unique<gpu::Stream>();
    // An upload may still be under way when its call returns, and the stream doesn't wait for it.
    gpu::check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  }

  void run(std::span<const Bfs::Query> queries, RunContext& context) {
    source_ = queries[0].source;
    gpu::WorkSums* const work = counter_.begin(context.work());
    {
      const gpu::GpuPhase phase(context, "search", *stream_);
      if (has_number()) {
        engine_.search(numbering_.number(source_), switch_, context.instrumented(), work, *stream_);
      }
    }
    {
      const gpu::GpuPhase phase(context, "renumber", *stream_);
      if (has_number()) engine_.renumber(source_, *stream_);
    }
    stream_->synchronize();
    if (context.work() != nullptr) {
      const Tally counts = counter_.counts();  // levels and their vertices are in the log
      counts.add_scans_to(*context.work());
      counts.add_atomics_to(*context.work());
    }
  }

  void extract(Bfs::Answer& answer) const {
    if (has_number()) {
      engine_.extract(numbering_, source_, answer);
    } else {
      bfs::fill_answer(
          numbering_, source_, {}, [](Vertex) { return false; }, answer);
    }
  }

  PhaseLog phase_log() const {
    if (!has_number()) return {};
    return engine_.phase_log(numbering_.original_count());
  }

 private:
  static constexpr std::int64_t kLargestFactor = 1'000'000'000;

  /// A source without arcs may have no number: it reaches only itself.
  bool has_number() const { return numbering_.number(source_) != kNoVertex; }

  bool by_degree_;
  bool makes_transpose_;
  persistent::Switch switch_;
  Vertex source_ = 0;  ///< the graph's
  bfs::Numbering numbering_;
  std::conditional_t<kCluster, persistent::ClusterEngine, persistent::DeviceEngine<RowOffset>>
      engine_;
  std::unique_ptr<gpu::Stream> stream_;
  gpu::WorkCounter counter_;
};

BELLMARK_REGISTER(Persistent<Scope::device, std::uint32_t>,
                  Persistent<Scope::device, std::uint64_t>,
                  Persistent<Scope::cluster, std::uint32_t>);

}  // namespace
}  // namespace bellmark
