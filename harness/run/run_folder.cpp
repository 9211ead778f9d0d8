#include "harness/run/run_folder.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <ctime>
#include <fstream>
#include <sstream>

#include "base/digest.hpp"
#include "base/error.hpp"
#include "graph/atomic_file.hpp"

namespace bellmark::run {
namespace {

namespace fs = std::filesystem;

Json adhoc_json(const plan::Experiment& experiment) {
  return experiment.text.empty() ? Json(experiment.variants) : Json();
}

}  // namespace

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

void write_file(const fs::path& file, const std::string& text) {
  AtomicFile out(file);
  out.write(text);
  out.commit();
}

RunFolder RunFolder::create(const fs::path& root, const plan::Experiment& experiment,
                            const plan::Options& options, const std::vector<std::string>& argv) {
  RunFolder run{{}, experiment, options, argv, utc_now()};
  std::string stamp = run.started_utc;
  std::erase(stamp, ':');
  std::erase(stamp, '-');
  const Json json = {
      {"experiment_text", experiment.text}, {"adhoc_variants", adhoc_json(experiment)},
      {"citation", experiment.citation},    {"paper_machine", experiment.paper_machine},
      {"options", options.to_json()},       {"argv", argv},
      {"started_utc", run.started_utc}};
  const std::string text = json.dump(2) + "\n";
  // Two runs of the same command in one second differ in their process or in the clock.
  const std::string unique =
      Digest()
          .add(text)
          .add(std::to_string(getpid()) + " " +
               std::to_string(std::chrono::steady_clock::now().time_since_epoch().count()))
          .hex();
  run.path = root / experiment.id / (stamp + "-" + unique.substr(0, 8));
  std::error_code error;
  fs::create_directories(run.path, error);
  if (error) {
    throw MachineError(run.path.string(), "cannot be made: " + error.message(),
                       "choose another place with --runs");
  }
  write_file(run.path / "run.json", text);
  return run;
}

RunFolder RunFolder::open(const fs::path& path) {
  const fs::path file = path / "run.json";
  std::ifstream stream(file);
  const Json json = Json::parse(stream, nullptr, false);
  if (!stream || json.is_discarded()) {
    throw InputError(path.string(), "is no run folder (no readable run.json)",
                     "name a folder that `bellmark run` made");
  }
  try {
    RunFolder run;
    run.path = path;
    const auto text = json.at("experiment_text").get<std::string>();
    run.experiment =
        text.empty()
            ? plan::adhoc_experiment(json.at("adhoc_variants").get<std::vector<std::string>>())
            : plan::parse_experiment(text, file.string() + " (experiment_text)");
    run.experiment.citation = json.at("citation").get<std::string>();
    run.experiment.paper_machine = json.at("paper_machine").get<std::string>();
    run.options = plan::Options::from_json(json.at("options"));
    run.argv = json.at("argv").get<std::vector<std::string>>();
    run.started_utc = json.at("started_utc").get<std::string>();
    return run;
  } catch (const Json::exception& error) {
    throw InputError(file.string(), std::string("damaged: ") + error.what(), "start a new run");
  }
}

RunFolder RunFolder::newest_unfinished(const fs::path& root) {
  std::vector<fs::path> found;
  std::error_code ignored;
  for (const auto& entry : fs::recursive_directory_iterator(root, ignored)) {
    if (entry.path().filename() == "run.json" &&
        !fs::exists(entry.path().parent_path() / "result.json")) {
      found.push_back(entry.path().parent_path());
    }
  }
  if (found.empty()) {
    throw InputError(root.string(), "holds no unfinished run", "name a run folder");
  }
  // Folder names begin with the time.
  return open(*std::ranges::max_element(found, {}, [](const fs::path& p) { return p.filename(); }));
}

}  // namespace bellmark::run
