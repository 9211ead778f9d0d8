#include "algorithms/searches/contraction_hierarchy/shortcuts.hpp"

namespace bellmark::contraction_hierarchy {
namespace {

/// The number of vertices inside each. Parts have larger numbers.
std::vector<std::uint64_t> inner_counts(const std::vector<Split>& splits) {
  std::vector<std::uint64_t> counts(splits.size(), 1);
  for (std::size_t i = splits.size(); i-- > 0;) {
    for (const Stretch part : {splits[i].first, splits[i].second}) {
      if (!part.is_arc()) counts[i] += counts[part.number()];
    }
  }
  return counts;
}

}  // namespace

std::pair<Shortcuts, std::vector<Stretch>> Shortcuts::of_splits(const std::vector<Split>& splits) {
  const std::vector<std::uint64_t> counts = inner_counts(splits);
  constexpr std::uint32_t kNowhere = Shortcut::kSplit;
  std::vector<Shortcut> all(splits.size(), {kNowhere, 0});
  std::vector<Stretch> stretches(splits.size());
  for (std::size_t i = 0; i < splits.size(); ++i) stretches[i] = Stretch::of_shortcut(i);

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
        // The list has it in the direction of this part.
        if (part.is_reversed()) stretches[number] = stretches[number].reversed();
      }
      const Split split = part.is_reversed() ? splits[number].reversed() : splits[number];
      waiting.push_back({split.second, behind});
      waiting.push_back({split.first, split.middle});
    }
  }

  const auto as_listed = [&](Stretch part) {
    if (part.is_arc()) return part;
    return part.is_reversed() ? stretches[part.number()].reversed() : stretches[part.number()];
  };
  std::vector<Split> kept;
  for (std::size_t i = splits.size(); i-- > 0;) {
    if (counts[i] <= kMostInner) continue;
    all[i] = {static_cast<std::uint32_t>(kept.size()), Shortcut::kSplit};
    kept.push_back({as_listed(splits[i].first), as_listed(splits[i].second), splits[i].middle});
  }
  return std::pair(Shortcuts{std::move(all), std::move(kept), std::move(inner)},
                   std::move(stretches));
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
