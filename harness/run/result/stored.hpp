// Result files, read.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>

namespace bellmark::run {

using Json = nlohmann::ordered_json;

/// Reads a result file or run folder. Throws InputError when it is none.
Json read_result(const std::filesystem::path& path);

}  // namespace bellmark::run
