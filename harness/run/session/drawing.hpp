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

/// Draws a site of static pages into `folder` with analysis/build_site.py, which reads `document`:
/// what report::claims_document() gives of whole results, with `histories` (report::history_json()
/// of each machine) and `left_out` (why other results can't be read). Throws as draw_report() does.
void draw_site(const nlohmann::ordered_json& document, const std::filesystem::path& folder);

}  // namespace bellmark::run
