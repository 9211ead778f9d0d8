#include "harness/run/supervise/begun.hpp"

#include <algorithm>
#include <fstream>
#include <string_view>

#include "base/digest.hpp"
#include "base/error.hpp"
#include "base/input.hpp"
#include "base/text.hpp"
#include "harness/machine/environment.hpp"
#include "harness/run/protocol/json_text.hpp"

namespace bellmark::run {
namespace {

/// A digest that identifies a program. A revision would not change with every build.
std::string digest_of_program(const std::filesystem::path& program) {
  std::ifstream stream(program, std::ios::binary);
  std::vector<char> bytes(std::size_t{1} << 20);
  Digest digest;
  while (stream.read(bytes.data(), static_cast<std::streamsize>(bytes.size())) ||
         stream.gcount() > 0) {
    digest.add(std::string_view(bytes.data(), static_cast<std::size_t>(stream.gcount())));
  }
  return digest.hex();
}

/// Keeps the digest if there is none yet. Throws InputError if a different one was kept.
void require_same(const std::string& graph, const std::string& what, Json& kept, const Json& now) {
  if (kept.is_null()) kept = now;
  if (now.is_null() || kept == now) return;
  throw InputError(graph,
                   what + " that this run began with (digest " + kept.get<std::string>() +
                       ", now " + now.get<std::string>() + ")",
                   "start a new run");
}

Json to_json(const Probe& probe, const plan::Plan& plan) {
  Json workloads = Json::array();
  for (const WorkloadFacts& workload : probe.workloads) {
    workloads.push_back({{"graph", workload.graph},
                         {"facts", workload.facts},
                         {"query_count", workload.query_count},
                         {"query_digest", workload.query_digest},
                         {"first_queries", workload.first_queries}});
  }
  Json cells = Json::array();
  for (std::size_t i = 0; i < plan.cells.size(); ++i) {
    cells.push_back({{"id", plan.cells[i].id}, {"resolved", probe.resolved.at(i)}});
  }
  for (const NotMeasured& cell : probe.not_measured) {
    cells[cell.cell].update({{"code", cell.code}, {"reason", cell.reason}});
  }
  return {
      {"workloads", std::move(workloads)}, {"cells", std::move(cells)}, {"origin", probe.origin}};
}

/// Reads to_json()'s form, for a plan with the same cells. Throws Json::exception.
Probe probe_from_json(const Json& noted) {
  Probe probe;
  for (const Json& workload : noted.at("workloads")) {
    probe.workloads.push_back({workload.at("graph").get<std::string>(), workload.at("facts"),
                               workload.at("query_count").get<std::size_t>(),
                               workload.at("query_digest").get<std::string>(),
                               workload.at("first_queries").get<std::vector<std::string>>()});
  }
  for (const Json& cell : noted.at("cells")) {
    if (cell.contains("code")) {
      probe.not_measured.push_back({probe.resolved.size(), cell.at("code").get<std::string>(),
                                    cell.at("reason").get<std::string>()});
    }
    probe.resolved.push_back(cell.at("resolved").get<std::string>());
  }
  probe.origin = noted.at("origin");
  probe.origin.at("environment").at("load_average");
  probe.origin.at("build").at("libraries");
  probe.origin.at("topology").at("summary").at("caches");
  probe.origin.at("topology").at("hwloc_xml").get<std::string>();
  return probe;
}

/// null if nothing was noted.
Json begun_json(const std::filesystem::path& file) {
  return std::filesystem::exists(file) ? parse_json(read_whole(file)) : Json();
}

/// Adds a build, host or boot to those that had a part in a run, first to last.
void add_part(Json& parts, const std::string& part) {
  if (parts.is_null()) parts = Json::array();
  if (std::ranges::find(parts, Json(part)) == parts.end()) parts.push_back(part);
}

/// Warnings for readers of the run's times. Throws Json::exception.
std::vector<std::string> warnings_of_parts(const Json& begun) {
  const std::size_t build_count = begun.at("builds").size();
  const Json& hosts = begun.at("hosts");
  std::vector<std::string> warnings;
  if (build_count > 1) {
    warnings.push_back(std::to_string(build_count) + " builds of Bellmark had a part in this run");
  }
  if (hosts.size() > 1) {
    warnings.push_back("this run went over several hosts: " +
                       join(hosts.get<std::vector<std::string>>(), ", "));
  } else if (begun.at("boots").size() > 1) {
    warnings.push_back(hosts.at(0).get<std::string>() +
                       " was started again during this run, or another machine of that name had a "
                       "part in it");
  }
  return warnings;
}

}  // namespace

std::vector<std::string> note_beginning(const RunFolder& folder, const plan::Plan& plan,
                                        const Probe& probe) {
  const std::filesystem::path file = folder.begun_file();
  Json begun = begun_json(file);
  if (begun.is_null()) begun = Json::object();
  const Json before = begun;
  std::vector<std::string> warnings;
  try {
    for (const WorkloadFacts& workload : probe.workloads) {
      if (workload.query_digest.empty()) continue;  // could not be opened
      Json& kept = begun["workloads"][workload.graph];
      require_same(workload.graph, "is not the input", kept["digest"],
                   workload.facts.value("digest", Json()));
      require_same(workload.graph, "its queries are not those", kept["query_digest"],
                   workload.query_digest);
    }
    add_part(begun["builds"], digest_of_program("/proc/self/exe"));
    for (const plan::Build& build : plan.options.builds) {
      require_same(build.program, "is not the build", begun["programs"][build.name],
                   digest_of_program(build.program));
    }
    add_part(begun["hosts"], machine::host_name());
    add_part(begun["boots"], machine::boot_id());
    begun["probe"] = to_json(probe, plan);
    warnings = warnings_of_parts(begun);
  } catch (const Json::exception& error) {
    throw InputError(file.string(), std::string("damaged: ") + error.what(), "start a new run");
  }
  if (begun != before) write_file(file, json_text(begun, 2) + "\n");
  return warnings;
}

machine::Topology noted_topology(const RunFolder& folder) {
  machine::Topology here = machine::Topology::this_machine();
  const Json begun = begun_json(folder.begun_file());
  if (!begun.is_object() || !begun.contains("probe")) return here;
  try {
    const auto xml =
        begun.at("probe").at("origin").at("topology").at("hwloc_xml").get<std::string>();
    return xml == here.xml() ? std::move(here) : machine::Topology::from_xml(xml);
  } catch (const Json::exception& error) {
    throw InputError(folder.begun_file().string(), std::string("damaged: ") + error.what(),
                     "start a new run");
  }
}

Noted noted_beginning(const RunFolder& folder, const plan::Plan& plan) {
  const std::filesystem::path file = folder.begun_file();
  const Json begun = begun_json(file);
  if (begun.is_null() || (begun.is_object() && !begun.contains("probe"))) {
    throw InputError(folder.path.string(), "nothing of its inputs was noted, so none was measured",
                     "go on with it, or remove it");
  }
  try {
    const Json& noted = begun.at("probe");
    const auto same = [](const Json& cell, const plan::Cell& planned) {
      return cell.at("id").get<std::string>() == planned.id;
    };
    const Json& cells = noted.at("cells");
    if (!std::equal(cells.begin(), cells.end(), plan.cells.begin(), plan.cells.end(), same)) {
      throw InputError(folder.path.string(), "its cells are others on this machine",
                       "end it as it was set up where it ran");
    }
    return {probe_from_json(noted), warnings_of_parts(begun)};
  } catch (const Json::exception& error) {
    throw InputError(file.string(), std::string("damaged: ") + error.what(), "start a new run");
  }
}

}  // namespace bellmark::run
