#include "base/cache_folder.hpp"

#include <cstdlib>

namespace bellmark {

namespace fs = std::filesystem;

fs::path cache_folder() {
  const auto folder_of = [](const char* variable) {
    const char* const value = std::getenv(variable);
    return value == nullptr ? fs::path() : fs::path(value);
  };
  if (fs::path own = folder_of("BELLMARK_CACHE"); !own.empty()) return own;
  if (const fs::path caches = folder_of("XDG_CACHE_HOME"); !caches.empty()) {
    return caches / "bellmark";
  }
  if (const fs::path home = folder_of("HOME"); !home.empty()) return home / ".cache/bellmark";
  return fs::temp_directory_path() / "bellmark-cache";
}

}  // namespace bellmark
