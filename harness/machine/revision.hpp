// The commit of this program's sources; cmake/Revision.cmake writes the source.
#pragma once

namespace bellmark::machine {

/// The commit; "" when it was built from no git tree.
extern const char* const kBuiltCommit;
/// True if tracked files differed from that commit.
extern const bool kBuiltDirty;

}  // namespace bellmark::machine
