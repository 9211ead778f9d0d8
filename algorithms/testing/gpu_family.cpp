#include "algorithms/testing/gpu_family.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace bellmark::testing {

std::string without_family(std::string_view name) {
  const auto& families = Registry::global().families();
  const bool found = std::any_of(families.begin(), families.end(),
                                 [&](const Family& family) { return family.name == name; });
  return found ? "" : "this build has no CUDA";
}

std::unique_ptr<BoundVariant> bind_where_it_fits(const Selection& selection, Workload& workload) {
  try {
    Settings settings;
    return find_instance(selection, workload, settings).bind(workload, settings);
  } catch (const InputError&) {
    return nullptr;
  }
}

}  // namespace bellmark::testing
