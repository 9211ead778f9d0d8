// Fuzz target: an experiment's file, read, checked and planned on a machine of four cores. Nothing
// is measured.
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/text.hpp"
#include "graph/fuzz_support.hpp"
#include "harness/plan/plan.hpp"
#include "harness/verdict/experiment_check.hpp"

namespace bellmark {
namespace {

void check(const std::string& text) {
  const auto topology = machine::Topology::synthetic("pack:1 core:4 pu:2");
  const plan::Experiment experiment = plan::parse_experiment(text, "fuzz.toml");
  verdict::check_experiment(experiment, topology);
  for (const char* form : {"full", "quick", "smoke"}) {
    plan::Options options;
    options.form = form;
    const plan::Plan plan = plan::make_plan(experiment, options, topology);
    require(!plan.cells.empty(), "a plan has cells");
    require(plan.estimated_s >= 0, "a plan takes time");
    std::size_t grouped = 0;
    for (const plan::Group& group : plan.groups) grouped += group.cells.size();
    require(grouped == plan.cells.size(), "each cell is in one group");
    const auto again = plan::Options::from_json(plan.options.to_json());
    const plan::Plan resumed = plan::make_plan(experiment, again, topology);
    require(resumed.cells.size() == plan.cells.size(), "a resumed run has the same cells");
    for (std::size_t i = 0; i < plan.cells.size(); ++i) {
      require(resumed.cells[i].id == plan.cells[i].id, "a resumed run has the same cells");
    }
  }
}

}  // namespace
}  // namespace bellmark

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    bellmark::check({reinterpret_cast<const char*>(data), size});
  } catch (const bellmark::Error& error) {
    // A refusal is a good answer. Any other exception is a finding.
    bellmark::require(error.code() != bellmark::ExitCode::internal, "no internal error");
    bellmark::require(bellmark::is_utf8(error.what()), "a message is UTF-8");
  }
  return 0;
}
