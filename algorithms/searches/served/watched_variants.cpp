#include "algorithms/searches/served/watched_variants.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <functional>
#include <span>
#include <string_view>
#include <utility>

#include "algorithms/contract/run_context.hpp"
#include "algorithms/searches/alt/p2p_alt.hpp"
#include "algorithms/searches/bidirectional/p2p_bidirectional.hpp"
#include "algorithms/searches/contraction_hierarchy/p2p_contraction_hierarchy.hpp"
#include "algorithms/searches/dijkstra/p2p_dijkstra.hpp"
#include "algorithms/searches/label_correcting/p2p_label_correcting.hpp"
#include "base/error.hpp"
#include "base/text.hpp"

namespace bellmark::served {
namespace {

struct Recording {
  const Stop* stop = nullptr;
  std::vector<Event>* events = nullptr;  ///< null: only the stop is looked at
  std::size_t most = 0;
  std::uint64_t seen_count = 0;
};

struct Recorded {
  Recording* recording = nullptr;

  bool settled(std::size_t side, std::uint64_t vertex, std::uint64_t label,
               std::uint64_t predecessor) const {
    constexpr std::uint64_t kBetween = 256;
    if (++recording->seen_count % kBetween == 0) prepares();
    if (recording->events != nullptr && recording->events->size() < recording->most) {
      recording->events->push_back({static_cast<Vertex>(vertex), static_cast<Vertex>(predecessor),
                                    static_cast<std::uint8_t>(side), label});
    }
    return true;
  }
  bool closed(std::size_t, std::uint64_t) const { return false; }
  void prepares() const {
    if (recording->stop->now()) throw Stopped();
  }
};

/// The variant's own notes.
class Notes : public Recorder {
 public:
  void begin(std::string_view) override {}
  void note(std::string_view name, std::uint64_t value) override {
    if (name == "settled_count" || name == "scanned_count") settled_count = value;
  }
  void end() override {}

  std::uint64_t settled_count = 0;
};

template <class Variant>
class WatchedOf final : public WatchedVariant {
 public:
  WatchedOf(const Settings& settings, const Graph& graph, const Stop& stop)
      : recording_{.stop = &stop}, variant_(settings, Recorded{&recording_}) {
    RunContext context;
    variant_.prepare(graph, context);
  }

  Trace run(const P2p::Query& query, std::size_t most_events, const Stop& stop) override {
    Trace trace;
    recording_ = {.stop = &stop};
    RunContext plain;
    const auto begin = Stop::Clock::now();
    variant_.run(std::span(&query, 1), plain);
    trace.search_ms = std::chrono::duration<double, std::milli>(Stop::Clock::now() - begin).count();
    recording_ = {.stop = &stop, .events = &trace.events, .most = most_events};
    Notes notes;
    RunContext noted(&notes);
    variant_.run(std::span(&query, 1), noted);
    if (recording_.seen_count != notes.settled_count) {
      throw Error(ExitCode::internal, "watched variant",
                  "saw " + std::to_string(recording_.seen_count) + " vertices settled, but the " +
                      "variant counts " + std::to_string(notes.settled_count));
    }
    trace.settled_count = notes.settled_count;
    variant_.extract(trace.answer);
    return trace;
  }

 private:
  Recording recording_;
  Variant variant_;
};

/// The settings of this instance: run-time keys as written, or by default.
template <class Variant>
Settings settings_of(const Settings& written) {
  const Description description = Variant::describe();
  Settings settings = description.instance;
  for (const Key& key : description.keys) {
    if (key.when != Key::When::run_time) continue;
    settings.set(key.name, written.has(key.name) ? written.get(key.name) : key.default_value);
  }
  return settings;
}

struct Entry {
  std::string name;
  std::unique_ptr<WatchedVariant> (*prepare)(const Settings& written, const Graph& graph,
                                             const Stop& stop);
};

template <class Variant>
std::unique_ptr<WatchedVariant> prepare(const Settings& written, const Graph& graph,
                                        const Stop& stop) {
  const Settings settings = settings_of<Variant>(written);
  return std::make_unique<WatchedOf<Variant>>(Variant::resolve(settings, graph), graph, stop);
}

using dijkstra::Queue;

constexpr dijkstra::Options with_queue(Queue queue, int levels = 1) {
  dijkstra::Options options;
  options.queue = queue;
  options.levels = levels;
  options.distance = 64;
  if (dijkstra::is_program(queue)) {
    options.records = dijkstra::Records::program;
    options.width = 64;
  }
  return options;
}

constexpr dijkstra::Options with_arity(int arity, Queue queue = Queue::heap) {
  dijkstra::Options options = with_queue(queue);
  options.arity = arity;
  return options;
}

template <dijkstra::Options options>
using Dijkstra = P2pDijkstra<options, Recorded>;

template <label_correcting::Queue queue>
using LabelCorrecting =
    P2pLabelCorrecting<label_correcting::Options{.queue = queue, .distance = 64}, Recorded>;

/// Labels of 64 bits hold the distances of every graph, so that one form of each is enough.
const std::vector<Entry>& entries() {
  static const std::vector<Entry> all = {
      {"p2p/dijkstra:queue=heap,arity=4,distance=64", prepare<Dijkstra<with_arity(4)>>},
      {"p2p/dijkstra:queue=heap,arity=2,distance=64", prepare<Dijkstra<with_arity(2)>>},
      {"p2p/dijkstra:queue=heap-dynamic,arity=2,distance=64",
       prepare<Dijkstra<with_arity(2, Queue::heap_dynamic)>>},
      {"p2p/dijkstra:queue=scan,distance=64", prepare<Dijkstra<with_queue(Queue::scan)>>},
      {"p2p/dijkstra:queue=open-set,distance=64", prepare<Dijkstra<with_queue(Queue::open_set)>>},
      {"p2p/dijkstra:queue=dial,distance=64", prepare<Dijkstra<with_queue(Queue::dial)>>},
      {"p2p/dijkstra:queue=double-buckets,distance=64",
       prepare<Dijkstra<with_queue(Queue::double_buckets)>>},
      {"p2p/dijkstra:queue=radix,distance=64", prepare<Dijkstra<with_queue(Queue::radix)>>},
      {"p2p/dijkstra:queue=fibonacci,distance=64", prepare<Dijkstra<with_queue(Queue::fibonacci)>>},
      {"p2p/dijkstra:queue=multi-level,levels=2,distance=64",
       prepare<Dijkstra<with_queue(Queue::multi_level, 2)>>},
      {"p2p/dijkstra:queue=hot,levels=2,distance=64", prepare<Dijkstra<with_queue(Queue::hot, 2)>>},
      {"p2p/dijkstra:queue=bag,distance=64", prepare<Dijkstra<with_queue(Queue::bag)>>},
      {"p2p/dijkstra:queue=indirect-heap,distance=64",
       prepare<Dijkstra<with_queue(Queue::indirect_heap)>>},
      {"p2p/dijkstra:queue=mbp,distance=64", prepare<Dijkstra<with_queue(Queue::mbp)>>},
      {"p2p/label-correcting:queue=approximate,rows=four-slots,direction=push,distance=64",
       prepare<LabelCorrecting<label_correcting::Queue::approximate>>},
      {"p2p/label-correcting:queue=two-queue,rows=four-slots,distance=64",
       prepare<LabelCorrecting<label_correcting::Queue::two_queue>>},
      {"p2p/bidirectional:distance=64", prepare<P2pBidirectional<std::uint64_t, Recorded>>},
      {"p2p/alt:distance=64", prepare<P2pAlt<std::uint64_t, Recorded>>},
      {"p2p/contraction-hierarchy:distance=64",
       prepare<P2pContractionHierarchy<std::uint64_t, Recorded>>},
  };
  return all;
}

}  // namespace

std::vector<std::string> watched_variants() {
  std::vector<std::string> names;
  for (const Entry& entry : entries()) names.push_back(entry.name);
  return names;
}

std::unique_ptr<WatchedVariant> prepare_watched(const std::string& name, const Graph& graph,
                                                const Stop& stop) {
  const auto found = std::ranges::find(entries(), name, &Entry::name);
  if (found == entries().end()) {
    throw InputError(name, "no variant that can be watched", suggestion(name, watched_variants()));
  }
  return found->prepare(Settings::parse(name.substr(name.find(':') + 1)), graph, stop);
}

}  // namespace bellmark::served
