// A build without LEMON leaves the other sources of this folder out. It knows their families all
// the same, and says why they are not there.
#include "algorithms/contract/registry.hpp"

namespace bellmark {
namespace {

const bool known = [] {
  for (const char* family : {"sssp/lemon-dijkstra", "p2p/lemon-dijkstra"}) {
    Registry::global().add_absent(family, Need::lemon,
                                  "this build has no LEMON: " BELLMARK_LEMON_REASON);
  }
  return true;
}();

}  // namespace
}  // namespace bellmark
