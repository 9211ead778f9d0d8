#include "harness/run/session/python.hpp"

#include <cstdlib>
#include <system_error>
#include <vector>

#include "base/child_process.hpp"
#include "base/error.hpp"
#include "base/installation.hpp"
#include "base/program.hpp"

namespace bellmark::run {

namespace fs = std::filesystem;

std::string find_python(const std::string& where, const std::string& modules,
                        const std::string& remedy) {
  std::vector<std::string> candidates = {"python3", "/usr/bin/python3"};
  if (const char* chosen = std::getenv("BELLMARK_PYTHON"))
    candidates.insert(candidates.begin(), chosen);
  for (const std::string& python : candidates) {
    if (find_program(python).empty()) continue;
    if (run_silently({python, "-c", "import " + modules}).is_success()) return python;
  }
  throw InputError(where, "no Python 3 with " + modules + " found", remedy);
}

fs::path find_script(const std::string& where, const std::string& name) {
  std::error_code ignored;
  const fs::path executable = fs::read_symlink("/proc/self/exe", ignored).parent_path();
  for (const fs::path& folder :
       {executable, executable.parent_path(), fs::path(installation().share)}) {
    if (fs::exists(folder / name)) return folder / name;
  }
  throw InputError(where, name + " not found", "run from a complete source tree or bundle");
}

}  // namespace bellmark::run
