// Other builds of Bellmark, to be compared with each other: revisions of a git tree, which are
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
  bool left_out = false;            ///< one that can't be built or asked; it was said
};

/// Builds what has to be built, and asks each build what it is. What can't be built or asked is
/// said on stderr and left out. `cmake_flags` are for revisions. Throws InputError when fewer than
/// two are left, and before anything is built for a revision or a folder that there is not.
Found find_builds(const std::vector<Wanted>& wanted, const std::vector<std::string>& cmake_flags);

}  // namespace bellmark::builds
