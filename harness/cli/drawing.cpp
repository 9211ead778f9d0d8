#include "harness/cli/drawing.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <iostream>

#include "base/error.hpp"

namespace bellmark::cli {
namespace {

namespace fs = std::filesystem;

/// Runs a program without a shell; its exit code, or 127 when it can't be started. `silent` drops
/// what it prints.
int run_program(const std::vector<std::string>& words, bool silent) {
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (silent) {
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  }
  pid_t child = 0;
  const int error = posix_spawnp(&child, argv.front(), &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) return 127;
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

std::string find_python() {
  std::vector<std::string> candidates = {"python3", "/usr/bin/python3"};
  if (const char* chosen = std::getenv("BELLMARK_PYTHON"))
    candidates.insert(candidates.begin(), chosen);
  for (const std::string& python : candidates) {
    if (run_program({python, "-c", "import matplotlib, jsonschema"}, true) == 0) {
      return python;
    }
  }
  throw InputError("report", "no Python 3 with matplotlib and jsonschema found",
                   "apt-get install python3-matplotlib python3-jsonschema, or set BELLMARK_PYTHON");
}

fs::path find_script() {
  std::error_code ignored;
  const fs::path executable = fs::read_symlink("/proc/self/exe", ignored).parent_path();
  for (const fs::path& folder : {executable / "analysis", executable / "../analysis",
                                 fs::path(BELLMARK_SOURCE_DIR) / "analysis"}) {
    if (fs::exists(folder / "report.py")) return folder / "report.py";
  }
  throw InputError("report", "analysis/report.py not found",
                   "run from a complete source tree or bundle");
}

}  // namespace

void draw_report(const std::vector<fs::path>& results, const fs::path& folder) {
  std::vector<std::string> words = {find_python(), find_script().string()};
  for (const fs::path& result : results) words.push_back(result.string());
  words.insert(words.end(), {"-o", folder.string()});
  if (const int code = run_program(words, false); code != 0) {
    throw InputError("report", "drawing failed with exit code " + std::to_string(code),
                     "see the message above");
  }
  std::cerr << "bellmark: report in " << (folder / "report.html").string() << "\n";
}

}  // namespace bellmark::cli
