// What this executable is: Bellmark itself, or a lab that was built on it.
#pragma once

#include <string>

namespace bellmark {

/// Said by the file of main(), before anything else runs.
struct Installation {
  std::string name = "bellmark";  ///< of the executable
  /// The folder with what comes with Bellmark and is read while it runs, `analysis` and
  /// `experiments` among it; "" is the source tree that Bellmark was built from.
  std::string share = {};
  bool is_lab = false;
  // Of a lab, whose kernels are compiled by its own settings.
  std::string compiler = {};
  std::string flags = {};
  std::string build_type = {};
  std::string git_sha = {};  ///< "" where its folder is no git tree
  bool git_dirty = false;
};

const Installation& installation();
void set_installation(Installation installation);

/// Ends the process, with a sentence, where the headers that a file was compiled with are others
/// than those of this library. Returns true. Asks for nothing that could differ between the two.
bool require_headers(const char* compiled_with);

/// The same text, with the executable's own name where a command of `bellmark` is named.
std::string in_own_name(std::string text);

}  // namespace bellmark
