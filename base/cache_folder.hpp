// The user's folder for files that can be made again.
#pragma once

#include <filesystem>

namespace bellmark {

/// $BELLMARK_CACHE, else $XDG_CACHE_HOME/bellmark or ~/.cache/bellmark; in the folder for temporary
/// files without a home.
std::filesystem::path cache_folder();

}  // namespace bellmark
