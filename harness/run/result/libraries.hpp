// Versions of the libraries that a result depends on.
#pragma once

#include <nlohmann/json.hpp>

namespace bellmark::run {

/// Library name -> version; a library that was not built in says so.
nlohmann::ordered_json library_versions();

}  // namespace bellmark::run
