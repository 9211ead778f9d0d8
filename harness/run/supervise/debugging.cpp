#include "harness/run/supervise/debugging.hpp"

#include <algorithm>

#include "algorithms/contract/registry.hpp"
#include "algorithms/problems/graph_input/answer_text.hpp"
#include "base/installation.hpp"
#include "base/text.hpp"

namespace bellmark::run {

std::string debug_command(const plan::Cell& cell, const std::string& problem,
                          const std::string& query) {
  const std::string subject = "-v " + shell_word(cell.variant) +
                              (Registry::global().takes_graphs(problem) ? " -g " : " -i ") +
                              shell_word(cell.graph);
  const bool has_text = std::ranges::find(kTextProblems, problem) != kTextProblems.end();
  if (!has_text || !query.starts_with("source ")) {
    return "gdb -ex 'set follow-fork-mode child' --args " + installation().name + " run " +
           subject + " --smoke";
  }
  std::string asked;
  // Names and ids alternate.
  const std::vector<std::string> words = split(query, ' ');
  for (std::size_t i = 0; i + 1 < words.size(); i += 2) {
    asked += " --" + words[i] + " " + words[i + 1];
  }
  return "gdb --args bellmark answer " + subject + asked;
}

}  // namespace bellmark::run
