#include "harness/run/session/programs.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iostream>

#include "base/digest.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "harness/external/family.hpp"
#include "harness/external/start.hpp"
#include "harness/external/wire_runner.hpp"
#include "harness/plan/experiment.hpp"
#include "harness/run/protocol/json_text.hpp"

namespace bellmark::run {
namespace {

namespace fs = std::filesystem;

/// The file that notes each program this user started, a line each. "" without a home folder.
fs::path started_file() {
  const auto folder_of = [](const char* variable) {
    const char* const value = std::getenv(variable);
    return value == nullptr ? fs::path() : fs::path(value);
  };
  if (const fs::path state = folder_of("XDG_STATE_HOME"); !state.empty()) {
    return state / "bellmark/programs";
  }
  const fs::path home = folder_of("HOME");
  return home.empty() ? home : home / ".local/state/bellmark/programs";
}

/// The program and its executable.
std::string mark_of(const external::Program& program) {
  return Digest().add(json_text(nlohmann::ordered_json(program))).hex();
}

bool was_started(const external::Program& program) {
  std::ifstream file(started_file());
  const std::string wanted = mark_of(program);
  for (std::string line; std::getline(file, line);) {
    if (line == wanted) return true;
  }
  return false;
}

/// If the note can't be written, a resumed run asks again.
void note_started(const external::Program& program) {
  const fs::path path = started_file();
  if (path.empty() || was_started(program)) return;
  std::error_code ignored;
  fs::create_directories(path.parent_path(), ignored);
  std::ofstream(path, std::ios::app) << mark_of(program) << "\n";
}

void show(const external::Program& program) {
  const std::string absence = external::absence_of(program);
  std::cerr << "starts " << external::short_name(program) << ": "
            << escaped(external::command_text(program))
            << (absence.empty() ? "  (" + escaped(program.executable) + ")" : "") << "\n";
}

}  // namespace

void refuse_foreign(const std::vector<external::Program>& programs, bool allowed) {
  for (const external::Program& program : programs) {
    if (allowed || program.origin.empty() || plan::is_installed(program.origin)) continue;
    throw InputError(program.origin,
                     "it starts programs: " + escaped(external::command_text(program)),
                     "read it, and if you trust it add --allow-commands");
  }
}

void begin_programs(std::vector<external::Program>& programs) {
  for (external::Program& program : programs) {
    show(program);
    if (!external::absence_of(program).empty()) continue;
    const bool greets = external::speaks_wire(program) && program.version_command.empty();
    program.version =
        greets ? external::greeted_version_of(program) : external::version_of(program);
    note_started(program);
  }
  external::define(programs);
}

void allow_resumed(const std::vector<external::Program>& programs, const fs::path& folder,
                   bool allowed) {
  for (const external::Program& program : programs) {
    external::Program now = program;
    external::find_executable(now);
    if (now.executable != program.executable ||
        now.executable_digest != program.executable_digest) {
      throw InputError(folder.string(),
                       external::short_name(program) +
                           " is not the program that the run began with: " +
                           (now.executable.empty() ? external::absence_of(now) : now.executable),
                       "start a new run; `bellmark resume --end` keeps what was measured");
    }
    if (!program.executable.empty() && !allowed && !was_started(program)) {
      throw InputError(folder.string(),
                       "it starts a program that you did not start before: " +
                           escaped(external::command_text(program)),
                       "read it, and if you trust it add --allow-commands");
    }
    show(program);
  }
}

}  // namespace bellmark::run
