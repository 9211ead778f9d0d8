#include "harness/cli/command_programs.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "base/error.hpp"
#include "base/text.hpp"
#include "harness/external/family.hpp"
#include "harness/external/formats.hpp"
#include "harness/plan/axes.hpp"
#include "harness/plan/program_reader.hpp"

namespace bellmark::cli {
namespace {

/// `NAME=value` before the command, as in a shell.
bool is_assignment(const std::string& word) {
  const std::size_t equals = word.find('=');
  if (equals == std::string::npos || equals == 0) return false;
  return std::ranges::all_of(word.substr(0, equals),
                             [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
}

/// The executable's name, with only the letters that a variant's name may have.
std::string name_of(const std::string& word, const std::vector<external::Program>& before) {
  std::string name = std::filesystem::path(word).filename().string();
  std::ranges::replace_if(
      name, [](unsigned char c) { return std::isalnum(c) == 0 && c != '-' && c != '_'; }, '-');
  if (name.empty()) name = "program";
  const auto is_taken = [&](const std::string& other) {
    return std::ranges::find(before, other, &external::Program::name) != before.end();
  };
  std::string free = name;
  for (int i = 2; is_taken(free); ++i) free = name + "-" + std::to_string(i);
  return free;
}

void take_time(const std::string& text, external::Program& program) {
  if (text == "process") return;
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos) {
    throw InputError("--command-time " + text, "is neither process nor UNIT:PATTERN",
                     "write for example 's:Trial Time: *([0-9.]+)'");
  }
  program.reported = {text.substr(colon + 1), external::unit_ns_of(text.substr(0, colon))};
}

external::Check check_of(const ExperimentFlags& flags, const external::Program& program) {
  if (!flags.command_check.empty()) return external::check_of(flags.command_check);
  const std::vector<std::string> keys = external::keys_of(program);
  if (std::ranges::find(keys, "answer") == keys.end()) return external::Check::exit_code;
  if (program.problem == "sssp") return external::Check::distances;
  return program.problem == "bfs" ? external::Check::levels : external::Check::answer;
}

/// Axes that words mention. A program on the wire gets all axes.
std::vector<std::string> names_of_settings(const external::Program& program,
                                           const std::vector<plan::Axis>& axes) {
  if (!external::speaks_wire(program)) return external::keys_of(program);
  std::vector<std::string> names;
  names.reserve(axes.size());
  for (const plan::Axis& axis : axes) names.push_back(axis.first);
  return names;
}

}  // namespace

external::Program program_of(const std::string& line, const std::vector<external::Program>& before,
                             const ExperimentFlags& flags, const std::vector<plan::Axis>& axes) {
  external::Program program;
  program.command = external::split_words(line);
  while (!program.command.empty() && is_assignment(program.command.front())) {
    const std::string& word = program.command.front();
    const std::size_t equals = word.find('=');
    program.environment[word.substr(0, equals)] = word.substr(equals + 1);
    program.command.erase(program.command.begin());
  }
  if (program.command.empty()) {
    throw InputError("--command '" + line + "'", "it has no words", "name the program");
  }
  program.name = name_of(program.command.front(), before);
  program.problem = flags.command_problem;
  program.format = flags.command_format;
  // Counted as in files of these formats.
  program.speaks = flags.command_speaks;
  program.first_vertex =
      external::speaks_wire(program) ? 1 : external::first_vertex_of(program.format);
  take_time(flags.command_time, program);
  program.check = check_of(flags, program);
  for (const std::string& name : names_of_settings(program, axes)) {
    const plan::Axis* const axis = plan::find_axis(axes, name);
    if (axis == nullptr || plan::is_of_run(name)) continue;
    std::vector<std::string> values = plan::texts_of(axis->second);
    std::string first = values.front();
    program.settings.push_back(
        at_run_time(word_key(name, std::move(first), std::move(values), "of the command")));
  }
  external::check_program(program);
  external::find_executable(program);
  return program;
}

void place_programs(std::vector<external::Program>& programs,
                    const std::vector<std::string>& homes) {
  for (const std::string& word : homes) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos || equals + 1 == word.size()) {
      throw InputError("--program " + word, "is not NAME=FOLDER",
                       "write --program gap=/path/to/it");
    }
    const std::string name = word.substr(0, equals);
    // One folder may hold several programs: gap-sssp and gap-bfs are both gap's.
    for (external::Program& program : programs) {
      if (program.name != name && !program.name.starts_with(name + "-")) continue;
      program.home = std::filesystem::absolute(word.substr(equals + 1)).string();
      external::find_executable(program);
    }
  }
  external::define(programs);
}

std::vector<external::Program> named_programs(const std::vector<std::string>& variants,
                                              const std::vector<std::string>& files,
                                              const std::vector<std::string>& homes) {
  const auto is_external = [](const std::string& variant) {
    return variant.find("external") != std::string::npos;
  };
  if (std::ranges::none_of(variants, is_external) && files.empty()) return {};
  std::vector<external::Program> programs = plan::installed_programs();
  for (const std::string& file : files) {
    for (external::Program& program : plan::read_program_file(file)) {
      external::find_executable(program);
      programs.push_back(std::move(program));
    }
  }
  place_programs(programs, homes);
  std::erase_if(programs, [&](const external::Program& program) {
    return std::ranges::none_of(variants, [&](const std::string& variant) {
      const auto selections = Registry::global().select(variant);
      return std::ranges::any_of(selections, [&](const Selection& selection) {
        return selection.family->name == external::family_name(program);
      });
    });
  });
  return programs;
}

}  // namespace bellmark::cli
