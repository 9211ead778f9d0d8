// The common part of the tests of families on the GPU. Nothing is skipped silently: they show a
// reason.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "algorithms/contract/registry.hpp"

namespace bellmark::testing {

/// The reason why this build has no such family; "" when it has. (gpu::unmet() says why there is no
/// device.)
std::string without_family(std::string_view name);

/// The variant on this workload. It is null where its settings are refused, as 32-bit labels are
/// where they don't fit.
std::unique_ptr<BoundVariant> bind_where_it_fits(const Selection& selection, Workload& workload);

}  // namespace bellmark::testing
