#include "algorithms/spots/set_centrality/spot_distances.hpp"

#include <algorithm>
#include <filesystem>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "algorithms/problems/sssp/problem.hpp"
#include "algorithms/spots/distance_matrix/sssp_per_spot.hpp"
#include "base/error.hpp"
#include "base/formula.hpp"

namespace bellmark {
namespace {

constexpr std::size_t kMostThreads = 16;

std::string spot_text(const RoadSpots& spots, Spot s) {
  std::string text = "spot " + std::to_string(s);
  if (!spots.places.empty()) text += " ('" + spots.places[s].name + "')";
  return text;
}

/// The largest set of spots that all reach each other; of several the one with the least spot. To
/// reach each other is an equivalence: any spot of a class tells the class. O(N^2).
std::vector<Spot> largest_connected(const std::vector<Distance>& distances, Spot n) {
  std::vector<Spot> largest;
  std::vector<bool> seen(n);
  for (Spot s = 0; s < n; ++s) {
    if (seen[s]) continue;
    std::vector<Spot> members;
    for (Spot t = s; t < n; ++t) {
      const bool both = distances[std::size_t{s} * n + t] != kUnreached &&
                        distances[std::size_t{t} * n + s] != kUnreached;
      if (!both) continue;
      seen[t] = true;
      members.push_back(t);
    }
    if (members.size() > largest.size()) largest = std::move(members);
  }
  return largest;
}

[[noreturn]] void refuse_unreachable(const SpotsReference& reference, const RoadSpots& spots,
                                     const std::vector<Distance>& distances, std::uint64_t count) {
  const auto first = std::find(distances.begin(), distances.end(), kUnreached);
  const auto pair = static_cast<std::size_t>(first - distances.begin());
  const std::size_t n = spots.vertices.size();
  throw InputError(reference.text,
                   std::to_string(count) + " pairs of spots are not joined by a path, first " +
                       spot_text(spots, static_cast<Spot>(pair / n)) + " to " +
                       spot_text(spots, static_cast<Spot>(pair % n)),
                   "add unreachable=largest to keep the largest set of spots that all reach each "
                   "other");
}

OpenedSpots open_over_roads(const SpotsReference& reference) {
  RoadSpots spots = open_road_spots(reference);
  const auto n = static_cast<Spot>(spots.vertices.size());
  const double pairs = static_cast<double>(n) * n;
  check_memory(reference.text + ": " + std::to_string(n) + " spots",
               pairs * (sizeof(Distance) + sizeof(double)));
  const std::size_t threads = std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1,
                                                      std::clamp<std::size_t>(n, 1, kMostThreads));
  const std::vector<Distance> distances = distances_over_roads(spots, threads);

  OpenedSpots opened;
  opened.spot_count = n;
  opened.unreachable_pair_count =
      static_cast<std::uint64_t>(std::count(distances.begin(), distances.end(), kUnreached));
  std::vector<Spot> kept(n);
  for (Spot s = 0; s < n; ++s) kept[s] = s;
  std::string provenance = spots.provenance + ", shortest paths";
  if (opened.unreachable_pair_count > 0) {
    if (reference.unreachable == Unreachable::refuse) {
      refuse_unreachable(reference, spots, distances, opened.unreachable_pair_count);
    }
    kept = largest_connected(distances, n);
    provenance += "; only the largest set of spots that all reach each other, " +
                  std::to_string(kept.size()) + " of " + std::to_string(n);
  }
  std::vector<double> values;
  values.reserve(kept.size() * kept.size());
  for (const Spot s : kept) {
    for (const Spot t : kept) {
      values.push_back(static_cast<double>(distances[std::size_t{s} * n + t]));
    }
    if (!spots.places.empty()) opened.input.places.push_back(std::move(spots.places[s]));
  }
  opened.input.distances =
      DistanceMatrix(static_cast<Spot>(kept.size()), std::move(values), std::move(provenance));
  return opened;
}

}  // namespace

OpenedSpots open_spot_distances(const SpotsReference& reference) {
  OpenedSpots opened;
  if (reference.roads.empty()) {
    const std::filesystem::path file = spots_file(reference.source);
    opened.input.places = read_spots(file);
    opened.spot_count = static_cast<Spot>(opened.input.places.size());
    const double pairs = static_cast<double>(opened.spot_count) * opened.spot_count;
    check_memory(reference.text + ": " + std::to_string(opened.spot_count) + " spots",
                 pairs * sizeof(double));
    opened.input.distances = great_circle_distances(
        opened.input.places, spots_text(opened.input.places, file) + ", great circles in metres");
  } else {
    opened = open_over_roads(reference);
  }
  opened.input.chosen_count = reference.chosen_count;
  return opened;
}

}  // namespace bellmark
