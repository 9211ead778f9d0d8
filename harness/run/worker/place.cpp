#include "harness/run/worker/place.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "algorithms/parallel/communicator.hpp"
#include "base/error.hpp"
#include "harness/machine/gpu.hpp"
#include "harness/machine/pin.hpp"
#include "harness/machine/rank_places.hpp"
#include "harness/run/protocol/json_text.hpp"
#include "harness/run/protocol/optional_json.hpp"
#include "harness/run/worker/agree.hpp"

namespace bellmark::run {

WorkerPlace::WorkerPlace(const machine::Topology& topology, const machine::Placement& placement,
                         std::size_t worker, std::size_t process_count, bool force)
    : topology_(topology), force_(force) {
  if (placement.workers.empty()) return;
  own_ = placement.workers.at(worker);
  all_ = own_;
  if (process_count > 1) return;  // the other places are other processes'
  all_.pus = machine::pus_of(placement);
  std::sort(all_.pus.begin(), all_.pus.end());
  all_.pus.erase(std::unique(all_.pus.begin(), all_.pus.end()), all_.pus.end());
}

void WorkerPlace::take(const machine::Cpuset& pus) {
  if (pus.pus.empty() || pus == taken_) return;
  machine::pin_this_thread(topology_, pus, force_);
  taken_ = pus;
}

machine::Placement placement_of(const Request& request, const machine::Topology& topology) {
  auto placement = machine::expand(topology, request.placement).front();
  if (!request.ranks) return placement;
  if (request.ranks->count != world().size()) {
    throw InputError("ranks",
                     "this is one of " + std::to_string(world().size()) + ", and " +
                         std::to_string(request.ranks->count) + " were asked for",
                     "use the launcher of the MPI library that bellmark-worker-mpi was built "
                     "with, and say {ranks} in it");
  }
  const machine::LocalRank rank{request.ranks->local_rank, request.ranks->local_count};
  if (request.ranks->needs_cuda) {
    const char* visible = std::getenv("CUDA_VISIBLE_DEVICES");
    const std::string gpus =
        machine::rank_gpus(placement, machine::Gpus::this_machine(), visible, rank, request.force);
    if (!gpus.empty()) setenv("CUDA_VISIBLE_DEVICES", gpus.c_str(), 1);
  }
  return machine::rank_part(topology, placement, rank, request.force);
}

std::vector<unsigned> WorkerPlace::pus() const {
  return all_.pus.empty() ? machine::observe_this_thread(topology_).observed.pus : all_.pus;
}

std::vector<RankPlace> places_of_ranks(const RankPlace& own, Surroundings& surroundings) {
  Json own_json = own;
  own_json["core_mhz"] = or_null(surroundings.core_mhz);
  own_json["steal_ratio"] = or_null(surroundings.steal_ratio);
  own_json["pages"] = or_null(std::exchange(surroundings.pages, std::nullopt));
  std::vector<RankPlace> places;
  for (const std::string& text : texts_of_all(world(), json_text(own_json))) {
    Json json = Json::parse(text);
    json["rank"] = places.size();
    places.push_back(json.get<RankPlace>());
    Surroundings of_rank;
    get_optional(json, "core_mhz", of_rank.core_mhz);
    get_optional(json, "steal_ratio", of_rank.steal_ratio);
    get_optional(json, "pages", of_rank.pages);
    auto& [core_mhz, steal_ratio, pages] = surroundings;
    if (of_rank.core_mhz && (!core_mhz || *of_rank.core_mhz < *core_mhz)) {
      core_mhz = of_rank.core_mhz;
    }
    steal_ratio = std::max(steal_ratio, of_rank.steal_ratio);
    machine::add(pages, of_rank.pages);
  }
  return places;
}

}  // namespace bellmark::run
