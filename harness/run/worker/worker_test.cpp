// Replicates of every kind, in this process, on a small grid.
#include <gtest/gtest.h>

#include <algorithm>

#include "algorithms/contract/search_work.hpp"
#include "base/error.hpp"
#include "graph/graph.hpp"
#include "harness/run/protocol/reasons.hpp"
#include "harness/run/worker/fake_variants.hpp"
#include "harness/run/worker/replicate.hpp"
#include "harness/run/worker/visits.hpp"

namespace bellmark::run {
namespace {

constexpr std::size_t kQueries = 3;

Json request(const std::string& kind) {
  return {{"kind", kind},
          {"problem", "sssp"},
          {"graph", "grid:rows=12,columns=10,lengths=uniform:1..100,seed=1"},
          {"queries",
           {{"kind", "uniform-sources"},
            {"count", kQueries},
            {"seed", 42},
            {"file", ""},
            {"list", Json::array()}}},
          {"placement", "none"},
          {"worker", 0},
          {"process_count", 1},
          {"force", false},
          {"seed", 1},
          {"stop_rule", {{"sample_count", 4}, {"seconds", 10}, {"half_width", 0}}},
          {"counter_group", ""},
          {"pass_count", 1},
          {"cells",
           {{{"id", "two"}, {"variant", "sssp/dijkstra:arity=2,width=32,distance=64"}},
            {{"id", "four"}, {"variant", "sssp/dijkstra:arity=4"}}}},
          {"certified", Json::array()}};
}

struct Answered {
  Json json;
  std::vector<Json> events;
};

Answered replicate(const Json& request) {
  Answered result;
  result.json =
      Json(run_replicate(request.get<Request>(), measure::Clock::system(), [&](const Event& event) {
        result.events.push_back(Json::parse(line_of(event)));
      }));
  return result;
}

const Json& ok_cell(const Answered& replicate, std::size_t i) {
  const Json& cell = replicate.json.at("cells").at(i);
  EXPECT_EQ(cell.at("status"), "ok");
  EXPECT_TRUE(cell.at("validation").at("detail").is_null());
  return cell;
}

TEST(Replicate, TimedHasEveryPassAndStep) {
  const Answered result = replicate(request("timed"));
  EXPECT_EQ(result.json.at("kind"), "timed");
  EXPECT_FALSE(result.json.at("observed").get<std::string>().empty());
  ASSERT_EQ(result.json.at("cells").size(), 2U);
  for (std::size_t i = 0; i < 2; ++i) {
    const Json& cell = ok_cell(result, i);
    EXPECT_EQ(cell.at("stop_reason"), "samples");
    EXPECT_EQ(cell.at("pass_cpu_ns").size(), 4U);
    ASSERT_EQ(cell.at("step_ns").size(), 4U);
    for (const Json& pass : cell.at("step_ns")) {
      ASSERT_EQ(pass.size(), kQueries);
      for (const Json& step : pass) EXPECT_GT(step.get<double>(), 0);
    }
    // The first and the last answers need the certificate, and the others the digest.
    EXPECT_EQ(cell.at("validation").at("certificate_count"), kQueries + 1);
    EXPECT_EQ(cell.at("validation").at("digest_count"), 4 * kQueries);
    EXPECT_FALSE(cell.at("accounted").empty());
  }
  EXPECT_EQ(result.json.at("cells").at(0).at("id"), "two");
  EXPECT_NE(result.json.at("cells").at(0).at("variant").get<std::string>().find("arity=2"),
            std::string::npos);
}

TEST(Replicate, GoesOnWorkingUntilItsPeersHaveTheirSamples) {
  Json alone = request("timed");
  alone["cells"].erase(1);
  const auto digests_of = [&](std::size_t extra_steps) {
    Json together = alone;
    together["process_count"] = 2;
    std::vector<std::string> order;
    std::size_t asked = 0;
    const Json json = run_replicate(
        together.get<Request>(), measure::Clock::system(),
        [&](const Event& event) { order.push_back(Json::parse(line_of(event)).at("event")); },
        {[&] { order.emplace_back("begin"); }, [&] { return asked++ == extra_steps; }});
    const auto at = [&](const char* event) { return std::ranges::find(order, event); };
    EXPECT_LT(at("ready"), at("begin"));
    EXPECT_LT(at("begin"), at("progress"));
    EXPECT_LT(at("progress"), at("sampled"));
    EXPECT_NE(at("sampled"), order.end());
    const Json& cell = json.at("cells").at(0);
    EXPECT_EQ(cell.at("status"), "ok");
    EXPECT_EQ(cell.at("step_ns").size(), 4U);
    return cell.at("validation").at("digest_count").get<std::size_t>();
  };
  EXPECT_EQ(digests_of(0), 4 * kQueries);
  // The work goes round the queries, and each of its answers is checked too.
  EXPECT_EQ(digests_of(2 * kQueries + 1), 6 * kQueries + 1);
}

TEST(Replicate, CertifiedAnswersAreHandedOn) {
  const Answered first = replicate(request("timed"));
  const Json& certified = first.json.at("certified");
  ASSERT_EQ(certified.size(), kQueries);
  Json later = request("timed");
  later["certified"] = certified;
  const Answered second = replicate(later);
  EXPECT_EQ(second.json.at("certified"), certified);
  EXPECT_EQ(ok_cell(second, 0).at("validation").at("certificate_count"), 1);
}

TEST(Replicate, AnswerThatDiffersFromACertifiedOneIsWrong) {
  Json spoilt = request("timed");
  spoilt["certified"] = replicate(request("timed")).json.at("certified");
  spoilt["certified"][1] = {"0123456789abcdef"};
  const Answered result = replicate(spoilt);
  for (const Json& cell : result.json.at("cells")) {
    EXPECT_EQ(cell.at("status"), "wrong");
    EXPECT_EQ(cell.at("validation").at("detail"),
              "query 2: the answer differs from a certified one");
    EXPECT_FALSE(cell.contains("step_ns"));
  }
}

TEST(Replicate, SeveralAnswersMayBeRightAndAreKept) {
  Json both = request("timed");
  both["problem"] = "divisor";
  both["graph"] = "12";
  both["queries"]["kind"] = "input";
  both["cells"] = {{{"id", "a"}, {"variant", "divisor/least"}},
                   {{"id", "b"}, {"variant", "divisor/largest"}}};
  const Json json = replicate(both).json;
  EXPECT_EQ(json.at("certified"), Json::parse(R"([["0000000000000001","000000000000000c"]])"));
  both["certified"] = json.at("certified");
  const Answered later = replicate(both);
  EXPECT_EQ(later.json.at("certified"), json.at("certified"));
  for (const Json& cells : {json.at("cells"), later.json.at("cells")}) {
    EXPECT_EQ(cells.at(0).at("answers"), Json::parse(R"({"0": {"divisor": 1}})"));
    EXPECT_EQ(cells.at(1).at("answers"), Json::parse(R"({"0": {"divisor": 12}})"));
  }
  EXPECT_EQ(ok_cell(later, 1).at("validation").at("certificate_count"), 1);
}

TEST(Replicate, EventsNameTheCellAndTheStep) {
  const Answered result = replicate(request("timed"));
  std::vector<std::string> steps;
  std::size_t progress = 0;
  for (const Json& event : result.events) {
    if (event.at("event") == "cell") {
      steps.push_back(event.at("id").get<std::string>() + " " +
                      event.at("step").get<std::string>());
    } else {
      EXPECT_EQ(event.at("event"), "progress");
      EXPECT_TRUE(event.at("pass_ns").contains("four"));
      ++progress;
    }
  }
  EXPECT_EQ(steps, (std::vector<std::string>{"two prepare", "two validate", "four prepare",
                                             "four validate", " timed"}));
  EXPECT_EQ(progress, 4U);
}

TEST(Replicate, VisitsAskEachQueryTwiceOfFreshVariants) {
  const Answered result = replicate(request("visits"));
  for (std::size_t i = 0; i < 2; ++i) {
    const Json& cell = ok_cell(result, i);
    const Json& visits = cell.at("visits");
    // There are two rounds, and so six pairs.
    EXPECT_EQ(visits.at("first_ns").size(), 2 * kQueries);
    EXPECT_EQ(visits.at("later_ns").size(), 2 * kQueries);
    EXPECT_EQ(visits.at("between_count"), kQueries - 1);
    EXPECT_TRUE(visits.at("grown_bytes").is_number_integer());
    EXPECT_EQ(cell.at("answers"), Json::object());
    const Json& checks = cell.at("validation");
    EXPECT_EQ(checks.at("certificate_count").get<std::size_t>() +
                  checks.at("digest_count").get<std::size_t>(),
              4 * kQueries);
  }
  Json many = request("visits");
  many["queries"]["count"] = 9;
  EXPECT_EQ(ok_cell(replicate(many), 0).at("visits").at("first_ns").size(), 9U);
}

TEST(Replicate, VisitsWatchTheMemoryOfAGpu) {
  const Request asked = request("visits").get<Request>();
  const auto workload = Registry::global().open_workload(asked.problem, asked.graph, asked.queries);
  const auto topology = machine::Topology::this_machine();
  const machine::Placement nowhere = machine::expand(topology, "none").front();
  WorkerPlace place(topology, nowhere, 0, 1, false);
  CertifiedDigests certified(workload->query_count());
  const Peers peers;
  Cells cells;
  for (const char* variant : {"sssp/dijkstra", "sssp/uses-gpu"}) {
    cells.push_back(std::make_unique<WorkerCell>(
        variant, Registry::global().select(variant).front(), *workload, certified, place, peers,
        std::make_unique<machine::ThreadPlaces>(topology, nowhere, false)));
    cells.back()->prepare(measure::Clock::system());
  }
  std::uint64_t used = 0;
  MemoryCounts counts;
  counts.gpu = [&] { return used += 1000; };
  const auto measured = measure_visits(
      cells, measure::Clock::system(), [](const Event&) {}, counts);
  EXPECT_EQ(measured[0].visits->grown_gpu_bytes, std::nullopt);
  EXPECT_EQ(measured[1].visits->grown_gpu_bytes, std::int64_t{1000} * kQueries);
}

TEST(Replicate, VisitsAskABatchVariantSingly) {
  Json asked = request("visits");
  asked["cells"] = {{{"id", "batch"}, {"variant", "sssp/dijkstra-queries:threads=2"}}};
  const Json cell = ok_cell(replicate(asked), 0);
  EXPECT_EQ(cell.at("visits").at("first_ns").size(), 2 * kQueries);
  EXPECT_EQ(cell.at("visits").at("between_count"), kQueries - 1);
}

TEST(Replicate, AnAnswerLeftFromBeforeIsWrong) {
  Json asked = request("timed");
  asked["cells"] = {{{"id", "lazy"}, {"variant", "sssp/extracts-once"}}};
  const Json cell = replicate(asked).json.at("cells").at(0);
  EXPECT_EQ(cell.at("status"), "wrong");
  EXPECT_EQ(cell.at("validation").at("detail"), "query 1: a second extract() gives another answer");
}

TEST(Replicate, ExtractIsTimedBesideWhatItMayTake) {
  const Json cell = ok_cell(replicate(request("timed")), 0);
  const Json& extraction = cell.at("extraction");
  EXPECT_EQ(extraction.at("answer_bytes"), 120 * (sizeof(Distance) + sizeof(Vertex)));
  EXPECT_GT(extraction.at("extract_ns").get<double>(), 0);
  EXPECT_GT(extraction.at("allowed_ns").get<double>(), 0);
}

TEST(Replicate, Phases) {
  const Answered result = replicate(request("phases"));
  for (std::size_t i = 0; i < 2; ++i) {
    const Json& cell = ok_cell(result, i);
    EXPECT_GT(cell.at("instrumented_ratio").get<double>(), 0);
    ASSERT_FALSE(cell.at("phases").empty());
    double share = 0;
    for (const Json& phase : cell.at("phases")) {
      EXPECT_EQ(phase.at("count"), kQueries) << phase;
      share += phase.at("share_ratio").get<double>();
    }
    EXPECT_GT(share, 0);
    EXPECT_LE(share, 1);
  }
}

TEST(Replicate, WorkIsCountedOrTheReasonSaid) {
  Json asked = request("phases");
  asked["cells"] = {{{"id", "counts"}, {"variant", "sssp/dijkstra:arity=4"}},
                    {{"id", "silent"}, {"variant", "sssp/test-bellman-ford:vertices=all"}}};
  const Answered result = replicate(asked);
  const Json& counts = ok_cell(result, 0).at("work_counts");
  EXPECT_GT(counts.at("settled_count").at("value").get<double>(), 1);
  EXPECT_EQ(counts.at("settled_count").at("value"), counts.at("scanned_count").at("value"));
  EXPECT_GE(counts.at("lowered_count").at("value"), counts.at("settled_count").at("value"));
  EXPECT_EQ(counts.at("looked_at_arc_count").at("value"),
            counts.at("relaxation_count").at("value"));
  EXPECT_TRUE(counts.at("atomic_count").at("value").is_null()) << "and not 0";
  EXPECT_EQ(counts.at("atomic_count").at("reason"), kOneThread);
  for (const auto& [name, count] : ok_cell(result, 1).at("work_counts").items()) {
    if (name == "round_count") {
      EXPECT_GT(count.at("value").get<double>(), 1) << "of its phase log";
      continue;
    }
    EXPECT_TRUE(count.at("value").is_null()) << name;
    EXPECT_EQ(count.at("reason"), kUncounted) << name;
  }
}

TEST(Replicate, PhaseLogsOfEveryQuery) {
  Json asked = request("phases");
  asked["cells"] = {{{"id", "all"}, {"variant", "sssp/test-bellman-ford:vertices=all"}},
                    {{"id", "updated"}, {"variant", "sssp/test-bellman-ford:vertices=updated"}},
                    {{"id", "none"}, {"variant", "sssp/dijkstra:arity=4"}}};
  const Answered result = replicate(asked);
  EXPECT_TRUE(ok_cell(result, 2).at("phase_log").is_null()) << "it keeps no log";
  const Json& all = ok_cell(result, 0).at("phase_log");
  const Json& updated = ok_cell(result, 1).at("phase_log");
  EXPECT_EQ(all.at("columns"), Json({"updated_count", "visited_count", "host_ns"}))
      << "of the instrumented run";
  EXPECT_EQ(all.at("plain_columns"), Json({"host_ns"}));
  ASSERT_EQ(all.at("queries").size(), kQueries);
  for (std::size_t query = 0; query < kQueries; ++query) {
    const Json& one = all.at("queries").at(query);
    const Json& other = updated.at("queries").at(query);
    const Json& columns = one.at("columns");
    EXPECT_EQ(one.at("query"), query);
    EXPECT_EQ(one.at("phase_count"), other.at("phase_count"));
    EXPECT_EQ(columns.at("updated_count"), other.at("columns").at("updated_count"));
    EXPECT_EQ(columns.at("visited_count").at("sum"), 120 * one.at("phase_count").get<int>());
    EXPECT_LT(other.at("columns").at("visited_count").at("sum"),
              columns.at("visited_count").at("sum"));
    EXPECT_GT(columns.at("host_ns").at("sum"), 0);
    const Json& rows = all.at("first_queries").at(query).at("rows");
    ASSERT_EQ(rows.size(), one.at("phase_count").get<std::size_t>());
    EXPECT_EQ(rows.back().at(0), 0) << "the last phase finds nothing to update";
  }
}

TEST(Replicate, CountersHaveAValueOrAReason) {
  Json asked = request("counters");
  asked["counter_group"] = "software";
  const Answered result = replicate(asked);
  for (std::size_t i = 0; i < 2; ++i) {
    const Json& counters = ok_cell(result, i).at("counters");
    ASSERT_FALSE(counters.empty());
    for (const Json& counter : counters) {
      EXPECT_EQ(counter.at("group"), "software");
      EXPECT_NE(counter.at("value").is_null(), counter.at("reason").is_null()) << counter;
    }
  }
}

TEST(Replicate, GpuCountersAreNullWithAReasonWhereNothingUsesAGpu) {
  Json asked = request("counters");
  asked["counter_group"] = "gpu-l2";
  const Answered result = replicate(asked);
  const Json& counters = ok_cell(result, 0).at("counters");
  ASSERT_EQ(counters.size(), 5U);
  for (const Json& counter : counters) {
    EXPECT_TRUE(counter.at("value").is_null()) << counter;
    EXPECT_FALSE(counter.at("reason").get<std::string>().empty()) << counter;
  }
  EXPECT_EQ(counters.back().at("name"), "l2_hit_ratio");
  EXPECT_EQ(counters.back().at("unit"), "ratio");
}

TEST(Replicate, KernelsAreNullWithAReason) {
  Json asked = request("kernels");
  asked["cells"].push_back({{"id", "gpu"}, {"variant", "sssp/uses-gpu"}});
  const Answered result = replicate(asked);
  for (std::size_t i = 0; i < 3; ++i) {
    const Json& cell = ok_cell(result, i);
    EXPECT_TRUE(cell.at("gpu_kernels").is_null());
    EXPECT_TRUE(cell.at("gpu_copies").is_null());
    const auto reason = cell.at("gpu_kernels_reason").get<std::string>();
    EXPECT_FALSE(reason.empty());
    // The third variant asks for a GPU and doesn't use it: CUPTI says so.
    EXPECT_EQ(reason == kNoGpuVariant, i < 2) << reason;
  }
}

TEST(Replicate, AVariantThatLogsPhasesRunsPlainBeforeEveryInstrumentedRun) {
  for (const std::string kind : {"phases", "kernels", "counters"}) {
    Json asked = request(kind);
    asked["counter_group"] = "software";
    asked["cells"] = {{{"id", "clock"}, {"variant", "sssp/clock-driven"}}};
    clock_driven_runs().clear();
    const Answered result = replicate(asked);
    ok_cell(result, 0);
    std::vector<std::string> runs = clock_driven_runs();
    if (kind == "phases") {
      // It counts no work, so it is asked to once, after the pair of the first query.
      ASSERT_EQ(runs.size(), 3 * kQueries + 1);
      EXPECT_EQ(runs[kQueries + 2], runs[kQueries + 1]);
      runs.erase(runs.begin() + kQueries + 2);
    }
    ASSERT_EQ(runs.size(), 3 * kQueries) << kind;
    // One plain run of each query to validate, then pairs.
    runs.erase(runs.begin(), runs.begin() + kQueries);
    for (std::size_t i = 0; i < runs.size(); i += 2) {
      EXPECT_TRUE(runs[i].starts_with("plain ")) << kind << " " << runs[i];
      EXPECT_EQ(runs[i + 1], "instrumented " + runs[i].substr(6)) << kind;
    }
  }
}

TEST(Replicate, MemoryIsGrowthOverPreparing) {
  Json asked = request("memory");
  // Large enough that the growth can't hide in pages that were resident already.
  asked["graph"] = "grid:rows=400,columns=400,lengths=uniform:1..100,seed=1";
  asked["cells"] = {{{"id", "four"}, {"variant", "sssp/dijkstra:arity=4"}}};
  const Answered result = replicate(asked);
  const Json& cell = ok_cell(result, 0);
  std::uint64_t accounted = 0;
  for (const auto& [what, bytes] : cell.at("accounted").items()) {
    accounted += bytes.get<std::uint64_t>();
  }
  EXPECT_GT(accounted, 400U * 400U * 8U);
  EXPECT_GT(cell.at("resident_bytes").get<std::uint64_t>(), accounted / 2);
}

TEST(Replicate, ThreadsThatAVariantMakesAreListed) {
  for (const char* kind : {"timed", "phases", "memory"}) {
    Json asked = request(kind);
    asked["cells"][1]["variant"] = "sssp/dijkstra-queries:threads=3";
    const Answered result = replicate(asked);
    EXPECT_GT(result.json.at("pu_count").get<std::size_t>(), 0U);
    EXPECT_EQ(ok_cell(result, 0).at("threads"), Json::array());
    const Json& threads = ok_cell(result, 1).at("threads");
    ASSERT_EQ(threads.size(), 2U);
    for (std::size_t i = 0; i < 2; ++i) {
      EXPECT_EQ(threads[i].at("index"), i + 1);
      EXPECT_EQ(threads[i].at("resolved"), "none (not pinned)");
      EXPECT_FALSE(threads[i].at("observed").get<std::string>().empty());
    }
  }
}

TEST(Replicate, CountersAreOfAllThreads) {
  Json asked = request("counters");
  asked["counter_group"] = "software";
  asked["cells"][1]["variant"] = "sssp/dijkstra-queries:threads=2";
  const Answered result = replicate(asked);
  const auto task_clock = [&](std::size_t cell) {
    for (const Json& counter : ok_cell(result, cell).at("counters")) {
      if (counter.at("name") == "perf::TASK-CLOCK") return counter;
    }
    return Json();
  };
  EXPECT_FALSE(task_clock(0).contains("by_thread"));
  const Json counter = task_clock(1);
  ASSERT_TRUE(counter.at("value").is_number()) << counter;
  ASSERT_EQ(counter.at("by_thread").size(), 2U);
  EXPECT_EQ(counter.at("value"), counter.at("by_thread")[0].get<std::int64_t>() +
                                     counter.at("by_thread")[1].get<std::int64_t>());
}

TEST(Replicate, ARunStartsAsItsCellAsks) {
  Json asked = request("timed");
  asked["cells"][0]["start"] = "cold";
  asked["cells"][1]["start"] = "hot";
  const Answered result = replicate(asked);
  EXPECT_EQ(ok_cell(result, 0).at("step_ns").size(), 4U);
  EXPECT_EQ(ok_cell(result, 1).at("step_ns").size(), 4U);
  asked["cells"][1]["start"] = "cool";
  EXPECT_THROW(replicate(asked), InputError);
}

TEST(Replicate, UnknownNamesAreInputErrors) {
  for (const auto& [key, value] : std::vector<std::pair<std::string, std::string>>{
           {"graph", "no/such.gr"}, {"placement", "core:9999"}, {"problem", "no-such"}}) {
    Json asked = request("timed");
    asked[key] = value;
    EXPECT_THROW(replicate(asked), Error) << key;
  }
}

}  // namespace
}  // namespace bellmark::run
