#include "harness/run/session/replica.hpp"

#include <algorithm>
#include <exception>
#include <utility>
#include <vector>

#include "algorithms/contract/registry.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "harness/external/family.hpp"
#include "harness/plan/axes.hpp"
#include "harness/plan/words.hpp"
#include "harness/run/session/programs.hpp"

namespace bellmark::run {
namespace {

/// The variant that was asked for, without the keys that have their defaults or are an axis, which
/// adds them.
std::string requested_variant(const Json& cell) {
  auto name = cell.at("requested_variant").get<std::string>();
  const std::vector<Selection> selected = Registry::global().select(name);
  if (selected.size() != 1) return name;
  const Family& family = *selected.front().family;
  std::string text = family.name;
  char separator = ':';
  for (const auto& [key, value] : selected.front().settings.entries()) {
    const Key* const known = family.key(key);
    if (cell.at("axes").contains(key) || (known != nullptr && known->default_value == value)) {
      continue;
    }
    text += separator + key + "=" + value;
    separator = ',';
  }
  return text;
}

std::vector<std::string> requested_variants(const Json& result) {
  std::vector<std::string> variants;
  for (const Json& cell : result.at("cells")) plan::add_once(variants, requested_variant(cell));
  return variants;
}

/// Other people's programs that the result's variants may name. They count as defined by a file,
/// wherever they were defined then.
std::vector<external::Program> programs_of(const Json& result, const std::string& name) {
  auto programs = result.value("programs", Json::array()).get<std::vector<external::Program>>();
  for (external::Program& program : programs) {
    program.origin = name;
    external::find_executable(program);
  }
  external::define(programs);
  return programs;
}

plan::Experiment experiment_of(const Json& result, const std::string& name) {
  std::vector<external::Program> programs = programs_of(result, name);
  const auto text = result.at("provenance").at("spec").get<std::string>();
  plan::Experiment experiment =
      text.empty() ? plan::adhoc_experiment(requested_variants(result))
                   : plan::parse_experiment(text, name + " (provenance.spec)", plan::Rules::older);
  experiment.programs = std::move(programs);
  if (text.empty()) return experiment;
  if (const Json& paper = result.at("experiment").at("paper"); !paper.is_null()) {
    experiment.citation = paper.at("citation").get<std::string>();
    experiment.paper_machine = paper.at("machine").get<std::string>();
  }
  return experiment;
}

/// The options that the result itself states, with or without those of its command line.
plan::Options options_of(const Json& result) {
  const Json& experiment = result.at("experiment");
  const Json& provenance = result.at("provenance");
  plan::Options options;
  if (provenance.contains("options")) {
    options = plan::Options::from_json(provenance.at("options"));
  } else {
    options.form = experiment.at("form").get<std::string>();
    options.pages = experiment.value("pages", std::string());
    if (const Json shard = experiment.value("shard", Json()); !shard.is_null()) {
      options.shard = {shard.at("index").get<std::size_t>(), shard.at("count").get<std::size_t>()};
    }
  }
  options.graphs.clear();
  options.placements.clear();
  options.axes.clear();
  for (const auto& [name, values] : experiment.at("axes").items()) {
    options.axes.emplace_back(name, values.get<std::vector<plan::AxisValue>>());
  }
  options.seed = provenance.at("seed").get<std::uint64_t>();
  options.launcher.clear();
  options.until_decided = false;
  return options;
}

/// Null where no graph of the result could be opened.
Json query_count_of(const Json& result) {
  for (const Json& workload : result.at("workloads")) {
    const Json& count = workload.at("queries").at("count");
    if (!count.is_null()) return count;
  }
  return nullptr;
}

/// Options that a result may have had. The ids of its cells decide between them.
std::vector<plan::Options> candidates(const Json& result) {
  plan::Options plain = options_of(result);
  plain.budget_s.reset();  // its effect is in the number of queries
  std::vector<plan::Options> options = {plain};
  if (const Json count = query_count_of(result); !count.is_null()) {
    plain.query_count = count.get<std::uint64_t>();
    options.push_back(plain);
  }
  if (result.at("provenance").at("spec").get<std::string>().empty()) return options;
  for (plan::Options named : std::vector(options)) {
    named.variants = requested_variants(result);
    options.push_back(std::move(named));
  }
  return options;
}

std::size_t cells_in_common(const plan::Plan& plan, const Json& result) {
  return static_cast<std::size_t>(std::ranges::count_if(result.at("cells"), [&](const Json& cell) {
    const auto id = cell.at("id").get<std::string>();
    return std::ranges::find(plan.cells, id, &plan::Cell::id) != plan.cells.end();
  }));
}

/// The first options that give most of the result's cells. Throws the first one's error when all
/// throw.
plan::Options settings_of(const plan::Experiment& experiment, const Json& result) {
  std::optional<plan::Options> best;
  std::size_t most = 0;
  std::exception_ptr fault;
  for (const plan::Options& options : candidates(result)) {
    try {
      const plan::Plan plan =
          plan::make_plan(experiment, options, machine::Topology::this_machine());
      const std::size_t count = cells_in_common(plan, result);
      if (best && count <= most) continue;
      best = options;
      most = count;
    } catch (const Error&) {
      if (!fault) fault = std::current_exception();
    }
  }
  if (!best) std::rethrow_exception(fault);
  return *best;
}

/// Why a plan's inputs differ from the result's; "" when they don't.
std::string difference(const Probe& probe, const Json& result) {
  for (const Json& workload : result.at("workloads")) {
    const auto here = std::ranges::find(probe.workloads, workload.at("graph").get<std::string>(),
                                        &WorkloadFacts::graph);
    if (here == probe.workloads.end() || here->query_digest.empty()) continue;
    const Json there = workload.at("facts").value("digest", Json());
    if (!there.is_null() && there != here->facts.value("digest", Json())) {
      return "the input is another one here: digest " + here->facts.value("digest", Json()).dump() +
             ", and " + there.dump() + " there";
    }
    const Json& queries = workload.at("queries");
    if (queries.at("count") == here->query_count && queries.at("digest") != here->query_digest) {
      return "its queries are others here (another digest)";
    }
  }
  return {};
}

/// The graphs of the result's cells that have this value of the axis.
std::vector<std::string> graphs_of(const Json& result, const std::string& axis,
                                   const plan::AxisValue& value) {
  std::vector<std::string> graphs;
  for (const Json& cell : result.at("cells")) {
    if (cell.at("axes").value(axis, Json()) == value) {
      plan::add_once(graphs, cell.at("graph").get<std::string>());
    }
  }
  return graphs;
}

/// Keeps the graphs that exist here and equal the result's, and prepares them.
void prepare_what_is_here(Replica& replica, const Json& result) {
  const auto axis = std::ranges::find_if(
      replica.options.axes, [](const plan::Axis& one) { return plan::is_input_axis(one.first); });
  const std::vector<plan::AxisValue> all = axis->second;
  std::vector<plan::AxisValue> here;
  for (const plan::AxisValue& value : all) {
    axis->second = {value};
    std::string reason;
    try {
      reason = difference(prepare(replica.experiment, replica.options).probe, result);
    } catch (const InputError& error) {
      reason = error.what();
    }
    if (reason.empty()) here.push_back(value);
    if (reason.empty()) continue;
    for (const std::string& graph : graphs_of(result, axis->first, value))
      replica.missing[graph] = reason;
  }
  axis->second = here;
  if (!here.empty()) replica.prepared = prepare(replica.experiment, replica.options);
}

}  // namespace

Replica prepare_replica(const Json& result, const std::string& name,
                        const ReplicaChanges& changes) {
  if (result.at("provenance").contains("builds")) {
    throw InputError(
        name, "compares builds, and a result does not hold them",
        "run its command again: " +
            join(result.at("provenance").at("argv").get<std::vector<std::string>>(), " "));
  }
  const Json launcher = result.at("experiment").value("launcher", Json());
  if (!launcher.is_null() && changes.launcher.empty()) {
    throw InputError(name,
                     "its ranks were started by '" + launcher.get<std::string>() +
                         "', and no program that a result names is started",
                     "name the launcher yourself: --launcher 'mpirun -n {ranks}'");
  }
  Replica replica{experiment_of(result, name), {}, {}, {}};
  refuse_foreign(replica.experiment.programs, changes.allow_commands);
  begin_programs(replica.experiment.programs);
  replica.experiment.launcher = changes.launcher;
  replica.options = settings_of(replica.experiment, result);
  replica.options.force = changes.force;
  replica.options.budget_s = changes.budget_s;
  if (changes.quick && replica.options.form == "full") {
    replica.options.form = "quick";
    replica.options.query_count.reset();
  }
  try {
    replica.prepared = prepare(replica.experiment, replica.options);
    if (difference(replica.prepared->probe, result).empty()) return replica;
    replica.prepared.reset();
  } catch (const InputError&) {  // of one of its graphs, or of all: asked one by one
  }
  prepare_what_is_here(replica, result);
  return replica;
}

}  // namespace bellmark::run
