// The entries of a run's journal, one a line.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "harness/plan/plan.hpp"
#include "harness/run/protocol/messages.hpp"

namespace bellmark::run {

/// A finished replicate of a group of cells.
struct Measured {
  std::size_t block = 0;
  std::size_t group = 0;
  Replicate replicate;
};

/// From this entry on, each cell of a group has its own process.
struct Isolated {
  std::size_t group = 0;
  std::string reason = {};  ///< how their process ended; empty in older journals
};

/// A cell that gave no time, and the reason. From this entry on it is left out.
struct CellFailed {
  std::string cell;  ///< its id
  std::string code;
  std::string reason;
};

struct JournalEntry {
  std::string task;  ///< the key of the task that it finishes
  std::variant<Measured, Isolated, CellFailed> what;
};

void to_json(Json& json, const JournalEntry& entry);
void from_json(const Json& json, JournalEntry& entry);

/// All entries, in order. Throws InputError, with the line, for a line that is not an entry of a
/// run of this plan.
std::vector<JournalEntry> entries_of(const std::vector<Json>& lines, const plan::Plan& plan);

}  // namespace bellmark::run
