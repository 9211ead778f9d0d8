// The client's side of the programs' wire: docs/reference/program-wire.md has its messages.
#pragma once

#include <poll.h>

#include <chrono>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/child_process.hpp"
#include "base/descriptor.hpp"
#include "base/error.hpp"
#include "harness/external/wire_answer.hpp"

namespace bellmark::external {

inline constexpr int kWireVersion = 1;
/// The longest line in either direction, without its end.
inline constexpr std::size_t kLongestLine = 65536;
/// The most bytes of a program's standard error that are passed on.
inline constexpr std::size_t kMostLog = 1 << 20;

struct WireHello {
  std::string name;
  std::string program_version;
  WireForm form;  ///< binary if the program writes it, because that is read faster
};

struct WireGraph {
  std::string file;
  std::string format;
  std::int64_t first_vertex = 1;
  std::map<std::string, std::string> settings;
};

/// Vertices by their numbers in the graph's file.
struct WireQuery {
  std::int64_t source = 0;
  std::optional<std::int64_t> target;
};

struct WireTimes {
  /// By our clock, from before the request until after the answer: no honest time is longer.
  std::int64_t bound_ns = 0;
  std::optional<std::int64_t> program_ns;  ///< the program's own time; never above the bound

  /// The time that counts.
  std::int64_t counted_ns() const { return program_ns.value_or(bound_ns); }
};

/// The programs in this process's open conversations. A function that ends left-behind processes
/// spares them.
std::vector<pid_t> programs_in_conversation();

/// A conversation with one program, which runs until it is closed. If the program fails, a function
/// throws an Error with its last words on standard error. The program is then killed with its
/// children, and the conversation is over: every later call throws the same Error. Its code is
///   - ExitCode::usage for another version, nonsense, an answer to no or another request, a flood,
///     a time above the bound, and the program's own message;
///   - ExitCode::crash if it ended, was killed, or was silent for `patience`;
///   - ExitCode::machine if it can't be started.
class WireSession {
 public:
  /// Starts the program without a shell, pinned like the calling thread, in a process group of its
  /// own. `options` has its environment. The session sets descriptors and group.
  WireSession(std::vector<std::string> words, ChildOptions options,
              std::chrono::milliseconds patience);
  WireSession(const WireSession&) = delete;
  WireSession& operator=(const WireSession&) = delete;
  /// Kills the program and its children.
  ~WireSession();

  pid_t program_id() const { return child_->id(); }

  /// The first call.
  WireHello hello(const std::string& problem);
  void prepare(const WireGraph& graph);
  WireTimes ask(const WireQuery& query);
  /// The program writes its answer to the last query. Returns the time of that, in nanoseconds.
  std::int64_t extract(const std::string& file, WireForm form);
  /// Closes standard input, waits a while until the program has ended, then kills the remaining
  /// processes.
  void close();

 private:
  using Json = nlohmann::ordered_json;
  using Deadline = std::chrono::steady_clock::time_point;
  struct Reply {
    Json body;
    std::int64_t taken_ns;
  };

  Reply exchange(const char* request, const Json& body, const char* wanted);
  void send(std::string_view line, const char* request);
  std::string receive(const char* request);
  Json body_of(const std::string& line, const char* request, const char* wanted);
  void refuse_unasked(const char* request);
  /// Waits until `descriptor` is ready for `events`, and reads the log meanwhile. Returns the ready
  /// events, or 0 when the time is over.
  short wait_for(int descriptor, short events, Deadline deadline);
  void read_log();
  [[noreturn]] void fail(ExitCode code, const std::string& what, const std::string& remedy = {});
  [[noreturn]] void fail_wire(const std::string& what);
  [[noreturn]] void fail_ended(const char* request);
  [[noreturn]] void fail_silent(const char* request);
  std::string last_words() const;
  void end();

  std::string program_;  ///< its name in errors
  std::chrono::milliseconds patience_;
  std::optional<ChildProcess> child_;
  Descriptor input_;
  Descriptor output_;
  Descriptor log_;
  std::string received_;
  std::string log_end_;       ///< of what it wrote to standard error
  std::size_t log_size_ = 0;  ///< of all of it
  std::optional<Error> failure_;
};

}  // namespace bellmark::external
