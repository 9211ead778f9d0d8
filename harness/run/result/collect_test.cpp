// From journal entries to the record of each cell.
#include "harness/run/result/collect.hpp"

#include <gtest/gtest.h>

namespace bellmark::run {
namespace {

plan::Plan two_cells() {
  plan::Options options;
  options.graphs = {"grid:rows=2,columns=2"};
  return plan::make_plan(plan::adhoc_experiment({"sssp/dijkstra:arity=2", "sssp/dijkstra:arity=4"}),
                         options, machine::Topology::synthetic("pack:1 core:2 pu:1"));
}

CellReplicate cell_of(const std::string& id) {
  CellReplicate cell;
  cell.id = id;
  cell.validation.certificate_count = 2;
  cell.validation.digest_count = 5;
  cell.accounted = {{"arcs", 24}};
  return cell;
}

JournalEntry entry_of(const std::string& task, std::size_t block, Pass pass,
                      std::vector<CellReplicate> cells) {
  Replicate replicate;
  replicate.pass = pass;
  replicate.observed = {"pu P#0"};
  replicate.pu_count = 1;
  replicate.open_ns = 11;
  replicate.core_mhz = 3000;
  replicate.cells = std::move(cells);
  return {task, Measured{block, 0, std::move(replicate)}};
}

JournalEntry timed(const plan::Plan& plan, std::size_t block, double ns) {
  std::vector<CellReplicate> cells;
  for (const plan::Cell& planned : plan.cells) {
    cells.push_back(cell_of(planned.id));
    cells.back().prepare_ns = 7;
    cells.back().timed = {{{ns, ns}, {ns, 2 * ns}}, {ns}, "samples", {}, {}};
  }
  return entry_of("timed/" + std::to_string(block), block, Pass::timed, std::move(cells));
}

TEST(Collect, BlocksAreInTheirOrderWhateverTheJournals) {
  const plan::Plan plan = two_cells();
  const auto records = collect(plan, {timed(plan, 1, 20), timed(plan, 0, 10)});
  ASSERT_EQ(records.size(), 2U);
  for (const CellRecord& record : records) {
    ASSERT_EQ(record.blocks.size(), 2U);
    EXPECT_EQ(record.blocks[0].index, 0U);
    EXPECT_EQ(record.blocks[0].process, "timed/0");
    EXPECT_EQ(record.blocks[0].pass_ns(), (std::vector<double>{20, 30}));
    EXPECT_EQ(record.blocks[1].pass_ns(), (std::vector<double>{40, 60}));
    EXPECT_EQ(record.open_ns, (std::vector<double>{11, 11}));
    EXPECT_EQ(record.prepare_ns, (std::vector<double>{7, 7}));
    EXPECT_EQ(record.core_mhz, (std::vector<double>{3000, 3000}));
    EXPECT_EQ(record.validation.certificate_count, 4U);
    EXPECT_EQ(record.validation.digest_count, 10U);
  }
}

/// The same block again, with a disturbance of its first cell.
JournalEntry again(const plan::Plan& plan, double ns, double queued_ratio, double mhz) {
  JournalEntry entry = timed(plan, 0, ns);
  entry.task += "/again";
  Replicate& replicate = std::get<Measured>(entry.what).replicate;
  replicate.core_mhz = mhz;
  replicate.cells[0].timed->queued_ratio = queued_ratio;
  return entry;
}

TEST(Collect, OfARepeatedBlockTheLessDisturbedCounts) {
  const plan::Plan plan = two_cells();
  const JournalEntry disturbed = again(plan, 10, 0.5, 3000);
  const auto times = [&](const JournalEntry& first, const JournalEntry& second) {
    const auto records = collect(plan, {first, second});
    std::vector<double> pass_ns;
    for (const CellRecord& record : records) {
      EXPECT_EQ(record.blocks.size(), 1U);
      EXPECT_EQ(record.repeated_block_count, 1U);
      pass_ns.push_back(record.blocks[0].pass_ns()[0]);
    }
    EXPECT_EQ(pass_ns[0], pass_ns[1]) << "cells of one process stay together";
    return pass_ns[0];
  };
  EXPECT_EQ(times(disturbed, again(plan, 20, 0.01, 3000)), 40);
  EXPECT_EQ(times(disturbed, again(plan, 20, 0.75, 3000)), 20);
  EXPECT_EQ(times(again(plan, 10, 0, 2000), again(plan, 20, 0, 3000)), 40) << "the faster clock";
  EXPECT_EQ(times(again(plan, 10, 0, 3000), again(plan, 20, 0.5, 3500)), 20);
}

TEST(Collect, LeavesOutBlocksOfAThrottledGpu) {
  plan::Plan plan = two_cells();
  plan.cells[0].needs_cuda = true;
  const auto block = [&](std::size_t index, const char* before, const char* after) {
    JournalEntry entry = timed(plan, index, 10);
    const auto state = [](const char* word) {
      Json json;
      json["throttle_reasons"] = Json::array({word});
      return json;
    };
    std::get<Measured>(entry.what).replicate.gpu.emplace();
    std::get<Measured>(entry.what).replicate.gpu->before = state(before);
    std::get<Measured>(entry.what).replicate.gpu->after = state(after);
    return entry;
  };
  const auto records = collect(plan, {block(0, "idle", "idle"), block(1, "idle", "power cap"),
                                      block(2, "power brake", "idle")});
  ASSERT_EQ(records[0].blocks.size(), 1U);
  EXPECT_EQ(records[0].blocks[0].index, 0U);
  EXPECT_EQ(records[0].throttled_block_count, 2U);
  EXPECT_EQ(disturbed_by(disturbance_of(records[0])), "");
  EXPECT_EQ(records[1].blocks.size(), 3U) << "it needs no GPU";
  EXPECT_EQ(disturbed_by(disturbance_of(records[1])), "");

  const auto all = collect(plan, {block(0, "idle", "power cap"), block(1, "power brake", "idle")});
  EXPECT_EQ(all[0].blocks.size(), 2U);
  EXPECT_EQ(all[0].throttled_block_count, 0U);
  EXPECT_EQ(disturbed_by(disturbance_of(all[0])),
            "the GPU's clocks were held back: power brake, power cap");

  JournalEntry repeated = block(0, "idle", "idle");
  repeated.task += "/again";
  const auto mended = collect(plan, {block(0, "idle", "power cap"), repeated});
  ASSERT_EQ(mended[0].blocks.size(), 1U);
  EXPECT_EQ(mended[0].blocks[0].process, repeated.task);
}

TEST(Collect, DisturbanceIsThatOfAllSamples) {
  const plan::Plan plan = two_cells();
  JournalEntry second = timed(plan, 1, 30);
  Replicate& replicate = std::get<Measured>(second.what).replicate;
  replicate.core_mhz = 2000;
  replicate.steal_ratio = 0.08;
  const auto records = collect(plan, {again(plan, 10, 0.5, 3000), second});
  const Disturbance disturbance = disturbance_of(records[0]);
  EXPECT_DOUBLE_EQ(disturbance.queued_ratio.value(), 0.125) << "half of a quarter of the time";
  EXPECT_DOUBLE_EQ(disturbance.steal_ratio.value(), 0.06);
  EXPECT_DOUBLE_EQ(disturbance.clock_ratio.value(), 2500.0 / 3000);
  EXPECT_EQ(disturbed_by(disturbance),
            "other programs had its cores for 13 % of the time, other guests of the host for 6 %; "
            "the core's clock was at 83 % of its fastest");
  EXPECT_FALSE(disturbance_of(records[1]).queued_ratio.has_value()) << "nothing was told of it";
}

TEST(Collect, EachPassGivesItsReading) {
  const plan::Plan plan = two_cells();
  const std::string id = plan.cells[1].id;
  CellReplicate phases = cell_of(id);
  phases.phases.emplace().instrumented_ratio = 1.5;
  CellReplicate visits = cell_of(id);
  visits.visits = VisitsReading{{8, 9}, {4, 5}, 64, 1};
  CellReplicate counters = cell_of(id);
  counters.counters = {{"cycles", "instructions", "count", std::int64_t{9}, {}}};
  CellReplicate more = cell_of(id);
  more.counters = {{"tlb", "misses", "count", {}, "no counter"}};
  CellReplicate memory = cell_of(id);
  memory.resident_bytes = 4096;
  CellReplicate kernels = cell_of(id);
  kernels.kernels.emplace().reason = "the variant runs on no GPU";
  CellReplicate energy = cell_of(id);
  energy.energy.emplace().gpu_power_w = 300;
  const auto records = collect(
      plan, {entry_of("v", 0, Pass::visits, {visits}), entry_of("p", 0, Pass::phases, {phases}),
             entry_of("c", 0, Pass::counters, {counters}), entry_of("d", 0, Pass::counters, {more}),
             entry_of("m", 0, Pass::memory, {memory}), entry_of("k", 0, Pass::kernels, {kernels}),
             entry_of("e", 0, Pass::energy, {energy}), entry_of("f", 1, Pass::energy, {energy})});
  EXPECT_TRUE(records[0].observed.empty()) << "the other cell was in none";
  const CellRecord& record = records[1];
  EXPECT_TRUE(record.blocks.empty());
  EXPECT_EQ(record.visits.value().later_ns, (std::vector<double>{4, 5}));
  EXPECT_EQ(record.phases.value().instrumented_ratio, 1.5);
  ASSERT_EQ(record.counters.size(), 2U);
  EXPECT_EQ(record.counters[1].name, "misses");
  EXPECT_EQ(record.resident_bytes, (std::vector<double>{4096}));
  EXPECT_EQ(record.kernels.value().reason, "the variant runs on no GPU");
  ASSERT_EQ(record.energy.size(), 2U) << "one a block";
  EXPECT_EQ(record.energy.front().gpu_power_w, 300.0);
}

TEST(Collect, PhasesOfAFirstBlockThatFailedAreNotThoseOfTheNext) {
  const plan::Plan plan = two_cells();
  CellReplicate phases = cell_of(plan.cells[0].id);
  phases.phases.emplace().phase_log = {{"queries", Json::array()}};
  const auto records = collect(
      plan, {entry_of("p", 3, Pass::phases, {phases}), entry_of("q", 2, Pass::phases, {phases})});
  EXPECT_EQ(records[0].phases_block, 3U);
  ASSERT_EQ(records[0].later_phase_logs.size(), 1U);
  EXPECT_EQ(records[0].later_phase_logs.begin()->first, 2U);
}

TEST(Collect, AWrongAnswerLeavesItsFaultAndNoReading) {
  const plan::Plan plan = two_cells();
  JournalEntry spoilt = timed(plan, 0, 10);
  CellReplicate& cell = std::get<Measured>(spoilt.what).replicate.cells[0];
  cell.wrong = true;
  cell.validation.detail = "query 1: too short";
  const auto records = collect(plan, {spoilt});
  EXPECT_EQ(records[0].validation.detail, "query 1: too short");
  EXPECT_TRUE(records[0].blocks.empty());
  EXPECT_EQ(records[1].blocks.size(), 1U);
}

TEST(Collect, WhatIsNoReplicateOrNoCellOfThePlanIsPassedOver) {
  const plan::Plan plan = two_cells();
  const auto records =
      collect(plan, {{"a", Isolated{0}},
                     {"b", CellFailed{plan.cells[0].id, "crash", "why"}},
                     entry_of("timed/0", 0, Pass::timed, {cell_of("no such cell")})});
  for (const CellRecord& record : records) EXPECT_TRUE(record.observed.empty());
}

TEST(Collect, RanksHaveTheGpusOfTheCellsThatNeedThem) {
  plan::Plan plan = two_cells();
  plan.cells[0].needs_cuda = true;
  JournalEntry entry = timed(plan, 0, 10);
  GpuReading gpu;
  gpu.pci_bus_id = "81";
  std::get<Measured>(entry.what).replicate.ranks = {
      {{0, "node0", "pu P#0", 1, "pu P#0", {gpu}}, {1, "node1", "pu P#0", 1, "pu P#1", {gpu}}}};
  const auto records = collect(plan, {entry});
  EXPECT_EQ(records[0].places.value()[1].gpus.size(), 1U);
  EXPECT_TRUE(records[1].places.value()[1].gpus.empty());
  EXPECT_EQ(records[0].observed, (std::set<std::string>{"rank 0: pu P#0", "rank 1: pu P#1"}));
  EXPECT_EQ(records[0].rank_gpus.at({1, 0}).size(), 1U);
}

TEST(Collect, OfAFailedCellOnlyEvidenceStays) {
  const plan::Plan plan = two_cells();
  auto records = collect(plan, {timed(plan, 0, 10)});
  forget_measurements(records[0]);
  EXPECT_TRUE(records[0].failed);
  EXPECT_EQ(records[0].blocks.size(), 1U);
  EXPECT_EQ(records[0].validation.certificate_count, 2U);
  EXPECT_TRUE(records[0].accounted.empty());
  EXPECT_TRUE(records[0].core_mhz.empty());
  EXPECT_TRUE(records[0].prepare_ns.empty());
}

}  // namespace
}  // namespace bellmark::run
