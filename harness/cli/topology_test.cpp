#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "harness/cli/commands.hpp"

namespace bellmark::cli {
namespace {

/// The standard output of the command line. The exit code must be 0.
std::string output_of(const std::string& line) {
  CLI::App app;
  const Argv argv;
  ExitCode code = ExitCode::internal;
  add_command(app, topology_command(), argv, code);
  add_command(app, doctor_command(), argv, code);
  testing::internal::CaptureStdout();
  try {
    app.parse(line);
  } catch (...) {
    testing::internal::GetCapturedStdout();
    throw;
  }
  EXPECT_EQ(code, ExitCode::ok) << line;
  return testing::internal::GetCapturedStdout();
}

TEST(TopologyCommand, ShowsAMadeUpMachine) {
  EXPECT_EQ(output_of("topology --synthetic \"pack:2 [numa] l2:1(size=4194304) core:2 pu:1\""),
            "synthetic       2 packages, 2 NUMA nodes, 4 cores, 4 PUs\n"
            "L2 unified      4 MiB, 2 of them, each for 2 cores\n"
            "GPUs            none: a made-up machine has none\n"
            "\n"
            "location words (-c) that exist here:\n"
            "  core:0-3              one worker a core, on its first PU\n"
            "  pu:0-3                one worker a processing unit\n"
            "  numa:0-1              a worker anywhere on that node\n"
            "  package:0-1           a worker anywhere on that package\n"
            "  core:all              one worker each, as for a list: core:0,1\n"
            "  pu:all                one worker each, as for a list: pu:0,1\n"
            "  numa:all              one worker each, as for a list: numa:0,1\n"
            "  package:all           one worker each, as for a list: package:0,1\n"
            "  each:core             an axis: one placement each\n"
            "  each:pu               an axis: one placement each\n"
            "  each:numa             an axis: one placement each\n"
            "  each:package          an axis: one placement each\n"
            "  package:0.core:0      nested: the inner index counts within the outer object\n"
            "  spread:numa:2         that many workers, dealt to the NUMA nodes in turn, a core "
            "each\n"
            "  spread:2              that many workers on cores at even steps\n"
            "  compact:2             that many workers as near as they come, siblings of a core "
            "first\n"
            "  scatter:2             that many workers dealt to packages and down, siblings last\n"
            "  class:core            an axis: one placement a class of alike ones, here 1\n"
            "  class:pair            an axis: one placement a class of alike ones, here 2\n"
            "  none                  not pinned\n"
            "  pair:same-core        none: no core has two PUs here\n"
            "  pair:shared-l2        two places: core:0-1\n"
            "  pair:shared-l3        none: no two cores with an L2 each share an L3 here\n"
            "  pair:same-package     none: no two cores of a package have an L2 each here\n"
            "  pair:other-package    two places: core:0,2\n"
            "  pair:near-numa        none: hwloc shows no distances between NUMA nodes\n"
            "  pair:far-numa         none: hwloc shows no distances between NUMA nodes\n");
}

TEST(TopologyCommand, ShowsWhereWorkersWouldRun) {
  EXPECT_EQ(output_of("topology --synthetic \"core:2 pu:2\" -c each:core"),
            "core:0: 1 worker: core:0 (pu P#0, first of 2)\n"
            "core:1: 1 worker: core:1 (pu P#2, first of 2)\n");
  const nlohmann::json json = nlohmann::json::parse(
      output_of("topology --json --synthetic \"core:2 pu:2\" --placement core:0-1"));
  EXPECT_EQ(json.at("core_count"), 2);
  EXPECT_TRUE(json.at("gpus").is_null());
  EXPECT_EQ(json.at("gpus_reason"), "a made-up machine has none");
  EXPECT_EQ(json.at("placements").at(0).at("worker_pus"), nlohmann::json({"0", "2"}));
}

TEST(TopologyCommand, ShowsAStoredMachine) {
  const std::string machine =
      "topology --from " BELLMARK_TEST_SOURCE_DIR "/harness/machine/topologies/";
  const std::string shown = output_of(machine + "sub-numa-clusters.xml");
  EXPECT_EQ(shown.find("stored          2 packages, 4 NUMA nodes, 8 cores, 16 PUs\n"), 0U);
  EXPECT_NE(shown.find("\nnuma:1          distances to the nodes: 12 10 32 32\n"),
            std::string::npos);
  EXPECT_EQ(output_of(machine + "dgx.xml -c near:nic:mlx5_2").find("core:4-7: 4 workers"), 0U);
  EXPECT_THROW(output_of("topology --from CMakeLists.txt.none"), InputError);
  EXPECT_THROW(output_of("topology --from " BELLMARK_TEST_SOURCE_DIR "/README.md"), InputError);
}

TEST(TopologyCommand, TheFormerNameOfPlacementStillWorks) {
  const std::string machine = "topology --synthetic \"core:2 pu:2\" ";
  EXPECT_EQ(output_of(machine + "--locations each:core"),
            output_of(machine + "--placement each:core"));
}

TEST(TopologyCommand, BadInputIsAnInputError) {
  EXPECT_THROW(output_of("topology --synthetic nonsense"), InputError);
  EXPECT_THROW(output_of("topology --synthetic \"core:2 pu:1\" -c core:2"), InputError);
  EXPECT_THROW(output_of("topology -c core:0 --locations core:0"), CLI::ParseError);
  EXPECT_THROW(output_of("topology --json --xml"), CLI::ParseError);
}

TEST(TopologyCommand, DescribesThisMachine) {
  EXPECT_EQ(output_of("topology").find("this machine"), 0U);
  EXPECT_NE(output_of("topology").find("\nGPU"), std::string::npos);
  EXPECT_EQ(output_of("topology --xml").find("<?xml"), 0U);
}

TEST(DoctorCommand, PrintsATableOrJson) {
  EXPECT_NE(output_of("doctor").find("\nperf_event_paranoid"), std::string::npos);
  const nlohmann::json findings = nlohmann::json::parse(output_of("doctor --json")).at("findings");
  ASSERT_FALSE(findings.empty());
  EXPECT_EQ(findings.at(0).at("name"), "build");
}

}  // namespace
}  // namespace bellmark::cli
