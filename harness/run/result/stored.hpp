// Result files: found and read, plain or compressed.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace bellmark::run {

using Json = nlohmann::ordered_json;

struct FoundResults {
  std::vector<std::string> files;
  std::vector<std::string> skipped;  ///< .json and .json.gz files that are no results
};

/// The result files that `paths` name. Of a folder these are the results in it, or where it has
/// none all below it, sorted: every .json or .json.gz file that begins with the schema of a result.
/// A compressed copy beside its plain file is left out, and so is what a run keeps beside its
/// result. Throws InputError when a folder has none.
FoundResults find_results(const std::vector<std::string>& paths);

/// The file begins as every result does: `{"schema": {"name": "bellmark-result"`. Throws as
/// open_for_reading() does.
bool begins_as_result(const std::filesystem::path& file);

/// Reads a result file, or the one result of a folder, as this build would have written it:
/// without what cells measured before they failed, and with a unit for every value that was judged.
/// Throws InputError when it is no result.
Json read_result(const std::filesystem::path& path);

/// The same of a result's text; `file` stands in messages.
Json result_of(const std::string& text, const std::string& file);

/// Takes out times, counts and ratios of the cells that `not_measured` names. Blocks before a crash
/// are no measurement of a cell, and older results still hold them.
void forget_failed_cells(Json& result);

}  // namespace bellmark::run
