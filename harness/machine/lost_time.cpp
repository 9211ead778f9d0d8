#include "harness/machine/lost_time.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <string_view>
#include <system_error>
#include <vector>

namespace bellmark::machine {

QueueTime::QueueTime(pid_t thread, const FileRoot& root) {
  const std::string path = "/proc/self/task/" + std::to_string(thread) + "/schedstat";
  file_.reset(open(root.path(path).c_str(), O_RDONLY | O_CLOEXEC));
}

std::optional<std::int64_t> QueueTime::ns() const {
  // Three numbers of up to 20 digits. Asked before and after every timed query: no allocation.
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
