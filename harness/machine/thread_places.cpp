#include "harness/machine/thread_places.hpp"

#include <unistd.h>

#include <set>

namespace bellmark::machine {

void ThreadPlaces::enter(std::size_t index) {
  const std::lock_guard lock(mutex_);
  if (placement_.workers.empty()) {
    threads_[index] = {placement_.resolved, observed_text(observe_this_thread(topology_)),
                       gettid()};
    return;
  }
  const Cpuset& place = placement_.workers[index % placement_.workers.size()];
  const Binding binding = pin_this_thread(topology_, place, force_);
  threads_[index] = {"pu P#" + place.list(), observed_text(binding), gettid()};
}

std::string observed_text(const Binding& binding) {
  std::string text = "pu P#" + binding.observed.list();
  if (binding.last_pu) text += ", last on P#" + std::to_string(*binding.last_pu);
  return text;
}

std::size_t pu_count(const Topology& topology, const Placement& placement) {
  if (placement.workers.empty()) return observe_this_thread(topology).observed.pus.size();
  std::set<unsigned> pus;
  for (const Cpuset& place : placement.workers) pus.insert(place.pus.begin(), place.pus.end());
  return pus.size();
}

}  // namespace bellmark::machine
