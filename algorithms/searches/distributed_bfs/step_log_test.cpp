// The counts of steps in phase logs. The bytes are those that ranks really received.
// analysis/scaling_test.py compares the counts and the formulas.
#include "algorithms/searches/distributed_bfs/step_log.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <numeric>
#include <span>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/problems/distributed_bfs/test_support.hpp"
#include "graph/generate.hpp"

namespace bellmark::distributed_bfs {
namespace {

using testing::column;

/// Counts the data that arrive from other ranks, whatever the communicator says of them.
class CountingRanks final : public Communicator {
 public:
  CountingRanks(Communicator& ranks, std::atomic<std::uint64_t>& received_bytes)
      : Communicator(ranks.rank(), ranks.size(), std::make_shared<Progress>()),
        ranks_(&ranks),
        received_bytes_(&received_bytes) {}
  CountingRanks(std::unique_ptr<Communicator> ranks, std::atomic<std::uint64_t>& received_bytes)
      : CountingRanks(*ranks, received_bytes) {
    owned_ = std::move(ranks);
  }

 private:
  class Inner final : public Transfer {
   public:
    explicit Inner(Pending pending) : pending_(std::make_unique<Pending>(std::move(pending))) {}
    bool done() override { return pending_->done(); }
    void wait() override { pending_->wait(); }

   private:
    std::unique_ptr<Pending> pending_;  // whose end may throw
  };

  void do_barrier() override { ranks_->barrier(); }
  void do_broadcast(std::span<std::byte> data, std::size_t root) override {
    if (root != rank()) *received_bytes_ += data.size();
    ranks_->broadcast(data, root);
  }
  std::unique_ptr<Transfer> begin_all_gather(std::span<const std::byte> own,
                                             std::span<std::byte> all,
                                             const Offsets& offsets) override {
    *received_bytes_ += offsets.back() - offsets.front() - own.size();
    return std::make_unique<Inner>(ranks_->start_all_gather(own, all, offsets));
  }
  std::unique_ptr<Transfer> begin_all_to_all(std::span<const std::byte> sent,
                                             const Offsets& send_offsets,
                                             std::span<std::byte> received,
                                             const Offsets& received_offsets) override {
    for (std::size_t from = 0; from < size(); ++from) {
      if (from != rank()) *received_bytes_ += received_offsets[from + 1] - received_offsets[from];
    }
    return std::make_unique<Inner>(
        ranks_->start_all_to_all(sent, send_offsets, received, received_offsets));
  }
  void do_exchange(std::span<const std::byte> sent, std::size_t to, std::span<std::byte> received,
                   std::size_t from) override {
    if (from != rank()) *received_bytes_ += received.size();
    ranks_->exchange(sent, to, received, from);
  }
  /// Each rank reduces its share: it gets the others' values of it, and the outcome of the rest.
  void do_all_reduce(std::span<std::uint64_t> values, Reduction reduction) override {
    const std::size_t own = values.size() / size() + (rank() < values.size() % size() ? 1 : 0);
    *received_bytes_ += (own * (size() - 1) + values.size() - own) * sizeof(std::uint64_t);
    ranks_->all_reduce(values, reduction);
  }
  std::unique_ptr<Communicator> do_split(std::size_t color) override {
    return std::make_unique<CountingRanks>(ranks_->split(color), *received_bytes_);
  }

  Communicator* ranks_;
  std::unique_ptr<Communicator> owned_;
  std::atomic<std::uint64_t>* received_bytes_;
};

std::uint64_t sum(const PhaseLog& log, const std::string& name) {
  const auto values = column(log, name);
  return std::accumulate(values.begin(), values.end(), std::uint64_t{0});
}

/// A search's log at this rank, and the bytes that all ranks received in it.
PhaseLog counted_log(const std::string& variant, const Graph& graph, Communicator& ranks,
                     std::atomic<std::uint64_t>& received_bytes) {
  CountingRanks counting(ranks, received_bytes);
  detail::WorkloadOf<DistributedBfs> workload(DistributedGraph::of(graph, counting),
                                              {{graph.heads()[0]}});
  Settings resolved;
  const auto selection = Registry::global().select(variant).at(0);
  const auto bound = find_instance(selection, workload, resolved).bind(workload, resolved);
  RunContext context;
  bound->prepare(context);
  ranks.barrier();
  if (ranks.rank() == 0) received_bytes = 0;
  ranks.barrier();
  bound->run(0, 1, context);
  ranks.barrier();
  const std::uint64_t received = received_bytes;
  ranks.barrier();
  PhaseLog log = bound->phase_log();
  ranks.barrier();
  if (ranks.rank() == 0) received_bytes = received;
  return log;
}

Graph counted_graph() { return make_graph("kronecker:scale=12,edge-factor=8,seed=3"); }

const std::vector<std::pair<std::string, std::vector<std::size_t>>>& counted_launches() {
  static const std::vector<std::size_t> grids = {1, 2, 4, 6, 8, 9};
  static const std::vector<std::size_t> pairs = {2, 8, 32};
  static const std::vector<std::pair<std::string, std::vector<std::size_t>>> launches = {
      {"partition=grid", grids},
      {"partition=grid,direction=top-down", grids},
      {"partition=grid,direction=bottom-up", grids},
      {"partition=grid,frontier=auto", grids},
      {"partition=pairs", pairs},
      {"partition=pairs,overlap=off", pairs},
      {"partition=pairs,exchange=by-group", pairs},
      {"partition=pairs,exchange=by-group,overlap=off", pairs}};
  return launches;
}

TEST(DistributedStepLog, BytesAreThoseThatRanksReceive) {
  const Graph graph = counted_graph();
  for (const auto& [keys, sizes] : counted_launches()) {
    for (const std::size_t size : sizes) {
      SCOPED_TRACE(keys + ", " + std::to_string(size) + " ranks");
      std::atomic<std::uint64_t> received_bytes = 0;
      PhaseLog log;
      run_ranks(size, [&, keys = keys](Communicator& ranks) {
        PhaseLog own = counted_log("distributed-bfs/hybrid:" + keys, graph, ranks, received_bytes);
        if (ranks.rank() == 0) log = std::move(own);
      });
      std::uint64_t sent_bytes = 0;
      for (const std::string& name : log.columns) {
        if (!name.ends_with("_sent_bytes")) continue;
        sent_bytes += sum(log, name);
        const std::string of_messages =
            name.substr(0, name.size() - std::string("sent_bytes").size()) + "message_bytes";
        const bool counted =
            std::find(log.columns.begin(), log.columns.end(), of_messages) != log.columns.end();
        EXPECT_EQ(counted, name != "plan_sent_bytes") << name;
        if (counted && keys.find("by-group") == std::string::npos) {
          EXPECT_EQ(sum(log, of_messages), sum(log, name)) << name;
        }
      }
      EXPECT_EQ(sent_bytes, received_bytes);
      EXPECT_EQ(sent_bytes > 0, size > 1);
    }
  }
}

/// A rank waits for all groups, and is in two of them.
TEST(DistributedStepLog, GroupsInSequenceCountForAllWhoWait) {
  const Graph graph = counted_graph();
  const auto log_of = [&](const std::string& keys) {
    PhaseLog log;
    run_ranks(32, [&](Communicator& ranks) {
      std::atomic<std::uint64_t> received_bytes = 0;
      PhaseLog own = counted_log("distributed-bfs/hybrid:partition=pairs,overlap=off" + keys, graph,
                                 ranks, received_bytes);
      if (ranks.rank() == 0) log = std::move(own);
    });
    return log;
  };
  const PhaseLog together = log_of("");
  const PhaseLog by_group = log_of(",exchange=by-group");
  for (const std::string step : {"assign", "all_gather", "exchange"}) {
    EXPECT_EQ(sum(by_group, step + "_sent_bytes"), sum(together, step + "_sent_bytes"));
    EXPECT_EQ(sum(by_group, step + "_message_bytes"), 4 * sum(together, step + "_message_bytes"));
  }
  // Together one message is for both groups that two ranks may share.
  EXPECT_GE(sum(by_group, "exchange_message_count"), 4 * sum(together, "exchange_message_count"));
  const std::uint64_t waited_for = 32 * by_group.phase_count() * 8 * 7;  // 8 groups of 8 ranks
  EXPECT_EQ(sum(by_group, "all_gather_piece_count"), waited_for);
  EXPECT_EQ(sum(by_group, "assign_piece_count"), 2 * waited_for);
  EXPECT_EQ(sum(together, "all_gather_piece_count"), waited_for / 4);
  EXPECT_EQ(sum(together, "assign_piece_count"), 2 * waited_for / 4);
}

/// Logs of all launches as JSON: formulas, and sums over levels of all columns but times.
std::string counted_json() {
  const Graph graph = counted_graph();
  std::ostringstream json;
  json << "[";
  for (const auto& [keys, sizes] : counted_launches()) {
    json << (json.tellp() > 1 ? "," : "") << "\n{\"keys\": \"" << keys << "\",\n \"searches\": [";
    PhaseLog log;
    for (const std::size_t size : sizes) {
      std::atomic<std::uint64_t> received_bytes = 0;
      run_ranks(size, [&, keys = keys](Communicator& ranks) {
        PhaseLog own = counted_log("distributed-bfs/hybrid:" + keys, graph, ranks, received_bytes);
        if (ranks.rank() == 0) log = std::move(own);
      });
      json << (size == sizes.front() ? "" : ",") << "\n  {\"ranks\": " << size
           << ", \"vertex_count\": " << graph.vertex_count()
           << ", \"arc_count\": " << graph.arc_count()
           << ", \"phase_count\": " << log.phase_count();
      for (const std::string& name : log.columns) {
        if (!name.ends_with("_ns")) json << ", \"" << name << "\": " << sum(log, name);
      }
      json << "}";
    }
    json << "],\n \"growth\": {";
    for (const auto& [name, formula] : log.growth) {
      json << (name == log.growth.front().first ? "" : ",") << "\n  \"" << name << "\": \""
           << formula << "\"";
    }
    json << "}}";
  }
  json << "\n]\n";
  return json.str();
}

/// BELLMARK_WRITE_TESTDATA=1 writes the file anew.
TEST(DistributedStepLog, CountsAreThoseThatTheAnalysisIsTriedOn) {
  const std::string path =
      std::string(BELLMARK_TEST_SOURCE_DIR) + "/analysis/testdata/logs/counted.json";
  const std::string counted = counted_json();
  if (std::getenv("BELLMARK_WRITE_TESTDATA") != nullptr) std::ofstream(path) << counted;
  std::stringstream stored;
  stored << std::ifstream(path).rdbuf();
  EXPECT_EQ(counted, stored.str());
}

}  // namespace
}  // namespace bellmark::distributed_bfs
