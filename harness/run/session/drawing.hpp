// Calls analysis/ to draw. C++ computes every number, and Python only draws.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace bellmark::run {

/// Draws `results`, the contents of `files`, into `folder` with analysis/report.py. Throws
/// InputError when drawing fails, or when no Python with matplotlib and jsonschema is found. The
/// error then says what to install.
void draw_report(const std::vector<std::string>& files,
                 const std::vector<nlohmann::ordered_json>& results,
                 const std::filesystem::path& folder);

/// Draws a site of static pages into `folder` with analysis/build_site.py. `document` is
/// report::claims_document() of whole results, with `histories` (report::history_json() of each
/// machine) and `left_out` (why other results can't be read). Throws as draw_report() does.
void draw_site(const nlohmann::ordered_json& document, const std::filesystem::path& folder);

}  // namespace bellmark::run
