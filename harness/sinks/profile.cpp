#include "harness/sinks/profile.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <string_view>

#include "base/child_process.hpp"
#include "base/error.hpp"
#include "base/input.hpp"
#include "base/program.hpp"
#include "base/text.hpp"
#include "harness/machine/environment.hpp"
#include "harness/machine/files.hpp"

namespace bellmark::sinks {
namespace {

constexpr std::chrono::milliseconds kPatience = std::chrono::minutes(5);

/// `perf record` for user code: kernels are closed to most users.
std::vector<std::string> perf_words(const std::string& perf, const std::string& event,
                                    const std::filesystem::path& artefact) {
  // The rate is not a multiple of any clock tick. Stacks of optimised code are unwound from a copy.
  return {perf,       "record",
          "--quiet",  "--event",
          event,      "--freq",
          "997",      "--call-graph",
          "dwarf",    "--no-buildid-cache",
          "--output", artefact.string(),
          "--"};
}

Profiler perf_profiler(const std::string& perf, const std::filesystem::path& artefact) {
  const bool has_pmu = !machine::cpu_pmus().empty();
  const std::string event = has_pmu ? "cycles:u" : "cpu-clock:u";
  std::vector<std::string> trial = perf_words(perf, event, "/dev/null");
  trial.emplace_back("true");
  const Captured tried = capture_output(trial, kPatience);
  if (!tried.status || !tried.status->is_success()) {
    const std::string said(trim(tried.output));
    return {{},
            "",
            "perf may not record here (kernel.perf_event_paranoid, or a container forbids it): " +
                said.substr(0, said.find('\n'))};
  }
  return {perf_words(perf, event, artefact), has_pmu ? "samples of cycles" : "samples of the clock",
          ""};
}

/// `fn=(3) name`, `fn=(3)`: each name is written once.
std::string function_name(std::string_view text, std::map<std::string, std::string>& known) {
  const std::size_t end = text.find(')');
  if (!text.starts_with('(') || end == std::string_view::npos) return std::string(text);
  std::string& name = known[std::string(text.substr(0, end + 1))];
  if (const std::string_view given = trim(text.substr(end + 1)); !given.empty()) name = given;
  return name;
}

Stacks largest_first(const std::map<std::string, std::uint64_t>& sums) {
  Stacks stacks(sums.begin(), sums.end());
  std::ranges::stable_sort(stacks, std::ranges::greater(), &Stacks::value_type::second);
  return stacks;
}

}  // namespace

const std::vector<std::string>& profiler_names() {
  static const std::vector<std::string> names = {"perf", "callgrind", "nsys", "ncu"};
  return names;
}

void check_profiler(const std::string& name) {
  if (std::ranges::find(profiler_names(), name) != profiler_names().end()) return;
  throw InputError("profiler '" + name + "'", "is none of " + join(profiler_names(), ", "),
                   did_you_mean(name, profiler_names()));
}

std::string artefact_ending(const std::string& name) {
  if (name == "perf") return ".perf.data";
  if (name == "callgrind") return ".callgrind.out";
  return "." + name + "-rep";
}

Profiler profiler(const std::string& name, const std::filesystem::path& artefact) {
  const std::string program = find_program(name == "callgrind" ? "valgrind" : name);
  if (program.empty()) {
    return {{}, "", (name == "callgrind" ? "valgrind" : name) + " is not on the PATH"};
  }
  if (name == "perf") return perf_profiler(program, artefact);
  if (name == "callgrind") {
    if (std::string_view(BELLMARK_FLAGS).find("-fsanitize") != std::string_view::npos) {
      return {{}, "", "valgrind can't run a build with sanitizers"};
    }
    return {{program, "--tool=callgrind", "--callgrind-out-file=" + artefact.string()},
            "instructions",
            ""};
  }
  if (name == "nsys") {
    return {{program, "profile", "--trace=cuda,nvtx,osrt", "--force-overwrite=true", "--output",
             artefact.string()},
            "",
            ""};
  }
  return {{program, "--set", "basic", "--force-overwrite", "--export", artefact.string()}, "", ""};
}

Stacks stacks_of_perf(const std::string& script) {
  std::map<std::string, std::uint64_t> sums;
  std::string command;
  std::vector<std::string> frames;  // innermost first
  const auto end_sample = [&] {
    if (!command.empty()) {
      std::string stack = command;
      for (auto frame = frames.rbegin(); frame != frames.rend(); ++frame) stack += ";" + *frame;
      ++sums[stack];
    }
    command.clear();
    frames.clear();
  };
  std::size_t begin = 0;
  while (begin < script.size()) {
    const std::size_t end = std::min(script.find('\n', begin), script.size());
    const std::string_view line = std::string_view(script).substr(begin, end - begin);
    begin = end + 1;
    if (trim(line).empty()) {
      end_sample();
    } else if (line[0] == ' ' || line[0] == '\t') {
      const std::string_view frame = trim(line);  // `7f00 std::sort<int>`
      const std::size_t blank = frame.find(' ');
      std::string name(blank == std::string_view::npos ? frame : trim(frame.substr(blank)));
      std::ranges::replace(name, ';', ',');
      frames.push_back(std::move(name));
    } else {
      end_sample();
      command = trim(line);
    }
  }
  end_sample();
  return largest_first(sums);
}

Stacks stacks_of_callgrind(const std::string& file) {
  std::map<std::string, std::string> known;
  std::map<std::string, std::uint64_t> sums;
  std::string function;
  bool is_call = false;  // the next line has the cost of a called function
  for (const std::string& line : split(file, '\n')) {
    if (line.starts_with("fn=")) {
      function = function_name(std::string_view(line).substr(3), known);
    } else if (line.starts_with("cfn=")) {
      function_name(std::string_view(line).substr(4), known);
    } else if (line.starts_with("calls=")) {
      is_call = true;
    } else if (!line.empty() &&
               std::string_view("0123456789+-*").find(line[0]) != std::string_view::npos) {
      const std::vector<std::string> columns = machine::words(line);
      const auto cost = columns.size() < 2 ? std::nullopt : machine::to_integer(columns[1]);
      if (!is_call && cost && *cost > 0 && !function.empty()) {
        std::string name = function;
        std::ranges::replace(name, ';', ',');
        sums[name] += static_cast<std::uint64_t>(*cost);
      }
      is_call = false;
    }
  }
  return largest_first(sums);
}

Stacks stacks_of(const std::string& name, const std::filesystem::path& artefact, std::size_t most) {
  Stacks stacks;
  if (name == "perf") {
    const Captured script =
        capture_output({find_program("perf"), "script", "--no-inline", "--fields", "comm,ip,sym",
                        "--input", artefact.string()},
                       kPatience);
    if (!script.status || !script.status->is_success()) {
      throw MachineError(artefact.string(), "perf script can't read it");
    }
    stacks = stacks_of_perf(script.output);
  } else if (!std::filesystem::exists(artefact)) {
    throw MachineError(artefact.string(), name + " has not written it");
  } else if (name == "callgrind") {
    stacks = stacks_of_callgrind(read_whole(artefact));
  }
  if (stacks.size() <= most) return stacks;
  std::uint64_t others = 0;
  for (std::size_t i = most; i < stacks.size(); ++i) others += stacks[i].second;
  stacks.resize(most);
  stacks.emplace_back("(others)", others);
  return stacks;
}

}  // namespace bellmark::sinks
