// Which queue a combination of keys means, and which vertex records that queue works on.
#pragma once

#include "algorithms/searches/dijkstra/options.hpp"
#include "algorithms/searches/layouts/layouts.hpp"
#include "algorithms/searches/queues/dial.hpp"
#include "algorithms/searches/queues/double_buckets.hpp"
#include "algorithms/searches/queues/fibonacci.hpp"
#include "algorithms/searches/queues/heap.hpp"
#include "algorithms/searches/queues/hot.hpp"
#include "algorithms/searches/queues/multi_level.hpp"
#include "algorithms/searches/queues/open_set.hpp"
#include "algorithms/searches/queues/radix.hpp"
#include "algorithms/searches/queues/scan.hpp"

namespace bellmark::dijkstra {

template <class Chosen>
struct QueueWithRecords {
  using Type = Chosen;
  using WorkArea = typename Chosen::WorkArea;
  static constexpr bool kGrows = false;  ///< its storage, during a search
};

/// Type, WorkArea and kGrows by options.
template <Options o>
struct QueueOf;

template <Options o>
requires(is_heap(o.queue)) struct QueueOf<o> {
  using WorkArea = Vertices<Unsigned<o.distance>, Unsigned<o.width>, o.vertices>;
  static constexpr bool kGrows = o.queue == Queue::heap_dynamic;
  using Type = Heap<Unsigned<o.distance>, Unsigned<o.width>, o.vertices, o.arity, o.extract, kGrows,
                    typename WorkArea::Cursor>;
};

template <Options o>
requires(o.queue == Queue::scan) struct QueueOf<o>
    : QueueWithRecords<Scan<Unsigned<o.distance>, Unsigned<o.width>>> {
};

template <Options o>
requires(o.queue == Queue::open_set) struct QueueOf<o>
    : QueueWithRecords<OpenSet<Unsigned<o.distance>, Unsigned<o.width>>> {
};

template <Options o>
requires(o.queue == Queue::dial) struct QueueOf<o>
    : QueueWithRecords<Dial<Unsigned<o.distance>, Unsigned<o.width>>> {
};

template <Options o>
requires(o.queue == Queue::double_buckets) struct QueueOf<o>
    : QueueWithRecords<DoubleBuckets<Unsigned<o.distance>, Unsigned<o.width>>> {
};

template <Options o>
requires(o.queue == Queue::radix) struct QueueOf<o>
    : QueueWithRecords<Radix<Unsigned<o.distance>, Unsigned<o.width>>> {
};

template <Options o>
requires(o.queue == Queue::fibonacci) struct QueueOf<o>
    : QueueWithRecords<Fibonacci<Unsigned<o.distance>, Unsigned<o.width>>> {
};

template <Options o>
requires(o.queue == Queue::multi_level) struct QueueOf<o>
    : QueueWithRecords<MultiLevel<Unsigned<o.distance>, Unsigned<o.width>, o.levels, o.caliber>> {
};

template <Options o>
requires(o.queue == Queue::hot) struct QueueOf<o>
    : QueueWithRecords<Hot<Unsigned<o.distance>, Unsigned<o.width>, o.levels>> {
  static constexpr bool kGrows = true;
};

}  // namespace bellmark::dijkstra
