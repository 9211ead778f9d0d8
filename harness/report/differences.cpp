#include "harness/report/differences.hpp"

#include "base/text.hpp"

namespace bellmark::report {
namespace {

std::string shown(const Json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

std::string difference(const std::string& what, const Json& first, const Json& second,
                       const Sides& sides) {
  if (first.is_null() || second.is_null() || first == second) return {};
  return what + ": " + shown(first) + " " + sides.first + ", " + shown(second) + " " + sides.second;
}

/// `1 x NVIDIA H200`; null in results without GPU facts.
Json gpus_of(const Json& result) {
  const Json gpus = result.at("environment").value("gpus", Json());
  if (!gpus.is_array()) return nullptr;
  std::vector<std::string> names;
  for (const Json& gpu : gpus) names.push_back(shown(gpu.value("name", Json())));
  return names.empty() ? "none" : join(names, ", ");
}

/// `32 KiB data, 1024 KiB unified`: sizes and kinds, in the topology's order.
Json caches_of(const Json& result) {
  constexpr std::uint64_t kKibi = 1024;
  std::vector<std::string> caches;
  const Json summary = result.at("topology").at("summary");
  for (const Json& cache : summary.value("caches", Json::array())) {
    caches.push_back(shown(cache.value("count", Json())) + " x " +
                     std::to_string(cache.value("size_bytes", std::uint64_t{0}) / kKibi) + " KiB");
  }
  return join(caches, ", ");
}

/// Null where the cell has no workload, or its facts no digest.
Json digest_of(const Json& result, const Json& cell) {
  if (cell.at("workload").is_null()) return nullptr;
  const Json& workload = result.at("workloads").at(cell.at("workload").get<std::size_t>());
  return workload.at("facts").value("digest", Json());
}

}  // namespace

std::vector<std::string> machine_differences(const Json& first, const Json& second,
                                             const Sides& sides) {
  std::vector<std::string> differences;
  const auto add = [&](const std::string& what, const Json& one, const Json& other) {
    const std::string text = difference(what, one, other, sides);
    if (!text.empty()) differences.push_back(text);
  };
  const auto add_key = [&](const std::string& what, const Json& one, const Json& other,
                           const char* key) {
    add(what, one.value(key, Json()), other.value(key, Json()));
  };
  add_key("CPU", first.at("environment"), second.at("environment"), "cpu_model");
  const Json& summary = first.at("topology").at("summary");
  const Json& other_summary = second.at("topology").at("summary");
  add_key("cores", summary, other_summary, "core_count");
  add_key("PUs", summary, other_summary, "pu_count");
  add("caches", caches_of(first), caches_of(second));
  add("GPUs", gpus_of(first), gpus_of(second));
  const Json& build = first.at("provenance");
  const Json& other_build = second.at("provenance");
  add_key("compiler", build, other_build, "compiler");
  add_key("compiler's flags", build, other_build, "flags");
  add_key("CUDA compiler", build, other_build, "nvcc");
  return differences;
}

std::string graph_difference(const Json& first, const Json& first_cell, const Json& second,
                             const Json& second_cell, const Sides& sides) {
  return difference("graph " + first_cell.at("graph").get<std::string>() + ", by its digest",
                    digest_of(first, first_cell), digest_of(second, second_cell), sides);
}

}  // namespace bellmark::report
