// sssp/harish beyond right answers, which conformance_test.cpp checks: the rule that switches, and
// on a GPU its phases, their log, and the repetition of decisions.
#include "algorithms/searches/harish/harish.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "algorithms/contract/registry.hpp"
#include "algorithms/gpu/gpu.hpp"
#include "algorithms/problems/sssp/problem.hpp"
#include "algorithms/testing/gpu_family.hpp"
#include "algorithms/testing/zoo.hpp"
#include "base/error.hpp"

namespace bellmark::harish {
namespace {

using SsspWorkload = detail::WorkloadOf<Sssp>;

TEST(HarishSwitch, ComparesTheMeanOfTwoPhases) {
  constexpr Thresholds kPaper{350'000, 330'000};
  EXPECT_EQ(next_threads(ThreadsFor::updated_vertices, 350'000, 350'000, kPaper),
            ThreadsFor::updated_vertices);
  EXPECT_EQ(next_threads(ThreadsFor::updated_vertices, 300'000, 400'001, kPaper),
            ThreadsFor::all_vertices);
  EXPECT_EQ(next_threads(ThreadsFor::updated_vertices, 0, 700'000, kPaper),
            ThreadsFor::updated_vertices);
  EXPECT_EQ(next_threads(ThreadsFor::all_vertices, 330'000, 330'000, kPaper),
            ThreadsFor::all_vertices);
  EXPECT_EQ(next_threads(ThreadsFor::all_vertices, 0, 659'999, kPaper),
            ThreadsFor::updated_vertices);
  EXPECT_EQ(next_threads(ThreadsFor::all_vertices, 900'000, 100'000, kPaper),
            ThreadsFor::all_vertices);
}

TEST(HarishSwitch, KeepsItsFormBetweenTheThresholds) {
  constexpr Thresholds kPaper{350'000, 330'000};
  for (const ThreadsFor threads_for : {ThreadsFor::updated_vertices, ThreadsFor::all_vertices}) {
    EXPECT_EQ(next_threads(threads_for, 340'000, 340'000, kPaper), threads_for);
  }
  constexpr Thresholds kAsPrinted{350'000, 350'000};
  EXPECT_EQ(next_threads(ThreadsFor::updated_vertices, 340'000, 340'000, kAsPrinted),
            ThreadsFor::updated_vertices);
  EXPECT_EQ(next_threads(ThreadsFor::all_vertices, 340'000, 340'000, kAsPrinted),
            ThreadsFor::updated_vertices);
}

/// Algorithm 4 as printed: `end - start > THR` and `end - start < THR`.
TEST(HarishSwitch, ComparesThisPhaseAloneAsPrinted) {
  constexpr Thresholds kAsPrinted{350'000, 350'000, true};
  for (const std::uint64_t previous_ns : {0, 349'999, 900'000}) {
    EXPECT_EQ(next_threads(ThreadsFor::updated_vertices, previous_ns, 350'000, kAsPrinted),
              ThreadsFor::updated_vertices);
    EXPECT_EQ(next_threads(ThreadsFor::updated_vertices, previous_ns, 350'001, kAsPrinted),
              ThreadsFor::all_vertices);
    EXPECT_EQ(next_threads(ThreadsFor::all_vertices, previous_ns, 350'000, kAsPrinted),
              ThreadsFor::all_vertices);
    EXPECT_EQ(next_threads(ThreadsFor::all_vertices, previous_ns, 349'999, kAsPrinted),
              ThreadsFor::updated_vertices);
  }
}

constexpr const char* kFamily = "sssp/harish";

std::unique_ptr<BoundVariant> bound(const std::string& pattern, SsspWorkload& workload) {
  Settings resolved;
  const auto selections = Registry::global().select(pattern);
  return find_instance(selections.at(0), workload, resolved).bind(workload, resolved);
}

/// Every built instance, all keys spelled out but the resolved distance.
std::vector<std::string> built() {
  std::vector<std::string> names;
  for (const Selection& selection : Registry::global().select("sssp/harish:*")) {
    names.push_back(selection.name());
  }
  return names;
}

/// The values of one column; empty when the log lacks it.
std::vector<std::uint64_t> column(const PhaseLog& log, const std::string& name) {
  const auto found = std::ranges::find(log.columns, name);
  std::vector<std::uint64_t> values;
  if (found == log.columns.end()) return values;
  const auto index = static_cast<std::size_t>(found - log.columns.begin());
  for (std::size_t i = index; i < log.values.size(); i += log.columns.size()) {
    values.push_back(log.values[i]);
  }
  return values;
}

/// The number of vertices that each phase updates, on one thread: every system has to go through
/// the same.
std::vector<std::uint64_t> updated_counts(const Graph& graph, Vertex source) {
  std::vector<Distance> distances(graph.vertex_count(), kUnreached);
  distances[source] = 0;
  std::vector<Vertex> updated = {source};
  std::vector<std::uint64_t> counts;
  while (!updated.empty()) {
    std::map<Vertex, Distance> candidates;
    for (const Vertex v : updated) {
      for (Offset e = graph.row_offsets()[v]; e < graph.row_offsets()[v + 1]; ++e) {
        const Distance sum = distances[v] + graph.length(e);
        auto [entry, is_new] = candidates.emplace(graph.heads()[e], sum);
        entry->second = std::min(entry->second, sum);
      }
    }
    updated.clear();
    for (const auto& [v, candidate] : candidates) {
      if (candidate >= distances[v]) continue;
      distances[v] = candidate;
      updated.push_back(v);
    }
    counts.push_back(updated.size());
  }
  return counts;
}

TEST(Harish, PapersNames) {
  if (const std::string reason = testing::without_family(kFamily); !reason.empty())
    GTEST_SKIP() << reason;
  const auto name = [](const std::string& alias) {
    return Registry::global().select(alias).at(0).name();
  };
  const std::string rest = ",loop=host,distance=auto,up-us=350,down-us=330,block=256";
  const std::string family = "sssp/harish:device=gpu,thread-creation=";
  EXPECT_EQ(name("suzuki:conventional"), family + "all-vertices" + rest);
  EXPECT_EQ(name("suzuki:selection"), family + "updated-vertices" + rest);
  EXPECT_EQ(name("suzuki:proposal"), family + "adaptive" + rest);
  EXPECT_EQ(name("suzuki:algorithm-4"),
            family +
                "adaptive,loop=host,distance=auto,up-us=350,down-us=350,compare=this-phase,"
                "block=256");
  EXPECT_EQ(name("sssp/harish"), family + "adaptive" + rest);
}

TEST(Harish, AdaptiveIsNotOfferedInAGraph) {
  if (const std::string reason = testing::without_family(kFamily); !reason.empty())
    GTEST_SKIP() << reason;
  SsspWorkload workload(testing::small_random_graph(1), {{0}});
  try {
    bound("sssp/harish:loop=graph", workload);
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("thread-creation=adaptive"), std::string::npos);
  }
}

TEST(Harish, WithoutADeviceSaysWhy) {
  if (const std::string reason = testing::without_family(kFamily); !reason.empty())
    GTEST_SKIP() << reason;
  if (gpu::unmet().empty()) GTEST_SKIP() << "a device is here";
  SsspWorkload workload(testing::small_random_graph(1), {{0}});
  const auto variant = bound("sssp/harish", workload);
  RunContext context;
  try {
    variant->prepare(context);
    FAIL() << "prepared";
  } catch (const UnmetError& error) {
    EXPECT_NE(std::string(error.what()).find(gpu::unmet()), std::string::npos) << error.what();
  }
}

/// All instances go through the phases of the synchronous algorithm, and log them.
TEST(Harish, PhasesAreTheSynchronousOnes) {
  if (const std::string reason = gpu::unmet(); !reason.empty()) GTEST_SKIP() << reason;
  for (const auto& [graph_name, graph] : testing::zoo()) {
    SsspWorkload workload(graph, {{graph.vertex_count() / 2}});
    const auto expected = updated_counts(graph, workload.queries[0].source);
    for (const std::string& name : built()) {
      SCOPED_TRACE(name + " on " + graph_name);
      std::unique_ptr<BoundVariant> variant;
      try {
        variant = bound(name, workload);
      } catch (const InputError&) {
        continue;  // 32-bit distances don't fit
      }
      for (const bool instrumented : {false, true}) {
        RunContext context;
        context.set_instrumented(instrumented);
        if (!instrumented) variant->prepare(context);
        variant->run(0, 1, context);
        EXPECT_EQ(variant->certify(0), std::nullopt);
        const PhaseLog log = variant->phase_log();
        EXPECT_EQ(log.phase_count(), expected.size());
        const auto counts = column(log, "updated_count");
        const bool updated_only = name.find("updated-vertices") != std::string::npos;
        const bool graph_loop = name.find("loop=graph") != std::string::npos;
        EXPECT_EQ(counts.empty(), !updated_only && (graph_loop || !instrumented));
        if (!counts.empty()) {
          EXPECT_EQ(counts, expected);
        }
        const bool host_loop = name.find("loop=host") != std::string::npos;
        EXPECT_EQ(column(log, "host_ns").empty(), !host_loop);
        EXPECT_EQ(column(log, "gpu_ns").empty(), host_loop && !instrumented);
      }
    }
  }
}

/// Above 0 us to all vertices, below 1000 s back: SWITCH_KERNEL runs after every other phase.
TEST(Harish, SwitchingAtEveryPhaseKeepsAnswersRight) {
  if (const std::string reason = gpu::unmet(); !reason.empty()) GTEST_SKIP() << reason;
  for (const auto& [graph_name, graph] : testing::zoo()) {
    SsspWorkload workload(graph, testing::all_sources(graph));
    for (const std::string loop : {"host", "cooperative"}) {
      for (const std::string block : {"32", "100", "1024"}) {
        const std::string name =
            "sssp/harish:distance=*,up-us=0,down-us=1000000000,loop=" + loop + ",block=" + block;
        for (const Selection& selection : Registry::global().select(name)) {
          SCOPED_TRACE(selection.name() + " on " + graph_name);
          std::unique_ptr<BoundVariant> variant;
          try {
            variant = bound(selection.name(), workload);
          } catch (const InputError&) {
            continue;  // 32-bit distances don't fit
          }
          RunContext context;
          variant->prepare(context);
          for (std::size_t query = 0; query < workload.query_count(); ++query) {
            variant->run(query, 1, context);
            ASSERT_EQ(variant->certify(query), std::nullopt);
            if (loop != "host") continue;  // a device's clock may stand still during a short phase
            const auto choices = column(variant->phase_log(), "all_vertices");
            for (std::size_t phase = 0; phase < choices.size(); ++phase) {
              ASSERT_EQ(choices[phase], phase % 2) << "phase " << phase;
            }
          }
        }
      }
    }
  }
}

/// The threshold is the median phase time, so that the clock's noise decides. An instrumented run
/// must repeat its decisions phase by phase, also when other queries came between.
TEST(Harish, InstrumentedRunsRepeatTheDecisions) {
  if (const std::string reason = gpu::unmet(); !reason.empty()) GTEST_SKIP() << reason;
  std::vector<Arc> arcs;
  for (Vertex v = 1; v < 300; ++v) arcs.push_back({v - 1, v, 3});
  SsspWorkload workload(Graph::from_arcs(300, arcs), {{0}, {1}, {2}});
  for (const std::string loop : {"host", "cooperative"}) {
    const std::string clock = loop == "host" ? "host_ns" : "gpu_ns";
    const auto first = bound("sssp/harish:loop=" + loop, workload);
    RunContext context;
    first->prepare(context);
    first->run(0, 1, context);
    auto times = column(first->phase_log(), clock);
    ASSERT_EQ(times.size(), 300u);
    std::ranges::nth_element(times, times.begin() + 150);
    const std::string threshold = std::to_string(times[150] / 1000);

    const auto variant = bound(
        "sssp/harish:loop=" + loop + ",up-us=" + threshold + ",down-us=" + threshold, workload);
    variant->prepare(context);
    std::vector<std::vector<std::uint64_t>> decisions;
    for (std::size_t query = 0; query < 3; ++query) {
      variant->run(query, 1, context);
      decisions.push_back(column(variant->phase_log(), "all_vertices"));
    }
    RunContext instrumented;
    instrumented.set_instrumented(true);
    for (const std::size_t query : {0, 2, 1, 1}) {
      variant->run(query, 1, instrumented);
      EXPECT_EQ(column(variant->phase_log(), "all_vertices"), decisions[query]) << loop;
      EXPECT_EQ(variant->certify(query), std::nullopt);
    }
  }
}

TEST(Harish, AccountsItsDeviceMemory) {
  if (const std::string reason = gpu::unmet(); !reason.empty()) GTEST_SKIP() << reason;
  const Graph graph = testing::small_random_graph(7);
  const std::uint64_t n = graph.vertex_count();
  const std::uint64_t m = graph.arc_count();
  SsspWorkload workload(graph, {{0}});
  const auto account = [&](const std::string& name) {
    RunContext context;
    bound(name, workload)->prepare(context);
    std::map<std::string, std::uint64_t> bytes;
    for (const auto& [what, held] : context.accounted()) bytes[what] = held;
    return bytes;
  };
  auto bytes = account("sssp/harish:thread-creation=all-vertices,distance=32");
  EXPECT_EQ(bytes["device graph"], 4 * (n + 1) + 8 * m);
  EXPECT_EQ(bytes["device vertices"], (4 + 4 + 1 + 4) * n);
  EXPECT_EQ(bytes["device lists"], 0u);
  bytes = account("sssp/harish:distance=64");
  EXPECT_EQ(bytes["device vertices"], (8 + 8 + 1 + 4) * n);
  EXPECT_EQ(bytes["device lists"], (4 + 4 + 4) * n);
}

}  // namespace
}  // namespace bellmark::harish
