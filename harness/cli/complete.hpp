// The words that a shell may offer at the end of an unfinished command line.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace bellmark::cli {

struct Candidate {
  std::string word;
  std::string text;  ///< its meaning; may be empty
};

/// Words that may replace the last of `words`, which may be empty or a beginning. `words` lacks the
/// program's name. They are commands, options, variants with their keys and values, graphs,
/// experiments and words of options. None if a file is expected.
std::vector<Candidate> complete(const CLI::App& app, const std::vector<std::string>& words);

}  // namespace bellmark::cli
