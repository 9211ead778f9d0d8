// Run folders: made, opened again, damaged.
#include "harness/run/supervise/run_folder.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>

#include "base/error.hpp"
#include "base/input.hpp"
#include "harness/machine/environment.hpp"
#include "harness/run/supervise/supervisor.hpp"

namespace bellmark::run {
namespace {

namespace fs = std::filesystem;

class RunFolderTest : public testing::Test {
 protected:
  RunFolderTest() { fs::remove_all(root_); }
  ~RunFolderTest() override { fs::remove_all(root_); }

  RunFolder make() const {
    plan::Options options;
    options.form = "quick";
    options.graphs = {"g"};
    options.seed = 7;
    return RunFolder::create(root_, plan::adhoc_experiment({"sssp/dijkstra"}), options,
                             {"bellmark", "run"});
  }

  fs::path root_ = fs::path(testing::TempDir()) /
                   ("bellmark_runs_" + std::to_string(::getpid()) + "_" +
                    testing::UnitTest::GetInstance()->current_test_info()->name());
};

TEST_F(RunFolderTest, OpensAsItWasMade) {
  const RunFolder made = make();
  EXPECT_EQ(made.path.parent_path(), root_ / "adhoc");
  const RunFolder opened = RunFolder::open(made.path);
  EXPECT_EQ(opened.path, made.path);
  EXPECT_EQ(opened.options.to_json(), made.options.to_json());
  EXPECT_EQ(opened.experiment.variants, made.experiment.variants);
  EXPECT_EQ(opened.argv, made.argv);
  EXPECT_EQ(opened.started_utc, made.started_utc);
  EXPECT_FALSE(opened.finished());
  write_file(opened.result_file(), "{}");
  EXPECT_TRUE(opened.finished());
}

TEST_F(RunFolderTest, KeepsAnExperimentsTextAndPaper) {
  plan::Experiment experiment = plan::parse_experiment(
      "id = 'a/b'\nvariants = ['sssp/dijkstra']\n"
      "[workload]\nproblem = 'sssp'\nqueries = { kind = 'uniform-sources', count = 3 }\n",
      "e.toml");
  experiment.citation = "Someone 2011";
  const RunFolder made = RunFolder::create(root_, experiment, {}, {});
  EXPECT_EQ(made.path.parent_path(), root_ / "a" / "b");
  const RunFolder opened = RunFolder::open(made.path);
  EXPECT_EQ(opened.experiment.text, experiment.text);
  EXPECT_EQ(opened.experiment.queries.count, 3U);
  EXPECT_EQ(opened.experiment.citation, "Someone 2011");
}

TEST_F(RunFolderTest, TwoRunsInOneSecondHaveTwoFolders) { EXPECT_NE(make().path, make().path); }

TEST_F(RunFolderTest, NewestUnfinished) {
  EXPECT_THROW(RunFolder::newest_unfinished(root_), InputError);
  RunFolder made = make();
  made.held.reset();
  const fs::path older = made.path.parent_path() / "20010101T000000Z-00000000";
  fs::create_directories(older);
  fs::copy_file(made.path / "run.json", older / "run.json");
  EXPECT_EQ(RunFolder::newest_unfinished(root_).path, made.path);
  write_file(made.result_file(), "{}");
  EXPECT_EQ(RunFolder::newest_unfinished(root_).path, older);
  write_file(older / "result.json.gz", "{}");
  EXPECT_THROW(RunFolder::newest_unfinished(root_), InputError);
}

/// The message of the InputError that `run` throws; "" when it throws none.
template <class Run>
std::string refusal(Run run) {
  try {
    run();
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

TEST_F(RunFolderTest, ADamagedRunHidesNoOther) {
  RunFolder made = make();
  made.held.reset();
  const fs::path newer = made.path.parent_path() / "29990101T000000Z-00000000";
  fs::create_directories(newer);
  write_file(newer / "run.json", "");
  EXPECT_EQ(RunFolder::newest_unfinished(root_).path, made.path);
  write_file(made.result_file(), "{}");
  EXPECT_NE(refusal([&] { RunFolder::newest_unfinished(root_); }).find("is no run folder"),
            std::string::npos);
}

TEST_F(RunFolderTest, ACompressedResultFinishesARun) {
  const RunFolder made = make();
  write_file(made.path / "result.json.gz", "{}");
  EXPECT_TRUE(made.finished());
  EXPECT_EQ(made.result_file(), made.path / "result.json.gz");
  EXPECT_EQ(read_whole(made.result_file()), "{}");
}

TEST_F(RunFolderTest, OneProcessRunsIt) {
  RunFolder made = make();
  RunFolder other = RunFolder::open(made.path);
  EXPECT_FALSE(other.try_lock());
  const std::string said = refusal([&] { other.lock(); });
  EXPECT_TRUE(said.starts_with(made.path.string() + ": is being run by another process (pid " +
                               std::to_string(getpid()) + " on "))
      << said;
  EXPECT_TRUE(said.ends_with("); wait for it or stop it")) << said;
  EXPECT_NE(refusal([&] {
              RunFolder::newest_unfinished(root_);
            }).find("except those that other processes run"),
            std::string::npos);
  // A program that was started meanwhile has not inherited the lock.
  FILE* program = popen("read line", "w");
  ASSERT_NE(program, nullptr);
  made.held.reset();
  EXPECT_EQ(RunFolder::newest_unfinished(root_).path, made.path);
  other.lock();
  EXPECT_FALSE(RunFolder::open(made.path).try_lock());
  pclose(program);
}

TEST_F(RunFolderTest, WhatAKilledProcessHadHalfWrittenGoes) {
  RunFolder made = make();
  const auto leftover = made.path / "result.json.tmp-4711-0";
  std::ofstream(leftover) << "{";
  RunFolder other = RunFolder::open(made.path);
  EXPECT_FALSE(other.try_lock());
  EXPECT_TRUE(std::filesystem::exists(leftover)) << "another process may be writing it";
  made.held.reset();
  EXPECT_TRUE(other.try_lock());
  EXPECT_FALSE(std::filesystem::exists(leftover));
  EXPECT_TRUE(std::filesystem::exists(made.path / "run.json"));
}

TEST_F(RunFolderTest, GraphsAndQueriesAreThoseOfTheBeginning) {
  const RunFolder made = make();
  const auto probed = [](const Json& digest, const std::string& query_digest) {
    return Probe{{{"my.gr", {{"digest", digest}}, 1, query_digest, {}}}, {}, {}};
  };
  // A workload that can't be opened says nothing, and the first facts that come are kept.
  EXPECT_TRUE(note_beginning(made, {}, probed(nullptr, "")).empty());
  EXPECT_TRUE(note_beginning(made, {}, probed("g", "q")).empty());
  EXPECT_TRUE(note_beginning(made, {}, probed("g", "q")).empty());
  EXPECT_TRUE(note_beginning(made, {}, probed(nullptr, "")).empty());
  EXPECT_EQ(refusal([&] { note_beginning(made, {}, probed("h", "r")); }),
            "my.gr: is not the input that this run began with (digest g, now h); start a new run");
  EXPECT_EQ(refusal([&] { note_beginning(made, {}, probed("g", "r")); }),
            "my.gr: its queries are not those that this run began with (digest q, now r); start a "
            "new run");
  std::ofstream(made.begun_file()) << "{";
  EXPECT_NE(refusal([&] { note_beginning(made, {}, probed("g", "q")); }).find("damaged"),
            std::string::npos);
}

TEST_F(RunFolderTest, OtherBuildsAndHostsAreNoted) {
  const RunFolder made = make();
  std::ofstream(made.begun_file()) << R"({"builds": ["other"], "hosts": ["elsewhere"]})";
  for (int resumed = 0; resumed < 2; ++resumed) {
    const std::vector<std::string> said = note_beginning(made, {}, {});
    ASSERT_EQ(said.size(), 2U);
    EXPECT_EQ(said[0], "2 builds of Bellmark had a part in this run");
    EXPECT_TRUE(said[1].starts_with("this run went over several hosts: elsewhere, ")) << said[1];
  }
}

TEST_F(RunFolderTest, AnotherMachineOfTheSameNameIsNoted) {
  const RunFolder made = make();
  EXPECT_TRUE(note_beginning(made, {}, {}).empty());
  Json begun = Json::parse(std::ifstream(made.begun_file()));
  begun["boots"] = {"another"};
  std::ofstream(made.begun_file()) << begun;
  const std::vector<std::string> said = note_beginning(made, {}, {});
  ASSERT_EQ(said.size(), 1U);
  EXPECT_EQ(said[0], machine::host_name() +
                         " was started again during this run, or another machine of that name had "
                         "a part in it");
}

TEST_F(RunFolderTest, WhatWasNotedOfCellsIsReadBack) {
  const RunFolder made = make();
  plan::Plan plan;
  plan.cells.resize(2);
  plan.cells[0].id = "one";
  plan.cells[1].id = "two";
  EXPECT_NE(refusal([&] { noted_beginning(made, plan); }).find("nothing of its inputs was noted"),
            std::string::npos);
  const Probe probe{{{"my.gr", {{"digest", "g"}, {"vertex_count", 3}}, 8, "q", {"1", "2"}}},
                    {"a:x=1", "b"},
                    {{1, "unmet-need", "no GPU"}},
                    origin_here()};
  note_beginning(made, plan, probe);
  const Probe noted = noted_beginning(made, plan).probe;
  ASSERT_EQ(noted.workloads.size(), 1U);
  EXPECT_EQ(noted.workloads[0].graph, "my.gr");
  EXPECT_EQ(noted.workloads[0].facts, probe.workloads[0].facts);
  EXPECT_EQ(noted.workloads[0].query_count, 8U);
  EXPECT_EQ(noted.workloads[0].query_digest, "q");
  EXPECT_EQ(noted.workloads[0].first_queries, probe.workloads[0].first_queries);
  EXPECT_EQ(noted.resolved, probe.resolved);
  ASSERT_EQ(noted.not_measured.size(), 1U);
  EXPECT_EQ(noted.not_measured[0].cell, 1U);
  EXPECT_EQ(noted.not_measured[0].code, "unmet-need");
  EXPECT_EQ(noted.not_measured[0].reason, "no GPU");
  EXPECT_EQ(noted.origin, probe.origin);

  plan.cells[1].id = "three";
  EXPECT_NE(
      refusal([&] { noted_beginning(made, plan); }).find("its cells are others on this machine"),
      std::string::npos);
  for (const std::string& text :
       {std::string("{"), std::string("[]"), std::string(R"({"probe": 1})"),
        std::string(R"({"probe": {}})"), std::string(R"({"probe": {"cells": [{}, {}]}})")}) {
    std::ofstream(made.begun_file()) << text;
    EXPECT_NE(refusal([&] { noted_beginning(made, plan); }).find("damaged"), std::string::npos)
        << text;
  }
}

TEST_F(RunFolderTest, DamagedRunJsonIsAnInputError) {
  EXPECT_THROW(RunFolder::open(root_), InputError);
  const RunFolder made = make();
  for (const char* text :
       {"", "{", "42", "[]", "{}", R"({"experiment_text": 3})",
        R"({"experiment_text": "id = ", "adhoc_variants": null, "citation": ""})",
        R"({"experiment_text": "", "adhoc_variants": ["sssp/dijkstra"], "citation": "",
            "paper_machine": "", "options": {"form": 1}, "argv": [], "started_utc": ""})",
        R"({"experiment_text": "", "adhoc_variants": ["sssp/no-such"], "citation": ""})"}) {
    std::ofstream(made.path / "run.json") << text;
    EXPECT_THROW(RunFolder::open(made.path), InputError) << text;
  }
  write_file(made.path / "run.json", std::string(100'000, '['));
  EXPECT_THROW(RunFolder::open(made.path), InputError);
  fs::remove(made.path / "run.json");
  fs::create_directories(made.path / "run.json");
  EXPECT_THROW(RunFolder::open(made.path), InputError);
}

TEST_F(RunFolderTest, DamagedBegunJsonIsAnInputError) {
  const RunFolder made = make();
  write_file(made.begun_file(), R"({"workloads": )" + std::string(100'000, '['));
  EXPECT_THROW(note_beginning(made, {}, {}), InputError);
  std::string deep = R"({"workloads": )";
  for (int i = 0; i < 100'000; ++i) deep += "[";
  write_file(made.begun_file(), deep + std::string(100'000, ']') + "}");
  EXPECT_THROW(note_beginning(made, {}, {}), InputError);
  fs::remove(made.begun_file());
  fs::create_directories(made.begun_file());
  EXPECT_THROW(note_beginning(made, {}, {}), InputError);
}

TEST_F(RunFolderTest, RootThatIsAFile) {
  std::ofstream(root_) << "a file";
  EXPECT_THROW(make(), MachineError);
}

TEST_F(RunFolderTest, WriteFileReplacesWholeFiles) {
  fs::create_directories(root_);
  write_file(root_ / "f", "one");
  write_file(root_ / "f", "two");
  std::string text;
  std::getline(std::ifstream(root_ / "f"), text);
  EXPECT_EQ(text, "two");
  EXPECT_EQ(std::distance(fs::directory_iterator(root_), fs::directory_iterator()), 1);
  EXPECT_THROW(write_file(root_ / "missing" / "f", "x"), InputError);
}

}  // namespace
}  // namespace bellmark::run
