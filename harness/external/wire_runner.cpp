#include "harness/external/wire_runner.hpp"

#include <time.h>

#include "base/error.hpp"
#include "base/orphans.hpp"
#include "base/text.hpp"
#include "harness/external/formats.hpp"
#include "harness/external/start.hpp"

namespace bellmark::external {
namespace {

namespace fs = std::filesystem;

/// CPU time of all threads of a process.
std::int64_t cpu_ns_of(pid_t process) {
  clockid_t clock{};
  timespec time{};
  if (clock_getcpuclockid(process, &clock) != 0 || clock_gettime(clock, &time) != 0) return 0;
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

/// Starts the program with its settings in its words.
std::unique_ptr<WireSession> open_session(const Program& program,
                                          std::map<std::string, std::string> values,
                                          const std::vector<unsigned long>& affinity,
                                          std::chrono::milliseconds patience) {
  values["home"] = program.home;
  std::vector<std::string> words;
  for (const std::string& word : program.command) words.push_back(fill(word, values));
  StartOptions options;
  options.executable = program.executable;
  options.passed = program.passed;
  options.affinity = affinity;
  for (const auto& [name, value] : program.environment) {
    options.environment[name] = fill(value, values);
  }
  return std::make_unique<WireSession>(std::move(words), child_options_of(options), patience);
}

}  // namespace

std::string greeted_version_of(const Program& program) {
  constexpr std::chrono::seconds kPatience(10);
  std::map<std::string, std::string> values = {{"threads", "1"}};
  for (const Key& key : program.settings) values[key.name] = key.default_value;
  try {
    const auto session = open_session(program, values, {}, kPatience);
    const WireHello hello = session->hello(program.problem);
    session->close();
    constexpr std::size_t kLongest = 200;
    return printable(hello.name + " " + hello.program_version, kLongest);
  } catch (const Error&) {
    return {};  // its cells say why
  }
}

WireRunner::WireRunner(Program program, const Settings& settings)
    : program_(std::move(program)), answer_(folder_.new_path()) {
  for (const auto& [name, value] : settings.entries()) settings_[name] = value;
  program_.first_vertex = first_vertex_of(program_.format);
}

WireRunner::~WireRunner() {
  if (session_) {
    session_->close();
    session_.reset();
    end_orphans(programs_in_conversation(), std::chrono::milliseconds(0));
  }
  std::error_code ignored;
  fs::remove_all(answer_, ignored);
}

template <class F>
auto WireRunner::blaming(F&& work) const {
  try {
    return work();
  } catch (const Error& error) {
    throw Error(ExitCode::crash, program_.name, error.what());
  }
}

void WireRunner::prepare(const Graph& graph) {
  adopt_orphans();
  const fs::path file = cached_file(graph, program_.format);
  blaming([&] { start(file); });
}

void WireRunner::start(const fs::path& graph) {
  // The supervisor takes silence for a hang, and ends this process with all its programs.
  constexpr std::chrono::hours kPatience(24 * 365);
  const std::vector<unsigned long> affinity = affinity_of_thread();
  settings_.emplace("threads", std::to_string(pu_count_of(affinity)));
  session_ = open_session(program_, settings_, affinity, kPatience);
  const WireHello hello = session_->hello(program_.problem);
  program_.form = hello.form == WireForm::binary ? Form::int64 : Form::text;
  session_->prepare({graph.string(), program_.format, program_.first_vertex, settings_});
  idle_cpu_ns_ = cpu_ns_of(session_->program_id());
}

void WireRunner::run(std::uint64_t source, std::optional<std::uint64_t> target,
                     RunContext& context) {
  const auto numbered = [&](std::uint64_t vertex) {
    return static_cast<std::int64_t>(vertex) + program_.first_vertex;
  };
  WireQuery query{numbered(source), std::nullopt};
  if (target) query.target = numbered(*target);
  const WireTimes times = blaming([&] { return session_->ask(query); });
  const bool says_time = times.program_ns.has_value();
  if (says_time_.value_or(says_time) != says_time) {
    throw Error(ExitCode::crash, program_.name, "it reports 'time_ns' for some queries only",
                "report it for all queries, or for none");
  }
  says_time_ = says_time;
  const pid_t process = session_->program_id();
  // Without a time of its own, the time around run() counts.
  ProgramRun run{times.program_ns.value_or(0), cpu_ns_of(process) - idle_cpu_ns_, std::nullopt};
  run.process = process;
  if (context.watches_memory()) run.peak_bytes = peak_resident(process);
  context.report(run);
  idle_cpu_ns_ += run.cpu_ns;
}

const fs::path& WireRunner::answer() const {
  const WireForm form = program_.form == Form::text ? WireForm::text : WireForm::binary;
  std::error_code ignored;
  fs::remove_all(answer_, ignored);
  blaming([&] { session_->extract(answer_.string(), form); });
  idle_cpu_ns_ = cpu_ns_of(session_->program_id());
  return answer_;
}

}  // namespace bellmark::external
