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

/// Has Runner's interface. A failure ends the cell: Error(crash) with the reason.
class WireRunner {
 public:
  WireRunner(Program program, const Settings& settings);
  WireRunner(const WireRunner&) = delete;
  WireRunner& operator=(const WireRunner&) = delete;
  /// Ends the program and all processes that it left behind.
  ~WireRunner();

  /// Its form and first vertex are those of its answers.
  const Program& program() const { return program_; }

  /// Called where threads of the whole placement may run, so the program's may, too. It reads the
  /// graph.
  void prepare(const Graph& graph);
  void run(std::uint64_t source, std::optional<std::uint64_t> target, RunContext& context);
  /// Makes it write its answer to the last query, and gives the file.
  const std::filesystem::path& answer() const;

 private:
  void start(const std::filesystem::path& graph);
  /// Ends the cell with the program's fault.
  template <class F>
  auto blaming(F&& work) const;

  Program program_;
  AnswerFolder folder_;
  std::filesystem::path answer_;
  std::map<std::string, std::string> settings_;  ///< as sent to the program
  std::unique_ptr<WireSession> session_;
  std::optional<bool> says_time_;  ///< of its queries
  /// CPU time of the program when it last had no query.
  mutable std::int64_t idle_cpu_ns_ = 0;
};

/// `mine 1.2`, the program's answer to `hello`; "" if it gives none. Starts it.
std::string greeted_version_of(const Program& program);

}  // namespace bellmark::external
