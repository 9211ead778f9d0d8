// What a shell may offer at the end of an unfinished command line.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace bellmark::cli {

struct Candidate {
  std::string word;
  std::string text;  ///< what it means; may be empty
};

/// Words that may stand in place of the last of `words`, which may be empty or a beginning; the
/// program's name is not among them. Commands, options, variants with their keys and values,
/// graphs, experiments and words of options. None where a file is expected.
std::vector<Candidate> complete(const CLI::App& app, const std::vector<std::string>& words);

}  // namespace bellmark::cli
