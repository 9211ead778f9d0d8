#include "harness/run/session/drawing.hpp"

#include <cstdlib>
#include <iostream>

#include "base/child_process.hpp"
#include "base/error.hpp"
#include "base/program.hpp"

namespace bellmark::run {
namespace {

namespace fs = std::filesystem;

std::string find_python() {
  std::vector<std::string> candidates = {"python3", "/usr/bin/python3"};
  if (const char* chosen = std::getenv("BELLMARK_PYTHON"))
    candidates.insert(candidates.begin(), chosen);
  for (const std::string& python : candidates) {
    if (find_program(python).empty()) continue;
    if (run_silently({python, "-c", "import matplotlib, jsonschema"}).is_success()) {
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
  if (const ExitStatus status = run_program(words); !status.is_success()) {
    throw InputError("report",
                     (status.code() ? "drawing failed with " : "drawing was ") + status.text(),
                     "see the message above");
  }
  std::cerr << "bellmark: report in " << (folder / "report.html").string() << "\n";
}

}  // namespace bellmark::run
