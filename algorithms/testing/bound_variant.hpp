// A variant by its name, on a workload of a test.
#pragma once

#include <memory>
#include <string>

#include "algorithms/contract/registry.hpp"

namespace bellmark::testing {

/// The variant that `name` selects first, with `auto` values resolved. The workload outlives it.
inline std::unique_ptr<BoundVariant> bound_variant(const std::string& name, Workload& workload) {
  Settings resolved;
  const Selection selection = Registry::global().select(name).front();
  return find_instance(selection, workload, resolved).bind(workload, resolved);
}

}  // namespace bellmark::testing
