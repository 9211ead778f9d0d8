// One cell's program: its words, the file of its graph, its last run.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/contract/run_context.hpp"
#include "algorithms/contract/settings.hpp"
#include "base/error.hpp"
#include "graph/graph.hpp"
#include "harness/external/program.hpp"
#include "harness/external/start.hpp"

namespace bellmark::external {

/// The folder for the answers of programs that the process of that id starts.
std::filesystem::path answer_folder(pid_t process);

/// A folder of this process. It is removed with its last file.
class AnswerFolder {
 public:
  /// Throws MachineError.
  AnswerFolder();
  AnswerFolder(const AnswerFolder&) = delete;
  AnswerFolder& operator=(const AnswerFolder&) = delete;
  ~AnswerFolder();

  /// A path for a file that nothing else in this process writes.
  std::filesystem::path new_path() const;

 private:
  std::filesystem::path path_;
};

class Runner {
 public:
  Runner(Program program, const Settings& settings);
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;
  ~Runner();

  const Program& program() const { return program_; }
  const std::filesystem::path& answer() const { return answer_; }

  /// Called where threads of the whole placement may run, so the program's may, too.
  void prepare(const Graph& graph);

  /// Starts the program and reports it to the context. Throws Error(crash) with the reason if it
  /// fails, leaves processes behind, or does not report its time properly.
  void run(std::uint64_t source, std::optional<std::uint64_t> target, RunContext& context);

  /// Why the check command refuses the last answer; nothing if there is no command.
  std::optional<std::string> refuse();

 private:
  bool mentions(const std::string& key) const;
  Error failure(const std::string& what) const;
  Ended start_words(const std::vector<std::string>& words, StartOptions options);
  /// The one time that it printed.
  std::int64_t reported_ns(const Ended& ended) const;

  Program program_;
  AnswerFolder folder_;
  std::filesystem::path answer_;
  std::filesystem::path query_file_;  ///< of the graph and the query's source, if graph_ is set
  const Graph* graph_ = nullptr;      ///< set if each query has a file of its own
  std::map<std::string, std::string> values_;  ///< by key
  StartOptions options_;
  std::string tried_;  ///< the words of the last start
};

}  // namespace bellmark::external
