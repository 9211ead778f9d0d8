// Result files: finds and reads them, plain or compressed.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace bellmark::run {

using Json = nlohmann::ordered_json;

struct FoundResults {
  std::vector<std::string> files;
  std::vector<std::string> skipped;  ///< .json and .json.gz files that are not results
};

/// The result files that `paths` name. For a folder these are all results in it and below it,
/// sorted. A result is a .json or .json.gz file that begins with the schema of a result. A
/// compressed copy beside its plain file is left out, and so are the other files of a run. Throws
/// InputError when a folder has no result, and MachineError when a folder may not be read.
FoundResults find_results(const std::vector<std::string>& paths);

/// True if the file begins as every result does: `{"schema": {"name": "bellmark-result"`. Throws as
/// open_for_reading() does.
bool begins_as_result(const std::filesystem::path& file);

/// Reads a result file, or the one result of a folder, in the form that this build writes: without
/// readings of failed cells, and with a unit for every judged value. Throws InputError when it is
/// not a result.
Json read_result(const std::filesystem::path& path);

/// Reads a result from its text; messages name `file`.
Json result_of(const std::string& text, const std::string& file);

/// Removes the times, counts and ratios of cells that `not_measured` names. Blocks before a crash
/// do not measure a cell, and older results still hold them.
void forget_failed_cells(Json& result);

}  // namespace bellmark::run
