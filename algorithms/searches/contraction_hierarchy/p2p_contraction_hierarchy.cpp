// p2p/contraction-hierarchy for each width of its labels.
#include "algorithms/searches/contraction_hierarchy/p2p_contraction_hierarchy.hpp"

#include <cstdint>

#include "algorithms/contract/registry.hpp"

namespace bellmark {
namespace {

using Hierarchy32 = P2pContractionHierarchy<std::uint32_t>;
using Hierarchy64 = P2pContractionHierarchy<std::uint64_t>;

BELLMARK_REGISTER(Hierarchy32, Hierarchy64);

}  // namespace
}  // namespace bellmark
