// Binds the calling thread to processing units and reads its real binding back.
#include "harness/machine/pin.hpp"

#include <hwloc.h>

#include <cerrno>
#include <system_error>

#include "base/error.hpp"

namespace bellmark::machine {
namespace {

/// Why the thread could not be bound; "" when the kernel took the request.
std::string bind(const Topology& topology, const Cpuset& cpuset) {
  if (!topology.is_this_machine()) return "the topology is not this machine's";
  if (cpuset.pus.empty()) return "the set of PUs is empty";
  const Bitmap wanted = to_bitmap(cpuset);
  if (hwloc_set_cpubind(topology.handle(), wanted.get(), HWLOC_CPUBIND_THREAD) != 0) {
    return std::generic_category().message(errno);
  }
  return "";
}

}  // namespace

Binding observe_this_thread(const Topology& topology) {
  Binding binding;
  if (!topology.is_this_machine()) return binding;
  const Bitmap set = make_bitmap();
  if (hwloc_get_cpubind(topology.handle(), set.get(), HWLOC_CPUBIND_THREAD) == 0) {
    binding.observed = to_cpuset(set.get());
  }
  if (hwloc_get_last_cpu_location(topology.handle(), set.get(), HWLOC_CPUBIND_THREAD) == 0) {
    const Cpuset last = to_cpuset(set.get());
    if (last.pus.size() == 1) binding.last_pu = last.pus[0];
  }
  return binding;
}

Binding pin_this_thread(const Topology& topology, const Cpuset& cpuset, bool force) {
  std::string failure = bind(topology, cpuset);
  Binding binding = observe_this_thread(topology);
  // The kernel quietly drops PUs outside the process's cgroup cpuset.
  if (failure.empty() && binding.observed != cpuset) {
    failure = "the thread may run on PUs '" + binding.observed.list() + "' instead";
  }
  if (!failure.empty() && !force) {
    throw MachineError("binding to PUs '" + cpuset.list() + "'", failure,
                       "choose a place that `bellmark topology` lists, or use --force");
  }
  binding.failure = std::move(failure);
  return binding;
}

}  // namespace bellmark::machine
