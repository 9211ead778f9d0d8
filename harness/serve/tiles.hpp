// Roads as Mapbox Vector Tiles, version 2, for the page's maps.
#pragma once

#include <cstdint>
#include <string>

#include "harness/serve/road_index.hpp"

namespace bellmark::serve {

inline constexpr int kMostZoom = 14;

struct Tile {
  int zoom;
  std::uint32_t x;
  std::uint32_t y;  ///< southwards
};

/// The least important road that is drawn at a zoom. The reach of the others is less than about 17
/// pixels of a tile of 256.
int least_importance(int zoom);

/// One layer, `roads`: for each importance one feature with the lines of all its roads; "" for a
/// tile without roads. The tile must be one of 2^zoom a side. O(roads of the tile, log n).
std::string make_tile(const RoadIndex& index, const Tile& tile);

}  // namespace bellmark::serve
