// Calls analysis/ to draw; C++ computes every number, Python only draws.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace bellmark::run {

/// Draws `results`, which lie in `files`, into `folder` with analysis/report.py. Throws InputError
/// when no Python with matplotlib and jsonschema is found (and says what to install), or when
/// drawing fails.
void draw_report(const std::vector<std::string>& files,
                 const std::vector<nlohmann::ordered_json>& results,
                 const std::filesystem::path& folder);

}  // namespace bellmark::run
