#include "harness/cli/results.hpp"

#include <algorithm>
#include <iostream>

#include "base/error.hpp"
#include "base/text.hpp"
#include "harness/run/result/stored.hpp"

namespace bellmark::cli {

std::vector<std::string> named_results(const std::vector<std::string>& paths) {
  constexpr std::size_t kNamed = 3;
  const auto [files, skipped] = run::find_results(paths);
  if (!skipped.empty()) {
    std::vector<std::string> names(
        skipped.begin(),
        skipped.begin() + static_cast<std::ptrdiff_t>(std::min(kNamed, skipped.size())));
    if (skipped.size() > kNamed) {
      names.push_back(std::to_string(skipped.size() - kNamed) + " more");
    }
    std::cerr << escaped("skipped, because they are not results: " + join(names, ", ")) << "\n";
  }
  return files;
}

void with_results(const std::vector<std::string>& paths,
                  const std::function<void(std::vector<Json>&)>& use) {
  std::vector<Json> results;
  results.reserve(paths.size());
  for (const std::string& path : paths) results.push_back(run::read_result(path));
  try {
    use(results);
  } catch (const Json::exception& error) {
    throw InputError(join(paths, ", "), std::string("is damaged: ") + error.what(),
                     "run the experiment again");
  }
}

void for_each_result(const std::vector<std::string>& paths,
                     const std::function<void(const std::string& path, const Json&)>& use) {
  for (const std::string& path : paths) {
    with_results({path}, [&](const std::vector<Json>& results) { use(path, results.front()); });
  }
}

}  // namespace bellmark::cli
