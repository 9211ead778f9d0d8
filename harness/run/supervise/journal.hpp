// The journal: finished replicates, one JSON line each, safe against a kill at any moment.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace bellmark::run {

using Json = nlohmann::ordered_json;

/// Appends to `replicates.jsonl`. Each line is on the disk before append() returns, so that a kill
/// loses at most the replicate in flight.
class Journal {
 public:
  /// Opens or creates the file; cuts off a last line that a kill left unfinished, and a damaged one
  /// with all that come after it. Throws MachineError.
  explicit Journal(const std::filesystem::path& file);
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  /// Throws MachineError when the disk is full; the file then ends with the line before.
  void append(const Json& replicate);

  const std::vector<Json>& replicates() const { return replicates_; }
  /// What a damaged line cost, in one line; "" when none was found. The last line in flight, which
  /// a kill cuts short, is no damage.
  const std::string& damage() const { return damage_; }

 private:
  std::filesystem::path file_;
  int descriptor_ = -1;
  long size_ = 0;
  std::vector<Json> replicates_;
  std::string damage_;
};

}  // namespace bellmark::run
