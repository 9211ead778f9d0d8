#include "harness/machine/frequency.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstring>

#include "base/error.hpp"

namespace bellmark::machine {
namespace {

constexpr double kKhzPerMhz = 1000;

std::string folder_of(unsigned pu) {
  return "/sys/devices/system/cpu/cpu" + std::to_string(pu) + "/cpufreq/";
}

/// Kilohertz in one file, or why there are none.
struct Khz {
  std::optional<long long> value;
  std::string reason;
};

Khz read_khz(const FileRoot& root, const std::string& path) {
  const FileText file = root.read(path);
  if (!file.text) return {std::nullopt, file.reason};
  const auto value = to_integer(*file.text);
  if (!value || *value <= 0) return {std::nullopt, path + " holds no frequency"};
  return {*value, ""};
}

/// `2000MHz` in megahertz. Nothing for `min` and `max`, which are read from the machine.
std::optional<double> parse(std::string_view word) {
  if (word == kUnchanged || word == "min" || word == "max") return std::nullopt;
  constexpr std::string_view kUnit = "MHz";
  const auto mhz =
      word.ends_with(kUnit) ? to_real(word.substr(0, word.size() - kUnit.size())) : std::nullopt;
  if (!mhz || !(*mhz > 0) || !std::isfinite(*mhz)) {
    throw InputError("frequency '" + std::string(word) + "'", "not understood",
                     "write unchanged, min, max or e.g. 2000MHz");
  }
  return mhz;
}

/// A PU's limits, and the clock that `word` asks for.
struct Target {
  long long least = 0;
  long long largest = 0;
  long long wanted = 0;
  std::string reason;  ///< why the PU can't have it
};

Target target_of(std::string_view word, unsigned pu, const FileRoot& root) {
  const std::optional<double> mhz = parse(word);
  Target target;
  for (const auto& [name, value] :
       {std::pair{"cpuinfo_min_freq", &target.least}, {"cpuinfo_max_freq", &target.largest}}) {
    const Khz khz = read_khz(root, folder_of(pu) + name);
    if (!khz.value) {
      target.reason = khz.reason;
      return target;
    }
    *value = *khz.value;
  }
  for (const char* name : {"scaling_min_freq", "scaling_max_freq"}) {
    const Khz khz = read_khz(root, folder_of(pu) + name);
    target.reason = khz.value ? root.unwritable(folder_of(pu) + name) : khz.reason;
    if (!target.reason.empty()) return target;
  }
  target.wanted = word == "min"   ? target.least
                  : word == "max" ? target.largest
                                  : std::llround(*mhz * kKhzPerMhz);
  if (target.wanted < target.least || target.wanted > target.largest) {
    target.reason = std::string(word) + " is outside " + std::to_string(target.least / 1000) +
                    ".." + std::to_string(target.largest / 1000) + " MHz";
  }
  return target;
}

}  // namespace

std::string frequency_absence(std::string_view word, const std::vector<unsigned>& pus,
                              const FileRoot& root) {
  parse(word);
  if (word == kUnchanged) return {};
  const std::string head = "the core clock can't be set to " + std::string(word) + " here: ";
  if (pus.empty()) return head + "no core is named to run on";
  for (const unsigned pu : pus) {
    const std::string reason = target_of(word, pu, root).reason;
    if (!reason.empty()) return head + reason;
  }
  return {};
}

HighestClock highest_clock(unsigned pu, const FileRoot& root) {
  const Khz khz = read_khz(root, folder_of(pu) + "cpuinfo_max_freq");
  if (!khz.value) return {std::nullopt, khz.reason};
  return {static_cast<double>(*khz.value) / kKhzPerMhz, ""};
}

FrequencyControl::FrequencyControl(std::string_view word, const std::vector<unsigned>& pus,
                                   const FileRoot& root) {
  if (const std::string absence = frequency_absence(word, pus, root); !absence.empty()) {
    throw UnmetError("", absence);
  }
  if (word == kUnchanged) return;
  // The kernel refuses a least limit above the largest, so the limit that is in the way moves
  // first.
  std::vector<Write> setting;
  for (const unsigned pu : pus) {
    const Target target = target_of(word, pu, root);
    const std::string least = root.path(folder_of(pu) + "scaling_min_freq");
    const std::string largest = root.path(folder_of(pu) + "scaling_max_freq");
    const std::string wanted = std::to_string(target.wanted);
    const std::string lowest = std::to_string(target.least);
    setting.insert(setting.end(), {{least, lowest}, {largest, wanted}, {least, wanted}});
    const auto old = [&](const char* name) { return *root.read(folder_of(pu) + name).text; };
    restoring_.insert(
        restoring_.end(),
        {{least, lowest}, {largest, old("scaling_max_freq")}, {least, old("scaling_min_freq")}});
  }
  start_guard();
  if (perform(setting)) return;
  const std::string why = std::strerror(errno);
  restore();
  throw MachineError("core clock", "cannot be set to " + std::string(word) + ": " + why,
                     "leave frequency = \"unchanged\", or run with the permission to set it");
}

FrequencyControl::~FrequencyControl() { restore(); }

/// Only async-signal-safe calls: the guard runs it between fork and _exit.
bool FrequencyControl::perform(const std::vector<Write>& writes) {
  bool all = true;
  for (const Write& write : writes) {
    const int file = open(write.path.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC);
    const auto size = static_cast<ssize_t>(write.text.size());
    all = file >= 0 && ::write(file, write.text.data(), write.text.size()) == size && all;
    if (file >= 0) close(file);
  }
  return all;
}

void FrequencyControl::start_guard() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) {
    throw MachineError("core clock", std::string("no pipe: ") + std::strerror(errno));
  }
  guard_ = fork();
  if (guard_ == 0) {
    // In a session of its own, so that a signal that ends the run (a terminal's SIGINT) doesn't end
    // it.
    setsid();
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) std::signal(signal, SIG_IGN);
    close(ends[1]);
    char byte;
    while (read(ends[0], &byte, 1) < 0 && errno == EINTR) {
    }
    _exit(perform(restoring_) ? 0 : 1);
  }
  close(ends[0]);
  pipe_ = ends[1];
  if (guard_ < 0) {
    const std::string why = std::strerror(errno);
    close(pipe_);
    throw MachineError("core clock", "no process to guard it: " + why,
                       "free memory or processes and resume the run");
  }
}

void FrequencyControl::restore() {
  if (guard_ < 0) return;
  close(pipe_);
  int status = 0;
  while (waitpid(guard_, &status, 0) < 0 && errno == EINTR) {
  }
  guard_ = -1;
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) perform(restoring_);
}

}  // namespace bellmark::machine
