#include "algorithms/searches/contraction_hierarchy/shortcuts.hpp"

#include <algorithm>
#include <numeric>
#include <string>

namespace bellmark::contraction_hierarchy {
namespace {

/// The number of vertices inside each.
std::vector<std::uint64_t> inner_counts(const std::vector<Split>& splits) {
  std::vector<std::uint64_t> counts(splits.size(), 0);
  // 0 is not counted yet: a shortcut has its middle inside.
  const auto is_open = [&](Stretch part) { return !part.is_arc() && counts[part.number()] == 0; };
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < splits.size(); ++i) {
    if (counts[i] == 0) open.push_back(i);
    while (!open.empty()) {
      const Split& split = splits[open.back()];
      if (is_open(split.first)) {
        open.push_back(split.first.number());
      } else if (is_open(split.second)) {
        open.push_back(split.second.number());
      } else {
        std::uint64_t count = 1;
        for (const Stretch part : {split.first, split.second}) {
          if (!part.is_arc()) count += counts[part.number()];
        }
        counts[open.back()] = count;
        open.pop_back();
      }
    }
  }
  return counts;
}

}  // namespace

Shortcuts Shortcuts::of_splits(const std::vector<Split>& splits, std::vector<char>& is_flipped) {
  const std::vector<std::uint64_t> counts = inner_counts(splits);
  constexpr std::uint32_t kNowhere = Shortcut::kSplit;
  std::vector<Shortcut> all(splits.size(), {kNowhere, 0});
  is_flipped.assign(splits.size(), 0);

  // A part that is in the list already is there with all of its own parts.
  std::vector<Vertex> inner;
  struct Waiting {
    Stretch part;
    Vertex behind;  ///< the vertex behind it, or kNoVertex at the end
  };
  std::vector<Waiting> waiting;
  for (std::size_t i = 0; i < splits.size(); ++i) {
    if (counts[i] > kMostInner || all[i].first != kNowhere) continue;
    waiting.push_back({Stretch::of_shortcut(i), kNoVertex});
    while (!waiting.empty()) {
      const auto [part, behind] = waiting.back();
      waiting.pop_back();
      if (part.is_arc()) {
        if (behind != kNoVertex) inner.push_back(behind);
        continue;
      }
      const std::uint32_t number = part.number();
      if (all[number].first == kNowhere) {
        all[number] = {static_cast<std::uint32_t>(inner.size()),
                       static_cast<std::uint32_t>(counts[number])};
        is_flipped[number] = part.is_reversed() ? 1 : 0;
      }
      const Split split = part.is_reversed() ? splits[number].reversed() : splits[number];
      waiting.push_back({split.second, behind});
      waiting.push_back({split.first, split.middle});
    }
  }

  std::vector<std::uint32_t> long_ones;
  for (std::uint32_t i = 0; i < splits.size(); ++i) {
    if (counts[i] > kMostInner) long_ones.push_back(i);
  }
  std::ranges::stable_sort(long_ones, {}, [&](std::uint32_t i) { return counts[i]; });
  const auto as_numbered = [&](Stretch part) {
    return !part.is_arc() && is_flipped[part.number()] != 0 ? part.reversed() : part;
  };
  std::vector<Split> kept;
  kept.reserve(long_ones.size());
  for (const std::uint32_t i : long_ones) {
    all[i] = {static_cast<std::uint32_t>(kept.size()), Shortcut::kSplit};
    kept.push_back({as_numbered(splits[i].first), as_numbered(splits[i].second), splits[i].middle});
  }
  return {std::move(all), std::move(kept), std::move(inner)};
}

void Shortcuts::write(prepared::Writer& writer) const {
  writer.add(all);
  writer.add(splits);
  writer.add(inner);
}

Shortcuts Shortcuts::read(prepared::Reader& reader, Vertex vertex_count) {
  Shortcuts read;
  read.all = reader.take<Shortcut>();
  read.splits = reader.take<Split>();
  read.inner = reader.take<Vertex>();
  const auto require = [&](bool holds, const char* what) {
    if (!holds) reader.refuse(what);
  };
  for (const Vertex v : read.inner) require(v < vertex_count, "has a shortcut over no vertex");
  for (const Shortcut& shortcut : read.all) {
    if (shortcut.is_split()) {
      require(shortcut.first < read.splits.size(), "has a shortcut without its split");
    } else {
      require(shortcut.first <= read.inner.size() &&
                  shortcut.count <= read.inner.size() - shortcut.first,
              "has a shortcut over more vertices than its list");
    }
  }
  // A path has a vertex twice only where a search for a witness gave up. So 16 times as many
  // vertices as the graph's are damage, and would fill the memory.
  const std::uint64_t most = 16 * std::uint64_t{vertex_count};
  std::vector<std::uint64_t> counts;
  counts.reserve(read.splits.size());
  for (const auto& [first, second, middle] : read.splits) {
    require(middle < vertex_count, "has a split at no vertex");
    std::uint64_t count = 1;
    for (const Stretch part : {first, second}) {
      if (part.is_arc()) continue;
      require(part.number() < read.all.size(), "has a split into no shortcut");
      const Shortcut& shortcut = read.all[part.number()];
      require(!shortcut.is_split() || shortcut.first < counts.size(),
              "has a split that comes before its part");
      count += shortcut.is_split() ? counts[shortcut.first] : shortcut.count;
    }
    require(count <= most, "has a shortcut over more vertices than a path can have");
    counts.push_back(count);
  }
  return read;
}

}  // namespace bellmark::contraction_hierarchy
