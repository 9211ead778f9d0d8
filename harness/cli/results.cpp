#include "harness/cli/results.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "harness/run/result/stored.hpp"

namespace bellmark::cli {

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

}  // namespace bellmark::cli
