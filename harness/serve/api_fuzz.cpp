// Fuzz target: requests to the API, below HTTP. The first line is the method and the target. The
// rest is the body.
#include <array>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "base/text.hpp"
#include "graph/fuzz_support.hpp"
#include "graph/generate.hpp"
#include "harness/serve/guarded.hpp"
#include "harness/serve/http.hpp"
#include "harness/serve/service.hpp"

namespace bellmark::serve {
namespace {

/// A town with roads of one direction, and an island.
Graph town() {
  constexpr Vertex kSide = 6;
  std::vector<Arc> arcs;
  std::vector<Coordinate> coordinates;
  for (Vertex v = 0; v < kSide * kSide; ++v) {
    const auto column = static_cast<std::int32_t>(v % kSide);
    const auto row = static_cast<std::int32_t>(v / kSide);
    coordinates.push_back({10'000'000 + 1'000 * column, 50'000'000 + 1'000 * row});
    if (v % kSide != 0) arcs.push_back({v - 1, v, 70});
    if (v % kSide != 0 && row % 2 == 0) arcs.push_back({v, v - 1, 70});
    if (v >= kSide && v + 1 < kSide * kSide) {
      arcs.push_back({v - kSide, v, 110});
      arcs.push_back({v, v - kSide, 110});
    }
  }
  return Graph::from_arcs(kSide * kSide, arcs, coordinates);
}

struct Fixture {
  Fixture() {
    Graph roads = town();
    service.certify_every = 1;
    service.maps.push_back(std::make_unique<const Map>(Map{"town",
                                                           "town",
                                                           "",
                                                           served::Roads::of(roads),
                                                           served::Roads::of(roads),
                                                           Snapper(roads, "town"),
                                                           RoadIndex(roads, roads),
                                                           {10, 50, 10.005, 50.005},
                                                           1,
                                                           1.0}));
  }
  Service service;
  WorkArea area;
};

Answer answer(Fixture& fixture, const std::string& target, const std::string& body) {
  const served::Stop stop;
  const std::string path = target.substr(0, target.find('?'));
  const std::string query = path == target ? "" : target.substr(path.size() + 1);
  if (path == "/api/nearest") return answer_nearest(fixture.service, query);
  if (path == "/api/matrix") return answer_matrix(fixture.service, fixture.area, body, stop);
  if (path == "/api/reach") return answer_reach(fixture.service, fixture.area, body, stop);
  if (path == "/api/maps") return answer_maps(fixture.service);
  if (path.starts_with("/api/maps/")) {
    auto parts = split(std::string_view(path).substr(10), '/');
    parts.resize(5);
    return answer_tile(fixture.service, parts[0], parts[2], parts[3], parts[4]);
  }
  return answer_route(fixture.service, fixture.area, body, stop);
}

void check(std::string_view input) {
  static Fixture fixture;
  const std::size_t line = std::min(input.find('\n'), input.size());
  const std::string target(input.substr(0, line));
  const std::string body(input.substr(std::min(line + 1, input.size())));
  is_own_host(target, {"routes.example"});
  const Answer given = guarded([&] { return answer(fixture, target, body); });
  require(given.status == 200 || given.status == 204 || (given.status >= 400 && given.status < 500),
          "a request is answered or refused");
  if (given.type.find("json") != std::string::npos) {
    const auto json = nlohmann::json::parse(given.body, nullptr, false);
    require(!json.is_discarded() && is_utf8(given.body), "an answer is JSON");
    require(given.status == 200 || json.contains("error"), "a refusal says why");
  }
  require(fixture.service.checks.wrong == 0, "no route is wrong");
  // Roads that a request closes are open for the next.
  const Answer after = guarded(
      [&] { return answer(fixture, "/api/matrix", R"({"sources": [1], "targets": [35]})"); });
  const auto lengths = nlohmann::json::parse(after.body).at("lengths");
  require(lengths == nlohmann::json::parse("[[830]]"), "roads stay as they are");
}

}  // namespace
}  // namespace bellmark::serve

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  bellmark::serve::check({reinterpret_cast<const char*>(data), size});
  return 0;
}
