// One cell's program on the wire: it is started once, and asked every query.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "algorithms/contract/run_context.hpp"
#include "algorithms/contract/settings.hpp"
#include "graph/graph.hpp"
#include "harness/external/program.hpp"
#include "harness/external/runner.hpp"
#include "harness/external/wire_session.hpp"

namespace bellmark::external {

/// Asked as Runner is. What fails ends the cell: Error(crash) with the reason.
class WireRunner {
 public:
  WireRunner(Program program, const Settings& settings);
  WireRunner(const WireRunner&) = delete;
  WireRunner& operator=(const WireRunner&) = delete;
  /// Ends the program and what it left behind.
  ~WireRunner();

  /// Its form and first vertex are those of its answers.
  const Program& program() const { return program_; }

  /// Asked where threads of the whole placement may run: so may the program's. It reads the graph.
  void prepare(const Graph& graph);
  void run(std::uint64_t source, std::optional<std::uint64_t> target, RunContext& context);
  /// Has it write its answer to the last query, and says where.
  const std::filesystem::path& answer() const;

 private:
  void start(const std::filesystem::path& graph);
  /// Ends the cell with what the program did wrong.
  template <class F>
  auto blaming(F&& work) const;

  Program program_;
  AnswerFolder folder_;
  std::filesystem::path answer_;
  std::map<std::string, std::string> settings_;  ///< as the program is told them
  std::unique_ptr<WireSession> session_;
  std::optional<bool> says_time_;  ///< of its queries
  /// CPU time of the program when it was last asked nothing.
  mutable std::int64_t idle_cpu_ns_ = 0;
};

/// `mine 1.2`, as the program answers `hello`; "" where it does not. Starts it.
std::string greeted_version_of(const Program& program);

}  // namespace bellmark::external
