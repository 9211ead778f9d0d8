// Experiments as files: finds them by name, and reads them with paper.toml.
#include <algorithm>
#include <map>
#include <system_error>
#include <tuple>

#include "base/error.hpp"
#include "base/input.hpp"
#include "base/installation.hpp"
#include "base/text.hpp"
#include "harness/external/family.hpp"
#include "harness/plan/experiment.hpp"
#include "harness/plan/program_reader.hpp"
#include "harness/plan/toml_table.hpp"
#include "harness/plan/words.hpp"

namespace bellmark::plan {
namespace {

namespace fs = std::filesystem;

/// A path that exists but can't be read counts as well: opening it gives the reason.
bool is_there(const fs::path& path) {
  std::error_code error;
  return fs::exists(path, error) || (error && error != std::errc::filename_too_long);
}

constexpr const char* kPaperFile = "paper.toml";

void read_paper(const fs::path& file, Experiment& experiment) {
  if (!is_there(file)) return;
  const toml::table root = parse_toml(read_whole(file), file.string());
  experiment.citation = root["citation"].value_or(std::string());
  experiment.paper_machine = root["machine"].value_or(std::string());
}

/// Adds the paper's claims, each without the list of its experiments in parentheses at the end. A
/// known sentence stays.
void add_sentences(const fs::path& file, std::map<std::string, std::string>& sentences) {
  const toml::table root = parse_toml(read_whole(file), file.string());
  const std::string key = root["key"].value_or(std::string());
  const toml::table* const claims = root["claims"].as_table();
  if (claims == nullptr) return;
  for (const auto& [claim, node] : *claims) {
    std::string_view text = node.value_or(std::string_view());
    if (text.ends_with(')')) text = trim(text.substr(0, text.rfind('(')));
    if (!text.empty()) sentences.emplace(key + "/" + std::string(claim.str()), escaped(text));
  }
}

std::vector<fs::path> experiment_folders() {
  std::vector<fs::path> folders;
  std::error_code ignored;
  const fs::path executable = fs::read_symlink("/proc/self/exe", ignored).parent_path();
  for (const fs::path& folder : {executable / "experiments", executable / "../experiments",
                                 fs::path(installation().share) / "experiments"}) {
    // Bellmark's own experiments are not part of a lab that was built on its source tree.
    if (installation().is_lab && folder.parent_path() == installation().share) continue;
    if (fs::is_directory(folder, ignored)) folders.push_back(folder);
  }
  return folders;
}

/// A file that an experiment names: beside it, or among the files that came with Bellmark.
fs::path program_file(const fs::path& experiment, const std::string& name) {
  if (fs::path beside = experiment.parent_path() / name; is_there(beside)) return beside;
  for (const fs::path& folder : experiment_folders()) {
    if (is_there(folder / name)) return folder / name;
  }
  throw InputError(experiment.string(),
                   "names programs of '" + name + "', and there is no such file",
                   "write its path from the experiment's folder on");
}

std::vector<fs::path> files_of(const fs::path& path) {
  std::error_code ignored;
  if (!fs::is_directory(path, ignored)) return {path};
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(path)) {
    const fs::path& file = entry.path();
    if (file.extension() != ".toml" || file.filename() == kPaperFile) continue;
    // Files of peers hold programs, and no experiment.
    if (file.parent_path().filename() != "peers") files.push_back(file);
  }
  // "table17" sorts after "table4": compare by length first within a folder.
  std::ranges::sort(files, {}, [](const fs::path& file) {
    const std::string stem = file.stem().string();
    return std::tuple(file.parent_path(), stem.size(), stem);
  });
  if (files.empty()) {
    throw InputError(path.string(), "holds no experiment (.toml)", "name a folder that does");
  }
  return files;
}

/// The names of the experiments that come with Bellmark.
struct Known {
  std::vector<std::string> folders;
  std::vector<std::string> names;                         ///< files and ids
  std::map<std::string, fs::path> files;                  ///< by id
  std::map<std::string, std::vector<std::string>> tests;  ///< by claim: ids of experiments

  void add(const fs::path& file, const fs::path& folder) {
    const Experiment experiment = read_experiment(file);
    const fs::path name = fs::relative(file, folder).replace_extension();
    add_once(names, name.string());
    if (name.has_parent_path()) add_once(folders, name.parent_path().string());
    add_once(names, experiment.id);
    files.emplace(experiment.id, file);
    for (const Claim& claim : experiment.claims) {
      add_once(tests[experiment.paper_key + "/" + claim.id], experiment.id);
    }
  }
};

}  // namespace

Experiment read_experiment(const fs::path& file) {
  Experiment experiment = parse_experiment(read_whole(file), file.string());
  read_paper(file.parent_path() / kPaperFile, experiment);
  for (const std::string& name : experiment.program_files) {
    for (external::Program& program : read_program_file(program_file(file, name))) {
      experiment.programs.push_back(std::move(program));
    }
  }
  for (external::Program& program : experiment.programs) external::find_executable(program);
  external::define(experiment.programs);
  return experiment;
}

std::map<std::string, std::string> paper_sentences() {
  std::map<std::string, std::string> sentences;
  std::error_code ignored;
  for (const fs::path& folder : experiment_folders()) {
    for (const auto& entry : fs::directory_iterator(folder, ignored)) {
      const fs::path file = entry.path() / kPaperFile;
      if (is_there(file)) add_sentences(file, sentences);
    }
  }
  return sentences;
}

std::vector<external::Program> installed_programs() {
  std::vector<external::Program> programs;
  const auto is_known = [&](const external::Program& program) {
    return std::ranges::find(programs, program.name, &external::Program::name) != programs.end();
  };
  std::error_code ignored;
  for (const fs::path& folder : experiment_folders()) {
    for (const auto& entry : fs::directory_iterator(folder / "peers", ignored)) {
      if (entry.path().extension() != ".toml") continue;
      for (external::Program& program : read_program_file(entry.path())) {
        if (is_known(program)) continue;
        external::find_executable(program);
        programs.push_back(std::move(program));
      }
    }
  }
  external::define(programs);
  return programs;
}

bool is_installed(const fs::path& file) {
  std::error_code error;
  const fs::path path = fs::canonical(file, error);
  if (error) return false;
  return std::ranges::any_of(experiment_folders(), [&](const fs::path& folder) {
    const fs::path inside = path.lexically_relative(fs::canonical(folder, error));
    return !inside.empty() && *inside.begin() != "..";
  });
}

std::vector<fs::path> find_experiments(const std::string& reference) {
  if (is_there(reference)) return files_of(reference);
  const std::string inside =
      reference.starts_with("experiments/") ? reference.substr(12) : reference;
  Known known;
  for (const fs::path& folder : experiment_folders()) {
    for (const fs::path& path : {folder / inside, folder / (inside + ".toml")}) {
      if (is_there(path)) return files_of(path);
    }
    for (const fs::path& file : files_of(folder)) known.add(file, folder);
  }
  if (const auto found = known.files.find(inside); found != known.files.end()) {
    return {found->second};
  }
  if (const auto found = known.tests.find(inside); found != known.tests.end()) {
    throw InputError("'" + reference + "'", "is a claim",
                     "run what tests it: " + join(found->second, ", "));
  }
  std::vector<std::string> names = known.folders;
  names.insert(names.end(), known.names.begin(), known.names.end());
  throw InputError("experiment '" + reference + "'", "not found",
                   suggestion(inside, names) + " (or name a .toml file or a folder of them)");
}

}  // namespace bellmark::plan
