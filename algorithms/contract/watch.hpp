// The watch that looks on as a search goes, and the arcs that it closes. It is a template argument
// of searches that are served or shown, and not timed.
#pragma once

#include <cstddef>
#include <cstdint>

namespace bellmark {

/// The watch of timed searches: it sees nothing and closes nothing, and the compiler leaves nothing
/// of it. Others have the same three functions:
///   settled(side, vertex, label, predecessor)
///       after a vertex was settled, or scanned by a search that may scan it again. Side 1 is the
///       searches that begin at the target. `predecessor` is the vertex that the label came from,
///       or kNoVertex where a search begins. False ends the search, which then has no answer. It
///       may throw too, and then the search must be prepared again
///   closed(side, arc)
///       whether this arc is left out; by its place in the rows of the side
///   prepares()
///       at times while data are prepared for all searches; it may throw, which ends that
struct Unwatched {
  constexpr bool settled(std::size_t, std::uint64_t, std::uint64_t, std::uint64_t) const {
    return true;
  }
  constexpr bool closed(std::size_t, std::uint64_t) const { return false; }
  constexpr void prepares() const {}
};

}  // namespace bellmark
