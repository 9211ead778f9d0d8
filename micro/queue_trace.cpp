// What a queue's operations cost in the order in which Dijkstra's algorithm asks for them. A search
// writes its operations down once, at start-up; every queue replays them on vertex records of its
// own, with no arcs around. micro_queue holds a steady number of entries; here the queue grows and
// shrinks, and keys and the share of decrease-key are real.
//
//   micro_queue_trace --benchmark_filter=NY --benchmark_enable_random_interleaving=true
//
// Any exact queue can replay what another one wrote down. They may pop vertices of equal distance
// in different orders, but never one that is to be decreased later: its new distance is at least
// the popped one, and less than its own.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "algorithms/dijkstra/heap.hpp"
#include "algorithms/dijkstra/layouts.hpp"
#include "base/error.hpp"
#include "graph/open.hpp"

namespace bellmark::dijkstra {
namespace {

/// 8 bytes, read in sequence: what the replay adds to the queue's own accesses.
struct Operation {
  std::uint32_t distance;
  std::uint32_t vertex;  ///< kMost: a pop; the queue says of which vertex
};

struct Trace {
  std::size_t vertex_count = 0;
  std::vector<Operation> operations;
  std::uint64_t popped_sum = 0;  ///< of the distances: equal for all exact queues
};

/// A queue, the records that it works on, and its storage.
template <Options o>
struct Tested {
  using Records = Vertices<Unsigned<o.distance>, Unsigned<o.width>, o.vertices>;
  using Queue = Heap<Unsigned<o.distance>, Unsigned<o.width>, o.vertices, o.arity, o.extract,
                     o.queue == dijkstra::Queue::heap_dynamic, typename Records::Cursor>;
  static typename Queue::Storage storage(std::size_t vertex_count) {
    return typename Queue::Storage(o.queue == dijkstra::Queue::heap ? vertex_count : 0);
  }
};

/// A distance for a vertex, as the search does it: whether the queue holds it is in its record.
template <class Queue, class Records, class Distance, class Id>
void insert_or_decrease(Queue& queue, const Records& records, Distance distance, Id vertex) {
  const Id position = records.position(vertex);
  records.label(vertex, distance, kMost<Id>);
  if (position == kMost<Id>) {
    queue.push(distance, vertex);
  } else {
    queue.decrease(position, distance, vertex);
  }
}

template <class Queue, class Records>
auto pop(Queue& queue, const Records& records) {
  const auto top = queue.top();
  queue.pop();
  records.place(top.vertex(), 0);
  return top;
}

Trace record(const Graph& graph) {
  using Recorder = Tested<kDefault>;
  Trace trace{graph.vertex_count(), {}, 0};
  auto storage = Recorder::storage(trace.vertex_count);
  const Recorder::Records vertices(trace.vertex_count);
  vertices.forget_all();
  const auto records = vertices.cursor();
  Recorder::Queue queue(storage, records);
  const auto improve = [&](std::uint32_t distance, Vertex v) {
    if (distance >= records.distance(v)) return;
    trace.operations.push_back({distance, v});
    insert_or_decrease(queue, records, distance, v);
  };
  improve(0, 0);
  while (!queue.empty()) {
    const auto top = pop(queue, records);
    trace.operations.push_back({0, kMost<std::uint32_t>});
    trace.popped_sum += top.distance();
    const Vertex u = top.vertex();
    for (Offset e = graph.row_offsets()[u]; e < graph.row_offsets()[u + 1]; ++e) {
      improve(top.distance() + static_cast<std::uint32_t>(graph.length(e)), graph.heads()[e]);
    }
  }
  return trace;
}

/// The traces, each made when it is first asked for.
const Trace& trace_of(const std::string& reference) {
  static std::map<std::string, Trace> traces;
  const auto found = traces.find(reference);
  if (found != traces.end()) return found->second;
  return traces.emplace(reference, record(open_graph(reference))).first->second;
}

template <Options o>
void replay(benchmark::State& state, const std::string& reference) {
  const Trace* trace = nullptr;
  try {
    trace = &trace_of(reference);
  } catch (const Error& error) {
    state.SkipWithError(error.what());
    return;
  }
  auto storage = Tested<o>::storage(trace->vertex_count);
  const typename Tested<o>::Records vertices(trace->vertex_count);
  const auto records = vertices.cursor();
  std::uint64_t popped_sum = 0;
  for (auto _ : state) {
    state.PauseTiming();
    vertices.forget_all();
    popped_sum = 0;
    state.ResumeTiming();
    typename Tested<o>::Queue queue(storage, records);
    for (const Operation operation : trace->operations) {
      if (operation.vertex == kMost<std::uint32_t>) {
        popped_sum += pop(queue, records).distance();
      } else {
        insert_or_decrease(queue, records, Unsigned<o.distance>{operation.distance},
                           Unsigned<o.width>{operation.vertex});
      }
    }
  }
  if (popped_sum != trace->popped_sum) state.SkipWithError("popped other distances");
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(trace->operations.size()));
}

struct Input {
  std::string name;
  std::string reference;
};
const std::vector<Input> kInputs = {
    {"NY", "dimacs:USA-road-d.NY"},
    {"random", "random:n=262144,m=1048576,lengths=uniform:1..262144,seed=1"}};

template <Options o>
bool add(const std::string& keys) {
  for (const Input& input : kInputs) {
    benchmark::RegisterBenchmark(("replay/" + input.name + "/" + keys).c_str(), replay<o>,
                                 input.reference)
        ->Unit(benchmark::kMillisecond);
  }
  return true;
}

template <int... arity>
bool add_heaps() {
  return ((add<Options{.arity = arity}>("queue=heap,arity=" + std::to_string(arity)) &&
           add<Options{.arity = arity, .extract = Extract::top_down}>(
               "queue=heap,arity=" + std::to_string(arity) + ",extract=top-down")) &&
          ...);
}

[[maybe_unused]] const bool added =
    add_heaps<2, 3, 4, 8, 16>() &&
    add<Options{.queue = Queue::heap_dynamic}>("queue=heap-dynamic,arity=4") &&
    add<Options{.arity = 2, .distance = 64}>("queue=heap,arity=2,distance=64");

}  // namespace
}  // namespace bellmark::dijkstra
