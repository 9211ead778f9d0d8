#include "harness/machine/tunings.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "base/atomic_file.hpp"
#include "base/cache_folder.hpp"
#include "base/error.hpp"
#include "base/input.hpp"
#include "harness/machine/environment.hpp"
#include "harness/machine/topology.hpp"

namespace bellmark::machine {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* kSchema = "bellmark-tunings/1";
constexpr const char* kMend = "correct it, or remove the file";

constexpr std::array<std::pair<const char*, std::string Tuning::*>, 8> kTexts = {{
    {"machine", &Tuning::machine},
    {"variant", &Tuning::variant},
    {"better", &Tuning::better},
    {"graph", &Tuning::graph},
    {"graph_digest", &Tuning::graph_digest},
    {"placement", &Tuning::placement},
    {"date", &Tuning::date},
    {"software", &Tuning::software},
}};
constexpr std::array<std::pair<const char*, double Tuning::*>, 3> kNumbers = {{
    {"ratio", &Tuning::ratio},
    {"ratio_low", &Tuning::ratio_low},
    {"ratio_high", &Tuning::ratio_high},
}};

Tuning tuning_of(const Json& entry, const std::string& place) {
  if (!entry.is_object()) throw InputError(place, "is no object", kMend);
  Tuning tuning;
  for (const auto& [key, member] : kTexts) {
    const auto found = entry.find(key);
    if (found == entry.end() || !found->is_string()) {
      throw InputError(place + "/" + key, "is no text", kMend);
    }
    tuning.*member = found->get<std::string>();
  }
  for (const auto& [key, member] : kNumbers) {
    const auto found = entry.find(key);
    if (found == entry.end() || !found->is_number() || found->get<double>() <= 0) {
      throw InputError(place + "/" + key, "is no number above 0", kMend);
    }
    tuning.*member = found->get<double>();
  }
  return tuning;
}

Json json_of(const Tuning& tuning) {
  Json entry = Json::object();
  for (const auto& [key, member] : kTexts) entry[key] = tuning.*member;
  for (const auto& [key, member] : kNumbers) entry[key] = tuning.*member;
  return entry;
}

}  // namespace

std::string tuning_machine(const std::string& cpu_model, int pu_count) {
  return (cpu_model.empty() ? "unknown processor" : cpu_model) + ", " + std::to_string(pu_count) +
         " PUs";
}

std::string this_tuning_machine() {
  return tuning_machine(cpu_model(), Topology::this_machine().pu_count());
}

fs::path tunings_file() { return cache_folder() / "tunings.json"; }

std::vector<Tuning> read_tunings(const fs::path& file) {
  std::error_code error;
  if (!fs::exists(file, error)) return {};
  const Json json = Json::parse(read_whole(file), nullptr, false);
  if (json.is_discarded()) throw InputError(file.string(), "is no JSON", kMend);
  if (!json.is_object() || !json.contains("schema") || json.at("schema") != kSchema ||
      !json.contains("tunings") || !json.at("tunings").is_array()) {
    throw InputError(file.string(), std::string("is no file of tunings (") + kSchema + ")", kMend);
  }
  std::vector<Tuning> tunings;
  for (const Json& entry : json.at("tunings")) {
    tunings.push_back(
        tuning_of(entry, file.string() + ": /tunings/" + std::to_string(tunings.size())));
  }
  return tunings;
}

std::vector<tuned::Winner> winners_of_this_machine() {
  std::vector<tuned::Winner> winners;
  const std::string here = this_tuning_machine();
  for (const Tuning& tuning : read_tunings(tunings_file())) {
    if (tuning.machine != here) continue;
    winners.push_back({tuning.variant, tuning.better, tuning.graph_digest});
  }
  return winners;
}

void write_tunings(const fs::path& file, const std::vector<Tuning>& tunings) {
  Json json = {{"schema", kSchema}, {"tunings", Json::array()}};
  for (const Tuning& tuning : tunings) json["tunings"].push_back(json_of(tuning));
  std::error_code error;
  fs::create_directories(file.parent_path(), error);
  AtomicFile out(file);
  out.write(json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n");
  out.commit();
}

void add_tuning(const fs::path& file, const Tuning& tuning) {
  std::vector<Tuning> tunings = read_tunings(file);
  std::erase_if(tunings, [&](const Tuning& other) {
    return other.machine == tuning.machine && other.variant == tuning.variant &&
           other.graph_digest == tuning.graph_digest && other.placement == tuning.placement;
  });
  tunings.push_back(tuning);
  write_tunings(file, tunings);
}

}  // namespace bellmark::machine
