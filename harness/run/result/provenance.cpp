#include "harness/run/result/provenance.hpp"

#include "base/digest.hpp"

namespace bellmark::run {

Json provenance_json(const plan::Plan& plan, const RunFolder& folder, const Json& build_facts) {
  plan::Options options = plan.options;
  options.builds.clear();  // they have a list of their own, without the places of their programs
  Json provenance = build_facts;
  provenance.update({{"argv", folder.argv},
                     {"spec_digest", Digest().add(plan.experiment.text).hex()},
                     {"spec", plan.experiment.text},
                     {"seed", plan.experiment.queries.seed},
                     {"started_utc", folder.started_utc},
                     {"finished_utc", utc_now()},
                     {"options", options.to_json()}});
  if (plan.options.builds.empty()) return provenance;
  Json builds = Json::array();
  for (const plan::Build& build : plan.options.builds) {
    Json& named = builds.emplace_back(Json{{"name", build.name}});
    named.update(build.facts);
  }
  provenance["builds"] = std::move(builds);
  return provenance;
}

}  // namespace bellmark::run
