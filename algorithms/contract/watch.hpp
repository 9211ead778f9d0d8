// What looks on as a search goes, and what it closes to it: a template argument of searches that
// are served or shown, and not timed.
#pragma once

#include <cstddef>
#include <cstdint>

namespace bellmark {

/// The one of searches that are timed: nothing is seen and nothing closed, and the compiler leaves
/// nothing of it. Others have the same three functions:
///   settled(side, vertex, label, predecessor)
///       after a vertex was settled, or scanned by a search that may scan it again; side 1 are
///       searches that begin at the target. `predecessor` is the vertex that the label came from;
///       as kNoVertex where a search begins. False ends the search, which then has no answer; it
///       may throw too, and then the search must be prepared again
///   closed(side, arc)
///       whether this arc is left out; by its place in the rows of the side
///   prepares()
///       now and then while something is prepared for all searches; it may throw, which ends that
struct Unwatched {
  constexpr bool settled(std::size_t, std::uint64_t, std::uint64_t, std::uint64_t) const {
    return true;
  }
  constexpr bool closed(std::size_t, std::uint64_t) const { return false; }
  constexpr void prepares() const {}
};

}  // namespace bellmark
