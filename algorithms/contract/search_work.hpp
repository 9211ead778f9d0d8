// The work that a search did in one run, by names that all searches share. A run is counted in a
// pass of its own: timed runs take a tally that the compiler leaves nothing of.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace bellmark {

enum class WorkCount {
  settled,         ///< vertices whose distance or level is final
  scanned,         ///< rows of arcs gone through; a row scanned again counts again
  looked_at_arcs,  ///< arcs read, for any purpose
  relaxations,     ///< tests whether an arc gives its head a shorter distance
  lowered,         ///< labels that got smaller, the first label of a vertex too
  rounds,          ///< rounds, or levels
  atomics,         ///< atomic operations tried on labels or sets of vertices
  failed_atomics,  ///< of these, those that changed nothing, because another thread was first
};
inline constexpr std::size_t kWorkCounts = 8;

/// The key in results.
constexpr std::string_view name_of(WorkCount count) {
  constexpr std::array<std::string_view, kWorkCounts> names = {
      "settled_count", "scanned_count", "looked_at_arc_count", "relaxation_count",
      "lowered_count", "round_count",   "atomic_count",        "failed_atomic_count"};
  return names[static_cast<std::size_t>(count)];
}

constexpr std::array<WorkCount, kWorkCounts> all_work_counts() {
  return {WorkCount::settled,     WorkCount::scanned,       WorkCount::looked_at_arcs,
          WorkCount::relaxations, WorkCount::lowered,       WorkCount::rounds,
          WorkCount::atomics,     WorkCount::failed_atomics};
}

// Reasons why a search has no such count.
inline constexpr std::string_view kUncounted = "the variant does not count it";
inline constexpr std::string_view kNoRounds = "the search has no rounds";
inline constexpr std::string_view kNoAtomics =
    "no label or set of vertices is changed by an atomic "
    "operation";
inline constexpr std::string_view kOneThread = "one thread needs no atomic operation";
inline constexpr std::string_view kNoLengths = "a search by levels compares no distances";
inline constexpr std::string_view kNotFinal = "no distance is final before the search ends";

/// Counts of a run, or of several that add up. A count that a search does not have is missing, with
/// the reason, and is not 0.
class SearchWork {
 public:
  void add(WorkCount what, std::uint64_t count) {
    Entry& entry = at(what);
    entry.value = entry.value.value_or(0) + count;
  }
  void lacks(WorkCount what, std::string_view reason) { at(what).reason = reason; }
  void lacks_atomics(std::string_view reason) {
    lacks(WorkCount::atomics, reason);
    lacks(WorkCount::failed_atomics, reason);
  }
  /// Adds the counts of another, for example of another thread. Its reasons count, too.
  void add(const SearchWork& other) {
    for (const WorkCount what : all_work_counts()) {
      if (const auto value = other.value(what)) add(what, *value);
      if (!other.at(what).reason.empty()) lacks(what, other.at(what).reason);
    }
  }

  std::optional<std::uint64_t> value(WorkCount what) const { return at(what).value; }
  /// Of a count without a value.
  std::string reason(WorkCount what) const {
    return std::string(at(what).reason.empty() ? kUncounted : at(what).reason);
  }
  bool empty() const {
    for (const Entry& entry : entries_) {
      if (entry.value) return false;
    }
    return true;
  }

 private:
  struct Entry {
    std::optional<std::uint64_t> value;
    std::string reason;
  };
  Entry& at(WorkCount what) { return entries_[static_cast<std::size_t>(what)]; }
  const Entry& at(WorkCount what) const { return entries_[static_cast<std::size_t>(what)]; }

  std::array<Entry, kWorkCounts> entries_;
};

/// A loop's counts, by one thread. Searches take it, or Untallied, as a template argument.
struct Tally {
  static constexpr bool kCounts = true;

  std::uint64_t scanned_count = 0;
  std::uint64_t looked_at_arc_count = 0;
  std::uint64_t relaxation_count = 0;
  std::uint64_t lowered_count = 0;
  std::uint64_t atomic_count = 0;
  std::uint64_t failed_atomic_count = 0;

  void scan() { ++scanned_count; }
  void look(std::uint64_t arc_count = 1) { looked_at_arc_count += arc_count; }
  /// An arc was looked at to find a shorter distance of its head.
  void relax(std::uint64_t arc_count = 1) {
    look(arc_count);
    relaxation_count += arc_count;
  }
  void lower() { ++lowered_count; }
  void try_atomic(bool succeeded) {
    ++atomic_count;
    failed_atomic_count += succeeded ? 0 : 1;
  }
  void add(const Tally& other) {
    scanned_count += other.scanned_count;
    looked_at_arc_count += other.looked_at_arc_count;
    relaxation_count += other.relaxation_count;
    lowered_count += other.lowered_count;
    atomic_count += other.atomic_count;
    failed_atomic_count += other.failed_atomic_count;
  }

  /// The counts of a search that compares distances.
  void add_distances_to(SearchWork& work) const {
    work.add(WorkCount::scanned, scanned_count);
    work.add(WorkCount::looked_at_arcs, looked_at_arc_count);
    work.add(WorkCount::relaxations, relaxation_count);
    work.add(WorkCount::lowered, lowered_count);
  }
  void add_atomics_to(SearchWork& work) const {
    work.add(WorkCount::atomics, atomic_count);
    work.add(WorkCount::failed_atomics, failed_atomic_count);
  }
  /// The counts of a search that has no lengths.
  void add_scans_to(SearchWork& work) const {
    work.add(WorkCount::scanned, scanned_count);
    work.add(WorkCount::looked_at_arcs, looked_at_arc_count);
    work.lacks(WorkCount::relaxations, kNoLengths);
    work.lacks(WorkCount::lowered, kNoLengths);
  }
  /// The counts of a search by levels, which are its rounds.
  void add_levels_to(SearchWork& work, std::size_t level_count, std::size_t thread_count) const {
    add_scans_to(work);
    work.add(WorkCount::rounds, level_count);
    if (thread_count == 1) {
      work.lacks_atomics(kOneThread);
    } else {
      add_atomics_to(work);
    }
  }
  /// The counts of a label-setting search by one thread, in no rounds.
  void add_sequential_to(SearchWork& work) const {
    add_distances_to(work);
    work.lacks(WorkCount::rounds, kNoRounds);
    work.lacks_atomics(kOneThread);
  }
};

/// The tally of timed runs: nothing. Loops with a queue are marked [[gnu::flatten]]. The compiler
/// inlines a long function of one caller, and calls it where two instances of a loop use it. That
/// call cost sssp/dijkstra 6 % of its time on New York.
struct Untallied {
  static constexpr bool kCounts = false;

  constexpr void scan() const {}
  constexpr void look(std::uint64_t = 1) const {}
  constexpr void relax(std::uint64_t = 1) const {}
  constexpr void lower() const {}
  constexpr void try_atomic(bool) const {}
};

}  // namespace bellmark
