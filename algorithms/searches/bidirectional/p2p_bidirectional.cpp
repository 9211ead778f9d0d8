// p2p/bidirectional for each width of its labels.
#include "algorithms/searches/bidirectional/p2p_bidirectional.hpp"

#include <cstdint>

#include "algorithms/contract/registry.hpp"

namespace bellmark {
namespace {

using Bidirectional32 = P2pBidirectional<std::uint32_t>;
using Bidirectional64 = P2pBidirectional<std::uint64_t>;

BELLMARK_REGISTER(Bidirectional32, Bidirectional64);

}  // namespace
}  // namespace bellmark
