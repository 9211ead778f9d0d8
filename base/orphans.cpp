#include "base/orphans.hpp"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <thread>

namespace bellmark {
namespace {

/// 0 if there is no such process.
pid_t parent_of(const std::filesystem::path& process) {
  std::ifstream file(process / "stat");
  std::string text;
  std::getline(file, text);
  // The name of the program, in parentheses, may hold any letters.
  const std::size_t end = text.rfind(')');
  if (end == std::string::npos) return 0;
  std::istringstream rest(text.substr(end + 1));
  std::string state;
  pid_t parent = 0;
  rest >> state >> parent;
  return parent;
}

}  // namespace

void adopt_orphans() { prctl(PR_SET_CHILD_SUBREAPER, 1); }

std::vector<pid_t> children_now() {
  std::vector<pid_t> children;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", ignored)) {
    const std::string name = entry.path().filename().string();
    if (!std::isdigit(static_cast<unsigned char>(name.front()))) continue;
    if (parent_of(entry.path()) == getpid()) children.push_back(std::stoi(name));
  }
  return children;
}

std::size_t end_orphans(const std::vector<pid_t>& spared, std::chrono::milliseconds patience) {
  constexpr std::chrono::milliseconds kPause(5);
  // A process that is stuck in the kernel does not die of SIGKILL either.
  constexpr std::chrono::seconds kLongest(10);
  const auto end = std::chrono::steady_clock::now() + patience;
  std::set<pid_t> killed;
  for (;;) {
    if (spared.empty()) {  // the common case need not read all processes
      const pid_t ended = waitpid(-1, nullptr, WNOHANG);
      if (ended < 0 && errno == ECHILD) return killed.size();
    }
    bool any = false;
    for (const pid_t child : children_now()) {
      if (std::ranges::find(spared, child) != spared.end()) continue;
      if (waitpid(child, nullptr, WNOHANG) != 0) continue;
      any = true;
      // The programs that it started become our children, and the next round finds them.
      if (std::chrono::steady_clock::now() >= end && kill(child, SIGKILL) == 0) {
        killed.insert(child);
      }
    }
    const bool is_late = std::chrono::steady_clock::now() >= end + kLongest;
    if ((!any && !spared.empty()) || is_late) return killed.size();
    std::this_thread::sleep_for(kPause);
  }
}

}  // namespace bellmark
