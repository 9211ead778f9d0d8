// The page: files of one folder, read once.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "harness/serve/answer.hpp"

namespace bellmark::serve {

class PageFiles {
 public:
  /// The regular files of the folder with types that a browser knows; none if there is no folder.
  /// Throws MachineError for a file that can't be read.
  explicit PageFiles(const std::filesystem::path& folder);

  /// `/NAME`, and `/` for index.html; null for another path.
  const Answer* find(const std::string& path) const;
  bool empty() const { return files_.empty(); }

 private:
  std::map<std::string, Answer> files_;
};

/// The folder `map` beside this program, or below the folder above it: the places in builds and
/// installations.
std::filesystem::path page_folder();

}  // namespace bellmark::serve
