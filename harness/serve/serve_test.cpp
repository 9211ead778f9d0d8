// The parts of the server that need no socket: the plane, main roads, tiles, contours, requests.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <protozero/pbf_reader.hpp>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "graph/generate.hpp"
#include "harness/serve/answer.hpp"
#include "harness/serve/contours.hpp"
#include "harness/serve/guarded.hpp"
#include "harness/serve/http.hpp"
#include "harness/serve/limits.hpp"
#include "harness/serve/maps.hpp"
#include "harness/serve/request_json.hpp"
#include "harness/serve/service.hpp"
#include "harness/serve/tiles.hpp"

namespace bellmark::serve {
namespace {

/// A street of ten vertices to the east, 0.01 degrees apart, from 10 E 50 N.
Graph street() {
  std::vector<Arc> arcs;
  std::vector<Coordinate> coordinates;
  for (Vertex v = 0; v < 10; ++v) {
    coordinates.push_back({10'000'000 + static_cast<std::int32_t>(v) * 10'000, 50'000'000});
    if (v == 0) continue;
    arcs.push_back({v - 1, v, 100});
    arcs.push_back({v, v - 1, 100});
  }
  return Graph::from_arcs(10, arcs, coordinates);
}

TEST(Plane, DegreesComeBack) {
  for (const double longitude : {-180.0, -73.9, 0.0, 24.94, 180.0}) {
    for (const double latitude : {-85.0, -33.1, 0.0, 60.17, 85.0}) {
      const Place2D place = project(longitude, latitude);
      EXPECT_NEAR(longitude_of(place), longitude, 1e-9);
      EXPECT_NEAR(latitude_of(place), latitude, 1e-9);
    }
  }
  EXPECT_NEAR(project(0, 90).y, 0, 1e-9);
  EXPECT_NEAR(project(0, -90).y, 1, 1e-9);
  EXPECT_NEAR(metres_at(project(0, 60)), metres_at(project(0, 0)) / 2, 1);
}

TEST(RoadIndex, NearestIsTheNearestOfAll) {
  std::vector<Coordinate> coordinates;
  coordinates.reserve(500);
  for (std::int32_t v = 0; v < 500; ++v) {
    coordinates.push_back({v * 7'919 % 1'000'000, v * 104'729 % 1'000'000});
  }
  const Graph graph =
      with_coordinates(make_graph("random:n=500,m=900,seed=3"), std::move(coordinates));
  const RoadIndex index(graph, graph);
  ASSERT_FALSE(index.roads().empty());
  const auto& places = index.places();
  for (std::size_t i = 0; i < 50; ++i) {
    const Place2D& a = places[(i * 37) % places.size()];
    const Place2D& b = places[(i * 91 + 5) % places.size()];
    const Place2D place{(a.x + b.x) / 2, (a.y + b.y) / 2};
    double least = 1;
    for (const auto& [u, v] : index.roads()) {
      least = std::min(least, distance_to_line(place, places[u], places[v]));
    }
    std::uint32_t road = 0;
    double distance = 0;
    ASSERT_TRUE(index.nearest(place, road, distance));
    EXPECT_EQ(distance, least);
  }
}

TEST(RoadIndex, TheMiddleOfALongStreetIsAMainRoad) {
  const Graph graph = street();
  const RoadIndex index(graph, graph);
  ASSERT_EQ(index.roads().size(), 9U);
  EXPECT_EQ(index.importance(0), 0) << "an end";
  // 716 m a road: from the first source, on vertex 2, most lies on one side.
  EXPECT_GE(index.importance(4), 2);
}

TEST(Tiles, HoldTheRoadsOfTheirSquare) {
  const Graph graph = street();
  const RoadIndex index(graph, graph);
  const Place2D at = index.places()[5];
  const auto tile_at = [&](int zoom) {
    const double side = std::ldexp(1.0, zoom);
    return Tile{zoom, static_cast<std::uint32_t>(at.x * side),
                static_cast<std::uint32_t>(at.y * side)};
  };
  EXPECT_EQ(make_tile(index, {kMostZoom, 0, 0}), "");
  const std::string bytes = make_tile(index, tile_at(kMostZoom));
  protozero::pbf_reader tile(bytes);
  ASSERT_TRUE(tile.next(3));
  protozero::pbf_reader layer(tile.get_message());
  std::size_t feature_count = 0;
  std::string name;
  std::vector<std::string> keys;
  std::vector<std::uint64_t> values;
  while (layer.next()) {
    if (layer.tag() == 1) {
      name = layer.get_string();
    } else if (layer.tag() == 2) {
      ++feature_count;
      protozero::pbf_reader feature(layer.get_message());
      while (feature.next()) {
        if (feature.tag() == 4) {
          const auto words = feature.get_packed_uint32();
          EXPECT_EQ(*words.begin(), 9U) << "move to one corner";
        } else {
          feature.skip();
        }
      }
    } else if (layer.tag() == 3) {
      keys.push_back(layer.get_string());
    } else if (layer.tag() == 4) {
      protozero::pbf_reader value(layer.get_message());
      ASSERT_TRUE(value.next(5));
      values.push_back(value.get_uint64());
    } else {
      layer.skip();
    }
  }
  EXPECT_EQ(name, "roads");
  EXPECT_EQ(keys, std::vector<std::string>{"importance"});
  EXPECT_EQ(values.size(), feature_count);
  EXPECT_TRUE(std::ranges::is_sorted(values));
  EXPECT_GT(feature_count, 0U);
  EXPECT_EQ(make_tile(index, tile_at(0)), "") << "a street of 6 km is no main road of the world";
}

double area_of(const Squares::Ring& ring) {
  double twice = 0;
  for (std::size_t i = 0; i + 1 < ring.size(); ++i) {
    twice += ring[i].x * ring[i + 1].y - ring[i + 1].x * ring[i].y;
  }
  return twice / 2;
}

TEST(Squares, ARingHasAHole) {
  Squares squares({{0, 0}, {1, 1}}, 100, 0);
  squares.add({0.2, 0.2}, {0.8, 0.2});
  squares.add({0.8, 0.2}, {0.8, 0.8});
  squares.add({0.8, 0.8}, {0.2, 0.8});
  squares.add({0.2, 0.8}, {0.2, 0.2});
  const auto polygons = squares.outline();
  ASSERT_EQ(polygons.size(), 1U);
  ASSERT_EQ(polygons[0].size(), 2U);
  // With y southwards a turn to the left, seen northwards, has a negative area.
  EXPECT_NEAR(area_of(polygons[0][0]), -0.61 * 0.61, 0.001);
  EXPECT_NEAR(area_of(polygons[0][1]), 0.59 * 0.59, 0.001);
  for (const auto& ring : polygons[0]) {
    EXPECT_EQ(ring.front().x, ring.back().x);
    EXPECT_EQ(ring.front().y, ring.back().y);
  }
}

TEST(Squares, SquaresThatMeetAtACornerAreApart) {
  Squares squares({{0, 0}, {1, 1}}, 10, 0);
  squares.add({0.1, 0.1}, {0.1, 0.1});
  squares.add({0.2, 0.2}, {0.2, 0.2});
  squares.add({0.9, 0.2}, {0.9, 0.2});
  const auto polygons = squares.outline();
  ASSERT_EQ(polygons.size(), 3U);
  for (const auto& polygon : polygons) {
    ASSERT_EQ(polygon.size(), 1U);
    EXPECT_EQ(polygon[0].size(), 5U);
  }
}

TEST(Hosts, LoopbackAndNamedOnesAreOwn) {
  const std::set<std::string> hosts = {"routes.example", "[2001:db8::1]"};
  for (const char* own : {"localhost", "LOCALHOST:80", "127.0.0.1:8080", "[::1]", "[::1]:99",
                          "routes.example", "routes.example:443", "[2001:db8::1]:80"}) {
    EXPECT_TRUE(is_own_host(own, hosts)) << own;
  }
  for (const char* other :
       {"", "evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "localhost:x",
        "localhost:123456", "[::1", "[::2]", "127.0.0.1:80:80"}) {
    EXPECT_FALSE(is_own_host(other, hosts)) << other;
  }
}

TEST(MapName, IsThePlace) {
  EXPECT_EQ(map_name("dimacs:USA-road-d.NY"), "USA-road-d.NY");
  EXPECT_EQ(map_name("osm:helsinki-d"), "helsinki");
  EXPECT_EQ(map_name("/data/my roads-d.gr.gz"), "my-roads");
  EXPECT_EQ(map_name("a/b.bmg"), "b");
  EXPECT_EQ(map_name("<script>.gr"), "-script-");
}

/// The code and the place of a body's refusal.
template <class Read>
std::string refused(Read read) {
  try {
    read();
  } catch (const Refusal& refusal) {
    EXPECT_EQ(answer_of(refusal).status, refusal.status);
    EXPECT_FALSE(refusal.remedy.empty());
    return refusal.code + " " + refusal.where;
  }
  return "taken";
}

TEST(RequestJson, DepthIsCountedOutsideOfStrings) {
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  EXPECT_EQ(refused([&] { read_json(nested(kMostDepth)); }), "taken");
  EXPECT_EQ(refused([&] { read_json(nested(kMostDepth + 1)); }), "bad-request ");
  EXPECT_EQ(refused([&] { read_json("\"" + std::string(100, '[') + "\\\"[\""); }), "taken");
  EXPECT_EQ(refused([&] { read_json(std::string(900'000, '[')); }), "bad-request ");
  EXPECT_EQ(refused([&] { read_json("{\"start\": NaN}"); }), "bad-request ");
  EXPECT_EQ(refused([&] { read_json("\"\xff\""); }), "bad-request ");
}

class Requests : public ::testing::Test {
 protected:
  Requests() {
    Graph roads = street();
    service_.maps.push_back(std::make_unique<const Map>(Map{"street",
                                                            "street",
                                                            "",
                                                            served::Roads::of(roads),
                                                            std::nullopt,
                                                            Snapper(roads, "street"),
                                                            RoadIndex(roads, roads),
                                                            {10, 50, 10.1, 50},
                                                            1,
                                                            {}}));
  }

  std::string route(const std::string& body) {
    return refused([&] { text_ = answer_route(service_, area_, body, served::Stop()).body; });
  }

  Service service_;
  WorkArea area_;
  std::string text_;
};

TEST_F(Requests, ARouteIsFound) {
  service_.certify_every = 1;
  ASSERT_EQ(route(R"({"start": 1, "goal": [10.09, 50.001], "via": [4, 2]})"), "taken");
  const Json json = Json::parse(text_);
  EXPECT_EQ(json["routes"][0]["distance"], 300 + 200 + 800);
  EXPECT_EQ(json["routes"][0]["certified"], true);
  EXPECT_EQ(json["routes"][0]["vertices"].size(), 14U);
  EXPECT_EQ(service_.checks.certified, 1U);
  EXPECT_EQ(service_.checks.wrong, 0U);
}

TEST_F(Requests, WhatIsWrongIsNamed) {
  for (const auto& [body, said] : std::vector<std::pair<std::string, std::string>>{
           {"", "bad-request "},
           {"[]", "bad-request "},
           {R"({"goal": 1})", "bad-request start"},
           {R"({"start": 1, "goal": 0})", "bad-request goal"},
           {R"({"start": 1, "goal": 11})", "bad-request goal"},
           {R"({"start": 1, "goal": 1.5})", "bad-request goal"},
           {R"({"start": 1, "goal": 1e400})", "bad-request "},
           {R"({"start": 1, "goal": 99999999999999999999})", "bad-request goal"},
           {R"({"start": [1], "goal": 1})", "bad-request start"},
           {R"({"start": [10, 91], "goal": 1})", "bad-request start"},
           {R"({"start": ["10", "50"], "goal": 1})", "bad-request start"},
           {R"({"start": [10, 51], "goal": 1})", "off-map start"},
           {R"({"start": 1, "goal": 1, "map": "elsewhere"})", "unknown-map map"},
           {R"({"start": 1, "goal": 1, "map": 7})", "bad-request map"},
           {R"({"start": 1, "goal": 1, "metric": "time"})", "unknown-metric metric"},
           {R"({"start": 1, "goal": 1, "metric": "fun"})", "bad-request metric"},
           {R"({"start": 1, "goal": 1, "frmat": "svg"})", "bad-request frmat"},
           {R"({"start": 1, "goal": 1, "avoid": {"roads": [[1, 3]]}})",
            "bad-request avoid.roads[0]"},
           {R"({"start": 1, "goal": 1, "avoid": {"roads": [[1]]}})", "bad-request avoid.roads[0]"},
           {R"({"start": 1, "goal": 1, "avoid": {"polygons": [[[1, 2]]]}})",
            "bad-request avoid.polygons[0]"},
           {R"({"start": 1, "goal": 9, "avoid": {"roads": [[5, 4]]}})", "no-route goal"},
           {R"({"start": 1, "goal": 9,
                "avoid": {"polygons": [[[10.044, 49], [10.046, 49], [10.045, 51]]]}})",
            "no-route goal"},
       }) {
    EXPECT_EQ(route(body), said) << body;
  }
  EXPECT_EQ(route(R"({"start": 1, "goal": 9})"), "taken") << "nothing stays closed";
  std::string points = "1";
  for (std::size_t i = 1; i < kMostViaPoints; ++i) points += ",2";
  EXPECT_EQ(route(R"({"start": 1, "goal": 9, "via": [)" + points + "]}"), "taken");
  EXPECT_EQ(route(R"({"start": 1, "goal": 9, "via": [)" + points + ",3]}"), "bad-request via");
}

TEST_F(Requests, AStopEndsThem) {
  const served::Stop stop(served::Stop::Clock::now());
  EXPECT_THROW(answer_route(service_, area_, R"({"start": 1, "goal": 9})", stop), served::Stopped);
  EXPECT_EQ(route(R"({"start": 1, "goal": 9})"), "taken");
}

TEST(Guarded, AnAnswerThatIsTooLargeIsRefused) {
  for (const std::size_t more : {0, 1}) {
    const Answer answer =
        guarded([&] { return Answer{.body = std::string(kMostAnswerBytes + more, 'x')}; });
    EXPECT_EQ(answer.status, more == 0 ? 200U : 413U);
    EXPECT_EQ(answer.body.find("answer-too-large") != std::string::npos, more == 1);
  }
}

TEST(OpenMaps, WhatIsNoMapIsRefused) {
  EXPECT_THROW(open_maps({"random:n=10,m=20,seed=1"}, {}), InputError) << "no coordinates";
  EXPECT_THROW(open_maps({"osm:helsinki-d"}, {"osm:monaco-t"}), InputError) << "other arcs";
  EXPECT_THROW(open_maps({"osm:helsinki-d", "osm:helsinki-d"}, {}), InputError) << "one name";
  const Maps maps = open_maps({"osm:helsinki"}, {});
  ASSERT_EQ(maps.size(), 1U);
  EXPECT_EQ(maps[0]->name, "helsinki");
  EXPECT_NE(maps[0]->by_time, std::nullopt);
  EXPECT_NEAR(maps[0]->metres_per_unit, 0.1, 0.002);
  EXPECT_NE(maps[0]->attribution.find("OpenStreetMap"), std::string::npos);
}

}  // namespace
}  // namespace bellmark::serve
