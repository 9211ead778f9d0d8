// What the tests of families on the GPU share. Nothing is skipped silently: they show a reason.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "algorithms/contract/registry.hpp"

namespace bellmark::testing {

/// Why this build has no such family; "" when it has. (Why there is no device, gpu::unmet() says.)
std::string without_family(std::string_view name);

/// The variant on this workload; null where its settings are refused, as 32-bit labels are where
/// they don't fit.
std::unique_ptr<BoundVariant> bind_where_it_fits(const Selection& selection, Workload& workload);

}  // namespace bellmark::testing
