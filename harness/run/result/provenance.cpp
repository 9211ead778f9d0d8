#include "harness/run/result/provenance.hpp"

#include "base/digest.hpp"
#include "harness/machine/build_facts.hpp"

namespace bellmark::run {

Json provenance_json(const plan::Plan& plan, const RunFolder& folder) {
  Json provenance = machine::build_facts();
  provenance.update({{"argv", folder.argv},
                     {"spec_digest", Digest().add(plan.experiment.text).hex()},
                     {"spec", plan.experiment.text},
                     {"seed", plan.experiment.queries.seed},
                     {"started_utc", folder.started_utc},
                     {"finished_utc", utc_now()}});
  return provenance;
}

}  // namespace bellmark::run
