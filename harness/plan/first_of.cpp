#include "harness/plan/first_of.hpp"

#include <filesystem>
#include <string_view>

#include "base/error.hpp"
#include "base/text.hpp"
#include "graph/generate.hpp"
#include "graph/open.hpp"

namespace bellmark::plan {
namespace {

constexpr std::string_view kPrefix = "first-of:";

bool is_here(const std::string& graph) {
  if (find_generator(graph) != nullptr) return true;
  const std::string source = graph.substr(0, graph.find(','));
  if (is_catalogue_id(source)) return !catalogued_file(source, ".gr").empty();
  std::error_code ignored;
  return std::filesystem::exists(source, ignored);
}

}  // namespace

std::string first_of(const std::string& graph, const std::string& where) {
  if (!graph.starts_with(kPrefix)) return graph;
  std::string chosen;
  for (const std::string& part : split(graph.substr(kPrefix.size()), '|')) {
    const std::string candidate(trim(part));
    if (candidate.empty()) {
      throw InputError(where, "'" + graph + "' has a graph without a name",
                       "write first-of: GRAPH | GRAPH");
    }
    if (chosen.empty() || !is_here(chosen)) chosen = candidate;
  }
  if (chosen.empty()) {
    throw InputError(where, "'" + graph + "' names no graph", "write first-of: GRAPH | GRAPH");
  }
  return chosen;
}

}  // namespace bellmark::plan
