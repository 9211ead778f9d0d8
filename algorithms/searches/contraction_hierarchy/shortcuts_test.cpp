// Stretches of made-up shortcuts.
#include "algorithms/searches/contraction_hierarchy/shortcuts.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/contract/prepared.hpp"
#include "base/error.hpp"
#include "base/test_folder.hpp"

namespace bellmark::contraction_hierarchy {
namespace {

constexpr Stretch kArc;

TEST(Stretch, IsAnArcOrAShortcutInADirection) {
  EXPECT_TRUE(kArc.is_arc());
  EXPECT_FALSE(kArc.is_reversed());
  EXPECT_EQ(kArc.reversed(), kArc);
  const Stretch forward = Stretch::of_shortcut(5);
  EXPECT_FALSE(forward.is_arc());
  EXPECT_FALSE(forward.is_reversed());
  EXPECT_EQ(forward.number(), 5U);
  const Stretch back = forward.reversed();
  EXPECT_FALSE(back.is_arc());
  EXPECT_TRUE(back.is_reversed());
  EXPECT_EQ(back.number(), 5U);
  EXPECT_EQ(back.reversed(), forward);
}

/// The path of a stretch to vertex 9.
std::vector<Vertex> unpacked(Unpacking& unpacking, const Shortcuts& shortcuts, Stretch stretch) {
  std::vector<Vertex> path = {7};
  unpacking.append(stretch, 9, shortcuts, path);
  return path;
}

TEST(Unpacking, StretchesInBothDirections) {
  // 0 leads over 1 and 2, 1 back over 2.
  const auto [shortcuts, stretches] = Shortcuts::of_splits({
      {Stretch::of_shortcut(1), Stretch::of_shortcut(2), 11},
      {kArc, Stretch::of_shortcut(2).reversed(), 10},
      {kArc, kArc, 12},
  });
  EXPECT_EQ(stretches, (std::vector<Stretch>{Stretch::of_shortcut(0), Stretch::of_shortcut(1),
                                             Stretch::of_shortcut(2).reversed()}))
      << "the last is met in the other direction first";
  EXPECT_TRUE(shortcuts.splits.empty());
  Unpacking unpacking;
  EXPECT_EQ(unpacked(unpacking, shortcuts, kArc), (std::vector<Vertex>{7, 9}));
  EXPECT_EQ(unpacked(unpacking, shortcuts, stretches[2]), (std::vector<Vertex>{7, 12, 9}));
  EXPECT_EQ(unpacked(unpacking, shortcuts, stretches[0]),
            (std::vector<Vertex>{7, 10, 12, 11, 12, 9}));
  EXPECT_EQ(unpacked(unpacking, shortcuts, stretches[0].reversed()),
            (std::vector<Vertex>{7, 12, 11, 12, 10, 9}));
}

/// Shortcuts of a chain of 2^k arcs. Each leads over the vertex halfway, and every second one is
/// kept in the other direction.
struct Chain {
  std::vector<Split> splits;

  Stretch between(Vertex i, Vertex j) {
    if (j - i == 1) return kArc;
    const Vertex middle = i + (j - i) / 2;
    const std::size_t number = splits.size();
    splits.emplace_back();
    const Stretch first = between(i, middle);
    const Stretch second = between(middle, j);
    splits[number] = {first, second, middle};
    if (number % 2 == 0) return Stretch::of_shortcut(number);
    splits[number] = splits[number].reversed();
    return Stretch::of_shortcut(number).reversed();
  }
};

TEST(Unpacking, LongShortcutsAreSplits) {
  Chain chain;
  constexpr Vertex kEnd = 1024;
  chain.between(0, kEnd);
  const auto [shortcuts, stretches] = Shortcuts::of_splits(chain.splits);
  const Stretch whole = stretches[0];
  ASSERT_EQ(shortcuts.all.size(), std::size_t{kEnd} - 1);
  EXPECT_EQ(shortcuts.splits.size(), 15U) << "of 1023, 511, 255 and 127 vertices inside";
  EXPECT_EQ(shortcuts.inner.size(), 16U * 63U) << "all others are parts of the longest";
  Unpacking unpacking;
  std::vector<Vertex> path = {0};
  unpacking.append(whole, kEnd, shortcuts, path);
  ASSERT_EQ(path.size(), std::size_t{kEnd} + 1);
  for (Vertex v = 0; v <= kEnd; ++v) EXPECT_EQ(path[v], v);
  path = {kEnd};
  unpacking.append(whole.reversed(), 0, shortcuts, path);
  for (Vertex v = 0; v <= kEnd; ++v) EXPECT_EQ(path[v], kEnd - v);
}

/// The refusal of a file with these shortcuts of a graph of 20 vertices; empty where it is read.
std::string refusal(std::vector<Shortcut> all, std::vector<Split> splits,
                    std::vector<Vertex> inner) {
  const TestFolder folder;
  const prepared::Identity identity{"p2p/some-search", 1, std::string(32, 'a')};
  const Shortcuts shortcuts = {std::move(all), std::move(splits), std::move(inner)};
  prepared::Writer writer;
  shortcuts.write(writer);
  writer.write(identity, folder / "file");
  prepared::Reader reader(folder / "file", identity);
  try {
    const Shortcuts read = Shortcuts::read(reader, 20);
    EXPECT_TRUE(std::ranges::equal(read.all, shortcuts.all));
    EXPECT_TRUE(std::ranges::equal(read.splits, shortcuts.splits));
    EXPECT_TRUE(std::ranges::equal(read.inner, shortcuts.inner));
    return "";
  } catch (const InputError& error) {
    return error.what();
  }
}

::testing::AssertionResult says(const std::string& message, const std::string& part) {
  if (message.find(part) != std::string::npos) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << '"' << message << "\" does not say " << part;
}

TEST(Shortcuts, FilesWithoutSenseAreRefused) {
  constexpr std::uint32_t kSplit = Shortcut::kSplit;
  const Stretch zero = Stretch::of_shortcut(0);
  const Stretch one = Stretch::of_shortcut(1);
  EXPECT_EQ(refusal({}, {}, {}), "");
  EXPECT_EQ(refusal({{0, 2}, {0, kSplit}}, {{zero, zero.reversed(), 4}}, {19, 3}), "");
  EXPECT_TRUE(says(refusal({{0, 2}}, {}, {20, 3}), "no vertex"));
  EXPECT_TRUE(says(refusal({{1, 2}}, {}, {1, 3}), "more vertices than its list"));
  EXPECT_TRUE(says(refusal({{3, 0}}, {}, {1, 3}), "more vertices than its list"));
  EXPECT_TRUE(says(refusal({{1, kSplit}}, {{kArc, kArc, 4}}, {}), "without its split"));
  EXPECT_TRUE(says(refusal({{0, kSplit}}, {{kArc, kArc, 20}}, {}), "at no vertex"));
  EXPECT_TRUE(says(refusal({{0, kSplit}}, {{kArc, one, 4}}, {}), "into no shortcut"));
  EXPECT_TRUE(says(refusal({{0, kSplit}}, {{zero, kArc, 4}}, {}), "before its part"));
}

TEST(Shortcuts, FilesOfEndlessPathsAreRefused) {
  // Each leads twice over the one before.
  std::vector<Shortcut> all;
  std::vector<Split> splits;
  for (std::uint32_t i = 0; i < 40; ++i) {
    const Stretch before = i == 0 ? kArc : Stretch::of_shortcut(i - 1);
    splits.push_back({before, before, 4});
    all.push_back({i, Shortcut::kSplit});
  }
  EXPECT_TRUE(says(refusal(all, splits, {}), "more vertices than a path can have"));
}

}  // namespace
}  // namespace bellmark::contraction_hierarchy
