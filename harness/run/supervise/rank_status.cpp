#include "harness/run/supervise/rank_status.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "harness/machine/cpuset.hpp"

namespace bellmark::run {
namespace {

/// The content of a line at one moment.
struct Snapshot {
  std::uint64_t entered = 0;
  std::uint64_t left = 0;
  Collective latest = Collective::none;
  int signal = 0;
  std::uint32_t query = 0;
  std::string stage;
  std::string query_text;
};

/// The text up to the first zero.
template <std::size_t size>
std::string text_of(const std::array<char, size>& text) {
  return {text.begin(), std::find(text.begin(), text.end(), '\0')};
}

/// The last byte stays zero, so that a reader finds an end at any moment.
template <std::size_t size>
void set_text(std::array<char, size>& place, std::string_view text) {
  const std::size_t count = std::min(text.size(), size - 1);
  std::copy_n(text.begin(), count, place.begin());
  std::fill(place.begin() + static_cast<std::ptrdiff_t>(count), place.end(), '\0');
}

Snapshot snapshot_of(const RankLine& line) {
  return {line.progress.entered_count,
          line.progress.left_count,
          line.progress.latest,
          static_cast<int>(line.signal),
          line.query,
          text_of(line.stage),
          text_of(line.query_text)};
}

std::string ranks_text(const std::vector<unsigned>& ranks) {
  return (ranks.size() == 1 ? "rank " : "ranks ") + machine::list_of(ranks);
}

std::string whereabouts(const Snapshot& rank) {
  std::string text =
      rank.left < rank.entered ? "in " + std::string(name_of(rank.latest)) : "in code of its own";
  text += " (" + (rank.stage.empty() ? "begin" : rank.stage);
  if (rank.query > 0) text += ", query " + std::to_string(rank.query);
  return text + (rank.query_text.empty() ? "" : ": " + rank.query_text) + ")";
}

}  // namespace

void RankLine::set_stage(std::string_view text) { set_text(stage, text); }

void RankLine::set_query(std::size_t number, std::string_view text) {
  query = static_cast<std::uint32_t>(number);
  set_text(query_text, text);
}

RankStatus RankStatus::map(const std::filesystem::path& file, std::size_t rank_count, bool create) {
  const auto refuse = [&](const std::string& what) {
    return MachineError(file.string(), what, "check the folder's permissions and free space");
  };
  const int flags = create ? O_RDWR | O_CREAT | O_TRUNC : O_RDWR;
  const int descriptor = ::open(file.c_str(), flags | O_CLOEXEC, 0644);
  if (descriptor < 0) throw refuse(std::string("cannot be opened: ") + std::strerror(errno));
  const std::size_t size = rank_count * sizeof(RankLine);
  struct stat facts {};
  // Takes the space at once: a full disk must not become a SIGBUS later.
  const int failure = create ? posix_fallocate(descriptor, 0, static_cast<off_t>(size))
                             : (fstat(descriptor, &facts) == 0 ? 0 : errno);
  const bool fits = create || static_cast<std::size_t>(facts.st_size) == size;
  void* memory = failure == 0 && fits
                     ? mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
                     : MAP_FAILED;
  const int map_failure = errno;
  close(descriptor);
  if (failure != 0) throw refuse(std::strerror(failure));
  if (!fits) throw refuse("has lines for another number of ranks");
  if (memory == MAP_FAILED) {
    throw refuse(std::string("cannot be mapped: ") + std::strerror(map_failure));
  }
  auto* lines = static_cast<RankLine*>(memory);
  // Objects begin to live where the file's zeros are. A rank that opens the file finds them alive.
  if (create) std::uninitialized_default_construct_n(lines, rank_count);
  return RankStatus({lines, rank_count});
}

RankStatus RankStatus::create(const std::filesystem::path& file, std::size_t rank_count) {
  return map(file, rank_count, true);
}

RankStatus RankStatus::open(const std::filesystem::path& file, std::size_t rank_count) {
  return map(file, rank_count, false);
}

RankStatus::RankStatus(RankStatus&& other) noexcept : lines_(std::exchange(other.lines_, {})) {}

RankStatus::~RankStatus() {
  if (!lines_.empty()) munmap(lines_.data(), lines_.size_bytes());
}

bool any_died(std::span<const RankLine> lines) {
  return std::ranges::any_of(lines, [](const RankLine& line) { return line.signal != 0; });
}

std::string culprit_text(std::span<const RankLine> lines) {
  std::vector<std::optional<Snapshot>> ranks;
  std::vector<unsigned> unknown;
  const Snapshot* behind = nullptr;  // the first of those that entered fewest
  std::uint64_t most = 0;
  ranks.reserve(lines.size());
  for (const RankLine& line : lines) {
    Snapshot rank = snapshot_of(line);
    if (rank.signal != 0) {
      return "rank " + std::to_string(ranks.size()) + " was killed by signal " +
             std::to_string(rank.signal) + " (" + strsignal(rank.signal) + "), " +
             whereabouts(rank);
    }
    if (rank.stage.empty()) {
      unknown.push_back(static_cast<unsigned>(ranks.size()));
      ranks.emplace_back();
      continue;
    }
    ranks.emplace_back(std::move(rank));
  }
  for (const auto& rank : ranks) {
    if (!rank) continue;
    if (behind == nullptr || rank->entered < behind->entered) behind = &*rank;
    most = std::max(most, rank->entered);
  }
  if (behind == nullptr) return {};
  const std::string of_unknown =
      unknown.empty() ? "" : "; nothing is known of " + ranks_text(unknown);
  std::vector<unsigned> late;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    if (ranks[i] && ranks[i]->entered == behind->entered) late.push_back(static_cast<unsigned>(i));
  }
  const std::string first = "rank " + std::to_string(late.front()) + " is " + whereabouts(*behind);
  if (behind->entered == most) {
    return (ranks.size() == 1 ? "" : "all ranks have entered the same number of collectives; ") +
           first + of_unknown;
  }
  return ranks_text(late) + (late.size() == 1 ? " has" : " have") + " entered " +
         std::to_string(behind->entered) + " collectives, others " + std::to_string(most) + "; " +
         first + of_unknown;
}

}  // namespace bellmark::run
