#include "harness/run/supervise/run_folder.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <ctime>
#include <exception>
#include <fstream>
#include <functional>
#include <sstream>
#include <utility>

#include "base/atomic_file.hpp"
#include "base/digest.hpp"
#include "base/error.hpp"
#include "base/input.hpp"
#include "harness/external/family.hpp"
#include "harness/machine/environment.hpp"
#include "harness/run/protocol/json_text.hpp"

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

fs::path RunFolder::result_in(const fs::path& folder) {
  const fs::path compressed = folder / "result.json.gz";
  return fs::exists(compressed) ? compressed : folder / "result.json";
}

std::vector<fs::path> RunFolder::newest_first(const fs::path& root) {
  std::vector<fs::path> found;
  std::error_code ignored;
  for (const auto& entry : fs::recursive_directory_iterator(root, ignored)) {
    if (entry.path().filename() == "run.json") found.push_back(entry.path().parent_path());
  }
  // Folder names begin with the time.
  std::ranges::sort(found, std::greater(), [](const fs::path& p) { return p.filename(); });
  return found;
}

void write_file(const fs::path& file, const std::string& text) {
  AtomicFile out(file);
  out.write(file.extension() == ".gz" ? gzipped(text) : text);
  out.commit();
}

RunFolder RunFolder::create(const fs::path& root, const plan::Experiment& experiment,
                            const plan::Options& options, const std::vector<std::string>& argv) {
  RunFolder run{{}, experiment, options, argv, utc_now()};
  std::string stamp = run.started_utc;
  std::erase(stamp, ':');
  std::erase(stamp, '-');
  const Json json = {{"experiment_text", experiment.text},
                     {"adhoc_variants", adhoc_json(experiment)},
                     {"citation", experiment.citation},
                     {"paper_machine", experiment.paper_machine},
                     {"programs", experiment.programs},
                     {"options", options.to_json()},
                     {"argv", argv},
                     {"started_utc", run.started_utc}};
  const std::string text = json_text(json, 2) + "\n";
  // Two runs of one command in one second differ in their process or in the clock.
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
  // Locks before run.json is written: another process would go on with a run that has one.
  run.lock();
  write_file(run.path / "run.json", text);
  return run;
}

RunFolder RunFolder::open(const fs::path& path) {
  const fs::path file = path / "run.json";
  std::error_code ignored;
  const Json json = fs::is_regular_file(file, ignored) ? parse_json(read_whole(file)) : Json();
  if (!json.is_object()) {
    throw InputError(path.string(), "is no run folder (no readable run.json)",
                     "name a folder with a run.json, or say `bellmark resume --runs " +
                         path.string() + "` for the newest below this one");
  }
  try {
    RunFolder run;
    run.path = path;
    const auto text = json.at("experiment_text").get<std::string>();
    // Folders of older runs have no programs.
    const auto programs =
        json.value("programs", Json::array()).get<std::vector<external::Program>>();
    external::define(programs);  // the variants may name them
    run.experiment =
        text.empty()
            ? plan::adhoc_experiment(json.at("adhoc_variants").get<std::vector<std::string>>())
            // Its rules were checked when the run began. The rules of a stored result may be older.
            : plan::parse_experiment(text, file.string() + " (experiment_text)",
                                     plan::Rules::older);
    run.experiment.programs = programs;
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
  std::vector<fs::path> found = newest_first(root);
  std::erase_if(found, [](const fs::path& folder) { return fs::exists(result_in(folder)); });
  if (found.empty()) {
    throw InputError(root.string(), "holds no unfinished run", "name a run folder");
  }
  std::exception_ptr damaged;  // the newest such folder: it hides none that is whole
  for (const fs::path& path : found) {
    try {
      RunFolder run = open(path);
      if (run.try_lock()) return run;
    } catch (const InputError&) {
      if (!damaged) damaged = std::current_exception();
    }
  }
  if (damaged) std::rethrow_exception(damaged);
  throw InputError(root.string(), "holds no unfinished run, except those that other processes run",
                   "wait for them or stop them");
}

bool RunFolder::try_lock() {
  const int descriptor = ::open(lock_file().c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (descriptor < 0) {
    throw MachineError(lock_file().string(),
                       std::string("cannot be opened: ") + std::strerror(errno),
                       "check the folder's permissions and free space");
  }
  auto lock = std::make_shared<const Descriptor>(descriptor);
  if (flock(descriptor, LOCK_EX | LOCK_NB) != 0) return errno != EWOULDBLOCK;
  held = std::move(lock);
  remove_leftovers(path);
  // Only for the words of a refusal, so a full disk does not stop the run here.
  const std::string holder =
      "pid " + std::to_string(getpid()) + " on " + machine::host_name() + "\n";
  if (ftruncate(descriptor, 0) == 0) {
    [[maybe_unused]] const ssize_t ignored = write(descriptor, holder.data(), holder.size());
  }
  return true;
}

void RunFolder::lock() {
  if (try_lock()) return;
  std::string holder;
  std::getline(std::ifstream(lock_file()), holder);
  throw InputError(path.string(),
                   "is being run by another process" + (holder.empty() ? "" : " (" + holder + ")"),
                   "wait for it or stop it");
}

}  // namespace bellmark::run
