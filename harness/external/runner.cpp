#include "harness/external/runner.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>

#include "base/orphans.hpp"
#include "base/pattern.hpp"
#include "base/text.hpp"
#include "harness/external/formats.hpp"
#include "harness/external/wire_session.hpp"
#include "harness/machine/memory.hpp"

namespace bellmark::external {
namespace {

namespace fs = std::filesystem;

constexpr double kNsPerSecond = 1e9;

/// A process of this user with the same id left it behind, or another cell of this process has it.
bool is_own_folder(const fs::path& path) {
  struct stat found {};
  return lstat(path.c_str(), &found) == 0 && S_ISDIR(found.st_mode) && found.st_uid == geteuid();
}

std::string text_of(const std::vector<std::string>& words,
                    const std::map<std::string, std::string>& environment) {
  std::vector<std::string> texts;
  texts.reserve(environment.size() + words.size());
  for (const auto& [name, value] : environment) texts.push_back(name + "=" + shell_word(value));
  for (const std::string& word : words) texts.push_back(shell_word(word));
  return join(texts, " ");
}

/// The last group of each match in the output, or the whole match if the pattern has no group.
std::vector<std::string> all_matches(const std::string& pattern, const std::string& output) {
  std::vector<std::string> found;
  for (std::string line : split(output, '\n')) {
    for (;;) {
      const std::vector<std::string> match = find_pattern(pattern.c_str(), line);
      if (match.empty() || match.front().empty()) break;
      found.push_back(match.back());
      line.erase(0, line.find(match.front()) + match.front().size());
    }
  }
  return found;
}

}  // namespace

fs::path answer_folder(pid_t process) {
  std::error_code ignored;
  const fs::path folder = fs::temp_directory_path(ignored);
  return folder / ("bellmark-answers-" + std::to_string(process));
}

AnswerFolder::AnswerFolder() : path_(answer_folder(getpid())) {
  if (mkdir(path_.c_str(), S_IRWXU) == 0) return;
  const int error = errno;
  if (error == EEXIST && is_own_folder(path_)) return;
  throw MachineError(path_.string(), std::string("cannot be made: ") + std::strerror(error),
                     "let TMPDIR name a folder that may be written");
}

AnswerFolder::~AnswerFolder() {
  std::error_code ignored;
  fs::remove(path_, ignored);  // stays while another cell has a file in it
}

fs::path AnswerFolder::new_path() const {
  static std::uint64_t count = 0;
  return path_ / std::to_string(++count);
}

Runner::Runner(Program program, const Settings& settings) : program_(std::move(program)) {
  answer_ = folder_.new_path();
  query_file_ = folder_.new_path();
  for (const auto& [name, value] : settings.entries()) values_[name] = value;
  values_["home"] = program_.home;
  values_["answer"] = answer_.string();
}

Runner::~Runner() {
  std::error_code ignored;
  fs::remove_all(answer_, ignored);
  fs::remove(query_file_, ignored);
}

void Runner::prepare(const Graph& graph) {
  adopt_orphans();
  options_.executable = program_.executable;
  options_.passed = program_.passed;
  options_.affinity = affinity_of_thread();
  options_.keeps_output = program_.reported.has_value();
  values_.emplace("threads", std::to_string(pu_count_of(options_.affinity)));
  if (!mentions("graph")) return;
  if (is_of_a_query(program_.format)) {
    graph_ = &graph;
    values_["graph"] = query_file_.string();
  } else {
    values_["graph"] = cached_file(graph, program_.format).string();
  }
}

void Runner::run(std::uint64_t source, std::optional<std::uint64_t> target, RunContext& context) {
  std::error_code ignored;
  fs::remove_all(answer_, ignored);
  values_["source"] = std::to_string(source + program_.first_vertex);
  if (target) values_["target"] = std::to_string(*target + program_.first_vertex);
  if (graph_ != nullptr) write_query(*graph_, static_cast<Vertex>(source), query_file_);
  StartOptions options = options_;
  options.watches_memory = context.watches_memory();
  const Ended ended = start_words(program_.command, options);
  if (!ended.status.is_success()) throw failure(end_text(ended));
  ProgramRun run{ended.wall_ns, ended.usage.cpu_ns, ended.seen_bytes};
  run.queued_ns = ended.queued_ns;
  // The kernel's figure includes the memory of this process when it started the program. It may
  // have grown until then, and is read afterwards.
  if (options.watches_memory && ended.usage.peak_bytes > machine::peak_resident_bytes()) {
    run.peak_bytes = ended.usage.peak_bytes;
  }
  if (program_.reported) run.wall_ns = reported_ns(ended);
  context.report(run);
}

std::optional<std::string> Runner::refuse() {
  if (program_.check != Check::command) return std::nullopt;
  StartOptions options = options_;
  options.executable.clear();
  const std::string& pattern = program_.check_pattern;
  options.keeps_output = !pattern.empty();
  const Ended ended = start_words(program_.check_command, options);
  if (!ended.status.is_success()) return "its check ended with " + end_text(ended);
  if (pattern.empty() || !all_matches(pattern, ended.output).empty()) return std::nullopt;
  return "its check prints no line that matches '" + pattern + "'";
}

bool Runner::mentions(const std::string& key) const {
  const auto in = [&](const std::string& word) { return fill(word, {{key, ""}}) != word; };
  return std::ranges::any_of(program_.command, in) ||
         std::ranges::any_of(program_.check_command, in) ||
         std::ranges::any_of(program_.environment,
                             [&](const auto& variable) { return in(variable.second); }) ||
         in(program_.input);
}

Error Runner::failure(const std::string& what) const {
  return Error(ExitCode::crash, program_.name, what, "try it: " + tried_);
}

Ended Runner::start_words(const std::vector<std::string>& words, StartOptions options) {
  // The folder of answers is removed: a user who tries the words needs another one.
  std::map<std::string, std::string> shown_values = values_;
  shown_values["answer"] = "answer";
  std::vector<std::string> filled;
  std::vector<std::string> shown;
  filled.reserve(words.size());
  shown.reserve(words.size());
  for (const std::string& word : words) {
    filled.push_back(fill(word, values_));
    shown.push_back(fill(word, shown_values));
  }
  for (const auto& [name, value] : program_.environment) {
    options.environment[name] = fill(value, values_);
  }
  options.input = fill(program_.input, values_);
  tried_ = text_of(shown, options.environment);
  if (!options.input.empty()) tried_ += " < " + shell_word(options.input);
  std::optional<Ended> ended;
  try {
    ended = start(filled, options);
  } catch (const MachineError& error) {
    throw failure(error.what());  // of this cell; others may go on
  }
  constexpr std::chrono::milliseconds kPatience(200);
  if (const std::size_t left = end_orphans(programs_in_conversation(), kPatience); left > 0) {
    throw failure("it ended and left " + std::to_string(left) +
                  (left == 1 ? " process" : " processes") + " behind, which had to be killed");
  }
  return *ended;
}

std::int64_t Runner::reported_ns(const Ended& ended) const {
  const ReportedTime& wanted = *program_.reported;
  const std::vector<std::string> found = all_matches(wanted.pattern, ended.output);
  const std::string matches = " matches '" + wanted.pattern + "'";
  if (found.empty()) {
    throw failure("it prints no time: nothing in " +
                  std::string(ended.dropped_bytes > 0 ? "the first MiB of " : "") + "its output" +
                  matches);
  }
  if (found.size() > 1) {
    throw failure("it prints " + std::to_string(found.size()) + " times, " + found[0] + " and " +
                  found[1] + " among them: each" + matches);
  }
  const std::string& text = found.front();
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const double ns = number * wanted.unit_ns;
  const bool is_number = error == std::errc() && end == text.data() + text.size();
  if (!is_number || !std::isfinite(ns) || ns <= 0) {
    throw failure("its time '" + text + "' is not a number above 0");
  }
  if (ns > static_cast<double>(ended.wall_ns)) {
    throw failure("it says that it took " + std::to_string(ns / kNsPerSecond) +
                  " s, and from its start to its end there were " +
                  std::to_string(static_cast<double>(ended.wall_ns) / kNsPerSecond) +
                  " s; is the unit right?");
  }
  return std::max<std::int64_t>(1, std::llround(ns));
}

}  // namespace bellmark::external
