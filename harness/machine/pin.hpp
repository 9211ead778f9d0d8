// Binds the calling thread to processing units and reads back where it really is.
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

/// Where the calling thread may run, and where it last ran.
Binding observe_this_thread(const Topology& topology);

/// Binds the calling thread to `cpuset` and checks the outcome. When that fails, throws
/// MachineError, or with `force` returns the binding found and the failure.
Binding pin_this_thread(const Topology& topology, const Cpuset& cpuset, bool force = false);

}  // namespace bellmark::machine
