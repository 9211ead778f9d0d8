// Results put together from replicates. Their text is the same document, with deep parts on one
// line.
#include "harness/run/result/assemble.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "harness/machine/topology.hpp"

namespace bellmark::run {
namespace {

TEST(ResultText, IndentsWhatIsNearTheTop) {
  EXPECT_EQ(result_text({{"a", 1}, {"b", {true, nullptr}}, {"c", Json::object()}}),
            "{\n \"a\": 1,\n \"b\": [\n  true,\n  null\n ],\n \"c\": {}\n}\n");
  EXPECT_EQ(result_text(Json::array()), "[]\n");
}

TEST(ResultText, DeepRowsTakeALineEach) {
  Json rows = Json::array();
  for (int i = 0; i < 50; ++i) rows.push_back({{"i", i}, {"of", {1, 2, 3}}});
  const Json result = {{"cells", {{{"log", {{"queries", rows}}}}}}, {"word", "a \"b\"\n\u00e9"}};
  const std::string text = result_text(result);
  EXPECT_EQ(Json::parse(text), result);
  EXPECT_NE(text.find("\n     {\"i\":7,\"of\":[1,2,3]},\n"), std::string::npos) << text;
  EXPECT_LT(std::ranges::count(text, '\n'), 70);
}

/// A GPU as a replicate of block `block` has it.
Json gpu(const std::string& pci_bus_id, int mhz, const std::string& throttle = "") {
  const Json state = {{"clock_sm_mhz", mhz},
                      {"clock_memory_mhz", 1000},
                      {"temperature_c", 50},
                      {"throttle_reasons", throttle.empty() ? Json::array() : Json{throttle}},
                      {"not_available", Json::array()}};
  return {{"index", 0},      {"name", "G100"}, {"pci_bus_id", pci_bus_id},
          {"before", state}, {"after", state}, {"reason", nullptr}};
}

/// A variant that needs a GPU and one that doesn't, by ranks.
plan::Plan plan_of_ranks(plan::Options options) {
  options.launcher = "mpirun -n {ranks}";
  options.graphs = {"grid:rows=2,columns=2"};
  return plan::make_plan(plan::adhoc_experiment({"sssp/uses-gpu", "sssp/dijkstra"}), options,
                         machine::Topology::synthetic("pack:1 core:4 pu:1"));
}

Probe probed(const plan::Plan& plan) {
  Probe probe;
  probe.workloads.push_back({plan.cells[0].graph, Json::object(), 2, "0", {}});
  for (const plan::Cell& cell : plan.cells) probe.resolved.push_back(cell.variant);
  probe.origin = origin_here();
  return probe;
}

/// A block of a variant that needs a GPU and one that doesn't, by two ranks of two hosts with two
/// GPUs each.
Json block_of_ranks(const plan::Plan& plan, std::size_t block, int mhz) {
  Json places = Json::array();
  for (int rank = 0; rank < 2; ++rank) {
    places.push_back(
        {{"rank", rank},
         {"host", "node" + std::to_string(rank)},
         {"resolved", "pu P#0"},
         {"pu_count", 1},
         {"observed", "pu P#0"},
         {"gpus", {gpu("81", mhz), gpu("c1", mhz + rank, rank == 1 ? "thermal" : "")}}});
  }
  Json cells = Json::array();
  for (const plan::Cell& cell : plan.cells) {
    cells.push_back(
        {{"id", cell.id},
         {"variant", cell.variant},
         {"status", "ok"},
         {"validation", {{"certificate_count", 1}, {"digest_count", 0}, {"detail", nullptr}}},
         {"threads", Json::array()},
         {"accounted", Json::object()},
         {"prepare_ns", 5},
         {"step_ns", Json::array({Json::array({10.0})})},
         {"pass_cpu_ns", Json::array({10.0})},
         {"stop_reason", "count"},
         {"rank_pass_ns", {9.0, 10.0}}});
  }
  return {{"task", "timed/" + std::to_string(block)},
          {"block", block},
          {"kind", "timed"},
          {"observed", "pu P#0"},
          {"pu_count", 1},
          {"open_ns", 7},
          {"core_mhz", nullptr},
          {"gpu", places[0]["gpus"][0]},
          {"ranks", places},
          {"group", 0},
          {"certified", Json::array()},
          {"cells", cells}};
}

TEST(Assemble, EveryRanksGpusOverAllBlocks) {
  plan::Options options;
  options.shard = {1, 2};
  const plan::Plan plan = plan_of_ranks(options);
  const Probe probe = probed(plan);
  const Json result =
      assemble(plan, probe, {}, {}, {block_of_ranks(plan, 0, 900), block_of_ranks(plan, 1, 700)});
  EXPECT_EQ(result.at("experiment").at("shard"), Json({{"index", 1}, {"count", 2}}));
  const Json& on_gpu = result.at("cells").at(0).at("ranks").at("places");
  for (std::size_t rank = 0; rank < 2; ++rank) {
    const Json& gpus = on_gpu.at(rank).at("gpus");
    ASSERT_EQ(gpus.size(), 2U);
    EXPECT_EQ(gpus.at(0).at("pci_bus_id"), "81");
    EXPECT_EQ(gpus.at(1).at("pci_bus_id"), "c1");
    EXPECT_EQ(gpus.at(1).at("name"), "G100");
    EXPECT_EQ(gpus.at(1).at("clock_sm_mhz_low"), 700 + rank);
    EXPECT_EQ(gpus.at(1).at("clock_sm_mhz_high"), 900 + rank);
  }
  EXPECT_EQ(on_gpu.at(1).at("gpus").at(1).at("throttle_reasons"), Json({"thermal"}));
  // The same address on another host is another GPU.
  EXPECT_EQ(result.at("cells").at(0).at("ranks").at("shared_places"), Json::array());
  for (const Json& place : result.at("cells").at(1).at("ranks").at("places")) {
    EXPECT_EQ(place.at("gpus"), Json::array()) << "it needs none";
  }
  const auto throttled = [](const Json& warning) {
    return warning.at("text") == "the GPU's clocks were held back: thermal";
  };
  EXPECT_EQ(std::ranges::count_if(result.at("warnings"), throttled), 1);
}

TEST(Assemble, RanksThatShareAPlaceAreNeitherFasterNorSlower) {
  const plan::Plan plan = plan_of_ranks({});
  const auto outcome = [&](const std::string& second_host) {
    std::vector<Json> blocks;
    for (std::size_t block = 0; block < 6; ++block) {
      blocks.push_back(block_of_ranks(plan, block, 900));
      blocks.back()["ranks"][1]["host"] = second_host;
      for (Json& rank : blocks.back()["ranks"]) {
        for (Json& one : rank["gpus"]) {
          one["before"]["throttle_reasons"] = one["after"]["throttle_reasons"] = Json::array();
        }
      }
      blocks.back()["cells"][1]["step_ns"] = Json::array({Json::array({20.0})});
    }
    return assemble(plan, probed(plan), {}, {}, blocks).at("comparisons").at(0);
  };
  EXPECT_EQ(outcome("node1").at("outcome"), "SLOWER");
  const Json shared = outcome("node0");
  EXPECT_EQ(shared.at("outcome"), "UNCLEAR");
  EXPECT_EQ(shared.at("reason"), "ranks share GPU 81 of node0: they wait for each other");
  EXPECT_DOUBLE_EQ(shared.at("ratio").get<double>(), 2);
}

TEST(Assemble, OfACellThatFailedNoTimeStands) {
  const plan::Plan plan = plan_of_ranks({});
  const Probe probe = probed(plan);
  std::vector<Json> blocks = {block_of_ranks(plan, 0, 900), block_of_ranks(plan, 1, 900)};
  blocks.push_back(blocks.back());
  blocks.back()["kind"] = "phases";
  for (Json& cell : blocks.back()["cells"]) {
    cell.update({{"phases", Json::array()},
                 {"phase_log", {{"columns", Json::array()}}},
                 {"instrumented_ratio", 1}});
  }
  ASSERT_EQ(assemble(plan, probe, {}, {}, blocks).at("comparisons").size(), 1U);

  Supervised supervised;
  supervised.not_measured.push_back({1, "crash", "rank 1 was killed"});
  const Json result = assemble(plan, probe, supervised, {}, blocks);
  EXPECT_EQ(result.at("comparisons"), Json::array());
  EXPECT_FALSE(result.at("cells").at(0).at("wall_ns").is_null());
  EXPECT_TRUE(result.at("cells").at(1).at("wall_ns").is_null());
  EXPECT_FALSE(result.at("cells").at(0).at("phase_log").is_null());
  EXPECT_TRUE(result.at("cells").at(1).at("phase_log").is_null()) << "claims are judged by it";
  EXPECT_EQ(result.at("cells").at(1).at("block_count"), 2);
  for (const Json& entry : result.at("benchmarks")) EXPECT_EQ(entry.at("family_index"), 0);
}

}  // namespace
}  // namespace bellmark::run
