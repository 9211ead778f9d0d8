// Stored results that a command names.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace bellmark::cli {

using Json = nlohmann::ordered_json;

/// The result files that `paths` name, for a folder all that it has. Other files are skipped, with
/// a note on stderr.
std::vector<std::string> named_results(const std::vector<std::string>& paths);

/// Reads results and passes them to `use`. A part that is missing or has the wrong type, however
/// deep inside, becomes InputError.
void with_results(const std::vector<std::string>& paths,
                  const std::function<void(std::vector<Json>&)>& use);

/// Does so for each result by itself: only one is in memory.
void for_each_result(const std::vector<std::string>& paths,
                     const std::function<void(const std::string& path, const Json&)>& use);

}  // namespace bellmark::cli
