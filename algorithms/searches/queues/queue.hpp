// The priority queue of Dijkstra's loop. This folder has one file a queue, and the head of each
// file names its origin.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>

namespace bellmark::dijkstra {

/// A queue of labelled vertices for one search: a value of a few pointers and words over a storage
/// that outlives it, which the loop keeps in registers. Exact: a vertex comes out with its final
/// distance. Monotone: nothing is pushed or decreased below the last distance that came out, nor
/// more than the largest length above it. The first push is at distance 0, onto a clean storage.
///
///   Queue(storage, vertices)   empty. `vertices` is the cursor of the work area whose records the
///                              queue shares: it keeps its links or positions there.
///   push(distance, vertex)     of a vertex that the queue does not hold, labelled before.
///   decrease(position, distance, vertex)
///                              of one that it holds, labelled with the smaller distance before;
///                              `position` is vertices.position(vertex).
///   top()                      the next vertex with its distance; may reorganise. Not when empty.
///   pop()                      removes the vertex that top() gave; nothing lies between the two
///   calls. empty(), size()
///
/// While a vertex is held its position differs from the largest Id, which means "unreached". A
/// popped vertex's position is the search's own.
///
/// The storage
///   Queue::storage(vertex_count, largest_length)   makes it, clean.
///   bytes()                    its size, for accounts.
///   clean(position)            after a search that stopped early: undoes what a held vertex with
///                              this position left in the storage. O(1).
///   clean_all(held_count)      the same for all of them at once. O(clean_all_cost()).
///   clean_all_cost()           in entries, as against one vertex record.
/// A queue that runs empty leaves its storage clean.
template <class Q>
concept VertexQueue = requires(Q& queue, const Q& constant, typename Q::Storage& storage,
                               typename Q::Distance distance, typename Q::Id id,
                               std::uint64_t largest_length) {
  { Q::storage(std::size_t{}, largest_length) } -> std::same_as<typename Q::Storage>;
  { constant.empty() } -> std::same_as<bool>;
  { constant.size() } -> std::same_as<std::size_t>;
  { queue.top().vertex() } -> std::same_as<typename Q::Id>;
  { queue.top().distance() } -> std::same_as<typename Q::Distance>;
  queue.push(distance, id);
  queue.decrease(id, distance, id);
  queue.pop();
  { storage.bytes() } -> std::same_as<std::uint64_t>;
  { storage.clean_all_cost() } -> std::same_as<std::size_t>;
  storage.clean(id);
  storage.clean_all(std::size_t{});
};

/// For a queue that has all its data in the vertices' records.
struct NoStorage {
  std::uint64_t bytes() const { return 0; }
  template <class Id>
  void clean(Id) const {}
  void clean_all(std::size_t) const {}
  std::size_t clean_all_cost() const { return 0; }
};

}  // namespace bellmark::dijkstra
