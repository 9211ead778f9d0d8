// How far each rank of a launched group is. The supervisor can read it after a hang or crash.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "algorithms/parallel/communicator.hpp"

namespace bellmark::run {

/// One rank's line. The rank writes it, and others read it at any time.
struct alignas(64) RankLine {
  bellmark::Progress progress;
  std::atomic<std::uint32_t> signal = 0;  ///< that ended the rank; 0: none
  std::atomic<std::uint32_t> query = 0;   ///< from 1; 0: none
  std::array<char, 24> stage = {};  ///< `prepare`, `timed`, zero-terminated; "" before it began
  std::array<char, 64> query_text = {};  ///< `source 17`, likewise and cut; "" where none is told

  void set_stage(std::string_view text);
  /// Sets the query's number, from 1, and its words; 0 and "" for none.
  void set_query(std::size_t number, std::string_view text);
};
static_assert(sizeof(RankLine) == 128);

/// The lines of all ranks, in a file that each of them maps. A rank on another host may find no
/// such file, or a file that is not kept in step. Then nothing is known of that rank.
class RankStatus {
 public:
  /// Makes the file. Throws MachineError.
  static RankStatus create(const std::filesystem::path& file, std::size_t rank_count);
  /// Throws MachineError when there is no such file with `rank_count` lines.
  static RankStatus open(const std::filesystem::path& file, std::size_t rank_count);

  RankStatus(RankStatus&& other) noexcept;
  RankStatus& operator=(RankStatus&&) = delete;
  ~RankStatus();

  std::span<RankLine> lines() const { return lines_; }

 private:
  explicit RankStatus(std::span<RankLine> lines) : lines_(lines) {}
  static RankStatus map(const std::filesystem::path& file, std::size_t rank_count, bool create);

  std::span<RankLine> lines_;
};

/// True if a rank has noted the signal that killed it. A rank can't note SIGKILL.
bool any_died(std::span<const RankLine> lines);

/// The rank that the others wait for, or the rank that died, in words for an error: `rank 1 was
/// killed by signal 11 (Segmentation fault), in all_reduce (timed, query 3: source 17)`, `rank 1
/// has entered 14 collectives, others 15; rank 1 is in code of its own (timed, query 3: source
/// 17)`. "" when no rank has begun on this host.
std::string culprit_text(std::span<const RankLine> lines);

}  // namespace bellmark::run
