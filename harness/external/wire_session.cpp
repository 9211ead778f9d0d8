#include "harness/external/wire_session.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "base/text.hpp"
#include "harness/measure/clock.hpp"

namespace bellmark::external {
namespace {

using SteadyClock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr std::size_t kShown = 120;          // of a line that is not a message
constexpr std::size_t kLogEndKept = 4096;    // more than what is shown of it
constexpr milliseconds kLastPatience(2000);  // for a program that was asked to end

int milliseconds_until(SteadyClock::time_point deadline) {
  const auto left = std::chrono::ceil<milliseconds>(deadline - SteadyClock::now());
  return static_cast<int>(std::clamp<milliseconds::rep>(left.count(), 0, 1'000'000'000));
}

/// Neither a program that doesn't read nor one that doesn't write may block this process.
void never_wait(const Descriptor& descriptor) {
  fcntl(descriptor.get(), F_SETFL, fcntl(descriptor.get(), F_GETFL) | O_NONBLOCK);
}

/// The programs in conversation. During a conversation a broken pipe is an error of write(), and no
/// signal.
class Conversations {
 public:
  static Conversations& all() {
    static Conversations conversations;
    return conversations;
  }

  const std::vector<pid_t>& programs() const { return programs_; }
  void begin(pid_t program) {
    if (programs_.empty()) on_broken_pipe_ = std::signal(SIGPIPE, SIG_IGN);
    programs_.push_back(program);
  }
  void end(pid_t program) {
    std::erase(programs_, program);
    if (programs_.empty()) std::signal(SIGPIPE, on_broken_pipe_);
  }

 private:
  std::vector<pid_t> programs_;
  void (*on_broken_pipe_)(int) = SIG_DFL;
};

std::string required_text(const nlohmann::ordered_json& body, const char* key) {
  const auto found = body.find(key);
  return found != body.end() && found->is_string() ? found->get<std::string>() : "";
}

void check_path(const std::string& file) {
  if (is_utf8(file)) return;
  throw InputError(file, "its path is not UTF-8, as messages are", "give the file another name");
}

}  // namespace

std::vector<pid_t> programs_in_conversation() { return Conversations::all().programs(); }

WireSession::WireSession(std::vector<std::string> words, ChildOptions options,
                         milliseconds patience)
    : program_(words.at(0)), patience_(patience) {
  Pipe requests = Pipe::make();
  Pipe answers = Pipe::make();
  Pipe log = Pipe::make();
  options.own_group = true;
  options.dies_with_parent = true;
  options.descriptors = {{STDIN_FILENO, requests.read_end.get()},
                         {STDOUT_FILENO, answers.write_end.get()},
                         {STDERR_FILENO, log.write_end.get()}};
  child_.emplace(std::move(words), options);
  Conversations::all().begin(child_->id());
  input_ = std::move(requests.write_end);
  output_ = std::move(answers.read_end);
  log_ = std::move(log.read_end);
  for (const Descriptor* descriptor : {&input_, &output_, &log_}) never_wait(*descriptor);
}

WireSession::~WireSession() { end(); }

void WireSession::end() {
  if (!child_) return;
  // Even after it has ended by itself: it may have left children.
  child_->signal_group(SIGKILL);
  Conversations::all().end(child_->id());
  child_.reset();
}

WireHello WireSession::hello(const std::string& problem) {
  const Json body =
      exchange("hello", {{"version", kWireVersion}, {"problem", problem}}, "hello").body;
  const Json version = body.value("version", Json());
  if (version != kWireVersion) {
    fail(ExitCode::usage,
         "it speaks version " + (version.is_number_integer() ? version.dump() : "?") +
             " of the wire, and this Bellmark speaks version " + std::to_string(kWireVersion),
         "build it with the bellmark/worker.hpp of this Bellmark, or see "
         "docs/reference/program-wire.md");
  }
  const Json forms = body.value("forms", Json::array());
  const bool binary = std::ranges::find(forms, Json("binary")) != forms.end();
  return {required_text(body, "name"), required_text(body, "program_version"),
          binary ? WireForm::binary : WireForm::text};
}

void WireSession::prepare(const WireGraph& graph) {
  check_path(graph.file);
  Json settings = Json::object();
  for (const auto& [name, value] : graph.settings) settings[name] = value;
  exchange("prepare",
           {{"graph", graph.file},
            {"format", graph.format},
            {"first_vertex", graph.first_vertex},
            {"settings", std::move(settings)}},
           "prepared");
}

WireTimes WireSession::ask(const WireQuery& query) {
  Json body = {{"source", query.source}};
  if (query.target) body["target"] = *query.target;
  const Reply reply = exchange("query", body, "answered");
  WireTimes times{reply.taken_ns, std::nullopt};
  if (const auto time = reply.body.find("time_ns"); time != reply.body.end()) {
    if (!time->is_number_unsigned() || *time == 0) {
      fail_wire("'time_ns' is not a whole number above 0: " + time->dump());
    }
    const auto ns = time->get<std::uint64_t>();
    if (ns > static_cast<std::uint64_t>(times.bound_ns)) {
      fail(ExitCode::usage,
           "it says that the query took " + std::to_string(ns) + " ns, and its answer was here " +
               std::to_string(times.bound_ns) + " ns after the request",
           "time queries by a monotonic clock, or leave 'time_ns' out");
    }
    times.program_ns = static_cast<std::int64_t>(ns);
  }
  return times;
}

std::int64_t WireSession::extract(const std::string& file, WireForm form) {
  check_path(file);
  const char* name = form == WireForm::binary ? "binary" : "text";
  return exchange("extract", {{"file", file}, {"form", name}}, "extracted").taken_ns;
}

void WireSession::close() {
  if (!child_) return;
  input_.reset();
  const auto deadline = SteadyClock::now() + kLastPatience;
  // Its last output is its log. An answer that nobody reads must not hold it up.
  output_.reset();
  while (!child_->wait(milliseconds(0)) && SteadyClock::now() < deadline) {
    constexpr milliseconds kPause(5);
    wait_for(-1, 0, std::min(deadline, SteadyClock::now() + kPause));
  }
  read_log();
  end();
}

WireSession::Reply WireSession::exchange(const char* request, const Json& body,
                                         const char* wanted) {
  if (failure_) throw Error(*failure_);
  if (!child_) throw InputError(program_, "the conversation with it was closed");
  const std::string line =
      Json{{request, body}}.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n';
  if (line.size() > kLongestLine) {
    throw InputError(program_, std::string("the request '") + request + "' is too long for a line",
                     "use shorter names and fewer settings");
  }
  refuse_unasked(request);
  measure::Clock& clock = measure::Clock::system();
  const std::int64_t begin = clock.now_ns();
  send(line, request);
  const std::string answer = receive(request);
  const std::int64_t taken_ns = clock.now_ns() - begin;
  return {body_of(answer, request, wanted), taken_ns};
}

void WireSession::refuse_unasked(const char* request) {
  pollfd watched{output_.get(), POLLIN, 0};
  if (poll(&watched, 1, 0) <= 0) return;
  if ((watched.revents & POLLIN) == 0) fail_ended(request);
  std::array<char, 4096> bytes;
  const ssize_t count = read(output_.get(), bytes.data(), bytes.size());
  if (count <= 0) fail_ended(request);
  fail_wire(std::string("it spoke before it was asked for '") + request +
            "': " + printable(trim({bytes.data(), static_cast<std::size_t>(count)}), kShown));
}

void WireSession::send(std::string_view line, const char* request) {
  const auto deadline = SteadyClock::now() + patience_;
  while (!line.empty()) {
    const ssize_t count = write(input_.get(), line.data(), line.size());
    if (count >= 0) {
      line.remove_prefix(static_cast<std::size_t>(count));
    } else if (errno == EAGAIN) {
      if (wait_for(input_.get(), POLLOUT, deadline) == 0) fail_silent(request);
    } else if (errno != EINTR) {
      fail_ended(request);
    }
  }
}

std::string WireSession::receive(const char* request) {
  const auto deadline = SteadyClock::now() + patience_;
  received_.clear();
  for (;;) {
    if (wait_for(output_.get(), POLLIN, deadline) == 0) fail_silent(request);
    std::array<char, 4096> bytes;
    const ssize_t count = read(output_.get(), bytes.data(), bytes.size());
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) continue;
    if (count <= 0) fail_ended(request);
    received_.append(bytes.data(), static_cast<std::size_t>(count));
    const auto end = received_.find('\n', received_.size() - static_cast<std::size_t>(count));
    if (std::min(end, received_.size()) > kLongestLine) {
      fail_wire(std::string("its answer to '") + request + "' has more than " +
                std::to_string(kLongestLine) + " bytes in a line");
    }
    if (end == std::string::npos) continue;
    if (end + 1 == received_.size()) return received_.substr(0, end);
    fail_wire(std::string("it says more than the answer to '") + request +
              "': " + printable(trim(std::string_view(received_).substr(end + 1)), kShown));
  }
}

WireSession::Json WireSession::body_of(const std::string& line, const char* request,
                                       const char* wanted) {
  // Nothing here recurses into the parsed message, so depth is no danger.
  const Json message = Json::parse(line, nullptr, false);
  if (!message.is_object() || message.size() != 1 || !message.front().is_object()) {
    fail_wire(std::string("its answer to '") + request +
              "' is no message: " + printable(trim(line), kShown));
  }
  const std::string kind = message.begin().key();
  if (kind == "error") {
    fail(ExitCode::usage, "it says: " + required_text(message.front(), "message"));
  }
  if (kind == wanted) return message.front();
  fail_wire(std::string("it answers '") + request + "' with '" + kind + "', not with '" + wanted +
            "'");
}

short WireSession::wait_for(int descriptor, short events, Deadline deadline) {
  for (;;) {
    std::array<pollfd, 2> watched{pollfd{descriptor, events, 0}, pollfd{log_.get(), POLLIN, 0}};
    const int ready = poll(watched.data(), watched.size(), milliseconds_until(deadline));
    if (ready > 0 && watched[0].revents != 0) return watched[0].revents;
    if (ready > 0) read_log();
    if (SteadyClock::now() >= deadline) return 0;
  }
}

void WireSession::read_log() {
  std::array<char, 1 << 16> bytes;
  const ssize_t count = read(log_.get(), bytes.data(), bytes.size());
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (count <= 0) {
    log_.reset();
    return;
  }
  const auto size = static_cast<std::size_t>(count);
  const std::size_t passed = std::min(size, kMostLog - std::min(kMostLog, log_size_));
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, bytes.data(), passed);
  log_size_ += size;
  log_end_.append(bytes.data(), size);
  if (log_end_.size() > kLogEndKept) log_end_.erase(0, log_end_.size() - kLogEndKept);
}

std::string WireSession::last_words() const {
  const std::string_view text = trim(log_end_);
  if (text.empty()) return {};
  const std::string_view line = text.substr(text.find_last_of('\n') + 1);
  return "; its last words: " + printable(line, kShown);
}

void WireSession::fail(ExitCode code, const std::string& what, const std::string& remedy) {
  if (log_.get() >= 0) read_log();
  failure_.emplace(code, program_, what + last_words(), remedy);
  end();
  throw Error(*failure_);
}

void WireSession::fail_wire(const std::string& what) {
  fail(ExitCode::usage, what,
       "write one message a line to standard output, and all else to standard error");
}

void WireSession::fail_ended(const char* request) {
  // A program that only closed its output lives on.
  const auto status = child_->wait(milliseconds(500));
  fail(ExitCode::crash, (status ? "it ended (" + status->text() + ")"
                                : std::string("it closed its standard output")) +
                            " before it answered '" + request + "'");
}

void WireSession::fail_silent(const char* request) {
  // A child of the program may hold its output open.
  if (child_->wait(milliseconds(0))) fail_ended(request);
  const double seconds = std::chrono::duration<double>(patience_).count();
  char text[32];
  std::snprintf(text, sizeof text, "%g", seconds);
  fail(ExitCode::crash,
       "nothing heard for " + std::string(text) + " s after the request '" + request + "'");
}

}  // namespace bellmark::external
