#include "harness/serve/tiles.hpp"

#include <algorithm>
#include <cmath>
#include <protozero/pbf_writer.hpp>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace bellmark::serve {
namespace {

constexpr double kExtent = 4096;
/// Of 4096: lines extend this far beyond the tile, so that their strokes are whole within it.
constexpr double kMargin = 128;
/// Half a pixel of a tile of 256: corners that stand out less are left out.
constexpr double kTolerance = 8;

/// A line as the vertices on it.
using Line = std::vector<Vertex>;

struct Pixel {
  std::int32_t x;
  std::int32_t y;
  friend bool operator==(const Pixel&, const Pixel&) = default;
};

/// Joins roads to lines, wherever exactly two of them meet at a vertex.
class Joiner {
 public:
  explicit Joiner(const std::vector<Road>& roads) : roads_(roads), is_used_(roads.size(), false) {
    for (std::uint32_t i = 0; i < roads.size(); ++i) {
      at_[roads[i].u].push_back(i);
      at_[roads[i].v].push_back(i);
    }
  }

  std::vector<Line> lines() {
    std::vector<Line> lines;
    for (std::uint32_t i = 0; i < roads_.size(); ++i) {
      if (is_used_[i]) continue;
      is_used_[i] = true;
      Line line = {roads_[i].u, roads_[i].v};
      go_on(line);
      std::ranges::reverse(line);
      go_on(line);
      lines.push_back(std::move(line));
    }
    return lines;
  }

 private:
  void go_on(Line& line) {
    for (;;) {
      const Vertex end = line.back();
      const auto& here = at_.at(end);
      if (here.size() != 2) return;
      const std::uint32_t next = is_used_[here[0]] ? here[1] : here[0];
      if (is_used_[next]) return;
      is_used_[next] = true;
      line.push_back(roads_[next].u == end ? roads_[next].v : roads_[next].u);
    }
  }

  const std::vector<Road>& roads_;
  std::vector<bool> is_used_;
  std::unordered_map<Vertex, std::vector<std::uint32_t>> at_;
};

/// Douglas and Peucker 1973, without recursion: the corners that a line needs.
std::vector<Pixel> simplified(const std::vector<Pixel>& line) {
  std::vector<bool> is_kept(line.size(), false);
  is_kept.front() = is_kept.back() = true;
  std::vector<std::pair<std::size_t, std::size_t>> parts = {{0, line.size() - 1}};
  const auto at = [&](std::size_t i) {
    return Place2D{static_cast<double>(line[i].x), static_cast<double>(line[i].y)};
  };
  while (!parts.empty()) {
    const auto [first, last] = parts.back();
    parts.pop_back();
    double farthest = kTolerance;
    std::size_t corner = first;
    for (std::size_t i = first + 1; i < last; ++i) {
      const double distance = distance_to_line(at(i), at(first), at(last));
      if (distance <= farthest) continue;
      farthest = distance;
      corner = i;
    }
    if (corner == first) continue;
    is_kept[corner] = true;
    parts.emplace_back(first, corner);
    parts.emplace_back(corner, last);
  }
  std::vector<Pixel> kept;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (is_kept[i] && (kept.empty() || kept.back() != line[i])) kept.push_back(line[i]);
  }
  return kept;
}

/// A geometry's commands: move to the first corner, line to the others. Each is a step from the
/// corner before, in zigzag form (Mapbox Vector Tile 2.1, section 4.3).
class Commands {
 public:
  void add(const std::vector<Pixel>& line) {
    if (line.size() < 2) return;
    put(kMoveTo, 1);
    step(line.front());
    put(kLineTo, static_cast<std::uint32_t>(line.size() - 1));
    for (const Pixel& corner : std::span(line).subspan(1)) step(corner);
  }
  const std::vector<std::uint32_t>& words() const { return words_; }

 private:
  static constexpr std::uint32_t kMoveTo = 1;
  static constexpr std::uint32_t kLineTo = 2;

  void put(std::uint32_t command, std::uint32_t count) { words_.push_back(command | count << 3); }
  void step(const Pixel& to) {
    words_.push_back(protozero::encode_zigzag32(to.x - at_.x));
    words_.push_back(protozero::encode_zigzag32(to.y - at_.y));
    at_ = to;
  }

  std::vector<std::uint32_t> words_;
  Pixel at_{0, 0};
};

struct Frame {
  Place2D origin;
  double scale;  ///< from the plane to the tile's 4096

  /// Far ends of long roads may lie beyond the range of 32 bits. They are drawn nearer, outside the
  /// visible tile.
  Pixel pixel(const Place2D& place) const {
    constexpr double kFar = 1 << 28;
    const auto whole = [&](double step) {
      return static_cast<std::int32_t>(std::lround(std::clamp(step * scale, -kFar, kFar)));
    };
    return {whole(place.x - origin.x), whole(place.y - origin.y)};
  }
};

Commands draw(const RoadIndex& index, const std::vector<Road>& roads, const Frame& frame) {
  Commands commands;
  std::vector<Pixel> pixels;
  for (const Line& line : Joiner(roads).lines()) {
    pixels.clear();
    for (const Vertex v : line) pixels.push_back(frame.pixel(index.places()[v]));
    commands.add(simplified(pixels));
  }
  return commands;
}

// Numbers of fields and values of the format, sections 4.1 to 4.4.
enum : protozero::pbf_tag_type {
  kTileLayers = 3,
  kLayerName = 1,
  kLayerFeatures = 2,
  kLayerKeys = 3,
  kLayerValues = 4,
  kLayerExtent = 5,
  kLayerVersion = 15,
  kFeatureTags = 2,
  kFeatureType = 3,
  kFeatureGeometry = 4,
  kValueUint = 5,
};
constexpr std::int32_t kLineString = 2;

}  // namespace

int least_importance(int zoom) {
  constexpr int kZoomOfAll = 13;
  return std::clamp(kZoomOfAll - zoom, 0, kMostImportant);
}

std::string make_tile(const RoadIndex& index, const Tile& tile) {
  const double side = std::ldexp(1.0, -tile.zoom);
  const Frame frame{{tile.x * side, tile.y * side}, kExtent / side};
  const double margin = kMargin / kExtent * side;
  const Box2D box{{frame.origin.x - margin, frame.origin.y - margin},
                  {frame.origin.x + side + margin, frame.origin.y + side + margin}};
  std::string bytes;
  std::string layer_bytes;
  protozero::pbf_writer layer(layer_bytes);
  layer.add_uint32(kLayerVersion, 2);
  layer.add_string(kLayerName, "roads");
  std::vector<std::uint32_t> values;
  std::vector<Road> roads;
  for (int importance = least_importance(tile.zoom); importance <= kMostImportant; ++importance) {
    roads.clear();
    index.visit(box, importance, [&](std::uint32_t road) { roads.push_back(index.roads()[road]); });
    const Commands commands = draw(index, roads, frame);
    if (commands.words().empty()) continue;
    protozero::pbf_writer feature(layer, kLayerFeatures);
    const std::uint32_t tags[] = {0, static_cast<std::uint32_t>(values.size())};
    feature.add_packed_uint32(kFeatureTags, std::begin(tags), std::end(tags));
    feature.add_enum(kFeatureType, kLineString);
    feature.add_packed_uint32(kFeatureGeometry, commands.words().begin(), commands.words().end());
    values.push_back(static_cast<std::uint32_t>(importance));
  }
  if (values.empty()) return bytes;
  layer.add_string(kLayerKeys, "importance");
  for (const std::uint32_t value : values) {
    protozero::pbf_writer(layer, kLayerValues).add_uint64(kValueUint, value);
  }
  layer.add_uint32(kLayerExtent, static_cast<std::uint32_t>(kExtent));
  protozero::pbf_writer(bytes).add_message(kTileLayers, layer_bytes);
  return bytes;
}

}  // namespace bellmark::serve
