// `bellmark topology`: the parts of this machine, and the location words that name them.
#include "harness/machine/topology.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iomanip>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "base/counted.hpp"
#include "base/error.hpp"
#include "base/input.hpp"
#include "harness/cli/commands.hpp"
#include "harness/machine/gpu.hpp"
#include "harness/machine/location.hpp"
#include "harness/machine/memory.hpp"
#include "harness/machine/place_classes.hpp"
#include "harness/run/protocol/json_text.hpp"

namespace bellmark::cli {
namespace {

using machine::Gpus;
using machine::Placement;
using machine::Topology;

struct Options {
  bool json = false;
  bool xml = false;
  bool is_synthetic = false;
  std::string from;
  std::string synthetic;
  std::string placement;
};

std::ostream& label(const std::string& text) {
  return std::cout << std::left << std::setw(16) << text;
}

void print_word(const std::string& word, const std::string& meaning) {
  std::cout << "  " << std::left << std::setw(22) << word << meaning << "\n";
}

void print_range(const std::string& kind, int count, const std::string& meaning) {
  if (count == 0) return;
  print_word(kind + (count == 1 ? ":0" : ":0-" + std::to_string(count - 1)), meaning);
}

const Gpus& gpus_of(const Topology& topology) {
  static const Gpus none("a made-up machine has none");
  return topology.is_this_machine() ? Gpus::this_machine() : none;
}

/// The cores near a GPU as location words, or why they can't be told.
std::string near_text(const Topology& topology, const Gpus& gpus, std::size_t gpu) {
  try {
    return machine::expand(topology, "near:gpu:" + std::to_string(gpu), gpus).front().word;
  } catch (const InputError& error) {
    return error.what();
  }
}

/// The two cores of a pair, or why there are none.
std::string pair_text(const Topology& topology, const std::string& word) {
  try {
    return "two places: " + machine::expand(topology, word).front().word;
  } catch (const UnmetError& error) {
    const std::string text = error.what();
    return "none: " + text.substr(text.find(": ") + 2);
  }
}

/// The number of classes, or why there are none.
std::string class_text(const Topology& topology, const std::string& word) {
  try {
    return "an axis: one placement a class of alike ones, here " +
           std::to_string(machine::expand(topology, word).size());
  } catch (const UnmetError& error) {
    const std::string text = error.what();
    return "none: " + text.substr(text.find(": ") + 2);
  }
}

std::string text_of(const nlohmann::json& value) {
  return value.is_string() ? value.get<std::string>() : "unknown";
}

void print_gpus(const Topology& topology) {
  const Gpus& gpus = gpus_of(topology);
  if (gpus.count() == 0) label("GPUs") << "none: " << gpus.absence() << "\n";
  for (std::size_t gpu = 0; gpu < gpus.count(); ++gpu) {
    const nlohmann::json facts = gpus.facts(gpu);
    label("GPU " + std::to_string(gpu)) << text_of(facts.at("name"));
    if (const nlohmann::json& bytes = facts.at("memory_total_bytes"); !bytes.is_null()) {
      std::cout << ", " << machine::human_bytes(bytes.get<std::uint64_t>());
    }
    std::cout << ", at " << text_of(facts.at("pci_bus_id")) << ", near "
              << near_text(topology, gpus, gpu) << "\n";
  }
}

/// The words that `-c` takes here. A class of pairs that the machine lacks says so.
void print_words(const Topology& topology) {
  const std::pair<std::string, int> kinds[] = {{"core", topology.core_count()},
                                               {"pu", topology.pu_count()},
                                               {"numa", topology.numa_count()},
                                               {"package", topology.package_count()}};
  const char* const meanings[] = {"one worker a core, on its first PU",
                                  "one worker a processing unit", "a worker anywhere on that node",
                                  "a worker anywhere on that package"};
  std::cout << "\nlocation words (-c) that exist here:\n";
  for (std::size_t i = 0; i < std::size(kinds); ++i) {
    print_range(kinds[i].first, kinds[i].second, meanings[i]);
  }
  for (const auto& [kind, count] : kinds) {
    if (count > 0) print_word(kind + ":all", "one worker each, as for a list: " + kind + ":0,1");
  }
  for (const auto& [kind, count] : kinds) {
    if (count > 0) print_word("each:" + kind, "an axis: one placement each");
  }
  if (topology.package_count() > 0) {
    print_word("package:0.core:0", "nested: the inner index counts within the outer object");
  }
  print_range("near:gpu", static_cast<int>(gpus_of(topology).count()),
              "one worker a core, on the side of the machine that the GPU is on");
  print_word("spread:numa:" + std::to_string(std::min(2, topology.core_count())),
             "that many workers, dealt to the NUMA nodes in turn, a core each");
  const std::string few_cores = std::to_string(std::min(2, topology.core_count()));
  const std::string few_pus = std::to_string(std::min(2, topology.pu_count()));
  print_word("spread:" + few_cores, "that many workers on cores at even steps");
  print_word("compact:" + few_pus,
             "that many workers as near as they come, siblings of a core first");
  print_word("scatter:" + few_pus, "that many workers dealt to packages and down, siblings last");
  print_word("class:core", class_text(topology, "class:core"));
  print_word("class:pair", class_text(topology, "class:pair"));
  print_word("none", "not pinned");
  for (const char* word :
       {"pair:same-core", "pair:shared-l2", "pair:shared-l3", "pair:same-package",
        "pair:other-package", "pair:near-numa", "pair:far-numa"}) {
    print_word(word, pair_text(topology, word));
  }
}

void print_machine(const Topology& topology, bool is_stored) {
  const nlohmann::json summary = topology.summary();
  label(topology.is_this_machine() ? "this machine"
        : is_stored                ? "stored"
                                   : "synthetic")
      << counted(topology.package_count(), "package") << ", "
      << counted(topology.numa_count(), "NUMA node") << ", "
      << counted(topology.core_count(), "core") << ", " << counted(topology.pu_count(), "PU")
      << "\n";
  for (const machine::Cache& cache : topology.caches()) {
    label("L" + std::to_string(cache.level) + " " + cache.type)
        << machine::human_bytes(cache.size_bytes) << ", " << cache.count << " of them, each for "
        << counted(cache.shared_by_core_count, "core") << "\n";
  }
  if (const auto distances = machine::numa_distances(topology)) {
    for (std::size_t i = 0; i < distances->size(); ++i) {
      label("numa:" + std::to_string(i)) << "distances to the nodes:";
      for (const std::uint64_t distance : (*distances)[i]) std::cout << " " << distance;
      std::cout << "\n";
    }
  }
  if (summary.at("is_restricted") == true) {
    label("restricted") << "this process may use fewer than the "
                        << summary.at("installed_pu_count") << " PUs installed\n";
  }
  print_gpus(topology);
  print_words(topology);
}

void print_placements(const std::vector<Placement>& placements) {
  for (const Placement& placement : placements) {
    const auto count = static_cast<int>(placement.workers.size());
    std::cout << placement.word << ": "
              << (count == 0 ? "any number of workers" : counted(count, "worker")) << ": "
              << placement.resolved << "\n";
  }
}

nlohmann::json to_json(const std::vector<Placement>& placements) {
  nlohmann::json list = nlohmann::json::array();
  for (const Placement& placement : placements) {
    nlohmann::json workers = nlohmann::json::array();
    for (const machine::Cpuset& worker : placement.workers) workers.push_back(worker.list());
    list.push_back({{"requested", placement.requested},
                    {"word", placement.word},
                    {"resolved", placement.resolved},
                    {"worker_pus", std::move(workers)}});
  }
  return list;
}

void show(const Options& options) {
  const Topology topology = !options.from.empty()  ? Topology::from_xml(read_whole(options.from))
                            : options.is_synthetic ? Topology::synthetic(options.synthetic)
                                                   : Topology::this_machine();
  if (options.xml) {
    std::cout << topology.xml();
    return;
  }
  std::vector<Placement> placements;
  if (!options.placement.empty()) placements = machine::expand(topology, options.placement);
  if (options.json) {
    nlohmann::json output = topology.summary();
    const Gpus& gpus = gpus_of(topology);
    output["gpus"] = machine::facts_of(gpus);
    output["gpus_reason"] = gpus.count() > 0 ? nlohmann::json() : nlohmann::json(gpus.absence());
    if (!options.placement.empty()) output["placements"] = to_json(placements);
    std::cout << run::json_text(output, 2) << "\n";
  } else if (options.placement.empty()) {
    print_machine(topology, !options.from.empty());
  } else {
    print_placements(placements);
  }
}

}  // namespace

Command topology_command() {
  return {"topology", "Show packages, cores, caches, GPUs and location words of this machine",
          "Location words: core:0, core:0-3, core:0,2, core:all (also pu, numa, package),\n"
          "numa:0.core:0 (nested), each:core (an axis), near:gpu:0 (the cores near a GPU),\n"
          "spread:numa:2 (workers dealt to the NUMA nodes), none (not pinned),\n"
          "spread:4, compact:4, scatter:4 (workers far from and near to each other),\n"
          "pair:shared-l2, pair:same-package, pair:other-package, pair:shared-l3 (two cores),\n"
          "pair:same-core (two PUs of one), pair:near-numa, pair:far-numa, far:numa:0,\n"
          "near:nic:eth0, class:core, class:pair (axes: one place of each class).\n\n"
          "  bellmark topology\n"
          "  bellmark topology -c each:core\n"
          "  bellmark topology -c near:gpu:0\n"
          "  bellmark topology --from server.xml -c class:pair\n"
          "  bellmark topology --synthetic 'pack:2 core:4 pu:2' --placement core:0-3",
          [](CLI::App& app) -> Action {
            const auto options = std::make_shared<Options>();
            CLI::Option* const json = app.add_flag("--json", options->json, "print JSON");
            CLI::Option* const xml =
                app.add_flag("--xml", options->xml, "print hwloc's XML, readable by lstopo");
            CLI::Option* const synthetic =
                app.add_option("--synthetic", options->synthetic,
                               "show a made-up machine in hwloc's synthetic notation");
            CLI::Option* const from =
                app.add_option("--from", options->from,
                               "file of hwloc's XML that --xml or lstopo wrote on another machine");
            from->excludes(synthetic);
            CLI::Option* const placement =
                app.add_option("-c,--placement", options->placement,
                               "show where the workers of a location word would run");
            CLI::Option* const former =
                app.add_option("--locations", options->placement)->group("");
            json->excludes(xml);
            xml->excludes(placement);
            xml->excludes(former);
            placement->excludes(former);
            synthetic->type_name("DESC");
            placement->type_name("WORD");
            return [options, synthetic, placement, former](const Argv&) {
              options->is_synthetic = synthetic->count() > 0;
              if (placement->count() + former->count() > 0 && options->placement.empty()) {
                throw InputError("--placement", "the word is empty", "write e.g. core:0");
              }
              show(*options);
              return ExitCode::ok;
            };
          }};
}

}  // namespace bellmark::cli
