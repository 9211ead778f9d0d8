// p2p/alt for each width of its labels.
#include "algorithms/searches/alt/p2p_alt.hpp"

#include <cstdint>

#include "algorithms/contract/registry.hpp"

namespace bellmark {
namespace {

using Alt32 = P2pAlt<std::uint32_t>;
using Alt64 = P2pAlt<std::uint64_t>;

BELLMARK_REGISTER(Alt32, Alt64);

}  // namespace
}  // namespace bellmark
