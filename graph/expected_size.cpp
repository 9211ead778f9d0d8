#include "graph/expected_size.hpp"

#include <cmath>
#include <filesystem>

#include "base/error.hpp"
#include "graph/generate.hpp"
#include "graph/open.hpp"
#include "graph/reference.hpp"

namespace bellmark {
namespace {

namespace fs = std::filesystem;

// One core of an AMD EPYC (Zen 4).
constexpr double kMakeNs = 30;
constexpr double kTextNs = 60;   ///< with inflating
constexpr double kBinaryNs = 1;  ///< mapped

/// Bytes of a file for each vertex and arc, measured on road graphs.
constexpr double kTextBytes = 12;
constexpr double kPackedBytes = 3.7;
constexpr double kBinaryBytes = 8;
constexpr double kPaceShare = 0.4;  ///< a line without a length stands for two arcs

double size_of_formula(const GraphReference& formula) {
  const std::string& name = formula.source;
  if (name == "grid") {
    return formula.real("keep") * 5 * static_cast<double>(formula.count("rows")) *
           static_cast<double>(formula.count("columns"));
  }
  if (name == "random") return static_cast<double>(formula.count("n") + formula.count("m"));
  if (name == "road" || name == "road-main") return 4.2 * static_cast<double>(formula.count("n"));
  if (name == "hyperbolic" || name == "geometric") {
    return static_cast<double>(formula.count("n")) * (1 + formula.real("degree"));
  }
  if (name == "delaunay") return 7 * static_cast<double>(formula.count("n"));
  if (name == "nearest") {
    return static_cast<double>(formula.count("n")) * (1 + static_cast<double>(formula.count("k")));
  }
  if (name == "mesh") {
    return 7 * static_cast<double>(formula.count("x")) * static_cast<double>(formula.count("y")) *
           static_cast<double>(formula.count("z"));
  }
  if (name == "chain" || name == "star") return 3 * static_cast<double>(formula.count("n"));
  const double vertices = std::exp2(static_cast<double>(formula.count("scale")));
  if (name == "rmat") {
    return vertices * (1 + static_cast<double>(formula.count("edge-factor")));
  }
  if (name == "kronecker") {
    return vertices * (1 + 2 * static_cast<double>(formula.count("edge-factor")));
  }
  return 5 * vertices;  // the challenge's families
}

std::optional<ExpectedSize> size_of_file(const std::string& source) {
  const fs::path path = is_catalogue_id(source) ? catalogued_file(source, ".gr") : fs::path(source);
  std::error_code missing;
  const auto bytes = static_cast<double>(fs::file_size(path, missing));
  if (missing) return std::nullopt;
  if (path.extension() == ".bmg") return ExpectedSize{bytes / kBinaryBytes, kBinaryNs};
  const double each = path.extension() == ".gz" ? kPackedBytes : kTextBytes;
  const bool is_pace = path.filename().string().find(".pace.gr") != std::string::npos;
  return ExpectedSize{bytes / (is_pace ? kPaceShare * each : each), kTextNs};
}

}  // namespace

std::optional<ExpectedSize> expected_size(const std::string& reference) {
  try {
    const GraphReference parsed = parse_reference(reference);
    if (const auto tiled = parsed.keys.find("REF"); tiled != parsed.keys.end()) {
      const auto one = size_of_file(tiled->second);
      if (!one) return std::nullopt;
      return ExpectedSize{static_cast<double>(parsed.count("copies")) * one->count, kMakeNs};
    }
    if (parsed.generator != nullptr) return ExpectedSize{size_of_formula(parsed), kMakeNs};
    return size_of_file(parsed.source);
  } catch (const InputError&) {
    return std::nullopt;  // opening it reports the fault
  }
}

}  // namespace bellmark
