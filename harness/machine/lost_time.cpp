#include "harness/machine/lost_time.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <vector>

namespace bellmark::machine {

QueueTime::QueueTime(pid_t thread, const FileRoot& root) {
  const std::string path = "/proc/self/task/" + std::to_string(thread) + "/schedstat";
  file_.reset(open(root.path(path).c_str(), O_RDONLY | O_CLOEXEC));
}

QueueTime::QueueTime(pid_t process, pid_t thread, const FileRoot& root) {
  const std::string path =
      "/proc/" + std::to_string(process) + "/task/" + std::to_string(thread) + "/schedstat";
  file_.reset(open(root.path(path).c_str(), O_RDONLY | O_CLOEXEC));
}

std::optional<std::int64_t> QueueTime::ns() const {
  // Three numbers of up to 20 digits. Read before and after every timed query, so without
  // allocation.
  std::array<char, 64> text{};
  const ssize_t size = pread(file_.get(), text.data(), text.size(), 0);
  if (size <= 0) return std::nullopt;
  const std::string_view line(text.data(), static_cast<std::size_t>(size));
  const std::size_t blank = line.find(' ');
  if (blank == std::string_view::npos) return std::nullopt;
  std::int64_t ns = 0;
  const auto [end, error] = std::from_chars(line.data() + blank + 1, line.data() + size, ns);
  if (error != std::errc()) return std::nullopt;
  return ns;
}

std::map<pid_t, std::int64_t> queue_times_of(pid_t process, const FileRoot& root) {
  std::map<pid_t, std::int64_t> times;
  std::error_code error;
  const std::filesystem::path folder(root.path("/proc/" + std::to_string(process) + "/task"));
  for (std::filesystem::directory_iterator each(folder, error), end; !error && each != end;
       each.increment(error)) {
    const std::string name = each->path().filename().string();
    pid_t thread = 0;
    std::from_chars(name.data(), name.data() + name.size(), thread);
    if (const auto ns = QueueTime(process, thread, root).ns()) times[thread] = *ns;
  }
  return times;
}

std::optional<std::int64_t> longest_gain(const std::map<pid_t, std::int64_t>& before,
                                         const std::map<pid_t, std::int64_t>& after) {
  std::optional<std::int64_t> longest;
  for (const auto& [thread, ns] : after) {
    const auto found = before.find(thread);
    const std::int64_t gain = ns - (found == before.end() ? 0 : found->second);
    longest = std::max(longest.value_or(0), gain);
  }
  return longest;
}

std::optional<std::int64_t> stolen_ns(std::span<const unsigned> pus, const FileRoot& root) {
  const std::string stat = root.read("/proc/stat").text.value_or("");
  std::int64_t sum = 0;
  for (const unsigned pu : pus) {
    const std::string head = "\ncpu" + std::to_string(pu) + " ";
    const std::size_t begin = stat.find(head);
    if (begin == std::string::npos) return std::nullopt;
    const std::string_view line =
        std::string_view(stat).substr(begin + 1, stat.find('\n', begin + 1) - begin - 1);
    // cpu0 user nice system idle iowait irq softirq steal
    constexpr std::size_t kSteal = 8;
    const std::vector<std::string> fields = words(line);
    const auto ticks = fields.size() > kSteal ? to_integer(fields[kSteal]) : std::nullopt;
    if (!ticks) return std::nullopt;
    sum += *ticks * kTickNs;
  }
  return sum;
}

}  // namespace bellmark::machine
