#include "algorithms/searches/owned_regions/regions.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>

#include "graph/random_stream.hpp"

namespace bellmark::owned_regions {
namespace {

constexpr std::uint32_t kNoRegion = std::numeric_limits<std::uint32_t>::max();

/// Grows regions from seeds until every vertex has one.
class Growth {
 public:
  explicit Growth(const Graph& graph) : graph_(graph), regions_(graph.vertex_count(), kNoRegion) {
    queue_.reserve(graph.vertex_count());
  }

  void seed(Vertex v) {
    if (regions_[v] != kNoRegion) return;
    regions_[v] = static_cast<std::uint32_t>(sizes_.size());
    sizes_.push_back(1);
    queue_.push_back(v);
  }

  void grow() {
    for (; next_ < queue_.size(); ++next_) {
      const Vertex u = queue_[next_];
      for (Offset e = graph_.row_offsets()[u]; e < graph_.row_offsets()[u + 1]; ++e) {
        const Vertex v = graph_.heads()[e];
        if (regions_[v] != kNoRegion) continue;
        regions_[v] = regions_[u];
        ++sizes_[regions_[u]];
        queue_.push_back(v);
      }
    }
  }

  const std::vector<std::uint32_t>& regions() const { return regions_; }
  const std::vector<std::uint64_t>& sizes() const { return sizes_; }

 private:
  const Graph& graph_;
  std::vector<std::uint32_t> regions_;
  std::vector<std::uint64_t> sizes_;
  std::vector<Vertex> queue_;
  std::size_t next_ = 0;
};

}  // namespace

std::vector<Owner> deal_regions(const Graph& graph, std::size_t region_count,
                                std::size_t thread_count) {
  const Vertex n = graph.vertex_count();
  std::vector<Owner> owners(n);
  if (thread_count <= 1 || n == 0) return owners;
  Growth growth(graph);
  // A vertex without arcs grows nothing: some others are drawn in its place.
  const Stream random(1, Stream::order);
  for (std::uint64_t i = 0; i < 8 * region_count && growth.sizes().size() < region_count; ++i) {
    const auto v = static_cast<Vertex>(random.below(i, n));
    if (graph.row_offsets()[v] < graph.row_offsets()[v + 1]) growth.seed(v);
  }
  growth.grow();
  // The vertices that no seed reaches: a region a component.
  for (Vertex v = 0; v < n; ++v) {
    growth.seed(v);
    growth.grow();
  }
  const std::vector<std::uint64_t>& sizes = growth.sizes();
  std::vector<std::uint32_t> by_size(sizes.size());
  std::iota(by_size.begin(), by_size.end(), 0U);
  std::ranges::stable_sort(by_size, std::ranges::greater(),
                           [&](std::uint32_t region) { return sizes[region]; });
  std::vector<std::uint64_t> loads(thread_count);
  std::vector<Owner> owner_of_region(sizes.size());
  for (const std::uint32_t region : by_size) {
    const auto least = std::ranges::min_element(loads);
    *least += sizes[region];
    owner_of_region[region] = static_cast<Owner>(least - loads.begin());
  }
  std::ranges::transform(growth.regions(), owners.begin(),
                         [&](std::uint32_t region) { return owner_of_region[region]; });
  return owners;
}

std::uint64_t crossing_count(const Graph& graph, const std::vector<Owner>& owners) {
  std::uint64_t count = 0;
  for (Vertex u = 0; u < graph.vertex_count(); ++u) {
    for (Offset e = graph.row_offsets()[u]; e < graph.row_offsets()[u + 1]; ++e) {
      count += owners[u] != owners[graph.heads()[e]] ? 1 : 0;
    }
  }
  return count;
}

}  // namespace bellmark::owned_regions
