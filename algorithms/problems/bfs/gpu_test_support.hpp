// The common part of tests of a BFS certificate on the GPU.
#pragma once

#include <memory>
#include <string>

#include "algorithms/contract/registry.hpp"
#include "algorithms/contract/run_context.hpp"
#include "algorithms/gpu/gpu.hpp"
#include "algorithms/problems/bfs/test_support.hpp"
#include "algorithms/testing/gpu_family.hpp"

namespace bellmark::testing {

/// Makes this process use its GPU, as a process does in which a variant that needs it was prepared:
/// one is. Returns the reason why that can't be; "" when it is so.
inline std::string start_gpu() {
  if (std::string reason = gpu::unmet(); !reason.empty()) return reason;
  BfsWorkload workload(star_of(3), {{0}});
  RunContext context;
  const Selection selection = Registry::global().select("bfs/hybrid-gpu").at(0);
  bind_where_it_fits(selection, workload)->prepare(context);
  return {};
}

}  // namespace bellmark::testing
