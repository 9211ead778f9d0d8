// The journal: finished replicates, one JSON line each, safe against a kill at any moment.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace bellmark::run {

using Json = nlohmann::ordered_json;

/// Appends to `replicates.jsonl`. Each line is on the disk before append() returns, so a kill loses
/// at most the replicate in flight.
class Journal {
 public:
  /// Opens or creates the file. Cuts off a last line that a kill left unfinished, and a damaged
  /// line with all lines after it. Throws MachineError.
  explicit Journal(const std::filesystem::path& file);
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  /// Throws MachineError when the disk is full. The file then ends with the line before.
  void append(const Json& replicate);

  const std::vector<Json>& replicates() const { return replicates_; }
  /// The loss from a damaged line, in one line; "" when there was none. The last line in flight,
  /// which a kill cuts short, is no damage.
  const std::string& damage() const { return damage_; }

 private:
  std::filesystem::path file_;
  int descriptor_ = -1;
  long size_ = 0;
  std::vector<Json> replicates_;
  std::string damage_;
};

}  // namespace bellmark::run
