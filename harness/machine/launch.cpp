#include "harness/machine/launch.hpp"

#include "base/error.hpp"
#include "base/program.hpp"
#include "harness/machine/build_facts.hpp"

namespace bellmark::machine {

std::filesystem::path rank_program() {
  std::error_code ignored;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", ignored);
  return self.parent_path() / "bellmark-worker-mpi";
}

std::string rank_program_absence() {
  const std::filesystem::path program = rank_program();
  if (is_program(program)) return "";
  if (const std::string absence = mpi_absence(); !absence.empty()) {
    return "this build has no MPI: " + absence;
  }
  return "there is no " + program.string() + "; build it: cmake --build " +
         program.parent_path().string() + " --target " + program.filename().string();
}

std::string launch_absence(const std::vector<std::string>& launcher) {
  if (std::string absence = rank_program_absence(); !absence.empty()) return absence;
  if (!find_program(launcher.front()).empty()) return "";
  return "there is no program '" + launcher.front() +
         "' to launch ranks; install it, put it on PATH, or name another: --launcher 'srun -n "
         "{ranks}'";
}

std::vector<std::string> launch_words(const std::vector<std::string>& launcher) {
  if (const std::string absence = launch_absence(launcher); !absence.empty()) {
    throw UnmetError("launcher", absence);
  }
  std::vector<std::string> words = launcher;
  words.front() = find_program(launcher.front());
  words.push_back(rank_program().string());
  return words;
}

}  // namespace bellmark::machine
