// The shortcuts of a contraction hierarchy, and the paths of the graph that they stand for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <tuple>
#include <utility>
#include <vector>

#include "algorithms/contract/prepared.hpp"
#include "graph/graph.hpp"

namespace bellmark::contraction_hierarchy {

/// A part of a path: an arc of the graph, or a shortcut in one of its two directions.
class Stretch {
 public:
  /// An arc of the graph.
  constexpr Stretch() = default;
  constexpr static Stretch of_shortcut(std::size_t number) {
    return Stretch(static_cast<std::uint32_t>(number) << 1);
  }

  constexpr bool is_arc() const { return (value_ | 1) == kArc; }
  constexpr std::uint32_t number() const { return value_ >> 1; }
  constexpr bool is_reversed() const { return !is_arc() && (value_ & 1) != 0; }
  constexpr Stretch reversed() const { return is_arc() ? *this : Stretch(value_ ^ 1); }
  bool operator==(const Stretch&) const = default;

 private:
  static constexpr std::uint32_t kArc = std::numeric_limits<std::uint32_t>::max();
  constexpr explicit Stretch(std::uint32_t value) : value_(value) {}

  std::uint32_t value_ = kArc;
};

/// Two stretches that meet at a vertex of the graph.
struct Split {
  Stretch first;
  Stretch second;
  Vertex middle;

  /// The same in the other direction.
  Split reversed() const { return {second.reversed(), first.reversed(), middle}; }
  bool operator==(const Split&) const = default;
};

/// A shortcut: `count` vertices of Shortcuts::inner from `first` on, without its two ends. With
/// kSplit as count it is the split `first`.
struct Shortcut {
  static constexpr std::uint32_t kSplit = std::numeric_limits<std::uint32_t>::max();

  std::uint32_t first;
  std::uint32_t count;

  bool is_split() const { return count == kSplit; }
  bool operator==(const Shortcut&) const = default;
};

/// The vertices inside a shortcut are those inside its first part, its middle, and those inside its
/// second part. So a shortcut shares the vertices of its parts. New York by distance has 445,000
/// shortcuts with 2.7 million vertices inside, in a list of 1.0 million. Splits keep the list short
/// on graphs whose shortcuts share little.
struct Shortcuts {
  /// A shortcut with more vertices inside is a split.
  static constexpr std::uint64_t kMostInner = 64;

  prepared::Kept<Shortcut> all;
  prepared::Kept<Split> splits;  ///< one that is part of another comes first
  prepared::Kept<Vertex> inner;

  std::uint64_t bytes() const { return all.bytes() + splits.bytes() + inner.bytes(); }

  /// Shortcuts from their splits, by number, and for each split the stretch that leads over it. A
  /// split has parts with larger numbers only. O(vertices inside all of them).
  static std::pair<Shortcuts, std::vector<Stretch>> of_splits(const std::vector<Split>& splits);

  /// Writes them to a file; read() throws InputError unless all can be unpacked.
  void write(prepared::Writer& writer) const;
  static Shortcuts read(prepared::Reader& reader, Vertex vertex_count);
};

/// Unpacks paths, and allocates nothing once it has unpacked a long one. A shortcut costs 8 bytes,
/// and the copy of the vertices inside it.
class Unpacking {
 public:
  /// Adds the vertices of `stretch` behind its tail to `path`, with `head` as the last. O(their
  /// number).
  void append(Stretch stretch, Vertex head, const Shortcuts& shortcuts, std::vector<Vertex>& path) {
    for (;;) {
      if (!stretch.is_arc()) {
        const Shortcut shortcut = shortcuts.all[stretch.number()];
        if (shortcut.is_split()) {
          const Split& split = shortcuts.splits[shortcut.first];
          const auto [first, second, middle] = stretch.is_reversed() ? split.reversed() : split;
          later_.emplace_back(second, head);
          stretch = first;
          head = middle;
          continue;
        }
        const Vertex* const begin = shortcuts.inner.data() + shortcut.first;
        const Vertex* const end = begin + shortcut.count;
        if (stretch.is_reversed()) {
          path.insert(path.end(), std::reverse_iterator(end), std::reverse_iterator(begin));
        } else {
          path.insert(path.end(), begin, end);
        }
      }
      path.push_back(head);
      if (later_.empty()) return;
      std::tie(stretch, head) = later_.back();
      later_.pop_back();
    }
  }

 private:
  std::vector<std::pair<Stretch, Vertex>> later_;  ///< stretches that follow, with their heads
};

}  // namespace bellmark::contraction_hierarchy
