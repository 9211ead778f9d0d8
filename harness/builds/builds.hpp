// Other builds of Bellmark that are compared with each other: revisions of a git tree, which are
// built here, and folders of finished builds.
#pragma once

#include <string>
#include <vector>

#include "harness/plan/plan.hpp"

namespace bellmark::builds {

struct Wanted {
  enum class Kind { revision, folder };
  Kind kind = Kind::folder;
  std::string name;  ///< `v1`, or a folder with a `bellmark`, or that program
};

struct Found {
  std::vector<plan::Build> builds;  ///< in the order in which they were named
  bool left_out = false;            ///< a build failed; stderr has the reason
};

/// Builds the revisions, and asks each build for its facts. A build that fails is reported on
/// stderr and left out. `cmake_flags` are for revisions. Throws InputError when fewer than two
/// builds are left. A missing revision or folder throws before anything is built.
Found find_builds(const std::vector<Wanted>& wanted, const std::vector<std::string>& cmake_flags);

}  // namespace bellmark::builds
