#include "harness/machine/launch.hpp"

#include "base/error.hpp"
#include "base/program.hpp"
#include "harness/machine/build_facts.hpp"

namespace bellmark::machine {

std::filesystem::path rank_program(const std::string& bellmark) {
  std::error_code ignored;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", ignored);
  return (bellmark.empty() ? self : std::filesystem::path(bellmark)).parent_path() /
         "bellmark-worker-mpi";
}

std::string rank_program_absence(const std::string& bellmark) {
  const std::filesystem::path program = rank_program(bellmark);
  if (is_program(program)) return "";
  if (const std::string absence = mpi_absence(); !absence.empty() && bellmark.empty()) {
    return "this build has no MPI: " + absence;
  }
  return "there is no " + program.string() + "; build it: cmake --build " +
         program.parent_path().string() + " --target " + program.filename().string();
}

std::string launch_absence(const std::vector<std::string>& launcher, const std::string& bellmark) {
  if (std::string absence = rank_program_absence(bellmark); !absence.empty()) return absence;
  if (!find_program(launcher.front()).empty()) return "";
  return "there is no program '" + launcher.front() +
         "' to launch ranks; install it, put it on PATH, or name another: --launcher 'srun -n "
         "{ranks}'";
}

std::vector<std::string> launch_words(const std::vector<std::string>& launcher,
                                      const std::string& bellmark) {
  if (const std::string absence = launch_absence(launcher, bellmark); !absence.empty()) {
    throw UnmetError("launcher", absence);
  }
  std::vector<std::string> words = launcher;
  words.front() = find_program(launcher.front());
  words.push_back(rank_program(bellmark).string());
  return words;
}

}  // namespace bellmark::machine
