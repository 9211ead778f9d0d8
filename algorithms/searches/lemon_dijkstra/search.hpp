// LEMON's Dijkstra in its fastest form: a second yardstick for our own.
//
// LEMON 1.3.1 calls members of std::allocator that C++20 took away. So search.cpp is compiled as
// C++17, and this header keeps to the common part of both.
#pragma once

#include <cstdint>
#include <memory>

namespace bellmark::lemon_dijkstra {

/// The heap behind lemon::Dijkstra; its radix and d-ary heaps are slower on road graphs and grids.
enum class Heap { binary, quad };

/// One search after the other on one graph, a StaticDigraph (CSR): 32-bit vertices and arcs,
/// distances in `Distance` (std::uint32_t or std::uint64_t), predecessors as arcs.
template <Heap heap, class Distance>
class Search {
 public:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  Search();
  ~Search();

  /// Copies a graph in CSR form of fewer than 2^31 vertices and arcs; without `lengths` each is 1.
  /// O(n + m).
  void prepare(std::uint32_t vertex_count, const std::uint64_t* row_offsets,
               const std::uint32_t* heads, const std::int32_t* lengths);
  /// Searches until `target` is processed or, when it is kNone, until everything reachable is.
  void run(std::uint32_t source, std::uint32_t target);

  bool reached(std::uint32_t vertex) const;
  std::uint64_t distance(std::uint32_t vertex) const;
  /// kNone for the source and unreached vertices.
  std::uint32_t predecessor(std::uint32_t vertex) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// LEMON's version, `1.3.1`.
const char* version();

}  // namespace bellmark::lemon_dijkstra
