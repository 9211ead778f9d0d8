// The queue that a combination of keys means, and the vertex records that it works on.
#pragma once

#include "algorithms/searches/dijkstra/options.hpp"
#include "algorithms/searches/layouts/layouts.hpp"
#include "algorithms/searches/queues/bag.hpp"
#include "algorithms/searches/queues/bucket_rings.hpp"
#include "algorithms/searches/queues/dial.hpp"
#include "algorithms/searches/queues/double_buckets.hpp"
#include "algorithms/searches/queues/fibonacci.hpp"
#include "algorithms/searches/queues/heap.hpp"
#include "algorithms/searches/queues/hot.hpp"
#include "algorithms/searches/queues/indirect_heap.hpp"
#include "algorithms/searches/queues/mbp.hpp"
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
requires(o.queue == Queue::dial && o.records == Records::lean) struct QueueOf<o>
    : QueueWithRecords<Dial<Unsigned<o.distance>, Unsigned<o.width>>> {
};

template <Options o>
requires(o.queue == Queue::double_buckets && o.records == Records::lean) struct QueueOf<o>
    : QueueWithRecords<DoubleBuckets<Unsigned<o.distance>, Unsigned<o.width>>> {
};

template <Options o>
requires(o.queue == Queue::radix && o.records == Records::lean) struct QueueOf<o>
    : QueueWithRecords<Radix<Unsigned<o.distance>, Unsigned<o.width>>> {
};

template <Options o>
requires(o.queue == Queue::fibonacci && o.records == Records::lean) struct QueueOf<o>
    : QueueWithRecords<Fibonacci<Unsigned<o.distance>, Unsigned<o.width>>> {
};

template <Options o>
requires(o.queue == Queue::multi_level && o.records == Records::lean) struct QueueOf<o>
    : QueueWithRecords<MultiLevel<Unsigned<o.distance>, Unsigned<o.width>, o.levels, o.caliber>> {
};

template <Options o>
requires(o.queue == Queue::hot && o.records == Records::lean) struct QueueOf<o>
    : QueueWithRecords<Hot<Unsigned<o.distance>, Unsigned<o.width>, o.levels>> {
  static constexpr bool kGrows = true;
};

// The programs that Yasui et al. (2011) compare theirs with. The paper's memory leaves 72 bytes a
// vertex for b1-b3 and h1-h3. Here they are all in the record of b1-b3, and 8 of them in the heap
// of h1-h3.

template <Options o>
requires(o.queue == Queue::bag) struct QueueOf<o> : QueueWithRecords<Bag> {
};

template <Options o>
requires(o.queue == Queue::indirect_heap) struct QueueOf<o>
    : QueueWithRecords<IndirectHeap<ProgramVertices<IndirectHeapRecord>>> {
};

template <Options o>
requires(o.queue == Queue::dial && o.records == Records::program) struct QueueOf<o>
    : QueueWithRecords<Dial<Word, Word, BucketRings<0>>> {
};

template <Options o>
requires(o.queue == Queue::double_buckets && o.records == Records::program) struct QueueOf<o>
    : QueueWithRecords<DoubleBuckets<Word, Word, BucketRings<0>>> {
};

template <Options o>
requires(o.queue == Queue::radix && o.records == Records::program) struct QueueOf<o>
    : QueueWithRecords<Radix<Word, Word, BucketRings<1>, true>> {
};

template <Options o>
requires(o.queue == Queue::fibonacci && o.records == Records::program) struct QueueOf<o>
    : QueueWithRecords<Fibonacci<Word, Word, ProgramVertices<FibonacciRecord>>> {
};

template <Options o>
requires(o.queue == Queue::mbp) struct QueueOf<o> : QueueWithRecords<Mbp<0, 1>> {
};

template <Options o>
requires(o.queue == Queue::multi_level && o.records == Records::program) struct QueueOf<o>
    : QueueWithRecords<Mbp<o.levels, 3>> {
};

template <Options o>
requires(o.queue == Queue::hot && o.records == Records::program) struct QueueOf<o>
    : QueueWithRecords<
          Hot<Word, Word, o.levels, BucketRings<2>, IndirectHeap<BucketRings<2>::WorkArea>>> {
};

}  // namespace bellmark::dijkstra
