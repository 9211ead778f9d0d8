// Spots: reading them, snapping them to roads, references, and the distances between them.
#include "algorithms/spots/places/spots.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "algorithms/problems/graph_input/graph_input.hpp"
#include "algorithms/problems/sssp/problem.hpp"
#include "algorithms/spots/places/matrix_file.hpp"
#include "algorithms/spots/set_centrality/open_spots.hpp"
#include "algorithms/spots/set_centrality/spot_distances.hpp"
#include "algorithms/testing/zoo.hpp"
#include "base/error.hpp"
#include "base/test_folder.hpp"
#include "graph/dimacs.hpp"
#include "graph/open.hpp"
#include "graph/test_support.hpp"

namespace bellmark {
namespace {

using testing::oracle_distances;

std::string refusal(const std::string& csv) {
  return error_of([&] { parse_spots(csv, "f.csv"); });
}

TEST(SpotsCsv, ReadsQuotesLineEndsAndNames) {
  const std::vector<Place> places = parse_spots(
      "\xef\xbb\xbfkind,name,lon,lat\r\n"
      "temple,\"a, \"\"b\"\"\r\nc\",135.5,-35\r\n"
      "\r\n"
      "gate,東京駅, 139.7671 ,\"35.6812\"",
      "f.csv");
  ASSERT_EQ(places.size(), 2U);
  EXPECT_EQ(places[0].name, "a, \"b\"\r\nc");
  EXPECT_EQ(places[0].longitude, 135.5);
  EXPECT_EQ(places[0].latitude, -35);
  EXPECT_EQ(places[1].name, "東京駅");
  EXPECT_EQ(places[1].longitude, 139.7671);
  EXPECT_EQ(places[1].latitude, 35.6812);
  EXPECT_EQ(parse_spots("lon,lat,first_name\n1,2,x\n", "f.csv").at(0).name, "x");
  EXPECT_EQ(parse_spots("id,lon,lat\nx,1,2\n", "f.csv").at(0).name, "x");
  EXPECT_TRUE(parse_spots("lon,lat\n", "f.csv").empty());
}

TEST(SpotsCsv, SaysFileAndLineOfEveryFault) {
  const std::vector<std::pair<std::string, std::string>> faults = {
      {"", "f.csv: the file is empty"},
      {"a,lat\n", "f.csv:1: no column is called 'lon'"},
      {"lon,b\n", "f.csv:1: no column is called 'lat'"},
      {"lon,lat,lon\n", "f.csv:1: two columns are called 'lon'"},
      {"lon,lat\n1,2\n1\n", "f.csv:3: 1 fields where the first line has 2"},
      {"lon,lat\n1,2,3\n", "f.csv:2: 3 fields where the first line has 2"},
      {"lon,lat\n\"1\n\",2\n1,\n", "f.csv:4: lat is missing"},
      {"lon,lat\nx,2\n", "f.csv:2: lon 'x' is no number"},
      {"lon,lat\n1,2e\n", "f.csv:2: lat '2e' is no number"},
      {"lon,lat\n1,nan\n", "f.csv:2: lat 'nan' is out of range"},
      {"lon,lat\ninf,1\n", "f.csv:2: lon 'inf' is out of range"},
      {"lon,lat\n-180.1,1\n", "f.csv:2: lon '-180.1' is out of range"},
      {"lon,lat\n1,90.0001\n", "f.csv:2: lat '90.0001' is out of range"},
      {"lon,lat\n\n1,1\n1,\"1\n", "f.csv:4: a quoted field does not end"},
      {"lon,lat\n1,\"1\"x\n", "f.csv:2: text after the quote"},
      {"lon,lat,name\n1,1,a\"b\n", "f.csv:2: a quote within a field"},
      {"lon,lat,name\n1,1,\xff\n", "f.csv:2: not UTF-8"},
  };
  for (const auto& [csv, said] : faults) {
    EXPECT_EQ(refusal(csv).substr(0, said.size()), said) << csv;
  }
  EXPECT_EQ(code_of([] { parse_spots("lon,lat\n1,x\n", "f.csv"); }), ExitCode::usage);
}

TEST(Spots, ShippedFilesRead) {
  const std::vector<std::pair<std::string, std::size_t>> expected = {
      {"andorra", 191},        {"baltimore", 252},       {"helsinki", 185},
      {"kyoto-osm2014", 433},  {"liechtenstein", 194},   {"monaco", 204},
      {"tokyo-heritage", 986}, {"tokyo23-osm2014", 4611}};
  const std::vector<std::string> names = catalogued_spots();
  for (const auto& [name, count] : expected) {
    EXPECT_NE(std::find(names.begin(), names.end(), name), names.end());
    EXPECT_EQ(read_spots(spots_file(name)).size(), count) << name;
  }
  EXPECT_NE(error_of([] { spots_file("helsinky"); }).find("did you mean 'helsinki'?"),
            std::string::npos);
  EXPECT_EQ(code_of([] { spots_file("../osm/helsinki"); }), ExitCode::usage);
}

TEST(Spots, GreatCircleDistances) {
  const double quarter = kEarthRadiusMetres * std::acos(0.0);
  EXPECT_NEAR(great_circle_metres({"", 0, 0}, {"", 90, 0}), quarter, 1e-6);
  EXPECT_NEAR(great_circle_metres({"", 17, -90}, {"", -120, 90}), 2 * quarter, 1e-6);
  EXPECT_NEAR(great_circle_metres({"", 10, 20}, {"", -170, -20}), 2 * quarter, 1e-3);
  EXPECT_NEAR(great_circle_metres({"", 179.5, 0}, {"", -179.5, 0}), quarter / 90, 1e-6);
  EXPECT_NEAR(great_circle_metres({"", 5, 90}, {"", 100, 90}), 0, 1e-6);
  EXPECT_EQ(great_circle_metres({"", 5, 7}, {"", 5, 7}), 0);
  // By the spherical law of cosines, which is exact enough for hundreds of kilometres.
  const auto radians = [](double degrees) { return degrees / 90 * std::acos(0.0); };
  const Place tokyo = {"", 139.7671, 35.6812};
  const Place kyoto = {"", 135.7588, 34.9858};
  const double cosine = std::sin(radians(tokyo.latitude)) * std::sin(radians(kyoto.latitude)) +
                        std::cos(radians(tokyo.latitude)) * std::cos(radians(kyoto.latitude)) *
                            std::cos(radians(tokyo.longitude - kyoto.longitude));
  EXPECT_NEAR(great_circle_metres(tokyo, kyoto), kEarthRadiusMetres * std::acos(cosine), 0.01);
}

Graph at(std::vector<Coordinate> places, const std::vector<Arc>& arcs = {}) {
  const auto n = static_cast<Vertex>(places.size());
  return Graph::from_arcs(n, arcs, std::move(places));
}

TEST(Spots, SnappingAgreesWithBruteForce) {
  std::mt19937 random(7);
  const auto within = [&](double least, double most) {
    return std::uniform_real_distribution<double>(least, most)(random);
  };
  struct Region {
    double west, east, south, north;
  };
  // A town, the antimeridian, both poles, the globe.
  for (const Region region :
       {Region{24.9, 25, 60.1, 60.2}, Region{179.9, 180.1, -1, 1}, Region{-180, 180, 89.9, 90},
        Region{-180, 180, -90, -89.99}, Region{-180, 180, -90, 90}}) {
    const auto draw = [&] {
      const double longitude = within(region.west, region.east);
      return Place{"", longitude > 180 ? longitude - 360 : longitude,
                   within(region.south, region.north)};
    };
    std::vector<Coordinate> coordinates;
    std::vector<Place> vertices;
    for (int v = 0; v < 500; ++v) {
      const Place place = draw();
      coordinates.push_back({static_cast<std::int32_t>(std::lround(1e6 * place.longitude)),
                             static_cast<std::int32_t>(std::lround(1e6 * place.latitude))});
      vertices.push_back(
          {"", 1e-6 * coordinates.back().longitude, 1e-6 * coordinates.back().latitude});
    }
    std::vector<Place> spots;
    spots.reserve(200);
    for (int s = 0; s < 200; ++s) spots.push_back(draw());
    const std::vector<Snapped> snapped = snap(spots, at(coordinates), "test");
    ASSERT_EQ(snapped.size(), spots.size());
    for (std::size_t s = 0; s < spots.size(); ++s) {
      double least = std::numeric_limits<double>::max();
      for (const Place& vertex : vertices) {
        least = std::min(least, great_circle_metres(spots[s], vertex));
      }
      EXPECT_NEAR(snapped[s].metres, least, 1e-3) << spots[s].longitude << " " << spots[s].latitude;
      EXPECT_EQ(snapped[s].metres, great_circle_metres(spots[s], vertices[snapped[s].vertex]));
    }
  }
}

TEST(Spots, OfVerticesAtTheSamePlaceTheLeastIsTaken) {
  std::vector<Coordinate> coordinates(100, {1'000'000, 2'000'000});
  coordinates[0] = {5'000'000, 5'000'000};
  EXPECT_EQ(snap(std::vector<Place>{{"", 1.1, 2}}, at(coordinates), "").at(0).vertex, 1U);
  EXPECT_EQ(snap(std::vector<Place>{{"", 1, 2}}, at(coordinates), "").at(0).metres, 0);
}

TEST(Spots, RoadsMustHaveCoordinatesInDegrees) {
  const std::vector<Place> spot = {{"a", 1, 2}};
  const auto said = [&](const Graph& roads) { return error_of([&] { snap(spot, roads, "r"); }); };
  EXPECT_EQ(said(Graph::from_arcs(0, {})), "r: the roads have no vertex");
  EXPECT_NE(said(Graph::from_arcs(2, {})).find("no coordinates"), std::string::npos);
  EXPECT_NE(said(at({{0, 90'000'001}})).find("no degrees: vertex 1"), std::string::npos);
  EXPECT_TRUE(snap({}, Graph::from_arcs(0, {}), "r").empty());
}

TEST(Spots, ReferencesAreTakenApart) {
  const SpotsReference plain = parse_spots_reference("spots:my.csv");
  EXPECT_EQ(plain.source, "my.csv");
  EXPECT_EQ(plain.roads, "");
  EXPECT_EQ(plain.snap_limit_metres, 1000);
  EXPECT_EQ(plain.chosen_count, 0U);
  const SpotsReference random = parse_spots_reference(
      "spots:random,n=9,seed=4,k=3,roads=grid:rows=4,columns=5,seed=6,unreachable=largest");
  EXPECT_TRUE(random.is_random());
  EXPECT_EQ(random.random_count, 9U);
  EXPECT_EQ(random.seed, 4U);
  EXPECT_EQ(random.chosen_count, 3U);
  EXPECT_EQ(random.roads, "grid:rows=4,columns=5,seed=6");
  EXPECT_EQ(random.unreachable, Unreachable::largest);
  EXPECT_EQ(parse_spots_reference("spots:a,snap=2.5,roads=r").snap_limit_metres, 2.5);
  // Keys after roads= are the graph's, but for the keys of spots; an empty part is the graph's too.
  EXPECT_EQ(
      parse_spots_reference("spots:a,roads=b.gr,k=2,lengths=sample:c.gr,snap=1,n=5,,rows=x").roads,
      "b.gr,lengths=sample:c.gr,n=5,,rows=x");
  const std::vector<std::pair<std::string, std::string>> faults = {
      {"points:n=3", "no reference to spots"},
      {"spots:", "no spots are named"},
      {"spots:a,rods=b", "unknown key 'rods'; did you mean 'roads'?"},
      {"spots:a,roads=", "key 'roads' has no value"},
      {"spots:a,roads=", "key 'roads' has no value; write roads=VALUE"},
      {"spots:a,roads", "key 'roads' has no value; write roads=VALUE"},
      {"spots:a,roads=b,k", "key 'k' has no value; write k=VALUE"},
      {"spots:a,,roads=b", "unknown key ''"},
      {"spots:a,roads=b,roads=c", "key 'roads' is given twice"},
      {"spots:a,roads=b,snap=1,snap=2", "key 'snap' is given twice"},
      {"spots:a,roads=b,snap=-1", "not 0 or more metres"},
      {"spots:a,roads=b,snap=nan", "not 0 or more metres"},
      {"spots:a,roads=b,unreachable=drop", "'drop' is unknown"},
      {"spots:a,k=0", "0 spots to choose"},
      {"spots:a,n=3", "n and seed are keys of random spots"},
      {"spots:a,snap=3", "snap and unreachable are about roads"},
      {"spots:random,roads=b", "key 'n' is missing"},
      {"spots:random,n=3", "random spots are vertices of a graph"},
      {"spots:random,n=3,roads=b,snap=3", "random spots are vertices already"},
  };
  for (const auto& [reference, said] : faults) {
    const std::string error = error_of([&text = reference] { parse_spots_reference(text); });
    EXPECT_NE(error.find(said), std::string::npos) << reference << ": " << error;
  }
}

TEST(Spots, RandomSpotsAreDifferentVerticesAndAlwaysTheSame) {
  const auto open = [](const std::string& keys) {
    return open_road_spots(
        parse_spots_reference("spots:random," + keys + ",roads=grid:rows=5,columns=5,seed=1"));
  };
  std::vector<Vertex> all = open("n=25,seed=2").vertices;
  EXPECT_EQ(all, open("n=25,seed=2").vertices);
  EXPECT_NE(all, open("n=25,seed=3").vertices);
  const std::vector<Vertex> some = open("n=7,seed=2").vertices;
  EXPECT_TRUE(std::equal(some.begin(), some.end(), all.begin()));
  std::sort(all.begin(), all.end());
  for (Vertex v = 0; v < 25; ++v) EXPECT_EQ(all[v], v);
  EXPECT_NE(error_of([&] { open("n=26"); }).find("26 different vertices of a graph of 25"),
            std::string::npos);
  const RoadSpots none = open("n=0");
  EXPECT_TRUE(none.vertices.empty());
  EXPECT_TRUE(open("n=3").places.empty()) << "the grid has no coordinates";
}

TEST(Spots, RoadsOfNegativeLengthsAreRefused) {
  const std::string roads = "grid:rows=9,columns=9,lengths=uniform:-5..5";
  const std::string error = error_of(
      [&] { open_road_spots(parse_spots_reference("spots:random,n=5,seed=1,roads=" + roads)); });
  EXPECT_NE(error.find("the graph has negative lengths, the least is -5; name roads whose lengths "
                       "are 0 or more"),
            std::string::npos)
      << error;
}

/// Spots and roads in files, opened together.
class SpotFiles {
 public:
  SpotFiles(const Graph& roads, const std::string& csv) {
    write_gr(roads, folder_ / "r.gr");
    write_co(roads, folder_ / "r.co");
    folder_.write("s.csv", csv);
  }
  std::string reference(const std::string& keys = "") const {
    return "spots:" + (folder_ / "s.csv").string() + ",roads=" + (folder_ / "r.gr").string() + keys;
  }
  OpenedSpots open(const std::string& keys = "") const {
    return open_spot_distances(parse_spots_reference(reference(keys)));
  }

 private:
  TestFolder folder_;
};

const std::vector<Coordinate> kFourInARow = {{0, 0}, {10'000, 0}, {20'000, 0}, {30'000, 0}};

TEST(Spots, SpotsBeyondTheLimitAreRefusedByName) {
  // Degrees 0.001 and 0.02 off: 111 m and 2,224 m.
  const SpotFiles files(at(kFourInARow, {{0, 1, 1}, {1, 0, 1}}),
                        "name,lon,lat\nnear,0,0.001\nfar,0.01,0.02\nfarther,0,-0.021\n");
  EXPECT_NE(error_of([&] { files.open(); })
                .find("2 of 3 spots are more than 1000 m from the nearest road; 'farther' (spot "
                      "2), the farthest, 2335.1 m; take these spots out, or add snap=2336"),
            std::string::npos)
      << error_of([&] { files.open(); });
  EXPECT_EQ(files.open(",snap=2336").input.distances.spot_count(), 3U);
  EXPECT_NE(error_of([&] { files.open(",snap=100"); }).find("3 of 3 spots"), std::string::npos);
}

TEST(Spots, OneWayRoadsAndSharedVertices) {
  // 0 -> 1 -> 2 -> 0; two spots at vertex 1.
  const SpotFiles files(at(kFourInARow, {{0, 1, 3}, {1, 2, 4}, {2, 0, 5}}),
                        "name,lon,lat\na,0,0\nb,0.01,0\nb again,0.0101,0\nc,0.02,0\n");
  const OpenedSpots opened = files.open(",k=2");
  const DistanceMatrix& distances = opened.input.distances;
  EXPECT_EQ(opened.input.chosen_count, 2U);
  EXPECT_FALSE(distances.symmetric());
  const std::vector<double> expected = {0, 3, 3, 7, 9, 0, 0, 4, 9, 0, 0, 4, 5, 8, 8, 0};
  EXPECT_TRUE(std::equal(distances.values().begin(), distances.values().end(), expected.begin(),
                         expected.end()));
  EXPECT_EQ(opened.input.places.at(2).name, "b again");
  EXPECT_EQ(opened.unreachable_pair_count, 0U);
}

TEST(Spots, UnreachablePairsAreRefusedOrTheLargestSetKept) {
  // 0 and 1 reach each other, as do 2 and 3; 1 -> 2 is one-way.
  const SpotFiles files(at(kFourInARow, {{0, 1, 1}, {1, 0, 2}, {1, 2, 3}, {2, 3, 4}, {3, 2, 5}}),
                        "name,lon,lat\na,0,0\nc,0.02,0\nb,0.01,0\nd,0.03,0\nd2,0.03,0\n");
  EXPECT_NE(error_of([&] { files.open(); })
                .find("6 pairs of spots are not joined by a path, first spot 1 ('c') to spot 0 "
                      "('a'); add unreachable=largest"),
            std::string::npos)
      << error_of([&] { files.open(); });
  const OpenedSpots kept = files.open(",unreachable=largest");
  EXPECT_EQ(kept.spot_count, 5U);
  EXPECT_EQ(kept.unreachable_pair_count, 6U);
  ASSERT_EQ(kept.input.places.size(), 3U);
  EXPECT_EQ(kept.input.places[0].name, "c");
  EXPECT_EQ(kept.input.places[2].name, "d2");
  EXPECT_EQ(kept.input.distances(0, 1), 4);
  EXPECT_EQ(kept.input.distances(1, 0), 5);
  EXPECT_EQ(kept.input.distances(1, 2), 0);
  const std::string& provenance = kept.input.distances.provenance();
  EXPECT_NE(provenance.find("reach each other, 3 of 5"), std::string::npos) << provenance;
  EXPECT_NE(provenance.find("5 spots of s.csv, 1 at the very place of another"), std::string::npos)
      << provenance;
}

TEST(Spots, NoneOneAndTwo) {
  const Graph roads = at(kFourInARow, {{0, 3, 6}, {3, 0, 7}});
  const SpotFiles none(roads, "lon,lat\n");
  EXPECT_EQ(none.open().input.distances.spot_count(), 0U);
  const SpotFiles one(roads, "lon,lat\n0,0\n");
  EXPECT_EQ(one.open().input.distances(0, 0), 0);
  const SpotFiles two(roads, "lon,lat\n0,0\n0.03,0\n");
  EXPECT_EQ(two.open().input.distances(0, 1), 6);
  EXPECT_EQ(two.open().input.distances(1, 0), 7);
}

TEST(Spots, DistancesOfHelsinkiAgreeWithTheOracle) {
  const SetInput input = open_spots("spots:helsinki,roads=osm:helsinki-d,k=10");
  EXPECT_EQ(input.chosen_count, 10U);
  ASSERT_EQ(input.distances.spot_count(), 185U);
  const RoadSpots spots =
      open_road_spots(parse_spots_reference("spots:helsinki,roads=osm:helsinki-d"));
  for (const Spot s : {0U, 91U, 184U}) {
    const auto distances = oracle_distances(spots.roads, spots.vertices[s]);
    for (Spot t = 0; t < 185; ++t) {
      EXPECT_EQ(input.distances(s, t), static_cast<double>(distances[spots.vertices[t]]));
    }
  }
}

TEST(Spots, GreatCirclesNeedNoRoads) {
  const SetInput input = open_spots("spots:tokyo-heritage");
  EXPECT_EQ(input.distances.spot_count(), 986U);
  EXPECT_TRUE(input.distances.symmetric());
  EXPECT_EQ(input.distances(3, 5), great_circle_metres(input.places[3], input.places[5]));
}

SetInput three_spots() {
  SetInput input;
  input.distances = DistanceMatrix(3, {0, 1.5, 2, 3, 0, 4, 5, 6, 0}, "by hand");
  input.places = {{"a", 1, 2}, {"", -180, 90}, {"東京", 3, 4}};
  return input;
}

TEST(MatrixFile, KeepsEverything) {
  const TestFolder folder;
  const std::filesystem::path file = folder / "m.bmd";
  write_matrix(three_spots(), file);
  const SetInput read = open_spots("matrix:" + file.string() + ",k=2");
  EXPECT_EQ(read.chosen_count, 2U);
  EXPECT_TRUE(std::ranges::equal(read.distances.values(), three_spots().distances.values()));
  EXPECT_EQ(read.distances.provenance(), "by hand");
  EXPECT_FALSE(read.distances.symmetric());
  ASSERT_EQ(read.places.size(), 3U);
  EXPECT_EQ(read.places[2].name, "東京");
  EXPECT_EQ(read.places[1].longitude, -180);
  write_matrix({}, file);
  EXPECT_EQ(read_matrix(file).distances.spot_count(), 0U);
}

TEST(MatrixFile, DamageIsRefusedWhereverItIs) {
  const TestFolder folder;
  const std::filesystem::path file = folder / "m.bmd";
  write_matrix(three_spots(), file);
  const std::string whole = TestFolder::read(file);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    folder.write("cut.bmd", whole.substr(0, size));
    EXPECT_EQ(code_of([&] { read_matrix(folder / "cut.bmd"); }), ExitCode::usage) << size;
  }
  for (std::size_t i = 0; i < whole.size(); ++i) {
    std::string damaged = whole;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x10);
    folder.write("damaged.bmd", damaged);
    EXPECT_EQ(code_of([&] { read_matrix(folder / "damaged.bmd"); }), ExitCode::usage) << i;
  }
  folder.write("longer.bmd", whole + '\0');
  EXPECT_NE(error_of([&] { read_matrix(folder / "longer.bmd"); }).find("its header says"),
            std::string::npos);
  EXPECT_NE(error_of([&] { read_matrix(folder / "longer.bmd"); }).find("make the file again"),
            std::string::npos);
  EXPECT_EQ(code_of([&] { read_matrix(folder / "none.bmd"); }), ExitCode::usage);
}

TEST(MatrixFile, CountsThatLieAreRefusedBeforeMemoryIsTaken) {
  const TestFolder folder;
  write_matrix(three_spots(), folder / "m.bmd");
  std::string bytes = TestFolder::read(folder / "m.bmd");
  MatrixHeader header;
  std::memcpy(&header, bytes.data(), sizeof header);
  for (std::uint64_t MatrixHeader::*count :
       {&MatrixHeader::spot_count, &MatrixHeader::provenance_bytes, &MatrixHeader::places_bytes}) {
    for (const std::uint64_t lie : {std::uint64_t{2}, std::uint64_t{4}, std::uint64_t{1} << 32,
                                    std::uint64_t{1} << 63, ~std::uint64_t{0}}) {
      MatrixHeader lying = header;
      lying.*count = lie;
      lying.checksum = matrix_checksum(lying);
      std::memcpy(bytes.data(), &lying, sizeof lying);
      const auto parse = [&] { parse_matrix(std::as_bytes(std::span(bytes)), "lie"); };
      EXPECT_EQ(code_of(parse), ExitCode::usage) << lie;
    }
  }
}

}  // namespace
}  // namespace bellmark
