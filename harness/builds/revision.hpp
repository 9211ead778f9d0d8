// A revision of a git tree, checked out and built in a folder of the user's cache.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace bellmark::builds {

struct Revision {
  std::string name;            ///< the requested name
  std::string commit;          ///< its whole name
  std::filesystem::path tree;  ///< top of the git tree that it is of
};

/// Looks in the git tree around the current folder. Throws InputError if there is no tree, or no
/// such revision.
Revision find_revision(const std::string& name);

/// True if tracked files of the tree differ from its HEAD: no revision holds them.
bool has_local_changes(const std::filesystem::path& tree);

/// Path of the revision's `bellmark`. It is built unless an earlier call did that with the same
/// flags. The commands are printed before they run. Throws InputError with the log when it doesn't
/// build, and MachineError when the cache can't be written.
std::filesystem::path build_revision(const Revision& revision,
                                     const std::vector<std::string>& cmake_flags);

}  // namespace bellmark::builds
