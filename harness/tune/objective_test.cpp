// Objectives other than time are read from the blocks of two cells, or a reason is.
#include "harness/tune/objective.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/error.hpp"

namespace bellmark::tune {
namespace {

Json memory_cell(const std::vector<double>& bytes) {
  return {{"memory", {{"resident_block_bytes", bytes}, {"reason", nullptr}}}};
}

TEST(Objective, NamesAreListed) {
  for (const Objective objective : {Objective::time, Objective::energy, Objective::memory}) {
    EXPECT_EQ(objective_of(to_string(objective)), objective);
  }
  EXPECT_THROW(objective_of("money"), InputError);
}

TEST(Objective, MemoryIsComparedBlockByBlock) {
  const Reading reading =
      reading_of_blocks(memory_cell({10, 30, 5}), memory_cell({20, 20}), Objective::memory);
  EXPECT_EQ(reading.fault, "");
  EXPECT_EQ(reading.block_log_ratios, (std::vector<double>{std::log(0.5), std::log(1.5)}));
}

TEST(Objective, MemoryThatDidNotGrowHasNoRatio) {
  const Reading reading =
      reading_of_blocks(memory_cell({10, 0}), memory_cell({20, 20}), Objective::memory);
  EXPECT_EQ(reading.fault, "no memory: block 1 has none");
  EXPECT_TRUE(reading.block_log_ratios.empty());
}

TEST(Objective, EnergyAddsUpCpusAndTheGpu) {
  const auto cell = [](const Json& cpu, const Json& gpu) -> Json {
    return {{"energy", {{"cpu_block_energy_j", cpu}, {"gpu_block_energy_j", gpu}}}};
  };
  const Json own = cell({1, 2}, {3, 2});
  const Json other = cell({1, 1}, {1, 3});
  EXPECT_EQ(reading_of_blocks(other, own, Objective::energy).block_log_ratios,
            (std::vector<double>{std::log(0.5), std::log(1.0)}));
  EXPECT_EQ(reading_of_blocks(cell({1, nullptr, 4}, {1, 1, 0}), cell({1, 1, 1}, {3, 1, 1}),
                              Objective::energy)
                .block_log_ratios,
            (std::vector<double>{std::log(0.5), std::log(2.0)}))
      << "blocks are paired by their number";
  const Json on_cpu = cell({2, 8}, Json::array());
  EXPECT_EQ(reading_of_blocks(on_cpu, own, Objective::energy).block_log_ratios,
            (std::vector<double>{std::log(2.0), std::log(4.0)}))
      << "the counter that both have";
  EXPECT_EQ(reading_of_blocks(on_cpu, on_cpu, Objective::energy).block_log_ratios,
            (std::vector<double>{0, 0}));
}

TEST(Objective, EnergyThatIsNotCountedHasTheReason) {
  const Json cell = {{"energy",
                      {{"cpu_block_energy_j", Json::array()},
                       {"gpu_block_energy_j", Json::array()},
                       {"reason", "no GPU"},
                       {"cpu_reason", "no RAPL"}}}};
  EXPECT_EQ(reading_of_blocks(cell, cell, Objective::energy).fault, "no energy: no RAPL");
  const Json none = {{"energy", nullptr}};
  EXPECT_NE(reading_of_blocks(none, none, Objective::energy).fault, "");
}

}  // namespace
}  // namespace bellmark::tune
