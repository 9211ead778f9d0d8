#include "harness/external/start.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>
#include <functional>
#include <numeric>

#include "base/descriptor.hpp"
#include "base/error.hpp"
#include "base/program.hpp"
#include "base/text.hpp"
#include "harness/machine/lost_time.hpp"

namespace bellmark::external {
namespace {

std::int64_t now_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

/// A descriptor that becomes readable when the process has ended; -1 on a kernel without it.
Descriptor end_of(pid_t process) {
  return Descriptor(static_cast<int>(syscall(SYS_pidfd_open, process, 0)));  // closed on exec
}

/// Our end of a program's output.
struct Stream {
  Descriptor read_end;
  std::string* text;
};

/// Takes the available output without waiting. False at the end.
bool take(Stream& stream, std::size_t& dropped) {
  std::array<char, 1 << 16> bytes;
  const ssize_t count = read(stream.read_end.get(), bytes.data(), bytes.size());
  if (count < 0) return errno == EINTR || errno == EAGAIN;
  const auto size = static_cast<std::size_t>(count);
  const std::size_t kept = std::min(size, kKeptBytes - stream.text->size());
  stream.text->append(bytes.data(), kept);
  dropped += size - kept;
  return count > 0;
}

/// Listens until the program has ended. Its remaining output in the pipes is read afterwards. The
/// output of other processes that hold the pipes is not waited for.
void listen(std::vector<Stream>& streams, const ChildProcess& child, bool watches, Ended& ended) {
  constexpr int kLook = 1;
  const Descriptor end = end_of(child.id());
  for (;;) {
    std::vector<pollfd> watched = {{end.get(), POLLIN, 0}};
    for (const Stream& stream : streams) watched.push_back({stream.read_end.get(), POLLIN, 0});
    const bool is_any_open = std::ranges::any_of(
        streams, [](const Stream& stream) { return stream.read_end.get() >= 0; });
    if (end.get() < 0 && !is_any_open) return;  // waiting for the process does the rest
    if (poll(watched.data(), watched.size(), watches ? kLook : -1) < 0) continue;
    if (watches) ended.seen_bytes = std::max(ended.seen_bytes, peak_resident(child.id()));
    if (watched.front().revents != 0) return;
    for (std::size_t i = 0; i < streams.size(); ++i) {
      if (watched[i + 1].revents == 0) continue;
      if (!take(streams[i], ended.dropped_bytes)) streams[i].read_end.reset();
    }
  }
}

void take_rest(Stream& stream, std::size_t& dropped) {
  if (stream.read_end.get() < 0) return;
  pollfd watched{stream.read_end.get(), POLLIN, 0};
  // A pipe holds little: endless output comes from a process that was left behind.
  for (int i = 0; i < 64 && poll(&watched, 1, 0) > 0; ++i) {
    if (!take(stream, dropped)) return;
  }
}

/// The last two lines with text: where a shell ends with "Aborted", the line before has the cause.
std::string last_lines(const std::string& text) {
  constexpr std::size_t kLongest = 300;
  std::string before;
  std::string last;
  for (const std::string& line : split(text, '\n')) {
    if (trim(line).empty()) continue;
    before = std::exchange(last, line);
  }
  return (before.empty() ? "" : printable(before, kLongest) + "; ") + printable(last, kLongest);
}

}  // namespace

std::optional<std::uint64_t> peak_resident(pid_t process) {
  std::ifstream status("/proc/" + std::to_string(process) + "/status");
  std::string line;
  while (std::getline(status, line)) {
    constexpr std::string_view kPeak = "VmHWM:";
    if (!line.starts_with(kPeak)) continue;
    constexpr std::uint64_t kKibibyte = 1024;
    return std::stoull(line.substr(kPeak.size())) * kKibibyte;
  }
  return std::nullopt;  // it has ended
}

ChildOptions child_options_of(const StartOptions& options) {
  ChildOptions child_options;
  child_options.program = options.executable;
  child_options.environment = options.environment;
  child_options.passed = always_passed();
  child_options.passed->insert(child_options.passed->end(), options.passed.begin(),
                               options.passed.end());
  child_options.affinity = options.affinity;
  child_options.dies_with_parent = true;
  return child_options;
}

int pu_count_of(const std::vector<unsigned long>& affinity) {
  return std::transform_reduce(affinity.begin(), affinity.end(), 0, std::plus<>(),
                               [](unsigned long bits) { return std::popcount(bits); });
}

Ended start(const std::vector<std::string>& words, const StartOptions& options) {
  Ended ended;
  Descriptor nothing(open("/dev/null", O_RDWR | O_CLOEXEC));
  Descriptor input;
  if (!options.input.empty()) {
    input = Descriptor(open(options.input.c_str(), O_RDONLY | O_CLOEXEC));
    if (input.get() < 0) {
      throw MachineError(options.input, std::string("can't be read: ") + std::strerror(errno),
                         "say another file as its input");
    }
  }
  Pipe errors = Pipe::make();
  std::vector<Stream> streams;
  ChildOptions child_options = child_options_of(options);
  child_options.descriptors = {{STDIN_FILENO, options.input.empty() ? nothing.get() : input.get()},
                               {STDOUT_FILENO, nothing.get()},
                               {STDERR_FILENO, errors.write_end.get()}};
  streams.push_back({std::move(errors.read_end), &ended.errors});
  std::optional<Pipe> output;
  if (options.keeps_output) {
    output = Pipe::make();
    child_options.descriptors[STDOUT_FILENO] = output->write_end.get();
    streams.push_back({std::move(output->read_end), &ended.output});
  }
  const std::int64_t begin = now_ns();
  ChildProcess child(words, child_options);
  errors.write_end.reset();
  if (output) output->write_end.reset();
  listen(streams, child, options.watches_memory, ended);
  // It has ended and was not waited for: the kernel still knows its first thread.
  ended.queued_ns = machine::longest_gain({}, machine::queue_times_of(child.id()));
  ended.status = child.wait();
  ended.wall_ns = std::max<std::int64_t>(1, now_ns() - begin);
  ended.usage = child.usage();
  for (Stream& stream : streams) take_rest(stream, ended.dropped_bytes);
  return ended;
}

std::string end_text(const Ended& ended) {
  const std::string said = last_lines(ended.errors);
  return ended.status.text() + (said.empty() ? "" : ", and said: " + said);
}

const std::vector<std::string>& always_passed() {
  static const std::vector<std::string> names = {"PATH", "LD_LIBRARY_PATH", "CUDA_VISIBLE_DEVICES",
                                                 "GLIBC_TUNABLES"};
  return names;
}

std::string version_of(const Program& program) {
  if (program.version_command.empty() || program.executable.empty()) return {};
  constexpr std::chrono::seconds kPatience(10);
  std::vector<std::string> words;
  for (const std::string& word : program.version_command) {
    words.push_back(fill(word, {{"home", program.home}}));
  }
  ChildOptions options;
  options.program = find_program(words.front());
  options.passed = always_passed();
  if (options.program.empty()) return {};
  const Captured captured = capture_output(words, kPatience, options);
  const std::vector<std::string> lines = split(captured.output, '\n');
  constexpr std::size_t kLongest = 200;
  return lines.empty() ? "" : printable(std::string(trim(lines.front())), kLongest);
}

}  // namespace bellmark::external
