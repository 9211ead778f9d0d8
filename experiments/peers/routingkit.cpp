// RoutingKit's hierarchies behind Bellmark's wire: routingkit.toml says how to build it. The first
// argument is the form: contraction or customisable.
#include <routingkit/contraction_hierarchy.h>
#include <routingkit/customizable_contraction_hierarchy.h>
#include <routingkit/nested_dissection.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "bellmark/worker.hpp"

namespace {

namespace worker = bellmark::worker;
using Clock = std::chrono::steady_clock;

/// The arcs of DIMACS text.
struct Arcs {
  unsigned vertex_count = 0;
  std::vector<unsigned> tails;
  std::vector<unsigned> heads;
  std::vector<unsigned> lengths;

  explicit Arcs(const worker::Graph& graph) {
    std::ifstream file(graph.file);
    for (std::string line; std::getline(file, line);) {
      std::istringstream words(line.substr(line.empty() ? 0 : 1));
      std::string kind;
      unsigned a = 0;
      unsigned b = 0;
      unsigned c = 0;
      if (line[0] == 'p' && words >> kind >> a) vertex_count = a;
      if (line[0] == 'a' && words >> a >> b >> c) {
        tails.push_back(a - 1);
        heads.push_back(b - 1);
        lengths.push_back(c);
      }
    }
    if (vertex_count == 0) throw std::runtime_error(graph.file + " has no vertices");
  }
};

/// Says how long a part of preparing took.
template <class Work>
auto timed(const char* what, Work work) {
  const auto begin = Clock::now();
  auto made = work();
  const std::chrono::duration<double, std::milli> taken = Clock::now() - begin;
  std::cerr << "routingkit: " << what << ' ' << taken.count() << " ms\n";
  return made;
}

std::vector<unsigned> nested_dissection(const Arcs& arcs) {
  const char* const path = std::getenv("ROUTINGKIT_COORDINATES");
  if (path == nullptr) throw std::runtime_error("ROUTINGKIT_COORDINATES names no `.co` text");
  std::vector<float> latitudes(arcs.vertex_count);
  std::vector<float> longitudes(arcs.vertex_count);
  std::ifstream file(path);
  std::size_t count = 0;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    char kind = 0;
    std::size_t vertex = 0;
    double x = 0;
    double y = 0;
    if (!(words >> kind >> vertex >> x >> y) || kind != 'v') continue;
    longitudes.at(vertex - 1) = static_cast<float>(x * 1e-6);
    latitudes.at(vertex - 1) = static_cast<float>(y * 1e-6);
    ++count;
  }
  if (count != arcs.vertex_count) {
    throw std::runtime_error(std::string(path) + " has coordinates of other vertices");
  }
  return RoutingKit::compute_nested_node_dissection_order_using_inertial_flow(
      arcs.vertex_count, arcs.tails, arcs.heads, latitudes, longitudes);
}

/// Common parts of both forms: `Query` is RoutingKit's.
template <class Query>
class Answers {
 public:
  std::chrono::nanoseconds answer(const worker::Query& asked) {
    const auto begin = Clock::now();
    query_.reset();
    query_.add_source(static_cast<unsigned>(asked.source));
    query_.add_target(static_cast<unsigned>(asked.target));
    query_.run();
    distance_ = query_.get_distance();
    if (with_path_) path_ = query_.get_node_path();
    const auto taken = Clock::now() - begin;
    if (!with_path_) path_ = query_.get_node_path();
    return taken;
  }

  void extract(worker::Answer& answer) const {
    const bool is_reached = distance_ != RoutingKit::inf_weight;
    answer.distances.assign(1,
                            is_reached ? static_cast<std::int64_t>(distance_) : worker::kUnreached);
    answer.path.clear();
    if (is_reached) answer.path.assign(path_.begin(), path_.end());
  }

 protected:
  Query query_;
  bool with_path_ = true;

 private:
  unsigned distance_ = 0;
  std::vector<unsigned> path_;
};

class Contraction : public Answers<RoutingKit::ContractionHierarchyQuery> {
 public:
  void prepare(const worker::Graph& graph) {
    with_path_ = graph.setting("timed", "path") == "path";
    const Arcs arcs(graph);
    hierarchy_ = timed("contraction", [&] {
      return RoutingKit::ContractionHierarchy::build(arcs.vertex_count, arcs.tails, arcs.heads,
                                                     arcs.lengths);
    });
    query_.reset(hierarchy_);
  }

 private:
  RoutingKit::ContractionHierarchy hierarchy_;
};

class Customisable : public Answers<RoutingKit::CustomizableContractionHierarchyQuery> {
 public:
  void prepare(const worker::Graph& graph) {
    with_path_ = graph.setting("timed", "path") == "path";
    const Arcs arcs(graph);
    const auto order = timed("order", [&] { return nested_dissection(arcs); });
    hierarchy_ = timed("hierarchy", [&] {
      return RoutingKit::CustomizableContractionHierarchy(order, arcs.tails, arcs.heads);
    });
    lengths_ = arcs.lengths;
    metric_ = RoutingKit::CustomizableContractionHierarchyMetric(hierarchy_, lengths_);
    for (int i = 0; i < 3; ++i) {
      timed("customisation", [&] {
        metric_.reset(hierarchy_, lengths_).customize();
        return 0;
      });
    }
    query_.reset(metric_);
  }

 private:
  RoutingKit::CustomizableContractionHierarchy hierarchy_;
  std::vector<unsigned> lengths_;
  RoutingKit::CustomizableContractionHierarchyMetric metric_;
};

}  // namespace

int main(int argc, char** argv) {
  const std::string form = argc > 1 ? argv[1] : "";
  if (form == "contraction") {
    Contraction contraction;
    return bellmark::serve(contraction, {"routingkit-ch", "247aef14", {"p2p"}});
  }
  if (form == "customisable") {
    Customisable customisable;
    return bellmark::serve(customisable, {"routingkit-cch", "247aef14", {"p2p"}});
  }
  std::cerr << "routingkit: name the form: contraction or customisable\n";
  return 2;
}
