#include "harness/machine/launch.hpp"

#include "base/error.hpp"
#include "base/program.hpp"

namespace bellmark::machine {

std::filesystem::path rank_program() {
  std::error_code ignored;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", ignored);
  return self.parent_path() / "bellmark-worker-mpi";
}

std::string rank_program_absence() {
  return is_program(rank_program()) ? "" : "this build has no MPI";
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
