#include "harness/run/result/stored.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/error.hpp"
#include "base/input.hpp"
#include "base/pattern.hpp"
#include "base/text.hpp"
#include "harness/run/protocol/json_text.hpp"
#include "harness/run/result/cross_check.hpp"
#include "harness/run/result/schema_check.hpp"
#include "harness/verdict/measured.hpp"

namespace bellmark::run {
namespace {

namespace fs = std::filesystem;

/// The name without `.gz`.
std::string plain_name(const fs::path& file) {
  return (file.extension() == ".gz" ? file.stem() : file.filename()).string();
}

/// Enough bytes of a file to tell whether it is a result.
constexpr std::size_t kBeginning = 512;

bool starts_as_result(std::string_view text) {
  constexpr const char* kBegin =
      R"(^[[:space:]]*\{[[:space:]]*"schema"[[:space:]]*:[[:space:]]*\{[^}]*"name"[[:space:]]*:)"
      R"([[:space:]]*"bellmark-result")";
  return !find_pattern(kBegin, std::string(text.substr(0, kBeginning))).empty();
}

/// True of a regular file whose name may be a result's.
bool is_json(const fs::path& file) {
  std::error_code error;
  return fs::is_regular_file(file, error) && plain_name(file).ends_with(".json");
}

/// A file that can't be read is not a result.
bool is_result(const fs::path& file) {
  try {
    return is_json(file) && begins_as_result(file);
  } catch (const InputError&) {
    return false;
  }
}

bool is_copy_of_plain_result(const fs::path& file) {
  return file.extension() == ".gz" && is_result(file.parent_path() / plain_name(file));
}

/// True of a file that a run keeps beside its result.
bool is_part_of_run(const fs::path& file) {
  const std::string name = plain_name(file);
  return name == "run.json" || name == "begun.json";
}

/// A folder that may not be read would look like an empty one.
void require_readable(const fs::path& folder) {
  if (::access(folder.c_str(), R_OK | X_OK) == 0) return;
  throw MachineError(folder.string(), std::string("can't be read: ") + std::strerror(errno),
                     "ask its owner, or name other folders");
}

FoundResults results_in(const fs::path& folder) {
  require_readable(folder);
  FoundResults found;
  std::error_code error;
  const auto options = fs::directory_options::skip_permission_denied;
  for (fs::recursive_directory_iterator at(folder, options, error), end; !error && at != end;
       at.increment(error)) {
    const fs::path& file = at->path();
    std::error_code unknown;
    if (!at->is_symlink(unknown) && at->is_directory(unknown)) require_readable(file);
    if (!is_json(file) || is_part_of_run(file) || is_copy_of_plain_result(file)) continue;
    (is_result(file) ? found.files : found.skipped).push_back(file.string());
  }
  std::ranges::sort(found.files);
  std::ranges::sort(found.skipped);
  return found;
}

/// Throws InputError unless `result` is of a schema that this build reads, and valid against it.
void require_result(const Json& result, const std::string& file) {
  const bool known = result.is_object() && result.contains("schema") &&
                     result["schema"].is_object() &&
                     result["schema"].value("name", Json()) == "bellmark-result";
  if (!known) {
    throw InputError(file, "is not a Bellmark result",
                     "name a result.json that `bellmark run` wrote");
  }
  const Json number = result["schema"].value("version", Json());
  const std::string version = number.is_string() ? number.get<std::string>() : number.dump();
  constexpr std::string_view kKnown = "1.0.0";
  if (version != kKnown) {
    throw InputError(
        file, "has schema version '" + version + "', this build reads " + std::string(kKnown),
        "use the Bellmark that wrote it");
  }
  if (const std::string fault = schema_fault(result); !fault.empty()) {
    throw InputError(file, "is damaged: " + fault, "run the experiment again");
  }
}

/// The work that these searches leave outside the time, for results that don't say it.
void add_untimed(Json& cells) {
  constexpr std::pair<std::string_view, std::string_view> kLeft[] = {
      {"bfs/direction-optimizing", "levels-and-ids"},
      {"bfs/persistent", "levels-and-ids"},
      {"bfs/hybrid", "levels"},
      {"bfs/hybrid-gpu", "levels"},
      {"bfs/hybrid-cpu-gpu", "levels"},
      {"distributed-bfs/persistent", "ids"},
  };
  for (Json& cell : cells) {
    if (cell.contains("untimed")) continue;
    const auto variant = cell.at("variant").get<std::string>();
    const auto left =
        std::ranges::find(kLeft, std::string_view(variant).substr(0, variant.find(':')),
                          [](const auto& entry) { return entry.first; });
    if (left != std::end(kLeft)) cell["untimed"] = left->second;
  }
}

/// The first folder at `path` or below, by name, of a run without a result; "" where there is none.
std::string begun_run_in(const fs::path& path) {
  std::string first;
  std::error_code error;
  for (fs::recursive_directory_iterator entry(path, error), end; !error && entry != end;
       entry.increment(error)) {
    if (entry->path().filename() != "run.json") continue;
    const fs::path folder = entry->path().parent_path();
    std::error_code unknown;
    if (fs::exists(folder / "result.json", unknown)) continue;  // it has ended, and is damaged
    if (first.empty() || folder.string() < first) first = folder.string();
  }
  return first;
}

}  // namespace

bool begins_as_result(const fs::path& file) {
  return starts_as_result(read_beginning(file, kBeginning));
}

FoundResults find_results(const std::vector<std::string>& paths) {
  FoundResults all;
  for (const std::string& path : paths) {
    std::error_code error;
    if (!fs::is_directory(path, error)) {
      all.files.push_back(path);
      continue;
    }
    const FoundResults found = results_in(path);
    if (found.files.empty()) {
      const std::string run = begun_run_in(path);
      throw InputError(
          path, "there is no result in it or in the folders below",
          run.empty() ? "name a result.json, a finished run or a folder of these"
                      : "the run in it has not ended: bellmark resume --end " + shell_word(run));
    }
    all.files.insert(all.files.end(), found.files.begin(), found.files.end());
    all.skipped.insert(all.skipped.end(), found.skipped.begin(), found.skipped.end());
  }
  return all;
}

Json read_result(const fs::path& path) {
  const std::vector<std::string> files = find_results({path.string()}).files;
  if (files.size() > 1) {
    throw InputError(path.string(), "holds " + std::to_string(files.size()) + " results",
                     "name one of them, as " + files.front());
  }
  const std::string& file = files.front();
  if (::access(file.c_str(), R_OK) != 0) {
    throw InputError(file, std::string("cannot be read: ") + std::strerror(errno),
                     "name a result.json or the folder of a finished run");
  }
  return result_of(read_whole(file), file);
}

Json result_of(const std::string& text, const std::string& file) {
  Json result = parse_json(text);
  if (result.is_discarded() && starts_as_result(text)) {
    throw InputError(file, "is damaged: it ends too early or is no valid JSON",
                     "copy it again, or run the experiment again");
  }
  require_result(result, file);
  try {
    if (const std::string fault = cross_fault(result); !fault.empty()) {
      throw InputError(file, "contradicts itself: " + fault, "run the experiment again");
    }
    add_untimed(result.at("cells"));
    forget_failed_cells(result);
    verdict::add_units(result.at("verdicts"));
  } catch (const Json::exception& error) {
    throw InputError(file, std::string("is damaged: ") + error.what(), "run the experiment again");
  }
  return result;
}

void forget_failed_cells(Json& result) {
  std::set<std::string> failed;
  for (const Json& entry : result.at("not_measured")) {
    failed.insert(entry.at("cell").get<std::string>());
  }
  if (failed.empty()) return;
  const Json nothing = {
      {"wall_ns", nullptr},     {"teps", nullptr},         {"phases", nullptr},
      {"phase_log", nullptr},   {"construction", nullptr}, {"counters", Json::array()},
      {"gpu_kernels", nullptr}, {"gpu_copies", nullptr},   {"gpu_kernels_reason", nullptr},
      {"gpu_split", nullptr},   {"work", Json::object()}};
  for (Json& cell : result.at("cells")) {
    if (!failed.contains(cell.at("id").get<std::string>())) continue;
    for (const auto& [key, value] : nothing.items()) {
      if (cell.contains(key)) cell[key] = value;
    }
  }
  std::erase_if(result.at("comparisons").get_ref<Json::array_t&>(), [&](const Json& pair) {
    return failed.contains(pair.at("a").get<std::string>()) ||
           failed.contains(pair.at("b").get<std::string>());
  });
}

}  // namespace bellmark::run
