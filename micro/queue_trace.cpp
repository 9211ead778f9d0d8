// The cost of a queue's operations in the order in which Dijkstra's algorithm asks for them. A
// search writes its operations down once, at start-up. Every queue replays them on vertex records
// of its own, with no arcs around. micro_queue holds a steady number of entries. Here the queue
// grows and shrinks, and keys and the share of decrease-key are real.
//
//   micro_queue_trace --benchmark_filter=NY --benchmark_enable_random_interleaving=true
//
// Any exact queue can replay the trace of another one. They may pop vertices of equal distance in
// different orders, but never one that is to be decreased later: its new distance is at least the
// popped one, and less than its own.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "algorithms/searches/dijkstra/options.hpp"
#include "algorithms/searches/dijkstra/queue_of.hpp"
#include "algorithms/searches/layouts/layouts.hpp"
#include "base/error.hpp"
#include "graph/open.hpp"

namespace bellmark::dijkstra {
namespace {

/// 8 bytes, read in sequence: the replay adds them to the queue's own accesses.
struct Operation {
  std::uint32_t distance;
  std::uint32_t vertex;  ///< kMost: a pop; the queue says the vertex
};

struct Trace {
  std::size_t vertex_count = 0;
  std::uint64_t largest_length = 0;
  std::vector<Operation> operations;
  std::uint64_t popped_sum = 0;  ///< of the distances: equal for all exact queues
};

/// Gives a vertex a distance, as the search does it: the vertex's record says whether the queue
/// holds it.
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
  using Recorder = QueueOf<kDefault>;
  Trace trace;
  trace.vertex_count = graph.vertex_count();
  trace.largest_length = static_cast<std::uint64_t>(graph.properties().largest_length);
  auto storage = Recorder::Type::storage(trace.vertex_count, trace.largest_length);
  const Recorder::WorkArea vertices(trace.vertex_count);
  vertices.forget_all();
  const auto records = vertices.cursor();
  Recorder::Type queue(storage, records);
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
  using Replayed = QueueOf<o>;
  auto storage = Replayed::Type::storage(trace->vertex_count, trace->largest_length);
  const typename Replayed::WorkArea vertices(trace->vertex_count);
  const auto records = vertices.cursor();
  std::uint64_t popped_sum = 0;
  for (auto _ : state) {
    state.PauseTiming();
    vertices.forget_all();
    popped_sum = 0;
    state.ResumeTiming();
    typename Replayed::Type queue(storage, records);
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
/// For the queue that looks at every entry at each pop.
const std::vector<Input> kSmallInputs = {{"grid", "grid:rows=64,columns=64,seed=1"}};

template <Options o>
void add(const std::vector<Input>& inputs, const std::string& keys) {
  for (const Input& input : inputs) {
    benchmark::RegisterBenchmark(("replay/" + input.name + "/" + keys).c_str(), replay<o>,
                                 input.reference)
        ->Unit(benchmark::kMillisecond);
  }
}

template <Queue queue, int levels = 1>
void add_other(const std::vector<Input>& inputs = kInputs) {
  std::string keys = "queue=" + text(queue);
  if (has_levels(queue)) keys += ",levels=" + std::to_string(levels);
  add<Options{.queue = queue, .levels = levels, .distance = 64}>(inputs, keys);
}

template <int arity>
void add_heap(const std::vector<Input>& inputs = kInputs) {
  const std::string keys = "queue=heap,arity=" + std::to_string(arity);
  add<Options{.arity = arity, .distance = 64}>(inputs, keys);
  add<Options{.arity = arity, .extract = Extract::top_down, .distance = 64}>(
      inputs, keys + ",extract=top-down");
}

/// All with 32-bit ids and 64-bit distances, the paper's form; the last one is the default's form.
[[maybe_unused]] const bool added = [] {
  add_heap<2>();
  add_heap<3>();
  add_heap<4>();
  add_heap<8>();
  add_heap<16>();
  add_other<Queue::heap_dynamic>();
  add_other<Queue::dial>();
  add_other<Queue::double_buckets>();
  add_other<Queue::radix>();
  add_other<Queue::fibonacci>();
  add_other<Queue::multi_level, 1>();
  add_other<Queue::multi_level, 2>();
  add_other<Queue::multi_level, 3>();
  add_other<Queue::hot, 1>();
  add_other<Queue::hot, 2>();
  add_other<Queue::hot, 3>();
  add_other<Queue::scan>(kSmallInputs);
  add_other<Queue::open_set>(kSmallInputs);
  add_heap<4>(kSmallInputs);
  add<kDefault>(kInputs, "queue=heap,arity=4,distance=32");
  return true;
}();

}  // namespace
}  // namespace bellmark::dijkstra
