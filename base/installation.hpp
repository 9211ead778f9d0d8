// The kind of this executable: Bellmark itself, or a lab that was built on it.
#pragma once

#include <string>

namespace bellmark {

/// The file of main() sets it before anything else runs.
struct Installation {
  std::string name = "bellmark";  ///< of the executable
  /// The folder with Bellmark's files for run time, such as `analysis` and `experiments`; "" is the
  /// source tree that Bellmark was built from.
  std::string share = {};
  bool is_lab = false;
  // Only for a lab, whose own settings compile its kernels.
  std::string compiler = {};
  std::string flags = {};
  std::string build_type = {};
  std::string git_sha = {};  ///< "" where its folder is no git tree
  bool git_dirty = false;
};

const Installation& installation();
void set_installation(Installation installation);

/// Ends the process, with a sentence, if a file was compiled with other headers than those of this
/// library. Returns true. Uses nothing that could differ between the two.
bool require_headers(const char* compiled_with);

/// The text with the executable's own name in place of `bellmark` in commands.
std::string in_own_name(std::string text);

}  // namespace bellmark
