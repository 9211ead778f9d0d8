// Stored results that a command names.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace bellmark::cli {

using Json = nlohmann::ordered_json;

/// The result files that `paths` name, of a folder all that it has. What is no result there is
/// skipped, with a note on stderr.
std::vector<std::string> named_results(const std::vector<std::string>& paths);

/// Reads results and hands them to `use`. A part that is missing or of the wrong type, however deep
/// inside, comes back as InputError.
void with_results(const std::vector<std::string>& paths,
                  const std::function<void(std::vector<Json>&)>& use);

/// The same of each result by itself: one at a time is in memory.
void for_each_result(const std::vector<std::string>& paths,
                     const std::function<void(const std::string& path, const Json&)>& use);

}  // namespace bellmark::cli
