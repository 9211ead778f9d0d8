#include "harness/run/supervise/journal_entry.hpp"

#include <stdexcept>
#include <utility>

#include "base/error.hpp"

namespace bellmark::run {
namespace {

/// True if the cell has the readings of its pass.
bool is_whole(const CellReplicate& cell, Pass pass) {
  if (cell.wrong) return true;
  switch (pass) {
    case Pass::timed:
      return cell.timed && !cell.timed->step_ns.empty();
    case Pass::counters:
      return cell.counters.has_value();
    case Pass::memory:
      return cell.resident_bytes.has_value();
    case Pass::profile:
      return cell.profile.has_value();
    default:
      return true;
  }
}

/// Throws std::runtime_error for an entry that no run of the plan can have measured.
void require_of(const plan::Plan& plan, const JournalEntry& entry) {
  const auto* measured = std::get_if<Measured>(&entry.what);
  if (measured == nullptr) return;
  if (measured->group >= plan.groups.size()) {
    throw std::runtime_error("the run has no group " + std::to_string(measured->group));
  }
  for (const CellReplicate& cell : measured->replicate.cells) {
    if (is_whole(cell, measured->replicate.pass)) continue;
    throw std::runtime_error("cell " + cell.id + " lacks the readings of its pass");
  }
}

}  // namespace

void to_json(Json& json, const JournalEntry& entry) {
  json = {{"task", entry.task}};
  if (const auto* measured = std::get_if<Measured>(&entry.what)) {
    json.update({{"block", measured->block}, {"group", measured->group}});
    json.update(Json(measured->replicate));
  } else if (const auto* isolated = std::get_if<Isolated>(&entry.what)) {
    json["isolated_group"] = isolated->group;
    json["reason"] = isolated->reason;
  } else {
    const auto& failed = std::get<CellFailed>(entry.what);
    json["failed"] = {{"cell", failed.cell}, {"code", failed.code}, {"reason", failed.reason}};
  }
}

void from_json(const Json& json, JournalEntry& entry) {
  json.at("task").get_to(entry.task);
  if (json.contains("isolated_group")) {
    entry.what =
        Isolated{json.at("isolated_group").get<std::size_t>(), json.value("reason", std::string())};
  } else if (json.contains("failed")) {
    const Json& failed = json.at("failed");
    entry.what =
        CellFailed{failed.at("cell").get<std::string>(), failed.at("code").get<std::string>(),
                   failed.at("reason").get<std::string>()};
  } else {
    entry.what = Measured{json.at("block").get<std::size_t>(), json.at("group").get<std::size_t>(),
                          json.get<Replicate>()};
  }
}

std::vector<JournalEntry> entries_of(const std::vector<Json>& lines, const plan::Plan& plan) {
  std::vector<JournalEntry> entries;
  for (const Json& line : lines) {
    try {
      JournalEntry entry = line.get<JournalEntry>();
      require_of(plan, entry);
      entries.push_back(std::move(entry));
    } catch (const std::exception& error) {
      throw InputError("replicates.jsonl:" + std::to_string(entries.size() + 1),
                       "is not an entry of a journal: " + std::string(error.what()),
                       "remove it and the lines after it, and resume the run");
    }
  }
  return entries;
}

}  // namespace bellmark::run
