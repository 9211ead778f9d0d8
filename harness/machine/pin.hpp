// Binds the calling thread to processing units and reads its real binding back.
#pragma once

#include <optional>
#include <string>

#include "harness/machine/cpuset.hpp"
#include "harness/machine/topology.hpp"

namespace bellmark::machine {

struct Binding {
  Cpuset observed;                  ///< PUs the thread may run on; empty when it can't be read
  std::optional<unsigned> last_pu;  ///< OS index of the PU it last ran on
  std::string failure;              ///< why the request was not met; "" when it was
};

/// The PUs that the calling thread may run on, and the PU of its last run.
Binding observe_this_thread(const Topology& topology);

/// Binds the calling thread to `cpuset` and checks the outcome. On failure it throws MachineError,
/// or with `force` returns the real binding and the failure.
Binding pin_this_thread(const Topology& topology, const Cpuset& cpuset, bool force = false);

}  // namespace bellmark::machine
