#include "harness/run/result/stored.hpp"

#include <fstream>
#include <string>

#include "base/error.hpp"

namespace bellmark::run {

Json read_result(const std::filesystem::path& path) {
  const std::filesystem::path file =
      std::filesystem::is_directory(path) ? path / "result.json" : path;
  std::ifstream stream(file);
  if (!stream) {
    throw InputError(file.string(), "cannot be read",
                     "name a result.json or the folder of a finished run");
  }
  Json result = Json::parse(stream, nullptr, false);
  const bool known = result.is_object() && result.contains("schema") &&
                     result["schema"].is_object() &&
                     result["schema"].value("name", Json()) == "bellmark-result";
  if (!known) {
    throw InputError(file.string(), "is no Bellmark result",
                     "name a result.json that `bellmark run` wrote");
  }
  const Json number = result["schema"].value("version", Json());
  const std::string version = number.is_string() ? number.get<std::string>() : number.dump();
  if (!version.starts_with("1.")) {
    throw InputError(file.string(), "has schema version '" + version + "', this build reads 1.x",
                     "use the Bellmark that wrote it");
  }
  for (const char* part : {"experiment", "provenance", "cells", "comparisons", "verdicts",
                           "not_measured", "warnings"}) {
    if (result.contains(part) && result[part].is_structured()) continue;
    throw InputError(file.string(), "is damaged: it has no '" + std::string(part) + "'",
                     "run the experiment again");
  }
  return result;
}

}  // namespace bellmark::run
