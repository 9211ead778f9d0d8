// The page: files of one folder, read once.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "harness/serve/answer.hpp"

namespace bellmark::serve {

class PageFiles {
 public:
  /// The regular files of the folder whose kind a browser knows; none where it is not there. Throws
  /// MachineError for one that can't be read.
  explicit PageFiles(const std::filesystem::path& folder);

  /// `/NAME`, and `/` for index.html; null for what is none of them.
  const Answer* find(const std::string& path) const;
  bool empty() const { return files_.empty(); }

 private:
  std::map<std::string, Answer> files_;
};

/// The folder `map` beside this program, or below the folder above it: where builds and
/// installations have it.
std::filesystem::path page_folder();

}  // namespace bellmark::serve
