#include "algorithms/problems/read_bandwidth/problem.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "base/digest.hpp"
#include "base/error.hpp"
#include "base/text.hpp"

namespace bellmark {
namespace {

constexpr const char* kFolder = "/dev/shm/";
constexpr std::uint64_t kPeriod = 8;  // values are 0..7, over and over
constexpr std::uint64_t kBlockBytes = 64;
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30;
constexpr std::uint64_t kQueryBytes = std::uint64_t{1} << 23;

std::string prefix() { return "bellmark-region-" + std::to_string(getuid()) + "-"; }

std::uint64_t rounds_of(std::uint64_t double_count) {
  return std::max<std::uint64_t>(1, kQueryBytes / (double_count * sizeof(double)));
}

/// A killed process leaves its region behind, and its starter may be gone by then.
void remove_stale() {
  std::error_code error;
  for (std::filesystem::directory_iterator entry(kFolder, error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (!name.starts_with(prefix())) continue;
    const auto starter = parse_integer(
        name.substr(prefix().size(), name.find('-', prefix().size()) - prefix().size()));
    if (starter && kill(static_cast<pid_t>(*starter), 0) != 0 && errno == ESRCH) {
      unlink(entry->path().c_str());
    }
  }
}

[[noreturn]] void fail(const std::string& name, const char* what) {
  throw MachineError(name, std::string(what) + ": " + std::strerror(errno),
                     "free memory, or read a smaller region");
}

/// An open file. Its lock is given back expressly, because a mapping of the file would keep it.
struct File {
  int descriptor;
  ~File() {
    flock(descriptor, LOCK_UN);
    close(descriptor);
  }
};

}  // namespace

SharedRegion::SharedRegion(std::uint64_t byte_count)
    : name_(kFolder + prefix() + std::to_string(getppid()) + "-" + std::to_string(byte_count)),
      count_(byte_count / sizeof(double)) {
  remove_stale();
  const File file{::open(name_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)};
  if (file.descriptor < 0) fail(name_, "cannot be made");
  if (flock(file.descriptor, LOCK_EX) != 0) fail(name_, "cannot be locked");
  struct stat status {};
  fstat(file.descriptor, &status);
  const bool is_new = static_cast<std::uint64_t>(status.st_size) != byte_count;
  // Memory that isn't there must be an error now, not a SIGBUS later.
  if (is_new) errno = posix_fallocate(file.descriptor, 0, static_cast<off_t>(byte_count));
  if (is_new && errno != 0) {
    unlink(name_.c_str());
    fail(name_, "gets no memory");
  }
  void* const mapped = mmap(nullptr, byte_count, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE,
                            file.descriptor, 0);
  if (mapped == MAP_FAILED) fail(name_, "cannot be mapped");
  auto* const values = static_cast<double*>(mapped);
  for (std::size_t i = 0; is_new && i < count_; ++i) values[i] = static_cast<double>(i % kPeriod);
  mprotect(mapped, byte_count, PROT_READ);
  values_ = values;
}

SharedRegion::SharedRegion(SharedRegion&& other) noexcept { *this = std::move(other); }

SharedRegion& SharedRegion::operator=(SharedRegion&& other) noexcept {
  std::swap(name_, other.name_);
  std::swap(values_, other.values_);
  std::swap(count_, other.count_);
  return *this;
}

SharedRegion::~SharedRegion() {
  if (values_ == nullptr) return;
  munmap(const_cast<double*>(values_), count_ * sizeof(double));
  unlink(name_.c_str());  // processes beside this one have mapped it already
}

std::optional<std::string> ReadBandwidth::Certificate::check(const Query& query,
                                                             const Answer& answer) const {
  const std::uint64_t rest = count_ % kPeriod;
  const std::uint64_t once =
      count_ / kPeriod * (kPeriod * (kPeriod - 1) / 2) + rest * (rest - 1) / 2;
  const auto expected = static_cast<double>(query.round_count * once);
  if (answer.sum == expected) return std::nullopt;
  return "the sum is " + std::to_string(answer.sum) + ", not " + std::to_string(expected);
}

ReadBandwidth::Input ReadBandwidth::open(const std::string& reference) {
  const std::string head = "region:bytes=";
  const auto bytes = reference.starts_with(head) ? parse_integer(reference.substr(head.size()))
                                                 : std::optional<std::int64_t>();
  if (!bytes || *bytes < static_cast<std::int64_t>(kBlockBytes) ||
      *bytes > static_cast<std::int64_t>(kMostBytes) ||
      *bytes % static_cast<std::int64_t>(kBlockBytes) != 0) {
    throw InputError(reference, "is no region of memory",
                     "write region:bytes=N, N a multiple of 64 up to 1073741824");
  }
  return {SharedRegion(static_cast<std::uint64_t>(*bytes))};
}

Facts ReadBandwidth::facts(const Input& input) {
  const std::span<const double> values = input.region.values();
  Digest digest;
  digest.add(values);
  return {{"digest", digest.hex()},
          {"region_bytes", std::uint64_t{values.size_bytes()}},
          {"query_double_count", values.size() * rounds_of(values.size())}};
}

void ReadBandwidth::check_rule(const QueryRule& rule) {
  check_query_kind(rule, kName, {kDefaultQueries});
}

std::vector<ReadBandwidth::Query> ReadBandwidth::make_queries(const Input& input,
                                                              const QueryRule& rule) {
  check_rule(rule);
  return std::vector<Query>(rule.count, {rounds_of(input.region.values().size())});
}

std::string ReadBandwidth::query_text(const Query& query) {
  return std::to_string(query.round_count) + " rounds";
}

std::uint64_t ReadBandwidth::digest(const Answer& answer) {
  return std::bit_cast<std::uint64_t>(answer.sum);
}

std::string ReadBandwidth::unmet(Need need, const Input&) {
  return need == Need::symmetric || need == Need::sorted_rows ? "a region of memory is no graph"
                                                              : "";
}

}  // namespace bellmark
