// Paths over made-up shortcuts.
#include "algorithms/searches/customisable_hierarchy/unpacking.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <utility>

namespace bellmark::customisable_hierarchy {
namespace {

/// Shortcuts by their ends. Every row must have been asked for before a shortcut over it is looked
/// at, but those between the tops.
struct Shortcuts {
  std::map<std::pair<Vertex, Vertex>, Vertex> over_of;
  mutable std::set<Vertex> asked = {};

  Vertex over(Vertex u, Vertex v) const {
    const auto found = over_of.find({u, v});
    return found == over_of.end() ? kNoVertex : found->second;
  }
  void ask_for_offset(Vertex v) const { asked.insert(v); }
  void ask_for_row(Vertex v) const { EXPECT_TRUE(asked.contains(v)) << "the offset comes first"; }
};

std::vector<Vertex> unpacked(Unpacking& unpacking, const Shortcuts& shortcuts,
                             const std::vector<Vertex>& tops) {
  std::vector<Vertex> vertex_of;
  for (Vertex v = 0; v < 20; ++v) vertex_of.push_back(100 + v);
  std::vector<Vertex> path = {7};  // of an earlier answer
  unpacking.run(tops, shortcuts, vertex_of, path);
  return path;
}

TEST(Unpacking, PathsWithAndWithoutShortcuts) {
  Unpacking unpacking;
  EXPECT_EQ(unpacked(unpacking, {}, {}), (std::vector<Vertex>{}));
  EXPECT_EQ(unpacked(unpacking, {}, {3}), (std::vector<Vertex>{103}));
  EXPECT_EQ(unpacked(unpacking, {}, {3, 5, 4}), (std::vector<Vertex>{103, 105, 104}));
  // 3 to 5 over 8; 3 to 8 over 9, 9 to 8 over 10; 5 to 4 over 11, 11 to 4 over 12.
  const Shortcuts nested = {{{{3, 5}, 8}, {{3, 8}, 9}, {{9, 8}, 10}, {{5, 4}, 11}, {{11, 4}, 12}}};
  EXPECT_EQ(unpacked(unpacking, nested, {3, 5, 4}),
            (std::vector<Vertex>{103, 109, 110, 108, 105, 111, 112, 104}));
  EXPECT_EQ(nested.asked, (std::set<Vertex>{8, 9, 10, 11, 12}));
  EXPECT_EQ(unpacked(unpacking, {}, {1, 2}), (std::vector<Vertex>{101, 102})) << "nothing is left";
}

}  // namespace
}  // namespace bellmark::customisable_hierarchy
