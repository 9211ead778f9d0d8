// Experiments as files: found by name, read with what paper.toml says.
#include <algorithm>
#include <system_error>
#include <tuple>

#include "base/error.hpp"
#include "base/input.hpp"
#include "base/text.hpp"
#include "harness/plan/experiment.hpp"
#include "harness/plan/toml_table.hpp"

namespace bellmark::plan {
namespace {

namespace fs = std::filesystem;

/// What is there but can't be looked at counts as well: opening it says why.
bool is_there(const fs::path& path) {
  std::error_code error;
  return fs::exists(path, error) || (error && error != std::errc::filename_too_long);
}

void read_paper(const fs::path& file, Experiment& experiment) {
  if (!is_there(file)) return;
  const toml::table root = parse_toml(read_whole(file), file.string());
  experiment.citation = root["citation"].value_or(std::string());
  experiment.paper_machine = root["machine"].value_or(std::string());
}

std::vector<fs::path> experiment_folders() {
  std::vector<fs::path> folders;
  std::error_code ignored;
  const fs::path executable = fs::read_symlink("/proc/self/exe", ignored).parent_path();
  for (const fs::path& folder : {executable / "experiments", executable / "../experiments",
                                 fs::path(BELLMARK_SOURCE_DIR) / "experiments"}) {
    if (fs::is_directory(folder, ignored)) folders.push_back(folder);
  }
  return folders;
}

std::vector<fs::path> files_of(const fs::path& path) {
  std::error_code ignored;
  if (!fs::is_directory(path, ignored)) return {path};
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(path)) {
    if (entry.path().extension() == ".toml" && entry.path().filename() != "paper.toml") {
      files.push_back(entry.path());
    }
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

}  // namespace

Experiment read_experiment(const fs::path& file) {
  Experiment experiment = parse_experiment(read_whole(file), file.string());
  read_paper(file.parent_path() / "paper.toml", experiment);
  return experiment;
}

std::vector<fs::path> find_experiments(const std::string& reference) {
  std::vector<std::string> known;
  if (is_there(reference)) return files_of(reference);
  const std::string inside =
      reference.starts_with("experiments/") ? reference.substr(12) : reference;
  for (const fs::path& folder : experiment_folders()) {
    for (const fs::path& path : {folder / inside, folder / (inside + ".toml")}) {
      if (is_there(path)) return files_of(path);
    }
    for (const fs::path& file : files_of(folder)) {
      known.push_back(fs::relative(file, folder).replace_extension().string());
    }
  }
  throw InputError("experiment '" + reference + "'", "not found",
                   suggestion(inside, known) + " (or name a .toml file or a folder of them)");
}

}  // namespace bellmark::plan
