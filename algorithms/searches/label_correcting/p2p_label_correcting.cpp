// p2p/label-correcting in every form that is built.
#include "algorithms/searches/label_correcting/p2p_label_correcting.hpp"

#include <cstddef>
#include <utility>

#include "algorithms/contract/registry.hpp"

namespace bellmark {
namespace {

template <std::size_t... i>
bool register_built(std::index_sequence<i...>) {
  return detail::register_variants<P2pLabelCorrecting<label_correcting::kBuilt[i]>...>();
}

[[maybe_unused]] const bool registered =
    register_built(std::make_index_sequence<label_correcting::kBuilt.size()>());

}  // namespace
}  // namespace bellmark
