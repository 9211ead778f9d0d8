// A run from its tasks to its journal, with answers that no process gives.
#include "harness/run/supervise/supervisor.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <set>

#include "base/error.hpp"
#include "base/test_folder.hpp"
#include "harness/run/supervise/journal_entry.hpp"

namespace bellmark::run {
namespace {

using End = WorkerOutcome::End;

/// The request of a call: its pass and its cells' variants.
struct Asked {
  Pass pass;
  std::vector<std::string> variants;
  CertifiedDigests certified;
  std::uint64_t query_count;
  std::size_t process_count;
  machine::Pages pages;
  std::string program;
};

class Silent final : public Progress {
 public:
  void replicate(const Task&, std::size_t, std::size_t, std::optional<double>) override {}
  void estimate(const std::map<std::string, double>& query_ns) override { estimates = query_ns; }
  void problem(const std::string& text) override { problems.push_back(text); }

  std::map<std::string, double> estimates;
  std::vector<std::string> problems;
};

class SupervisorTest : public testing::Test {
 public:
  /// Every cell measured, with the digest 7 for each query.
  static WorkerOutcome done(const Request& request) {
    WorkerOutcome outcome;
    outcome.end = End::done;
    Replicate& replicate = outcome.replicates.emplace_back();
    replicate.pass = request.pass;
    replicate.observed = {"pu P#0"};
    replicate.certified = {{request.pass == Pass::visits ? 8U : 7U}};
    for (const CellRequest& asked : request.cells) {
      CellReplicate& cell = replicate.cells.emplace_back();
      cell.id = asked.id;
      cell.variant = asked.variant;
      if (request.pass == Pass::timed) cell.timed = {{{1.0}}, {1.0}, "samples", {}, {}};
      if (request.pass == Pass::visits) cell.visits.emplace();
      if (request.pass == Pass::phases) cell.phases.emplace();
      if (request.pass == Pass::memory) cell.resident_bytes = 1;
    }
    return outcome;
  }

 protected:
  SupervisorTest() {
    plan::Options options;
    options.graphs = {"grid:rows=2,columns=2"};
    plan_ =
        plan::make_plan(plan::adhoc_experiment({"sssp/dijkstra:arity=2", "sssp/dijkstra:arity=4",
                                                "sssp/boost-dijkstra"}),
                        options, machine::Topology::synthetic("pack:1 core:2 pu:1"));
    plan_.block_count = 2;
    plan_.experiment.memory = false;
    probe_.workloads.push_back({plan_.cells[0].graph, Json::object(), 4, "0", {}});
    for (const plan::Cell& cell : plan_.cells) probe_.resolved.push_back(cell.variant);
    run_.path = folder_ / ".";
  }

  static WorkerOutcome ended(End end, int code, const std::string& reason,
                             const std::string& last_cell = "") {
    WorkerOutcome outcome;
    outcome.end = end;
    outcome.code = code;
    outcome.reason = reason;
    outcome.last_cell = last_cell;
    return outcome;
  }

  Supervised supervise(
      const std::function<WorkerOutcome(const Request&)>& answer,
      const std::function<bool()>& interrupted = [] { return false; }) {
    Journal journal(run_.journal_file());
    return run::supervise(
        plan_, probe_, run_, journal, progress_, interrupted,
        [&](const WorkerCall& call, const std::function<void(const Event&)>& on_event) {
          const Request& request = call.requests.front();
          Asked& asked = asked_.emplace_back();
          asked.pass = request.pass;
          for (const CellRequest& cell : request.cells) asked.variants.push_back(cell.variant);
          asked.certified = request.certified;
          asked.query_count = request.queries.count;
          asked.process_count = call.requests.size();
          asked.pages = request.pages;
          asked.program = call.program;
          on_event(SamplingProgress{{{request.cells.front().id, 100}}});
          return answer(request);
        });
  }

  std::size_t asked_of(const std::string& part) const {
    return static_cast<std::size_t>(std::ranges::count_if(asked_, [&](const Asked& asked) {
      return std::ranges::any_of(asked.variants, [&](const std::string& variant) {
        return variant.find(part) != std::string::npos;
      });
    }));
  }

  std::vector<JournalEntry> entries() const {
    return entries_of(Journal(run_.journal_file()).replicates(), plan_);
  }

  const std::string& id_of(const std::string& part) const {
    return std::ranges::find_if(
               plan_.cells,
               [&](const plan::Cell& cell) { return cell.variant.find(part) != std::string::npos; })
        ->id;
  }

  TestFolder folder_;
  plan::Plan plan_;
  Probe probe_;
  RunFolder run_;
  Silent progress_;
  std::vector<Asked> asked_;
};

TEST_F(SupervisorTest, ABuildMeasuresItsOwnCellsAndCertifiesItsOwnAnswers) {
  plan::Options options;
  options.graphs = {"grid:rows=2,columns=2"};
  options.builds = {{"old", "/old/bellmark", {}}, {"new", "/new/bellmark", {}}};
  plan_ = plan::make_plan(plan::adhoc_experiment({"sssp/dijkstra:arity=2"}), options,
                          machine::Topology::synthetic("pack:1 core:2 pu:1"));
  plan_.block_count = 2;
  probe_.resolved.assign(plan_.cells.size(), "sssp/dijkstra");
  supervise(done);
  ASSERT_GT(asked_.size(), 4U);
  std::vector<std::string> programs;
  for (std::size_t i = 0; i < 4; ++i) programs.push_back(asked_[i].program);
  EXPECT_EQ(programs, (std::vector<std::string>{"/old/bellmark", "/new/bellmark", "/new/bellmark",
                                                "/old/bellmark"}));
  // The first process of each has no digests to trust.
  EXPECT_TRUE(asked_[0].certified.empty());
  EXPECT_TRUE(asked_[1].certified.empty());
  EXPECT_FALSE(asked_[2].certified.empty());
}

TEST_F(SupervisorTest, AsksForTheExperimentsPagesAndCountsMemoryOnSmallOnes) {
  plan_.experiment.memory = true;
  supervise(done);
  ASSERT_GT(asked_.size(), 4U);
  for (const Asked& asked : asked_) {
    EXPECT_EQ(asked.pages,
              asked.pass == Pass::memory ? machine::Pages::small : machine::Pages::huge);
  }
}

TEST_F(SupervisorTest, OneOfSeveralProcessesAtOnceVisits) {
  plan_.groups[0].process_count = 2;
  supervise([](const Request& request) {
    WorkerOutcome outcome = done(request);
    if (request.process_count > 1) outcome.replicates.push_back(outcome.replicates.front());
    return outcome;
  });
  ASSERT_EQ(asked_.size(), 3U) << "two blocks and the visits";
  EXPECT_EQ(asked_[0].process_count, 2U);
  EXPECT_EQ(asked_[2].pass, Pass::visits);
  EXPECT_EQ(asked_[2].process_count, 1U);
}

TEST_F(SupervisorTest, RunsEveryTaskOnceAndHandsCertifiedDigestsOn) {
  const Supervised supervised = supervise(done);
  EXPECT_FALSE(supervised.interrupted);
  EXPECT_TRUE(supervised.not_measured.empty());
  ASSERT_EQ(asked_.size(), 4U) << "two blocks, the visits and the phases";
  EXPECT_EQ(asked_[0].pass, Pass::timed);
  EXPECT_EQ(asked_[2].pass, Pass::visits);
  EXPECT_EQ(asked_[3].pass, Pass::phases);
  EXPECT_EQ(asked_[0].variants.size(), 3U);
  EXPECT_TRUE(asked_[0].certified.empty());
  EXPECT_EQ(asked_[1].certified, (CertifiedDigests{{7}}));
  EXPECT_EQ(asked_[2].query_count, 9U);
  EXPECT_TRUE(asked_[2].certified.empty()) << "of other queries";
  EXPECT_EQ(asked_[3].certified, (CertifiedDigests{{7}})) << "not those of the visits";
  EXPECT_EQ(entries().size(), 4U);
  EXPECT_EQ(progress_.estimates.begin()->second, 25) << "of a query, and there are four";
}

TEST_F(SupervisorTest, AResumedRunDoesOnlyWhatIsLeft) {
  std::size_t looks = 0;
  const Supervised first = supervise(done, [&] { return ++looks > 1; });
  EXPECT_TRUE(first.interrupted);
  EXPECT_EQ(first.finished, "1 of 4 replicates");
  EXPECT_EQ(asked_.size(), 1U);
  asked_.clear();
  EXPECT_FALSE(supervise(done).interrupted);
  EXPECT_EQ(asked_.size(), 3U);
  EXPECT_EQ(asked_[0].certified, (CertifiedDigests{{7}})) << "from the journal";
  asked_.clear();
  supervise(done);
  EXPECT_TRUE(asked_.empty());
}

/// done(), with a cell that other programs disturb in the block that is asked for first.
class Disturbed {
 public:
  WorkerOutcome operator()(const Request& request) {
    WorkerOutcome outcome = SupervisorTest::done(request);
    if (request.pass != Pass::timed || asked_count_++ > 0) return outcome;
    outcome.replicates.front().pu_count = 1;
    outcome.replicates.front().cells[1].timed->queued_ratio = 0.06;
    return outcome;
  }

 private:
  std::size_t asked_count_ = 0;
};

TEST_F(SupervisorTest, ADisturbedBlockIsMeasuredOnceMore) {
  supervise(Disturbed());
  ASSERT_EQ(asked_.size(), 5U) << "two blocks, visits, phases, and the first block again";
  EXPECT_EQ(asked_[4].pass, Pass::timed);
  EXPECT_EQ(asked_[4].variants, asked_[0].variants);
  EXPECT_EQ(entries().back().task, entries().front().task + "/again");
  asked_.clear();
  supervise(done);
  EXPECT_TRUE(asked_.empty()) << "not on a resumed run";
}

TEST_F(SupervisorTest, WhatIsDisturbedAgainStays) {
  supervise([&](const Request& request) {
    WorkerOutcome outcome = done(request);
    if (request.pass == Pass::timed) outcome.replicates.front().steal_ratio = 0.5;
    outcome.replicates.front().pu_count = 1;
    return outcome;
  });
  EXPECT_EQ(asked_.size(), 6U) << "two blocks, visits, phases, and both blocks again";
}

TEST_F(SupervisorTest, ABlockWithASlowClockIsMeasuredOnceMore) {
  std::size_t timed_count = 0;
  supervise([&](const Request& request) {
    WorkerOutcome outcome = done(request);
    if (request.pass == Pass::timed) {
      outcome.replicates.front().core_mhz = ++timed_count == 2 ? 2800 : 3000;
    }
    return outcome;
  });
  ASSERT_EQ(asked_.size(), 5U);
  EXPECT_EQ(entries().back().task, "timed/1/0/again");
}

TEST_F(SupervisorTest, NothingIsMeasuredOnceMoreWithoutBudgetOrInASmokeRun) {
  plan_.options.budget_s = 0;
  EXPECT_EQ(supervise(Disturbed()).cuts.size(), 1U) << "of the planned blocks";
  EXPECT_TRUE(asked_.empty());
  plan_.options.budget_s.reset();
  plan_.options.form = "smoke";
  supervise(Disturbed());
  EXPECT_EQ(asked_.size(), 2U) << "the blocks";
}

TEST_F(SupervisorTest, ThreadsThatShareAPuDisturbThemselves) {
  supervise([&](const Request& request) {
    WorkerOutcome outcome = Disturbed()(request);
    if (request.pass != Pass::timed) return outcome;
    outcome.replicates.front().cells[1].threads = {{1, "pu P#0", "pu P#0"}};
    return outcome;
  });
  EXPECT_EQ(asked_.size(), 4U);
}

TEST_F(SupervisorTest, AWrongAnswerEndsTheCellAlone) {
  const Supervised supervised = supervise([&](const Request& request) {
    WorkerOutcome outcome = done(request);
    for (CellReplicate& cell : outcome.replicates.front().cells) {
      if (cell.id != id_of("arity=4")) continue;
      cell.wrong = true;
      cell.validation.detail = "query 1: too short";
    }
    return outcome;
  });
  ASSERT_EQ(supervised.not_measured.size(), 1U);
  EXPECT_EQ(plan_.cells[supervised.not_measured[0].cell].id, id_of("arity=4"));
  EXPECT_EQ(supervised.not_measured[0].code, "wrong-answer");
  EXPECT_EQ(supervised.not_measured[0].reason, "query 1: too short");
  EXPECT_EQ(asked_of("arity=4"), 1U);
  EXPECT_EQ(asked_of("arity=2"), 4U);
}

TEST_F(SupervisorTest, ACrashInANamedCellIsItsOwn) {
  const auto crash = [&](const Request& request) {
    const auto culprit = std::ranges::find(request.cells, id_of("arity=2"), &CellRequest::id);
    if (culprit == request.cells.end()) return done(request);
    return ended(End::crashed, 0, "killed by signal 11", culprit->id);
  };
  const Supervised supervised = supervise(crash);
  ASSERT_EQ(supervised.not_measured.size(), 1U);
  EXPECT_EQ(supervised.not_measured[0].code, "crash");
  EXPECT_EQ(asked_of("arity=2"), 1U);
  EXPECT_EQ(asked_of("boost"), 5U) << "once with the culprit, and then all four tasks";
  // Afterwards the journal tells it.
  asked_.clear();
  EXPECT_EQ(supervise(crash).not_measured.size(), 1U);
  EXPECT_TRUE(asked_.empty());
}

TEST_F(SupervisorTest, CellsSampledTogetherAreIsolatedAfterACrash) {
  const auto crash = [&](const Request& request) {
    if (request.cells.size() > 1) return ended(End::crashed, 0, "killed by signal 11");
    if (request.cells[0].id == id_of("boost")) return ended(End::timed_out, 0, "nothing heard");
    return done(request);
  };
  const Supervised supervised = supervise(crash);
  ASSERT_EQ(supervised.not_measured.size(), 1U);
  EXPECT_EQ(plan_.cells[supervised.not_measured[0].cell].id, id_of("boost"));
  EXPECT_EQ(supervised.not_measured[0].code, "timeout");
  EXPECT_EQ(std::ranges::count_if(asked_, [](const Asked& a) { return a.variants.size() > 1; }), 1);
  EXPECT_EQ(asked_of("arity=2"), 5U);
  ASSERT_EQ(supervised.isolated.size(), 1U);
  EXPECT_EQ(supervised.isolated[0].reason, "killed by signal 11");
  ASSERT_FALSE(progress_.problems.empty());
  EXPECT_NE(progress_.problems[0].find("running the cells of this group one by one"),
            std::string::npos);
  std::set<std::string> tasks;
  for (const JournalEntry& entry : entries()) {
    EXPECT_TRUE(tasks.insert(entry.task).second) << entry.task;
  }
}

TEST_F(SupervisorTest, MemoryThatRanOutIsNoCellsFault) {
  const auto kill = [&](const Request& request) {
    if (request.cells.size() == 1) return done(request);
    WorkerOutcome outcome = ended(End::crashed, 0, "killed by signal 9", request.cells[0].id);
    outcome.was_killed = true;
    return outcome;
  };
  const Supervised supervised = supervise(kill);
  EXPECT_TRUE(supervised.not_measured.empty());
  ASSERT_EQ(supervised.isolated.size(), 1U);
  EXPECT_EQ(supervised.isolated[0].reason, "killed by signal 9");
}

TEST_F(SupervisorTest, IsolatedTheBaselineHasASecondProcess) {
  plan_.groups.at(0).twice = 0;
  const std::string twin = plan_.cells[0].id + kTwice;
  const auto crash = [&](const Request& request) {
    if (request.cells.size() > 1) return ended(End::crashed, 0, "killed by signal 11");
    return done(request);
  };
  supervise(crash);
  std::size_t own = 0;
  std::size_t second = 0;
  for (const JournalEntry& entry : entries()) {
    const auto* measured = std::get_if<Measured>(&entry.what);
    if (measured == nullptr || measured->replicate.pass != Pass::timed) continue;
    ASSERT_EQ(measured->replicate.cells.size(), 1U);
    own += measured->replicate.cells[0].id == plan_.cells[0].id ? 1 : 0;
    if (measured->replicate.cells[0].id != twin) continue;
    ++second;
    EXPECT_TRUE(entry.task.ends_with(plan_.cells[0].id + kTwice)) << entry.task;
  }
  EXPECT_EQ(own, plan_.block_count);
  EXPECT_EQ(second, own);
}

TEST_F(SupervisorTest, FailuresHaveTheCodeOfTheirExit) {
  for (const auto& [exit, code] :
       std::map<ExitCode, std::string>{{ExitCode::usage, "bad-setting"},
                                       {ExitCode::all_unmet, "unmet-need"},
                                       {ExitCode::crash, "crash"},
                                       {ExitCode::internal, "crash"}}) {
    std::filesystem::remove(run_.journal_file());
    const Supervised supervised = supervise([&, exit = exit](const Request& request) {
      const auto culprit = std::ranges::find(request.cells, id_of("arity=2"), &CellRequest::id);
      if (culprit == request.cells.end()) return done(request);
      return ended(End::failed, static_cast<int>(exit), "why", culprit->id);
    });
    ASSERT_EQ(supervised.not_measured.size(), 1U);
    EXPECT_EQ(supervised.not_measured[0].code, code);
    EXPECT_EQ(supervised.not_measured[0].reason, "why");
  }
}

TEST_F(SupervisorTest, AFailureOfOneOfSeveralCellsIsFoundOneByOne) {
  for (const ExitCode code : {ExitCode::crash, ExitCode::internal}) {
    std::filesystem::remove(run_.journal_file());
    const Supervised supervised = supervise([&](const Request& request) {
      const auto culprit = std::ranges::find(request.cells, id_of("arity=2"), &CellRequest::id);
      if (culprit == request.cells.end()) return done(request);
      return ended(End::failed, static_cast<int>(code), "no memory");
    });
    ASSERT_EQ(supervised.not_measured.size(), 1U);
    EXPECT_EQ(plan_.cells[supervised.not_measured[0].cell].id, id_of("arity=2"));
    EXPECT_EQ(supervised.not_measured[0].code, "crash");
    EXPECT_EQ(supervised.not_measured[0].reason, "no memory");
  }
}

TEST_F(SupervisorTest, AMachineThatFailsEndsTheRun) {
  EXPECT_THROW(supervise([](const Request&) {
                 return ended(End::failed, static_cast<int>(ExitCode::machine), "disk full");
               }),
               MachineError);
  EXPECT_TRUE(entries().empty());
  asked_.clear();
  supervise(done);
  EXPECT_EQ(asked_.size(), 4U) << "nothing was lost";
}

TEST_F(SupervisorTest, AJournalLineThatIsNoEntryIsNamed) {
  supervise(done);
  const std::vector<Json> lines = Journal(run_.journal_file()).replicates();
  const auto spoilt = [&](const std::string& pointer, const Json& value) {
    Json line = lines.front();
    line[Json::json_pointer(pointer)] = value;
    return line;
  };
  Json without_samples = lines.front();
  without_samples["cells"][0].erase("step_ns");
  for (const Json& line :
       {Json({{"task", "timed/0/0"}, {"block", 0}, {"group", 0}}), Json({{"task", 1}}),
        Json({{"a", 1}}), spoilt("/group", 99), spoilt("/group", -1), spoilt("/kind", "walk"),
        spoilt("/kind", "memory"), spoilt("/kind", "counters"),
        spoilt("/cells/0/step_ns", Json::array()), without_samples, spoilt("/certified", {{"x"}}),
        spoilt("/cells/0/answers", {{"x", 1}})}) {
    std::ofstream(run_.journal_file()) << lines.back() << "\n" << line << "\n";
    try {
      supervise(done);
      ADD_FAILURE() << line;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find("replicates.jsonl:2: is not an entry of a journal"),
                std::string::npos)
          << error.what();
    }
  }
}

}  // namespace
}  // namespace bellmark::run
