#include "graph/generate.hpp"

#include <gtest/gtest.h>
#include <sched.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "graph/expected_size.hpp"
#include "graph/open.hpp"
#include "graph/random_stream.hpp"
#include "graph/reference.hpp"
#include "graph/test_support.hpp"

namespace bellmark {
namespace {

std::string digest_of(const std::string& reference) {
  return make_graph(reference).content_digest();
}

// These digests are a promise: a result names a generated graph by its formula alone.
TEST(Generate, TheSameNumbersOnEveryMachine) {
  EXPECT_EQ(digest_of("grid:rows=3,columns=4"), "85cdeae2b6332573d72662b127c805d0");
  EXPECT_EQ(digest_of("grid:rows=64,columns=64,keep=0.85,lengths=hash:1..1000,seed=7"),
            "260d18c17debea55e06a8d7da6a1ace4");
  EXPECT_EQ(digest_of("grid:rows=100,columns=50,keep=0.5,lengths=unit,seed=2"),
            "7b13622511792b6d17e3625f242f514d");
  EXPECT_EQ(digest_of("random:n=10,m=20"), "b09aed589b81e8686a5b1ea1a0628e44");
  EXPECT_EQ(digest_of("random:n=1000,m=4000,lengths=uniform:0..2147483647,seed=9"),
            "d1b55c0643264fe5e52b8280ddcca20e");
  EXPECT_EQ(digest_of("random:n=1000,m=4000,lengths=hash:5..6,seed=18446744073709551615"),
            "82f8b1cd1c8fa57bd791d933bf1ed272");
  EXPECT_EQ(digest_of("kronecker:scale=1,edge-factor=2"), "dcc2e76a93ab55f213c2ee5996fea46d");
  EXPECT_EQ(digest_of("kronecker:scale=7"), "7f3f75123c2a741703aaf76e99f0baff");
  EXPECT_EQ(digest_of("kronecker:scale=14,edge-factor=5,lengths=uniform:1..255,seed=3"),
            "a927271688d99f2a75b1dc762b6c5b59");
  EXPECT_EQ(digest_of("road:n=100"), "4ce90c4394312069135325247e77031a");
  EXPECT_EQ(digest_of("road:n=5000,lengths=uniform:1..255,seed=3"),
            "c204d1c76a707c259005082a4b2dd738");
  EXPECT_EQ(digest_of("road-main:n=5000,seed=3"), "3eb3828c3a2c749bc80b8a5862a456c1");
  EXPECT_EQ(digest_of("long:scale=14"), "ce8a98581d9c7dea5f6a7508e708ee0d");
  EXPECT_EQ(digest_of("square:scale=15"), "d4427c886b5faeb78ddd136bff2146ac");
  EXPECT_EQ(digest_of("random4:scale=14"), "0587b937b205e3f9e50f48ac8de33e02");
  EXPECT_EQ(digest_of("random4:scale=14,lengths=uniform:0..4^15,seed=2"),
            "ded9d1878e6db9edc41401ff84654359");
  EXPECT_EQ(digest_of("hyperbolic:n=1000,degree=8"), "a9e028ec2255317a380184fc626ad685");
  EXPECT_EQ(digest_of("hyperbolic:n=5000,degree=20,exponent=2.2,lengths=hash:1..9,seed=3"),
            "6fc258b34afb76335da67eadeee25f19");
  EXPECT_EQ(digest_of("geometric:n=1000,degree=8"), "59afff700b0d4725567be9250054ec30");
  EXPECT_EQ(digest_of("geometric:n=5000,degree=2.5,lengths=zero-one:30,seed=3"),
            "81e9ca58e31a149fa4eb9608123ed235");
  EXPECT_EQ(digest_of("delaunay:n=1000"), "ffe80e23df20a8aff3464fe4f4d48a7f");
  EXPECT_EQ(digest_of("delaunay:n=5000,lengths=exponential:100,seed=3"),
            "fcb99b659c288df8facfce18e905fc67");
  EXPECT_EQ(digest_of("nearest:n=1000,k=6"), "72dee9b80b60eaad221fd676ac39169d");
  EXPECT_EQ(digest_of("nearest:n=5000,k=1,lengths=exponential:2147483647,seed=3"),
            "caa91c051415e7e541adabe3f622f1a2");
  EXPECT_EQ(digest_of("rmat:scale=10"), "5c16deba03a2ad7707d41868ec31e83e");
  EXPECT_EQ(digest_of("rmat:scale=11,edge-factor=5,a=0.7,b=0.1,c=0.2,lengths=uniform:1..9,seed=3"),
            "9b91a3cd49452068b1fa07c20a0adc8b");
  EXPECT_EQ(digest_of("mesh:x=2,y=3,z=4"), "aa59e0ff99a80efa4646b9da04b37f8b");
  EXPECT_EQ(digest_of("mesh:x=10,y=11,z=12,lengths=hash:1..9,seed=3"),
            "5f5246af3226e26ee668d31ff080875f");
  EXPECT_EQ(digest_of("chain:n=10"), "3ac6eaad33a17e4010a6f83d731ae64d");
  EXPECT_EQ(digest_of("star:n=10"), "5ed7ebd5ad9d886b41ab0958c81e4826");
}

TEST(Generate, TheSameNumbersByAnyNumberOfThreads) {
  const char* const references[] = {"long:scale=16",
                                    "square:scale=16",
                                    "random4:scale=16",
                                    "kronecker:scale=13",
                                    "rmat:scale=13",
                                    "hyperbolic:n=30000,degree=9",
                                    "geometric:n=30000,degree=9",
                                    "nearest:n=30000,k=6",
                                    "delaunay:n=20000",
                                    "mesh:x=40,y=30,z=20"};
  std::vector<std::string> by_all;
  for (const char* reference : references) by_all.push_back(digest_of(reference));
  cpu_set_t all;
  ASSERT_EQ(::sched_getaffinity(0, sizeof all, &all), 0);
  std::size_t first = 0;
  while (!CPU_ISSET(first, &all)) ++first;
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(first, &one);
  ASSERT_EQ(::sched_setaffinity(0, sizeof one, &one), 0);
  std::vector<std::string> by_one;
  for (const char* reference : references) by_one.push_back(digest_of(reference));
  ASSERT_EQ(::sched_setaffinity(0, sizeof all, &all), 0);
  EXPECT_EQ(by_all, by_one);
}

TEST(Generate, GridIsAGrid) {
  const Graph graph = make_grid(3, 4, 1, parse_lengths("unit"), 1);
  EXPECT_EQ(graph.vertex_count(), 12U);
  EXPECT_EQ(graph.arc_count(), 2U * (3 * 3 + 2 * 4));
  EXPECT_TRUE(graph.properties().symmetric);
  for (Vertex u = 0; u < 12; ++u) {
    for (Offset e = graph.row_offsets()[u]; e < graph.row_offsets()[u + 1]; ++e) {
      const Vertex low = std::min(u, graph.heads()[e]);
      const Vertex high = std::max(u, graph.heads()[e]);
      EXPECT_TRUE(high - low == 4 || (high - low == 1 && high % 4 != 0));
    }
  }
  EXPECT_EQ(make_grid(20, 30, 0, parse_lengths("unit"), 1).arc_count(), 0U);
  const Graph thinned = make_grid(200, 200, 0.85, parse_lengths("uniform:10..20"), 3);
  EXPECT_NEAR(static_cast<double>(thinned.arc_count()), 0.85 * 4 * 200 * 199, 2000);
  EXPECT_TRUE(thinned.properties().symmetric);
  EXPECT_EQ(thinned.properties().least_length, 10);
  EXPECT_EQ(thinned.properties().largest_length, 20);
}

TEST(Generate, DegenerateGrids) {
  EXPECT_EQ(make_graph("grid:rows=0,columns=5").vertex_count(), 0U);
  EXPECT_EQ(make_graph("grid:rows=5,columns=0").vertex_count(), 0U);
  EXPECT_EQ(make_graph("grid:rows=1,columns=1").arc_count(), 0U);
  EXPECT_EQ(make_graph("grid:rows=1,columns=5").arc_count(), 8U);
  EXPECT_EQ(make_graph("grid:rows=5,columns=1").arc_count(), 8U);
  EXPECT_EQ(make_graph("random:n=0,m=0").vertex_count(), 0U);
  EXPECT_EQ(make_graph("random:n=1,m=3").arc_count(), 3U);
}

/// The lowest `count` bits in reverse.
std::uint64_t reversed(std::uint64_t x, int count) {
  std::uint64_t result = 0;
  for (int k = 0; k < count; ++k) result |= (x >> k & 1) << (count - 1 - k);
  return result;
}

/// The edges that the formula of a Kronecker graph draws, with loops and duplicates.
struct KroneckerList {
  std::vector<std::pair<Vertex, Vertex>> edges;
  std::array<int, 4> drawn{};  ///< number of draws of each quadrant
};

KroneckerList kronecker_list(int scale, std::uint64_t edge_factor, std::uint64_t seed) {
  const Stream quadrants(seed, Stream::quadrants);
  const std::uint64_t a = Stream(seed, Stream::scramble).draw(0);
  const std::uint64_t b = Stream(seed, Stream::scramble).draw(1);
  const auto scrambled = [&](std::uint64_t v) {
    v = reversed((v + a + b) * (a | 0x4519840211493211), scale);
    return static_cast<Vertex>(reversed(v * (b | 0x3050852102c843a5), scale));
  };
  std::set<Vertex> ids;
  for (std::uint64_t v = 0; v < std::uint64_t{1} << scale; ++v) ids.insert(scrambled(v));
  EXPECT_EQ(ids.size(), std::size_t{1} << scale);
  EXPECT_EQ(*ids.rbegin(), (std::size_t{1} << scale) - 1);

  KroneckerList list;
  const auto levels = static_cast<std::uint64_t>(scale);
  for (std::uint64_t i = 0; i < edge_factor << levels; ++i) {
    std::uint64_t tail = 0;
    std::uint64_t head = 0;
    for (std::uint64_t k = 0; k < levels; ++k) {
      const std::uint64_t x = quadrants.draw(i * ((levels + 1) / 2) + k / 2);
      const std::uint64_t q = k % 2 == 0 ? x >> 32 : x & 0xffffffff;
      const int quadrant = q < 2'448'131'358   ? 0
                           : q < 3'264'175'144 ? 1
                           : q < 4'080'218'931 ? 2
                                               : 3;
      ++list.drawn[static_cast<std::size_t>(quadrant)];
      tail |= static_cast<std::uint64_t>(quadrant / 2) << k;
      head |= static_cast<std::uint64_t>(quadrant % 2) << k;
    }
    list.edges.emplace_back(scrambled(tail), scrambled(head));
  }
  return list;
}

TEST(Generate, KroneckerIsItsFormula) {
  constexpr int kScale = 9;
  constexpr std::uint64_t kEdges = 16 << kScale;
  const auto [edges, drawn] = kronecker_list(kScale, 16, 5);
  std::map<std::pair<Vertex, Vertex>, Length> expected;
  const LengthSource length(parse_lengths("hash:1..255"), 5);
  for (const auto& [u, v] : edges) {
    if (u != v) expected[{u, v}] = expected[{v, u}] = length.of_ends(u, v);
  }
  const double draws = kScale * static_cast<double>(kEdges);
  EXPECT_NEAR(drawn[0] / draws, 0.57, 0.01);
  EXPECT_NEAR(drawn[1] / draws, 0.19, 0.01);
  EXPECT_NEAR(drawn[2] / draws, 0.19, 0.01);

  const Graph graph = make_graph("kronecker:scale=9,lengths=uniform:1..255,seed=5");
  verify_graph(graph, "kronecker");
  EXPECT_TRUE(graph.properties().symmetric);
  EXPECT_TRUE(graph.properties().sorted_rows);
  std::map<std::pair<Vertex, Vertex>, Length> found;
  for (Vertex u = 0; u < graph.vertex_count(); ++u) {
    for (Offset e = graph.row_offsets()[u]; e < graph.row_offsets()[u + 1]; ++e) {
      EXPECT_TRUE(found.emplace(std::pair(u, graph.heads()[e]), graph.length(e)).second);
    }
  }
  EXPECT_EQ(found, expected);
}

/// Graph500's count for a search from the source: edges of the list within its component.
std::uint64_t count_in_component(const KroneckerList& list, Vertex vertex_count, Vertex source) {
  std::vector<bool> reached(vertex_count);
  reached[source] = true;
  for (bool grown = true; grown;) {
    grown = false;
    for (const auto& [u, v] : list.edges) {
      if (reached[u] == reached[v]) continue;
      reached[u] = reached[v] = grown = true;
    }
  }
  return static_cast<std::uint64_t>(
      std::ranges::count_if(list.edges, [&](const auto& edge) { return reached[edge.first]; }));
}

/// Half the sum of edge-list degrees over the vertices that a search reaches.
std::uint64_t half_sum_of_degrees(const Graph& graph, Vertex source) {
  std::vector<bool> met(graph.vertex_count());
  std::vector<Vertex> queue = {source};
  met[source] = true;
  std::uint64_t sum = 0;
  for (std::size_t next = 0; next < queue.size(); ++next) {
    const Vertex u = queue[next];
    sum += graph.edge_list_degrees()[u];
    for (Offset e = graph.row_offsets()[u]; e < graph.row_offsets()[u + 1]; ++e) {
      if (met[graph.heads()[e]]) continue;
      met[graph.heads()[e]] = true;
      queue.push_back(graph.heads()[e]);
    }
  }
  EXPECT_EQ(sum % 2, 0U);
  return sum / 2;
}

TEST(Generate, KroneckerKeepsCountOfTheEdgesOfItsList) {
  struct Case {
    int scale;
    std::uint64_t edge_factor;
    std::uint64_t seed;
  };
  // Two vertices with mostly loops and duplicates; few edges, of many components; usual graphs.
  for (const Case& each : {Case{1, 4, 1}, Case{2, 3, 9}, Case{6, 1, 2}, Case{8, 1, 3},
                           Case{7, 16, 1}, Case{9, 16, 5}}) {
    const std::string reference = "kronecker:scale=" + std::to_string(each.scale) +
                                  ",edge-factor=" + std::to_string(each.edge_factor) +
                                  ",seed=" + std::to_string(each.seed);
    const KroneckerList list = kronecker_list(each.scale, each.edge_factor, each.seed);
    const Graph graph = make_graph(reference);
    verify_graph(graph, reference);
    std::vector<std::uint32_t> expected(graph.vertex_count());
    for (const auto& [u, v] : list.edges) {
      ++expected[u];
      ++expected[v];
    }
    EXPECT_TRUE(std::ranges::equal(graph.edge_list_degrees(), expected)) << reference;
    EXPECT_EQ(edge_list_edge_count(graph), list.edges.size());
    EXPECT_LT(graph.arc_count(), 2 * list.edges.size()) << "no loop and no duplicate is dropped";
    for (Vertex source = 0; source < graph.vertex_count(); source += 3) {
      EXPECT_EQ(half_sum_of_degrees(graph, source),
                count_in_component(list, graph.vertex_count(), source))
          << reference << ", source " << source;
    }
  }
}

struct Degrees {
  Offset least = ~Offset{0};
  Offset largest = 0;
};

Degrees degrees_of(const Graph& graph) {
  Degrees degrees;
  for (std::size_t v = 0; v < graph.vertex_count(); ++v) {
    const Offset degree = graph.row_offsets()[v + 1] - graph.row_offsets()[v];
    degrees.least = std::min(degrees.least, degree);
    degrees.largest = std::max(degrees.largest, degree);
  }
  return degrees;
}

// yasui2011, Table 1.
TEST(Generate, ChallengeFamiliesHaveThePapersNumbers) {
  for (const std::uint64_t scale : {5, 14, 15, 16, 17}) {
    const std::uint64_t n = std::uint64_t{1} << scale;
    const std::string key = "scale=" + std::to_string(scale);
    const Graph lengthy = make_graph("long:" + key);
    EXPECT_EQ(lengthy.vertex_count(), n);
    EXPECT_EQ(lengthy.arc_count(), 4 * n - 32 - 2 * (n / 16));
    const Graph random = make_graph("random4:" + key);
    EXPECT_EQ(random.vertex_count(), n);
    EXPECT_EQ(random.arc_count(), 4 * n);
    const Graph square = make_graph("square:" + key);
    std::uint64_t rows = 1;
    while ((rows + 1) * (rows + 1) <= n) ++rows;
    const std::uint64_t columns = n / rows;
    EXPECT_EQ(square.vertex_count(), rows * columns);
    EXPECT_EQ(square.arc_count(), 4 * rows * columns - 2 * rows - 2 * columns);
    if (scale % 2 == 0) {
      EXPECT_EQ(square.arc_count(), 4 * n - 4 * (1U << (scale / 2)));
    }
    for (const Graph* graph : {&lengthy, &square, &random}) {
      EXPECT_GE(degrees_of(*graph).least, graph == &random ? 1U : 2U);
      EXPECT_LE(degrees_of(*graph).largest, graph == &random ? 17U : 4U);
      EXPECT_GE(graph->properties().least_length, 0);
      EXPECT_LE(graph->properties().largest_length, static_cast<Length>(n));
      EXPECT_TRUE(scale == 5 || graph->properties().largest_length > static_cast<Length>(n / 2));
    }
    if (scale == 5) continue;
    EXPECT_EQ(degrees_of(lengthy).least, 2U);
    EXPECT_EQ(degrees_of(lengthy).largest, 4U);
    EXPECT_EQ(degrees_of(square).least, 2U);
    EXPECT_EQ(degrees_of(square).largest, 4U);
    EXPECT_EQ(degrees_of(random).least, 1U);
    EXPECT_GE(degrees_of(random).largest, 10U);
  }
  const Graph shortest = make_graph("square:scale=10,lengths=uniform:0..4^0");
  EXPECT_EQ(shortest.properties().least_length, 0);
  EXPECT_EQ(shortest.properties().largest_length, 1);
  const Graph longest = make_graph("random4:scale=12,lengths=uniform:0..4^15");
  EXPECT_GT(longest.properties().largest_length, 1 << 29);
  EXPECT_LE(longest.properties().largest_length, 1 << 30);
}

TEST(Generate, Random4HasACycleAndNoLoops) {
  const Graph graph = make_graph("random4:scale=10,lengths=unit,seed=4");
  std::array<int, 1024> into{};
  for (Vertex u = 0; u < graph.vertex_count(); ++u) {
    bool on = false;
    for (Offset e = graph.row_offsets()[u]; e < graph.row_offsets()[u + 1]; ++e) {
      const Vertex v = graph.heads()[e];
      EXPECT_NE(u, v);
      on = on || v == (u + 1) % 1024;
      ++into[v];
    }
    EXPECT_TRUE(on);
  }
  EXPECT_GE(std::ranges::min(into), 1);
  const Graph two = make_graph("random4:scale=1,lengths=unit");
  EXPECT_EQ(two.arc_count(), 8U);
}

TEST(Generate, PropertiesAreTrue) {
  for (const char* reference :
       {"grid:rows=100,columns=90,keep=0.85", "grid:rows=7,columns=1", "grid:rows=1,columns=7",
        "grid:rows=0,columns=7", "grid:rows=9,columns=9,keep=0", "grid:rows=5,columns=2",
        "kronecker:scale=14,edge-factor=3", "kronecker:scale=3,edge-factor=0", "road:n=1000",
        "road-main:n=1000", "long:scale=5", "square:scale=2", "random4:scale=13"}) {
    EXPECT_NO_THROW(verify_graph(make_graph(reference), reference));
  }
}

TEST(Generate, EveryFormulaIsMadeAgainAndSizedAhead) {
  std::set<std::string> names;
  for (const std::string text : kSmallFormulas) {
    const Graph graph = make_graph(text);
    verify_graph(graph, text);
    names.insert(text.substr(0, text.find(':')));
    EXPECT_EQ(graph.provenance(), to_string(parse_reference(text)));
    EXPECT_EQ(digest_of(graph.provenance()), graph.content_digest()) << text;
    EXPECT_TRUE(opens_at_once(text)) << text;
    EXPECT_TRUE(open_graph(text + ",arcs=both").properties().symmetric) << text;
    if (text.starts_with("road-main")) continue;  // its size is that of the whole map
    const auto size = static_cast<double>(graph.vertex_count() + graph.arc_count());
    const auto expected = expected_size(text);
    ASSERT_TRUE(expected.has_value()) << text;
    EXPECT_NEAR(expected->count, size, 0.5 * size) << text;
  }
  for (const std::string& name : generator_names()) {
    EXPECT_TRUE(name == "tile" || names.contains(name)) << name << " has no small graph";
  }
}

TEST(Generate, SeedsAndSchemesMatter) {
  const std::string one = digest_of("random:n=100,m=400,seed=1");
  EXPECT_EQ(digest_of("random:seed=1,m=400,n=100,lengths=uniform:1..1000"), one);
  EXPECT_NE(digest_of("random:n=100,m=400,seed=2"), one);
  EXPECT_NE(digest_of("random:n=100,m=400,seed=1,lengths=hash:1..1000"), one);
}

TEST(Generate, HashLengthsAgreeOnOppositeArcs) {
  const Graph graph = make_random(4, 500, parse_lengths("hash:0..1000000"), 5);
  std::map<std::pair<Vertex, Vertex>, Length> lengths;
  for (Vertex u = 0; u < 4; ++u) {
    for (Offset e = graph.row_offsets()[u]; e < graph.row_offsets()[u + 1]; ++e) {
      const auto ends = std::minmax(u, graph.heads()[e]);
      const auto [at, inserted] = lengths.emplace(ends, graph.length(e));
      EXPECT_EQ(at->second, graph.length(e));
    }
  }
  EXPECT_EQ(lengths.size(), 10U);
}

TEST(Generate, ProvenanceMakesTheGraphAgain) {
  for (const char* reference : {"grid:columns=7,rows=9,keep=0.85", "random:n=10,m=30",
                                "grid:rows=3,columns=3,keep=0.1,lengths=unit,seed=3", "road:n=900",
                                "road-main:n=900,lengths=hash:1..9", "long:scale=6,seed=2",
                                "square:scale=7,lengths=uniform:0..4^3", "random4:scale=8"}) {
    const Graph graph = make_graph(reference);
    EXPECT_EQ(digest_of(graph.provenance()), graph.content_digest()) << graph.provenance();
  }
}

TEST(Generate, SaysWhatIsWrong) {
  const std::pair<const char*, const char*> cases[] = {
      {"gird:rows=2,columns=2", "gird:rows=2,columns=2: unknown generator; did you mean 'grid'?"},
      {"grid:rows=2", "grid:rows=2: key 'columns' is missing; add columns=VALUE"},
      {"grid:", "grid:: key 'rows' is missing; add rows=VALUE"},
      {"grid:rows=2,colums=2",
       "grid:rows=2,colums=2: unknown key 'colums'; did you mean "
       "'columns'?"},
      {"grid:rows=2,columns",
       "grid:rows=2,columns: key 'columns' has no value; write "
       "columns=VALUE"},
      {"grid:rows=2,rows=2", "grid:rows=2,rows=2: key 'rows' is given twice; keep only one"},
      {"random:n=x,m=1", "random:n=x,m=1: n: 'x' is not a whole number; correct the value"},
      {"random:n=1,m=-1", "random:n=1,m=-1: m: '-1' is not a whole number; correct the value"},
      {"random:n=1,m=", "random:n=1,m=: m: '' is not a whole number; correct the value"},
      {"random:n=1,m=1,lengths=unifrom:1..2",
       "lengths=unifrom:1..2: unknown lengths 'unifrom'; did you mean 'uniform'?"},
      {"random4:scale=31",
       "random4:scale=31,lengths=uniform:0..1073741824,seed=1: scale is not in "
       "1..30; there are 2^scale vertices"},
      {"random4:scale=x", "random4:scale=x: scale: 'x' is not a whole number; correct the value"},
      {"long:scale=10,lengths=uniform:0..2^31",
       "lengths=uniform:0..2^31: '2^31' is not a whole number between -2^31 and 2^31; correct the "
       "value"},
      {"long:scale=10,lengths=scale:2^1",
       "lengths=scale:2^1: a formula has no lengths to scale; scale those of a file, or give the "
       "formula another range"},
      {"random:n=1,m=1,lengths=hash", "lengths=hash: the range is missing; write hash:LO..HI"},
      {"random:n=1,m=1,lengths=hash:2..1",
       "lengths=hash:2..1: not a range of lengths; write LO..HI with LO <= HI"},
      {"random:n=1,m=1,lengths=hash:-2..-3",
       "lengths=hash:-2..-3: not a range of lengths; write LO..HI with LO <= HI"},
      {"random:n=1,m=1,lengths=hash:-2147483648..1",
       "lengths=hash:-2147483648..1: '-2147483648' is not a whole number between -2^31 and 2^31; "
       "correct the value"},
      {"random:n=1,m=1,lengths=hash:0..2147483648",
       "lengths=hash:0..2147483648: '2147483648' is not a whole number between -2^31 and "
       "2^31; correct the value"},
  };
  for (const auto& [reference, message] : cases) {
    EXPECT_EQ(error_of([&, r = reference] { make_graph(r); }), message);
  }
  const auto code = [](const char* reference) { return code_of([=] { make_graph(reference); }); };
  EXPECT_EQ(code("grid:rows=2,columns=2,keep=1.5"), ExitCode::usage);
  EXPECT_EQ(code("grid:rows=2,columns=2,keep=nan"), ExitCode::usage);
  EXPECT_EQ(code("grid:rows=65536,columns=65536"), ExitCode::usage);
  EXPECT_EQ(code("grid:rows=18446744073709551615,columns=18446744073709551615"), ExitCode::usage);
  EXPECT_EQ(code("random:n=4294967296,m=1"), ExitCode::usage);
  EXPECT_EQ(code("random:n=0,m=1"), ExitCode::usage);
  EXPECT_EQ(code("kronecker:scale=0"), ExitCode::usage);
  EXPECT_EQ(code("kronecker:scale=32"), ExitCode::usage);
  EXPECT_EQ(code("kronecker:scale=20,edge-factor=1048577"), ExitCode::usage);
  EXPECT_EQ(code("kronecker:scale=20,edge-factor=1048576"), ExitCode::machine);
  EXPECT_EQ(code("road:n=99"), ExitCode::usage);
  EXPECT_EQ(code("long:scale=4"), ExitCode::usage);
  EXPECT_EQ(code("square:scale=1"), ExitCode::usage);
  EXPECT_EQ(code("random4:scale=0"), ExitCode::usage);
  EXPECT_EQ(code("road:n=4294967296"), ExitCode::usage);
  EXPECT_EQ(code("random:n=5,m=1000000000000000"), ExitCode::machine);
  EXPECT_EQ(code("chain:n=0"), ExitCode::usage);
  EXPECT_EQ(code("star:n=4294967296"), ExitCode::usage);
  EXPECT_EQ(code("delaunay:n=536870913"), ExitCode::usage);
  EXPECT_EQ(code("geometric:n=4000000000,degree=3000000000"), ExitCode::machine);
  EXPECT_EQ(code("nearest:n=4000000000,k=3000000000"), ExitCode::machine);
  EXPECT_EQ(code("hyperbolic:n=4000000000,degree=1000000000"), ExitCode::machine);
}

}  // namespace
}  // namespace bellmark
