// `auto` names its choice and the reason; conformance_test.cpp checks its answers.
#include "algorithms/searches/automatic/automatic.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "algorithms/contract/tuned.hpp"
#include "algorithms/problems/p2p/problem.hpp"
#include "algorithms/problems/sssp/problem.hpp"
#include "graph/generate.hpp"

namespace bellmark {
namespace {

template <Problem P>
std::string resolved_name(const std::string& variant, const Graph& graph,
                          std::vector<typename P::Query> queries) {
  detail::WorkloadOf<P> workload(graph, std::move(queries));
  Settings resolved;
  const auto selections = Registry::global().select(variant);
  const Instance& instance = find_instance(selections.at(0), workload, resolved);
  const auto bound = instance.bind(workload, resolved);
  RunContext context;
  bound->prepare(context);
  bound->run(0, 1, context);
  EXPECT_EQ(bound->certify(0), std::nullopt);
  return selections.at(0).family->canonical(resolved);
}

TEST(Automatic, SaysWhatItChoseAndWhy) {
  const Graph grid = make_graph("grid:rows=40,columns=40,lengths=uniform:1..4000");
  const std::string settings =
      "settings=queue=approximate;rows=four-slots;direction=push;prefetch=yes;distance=32;"
      "delta=512;horizon=0";
  EXPECT_EQ(resolved_name<Sssp>("sssp/auto", grid, {{3}}),
            "sssp/auto:algorithm=label-correcting,reason=short-rows," + settings);
  EXPECT_EQ(resolved_name<P2p>("p2p/auto", grid, {{3, 99}}),
            "p2p/auto:algorithm=label-correcting,reason=short-rows," + settings + ";sides=both");
  const Graph road = make_graph("road:n=2000");
  const std::string on_roads = resolved_name<Sssp>("sssp/auto", road, {{3}});
  EXPECT_TRUE(on_roads.ends_with(";contract=chains")) << on_roads;
  const std::string asked = resolved_name<Sssp>("sssp/auto:algorithm=dijkstra", grid, {{3}});
  EXPECT_EQ(asked.find("sssp/auto:algorithm=dijkstra,reason=asked-for,settings=queue=heap;"), 0U)
      << asked;
}

TEST(Automatic, TakesTunedSettingsWhereItIsAskedTo) {
  const Graph grid = make_graph("grid:rows=40,columns=40,lengths=uniform:1..4000");
  const Graph other = make_graph("grid:rows=40,columns=41,lengths=uniform:1..4000");
  const auto name_of = [](const char* variant) {
    return Registry::global().select(variant).front().name();
  };
  tuned::use_source([&]() -> std::vector<tuned::Winner> {
    return {{name_of("sssp/label-correcting"), name_of("sssp/label-correcting:delta=64"),
             grid.content_digest()},
            {name_of("sssp/dijkstra"), name_of("sssp/dijkstra:arity=2"), grid.content_digest()}};
  });
  const std::string chosen = resolved_name<Sssp>("sssp/auto:tuned=yes", grid, {{3}});
  EXPECT_NE(chosen.find(",reason=tuned,"), std::string::npos) << chosen;
  EXPECT_NE(chosen.find(";delta=64"), std::string::npos) << chosen;
  const std::string untouched = resolved_name<Sssp>("sssp/auto", grid, {{3}});
  EXPECT_NE(untouched.find(",reason=short-rows,"), std::string::npos) << untouched;
  const std::string elsewhere = resolved_name<Sssp>("sssp/auto:tuned=yes", other, {{3}});
  EXPECT_NE(elsewhere.find(",reason=short-rows,"), std::string::npos) << elsewhere;
  const std::string asked =
      resolved_name<Sssp>("sssp/auto:algorithm=dijkstra,tuned=yes", grid, {{3}});
  EXPECT_NE(asked.find("arity=2"), std::string::npos) << asked;
  tuned::use_source({});
  const std::string without = resolved_name<Sssp>("sssp/auto:tuned=yes", grid, {{3}});
  EXPECT_NE(without.find(",reason=short-rows,"), std::string::npos) << without;
}

TEST(Automatic, GoesByTheGraph) {
  const auto reason = [](const Graph& graph) { return automatic::choose(graph).reason; };
  EXPECT_EQ(reason(make_graph("kronecker:scale=10,lengths=uniform:1..255")), "dense-core");
  EXPECT_EQ(reason(make_graph("random:n=100,m=2000")), "long-rows");
  EXPECT_EQ(reason(Graph::from_arcs(1, {})), "short-rows");
  EXPECT_EQ(reason(make_graph("road:n=2000")), "chains");
  EXPECT_EQ(reason(make_graph("star:n=2000")), "chains");
  EXPECT_EQ(reason(make_graph("geometric:n=2000,degree=20")), "long-rows");
  std::vector<Arc> arcs(20'000, {0, 1, 1});
  arcs.push_back({1, 0, std::numeric_limits<Length>::max()});
  const Graph skewed = Graph::from_arcs(20'000, arcs);
  EXPECT_EQ(reason(skewed), "skewed-lengths");
  const std::string name = resolved_name<Sssp>("sssp/auto", skewed, {{0}});
  EXPECT_NE(name.find("algorithm=dijkstra"), std::string::npos) << name;
}

}  // namespace
}  // namespace bellmark
