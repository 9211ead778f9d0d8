#include "harness/cli/command_line.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "base/installation.hpp"
#include "base/terminal.hpp"
#include "base/text.hpp"
#include "graph/generate.hpp"
#include "harness/cli/complete.hpp"
#include "harness/cli/help.hpp"
#include "harness/cli/listed.hpp"
#include "harness/plan/metric.hpp"

namespace bellmark::cli {
namespace {

/// Results keep the command line, so it must be UTF-8. `graph` reads and writes files of any name.
void check_words(Argv& words) {
  words.front() = escaped(words.front());
  if (words.size() > 1 && words[1] == "graph") return;
  for (const std::string& word : words) {
    if (is_utf8(word)) continue;
    throw InputError("'" + word + "'", "is not UTF-8 text", "give the file another name");
  }
}

std::string description() {
  if (installation().is_lab) {
    return installation().name + ", a lab of Bellmark " BELLMARK_VERSION
                                 ": kernels measured, explained, and claims judged.";
  }
  return "Bellmark: graph kernels measured, explained, and papers' claims judged.";
}

std::string exit_codes() {
  std::string text = "Exit codes:\n";
  for (const auto& [code, meaning] : exit_code_meanings()) {
    const std::string number = std::to_string(static_cast<int>(code));
    const std::string head = "  " + number + std::string(5 - number.size(), ' ');
    text += wrapped(meaning, head, help_columns());
  }
  text.pop_back();
  return text;
}

/// Commands for programs, which no help lists.
bool asks(const Argv& words, const char* command) {
  return words.size() > 1 && words[1] == command;
}

/// `complete -- WORDS`.
std::vector<std::string> words_after_dashes(const Argv& words) {
  const auto dashes = std::ranges::find(words, std::string("--"));
  if (dashes == words.end()) {
    throw InputError("complete", "asks for nothing", "write: bellmark complete -- WORDS");
  }
  return {dashes + 1, words.end()};
}

/// The source of the pages of docs/reference (tools/reference).
nlohmann::ordered_json reference(const CLI::App& app) {
  nlohmann::ordered_json all = listed_families();
  all["commands"] = listed_commands(app);
  all["exit_codes"] = nlohmann::ordered_json::array();
  for (const auto& [code, meaning] : exit_code_meanings()) {
    all["exit_codes"].push_back({{"code", static_cast<int>(code)}, {"meaning", meaning}});
  }
  all["metrics"] = nlohmann::ordered_json::array();
  for (const plan::MetricMeaning& metric : plan::metric_meanings()) {
    all["metrics"].push_back({{"name", metric.name}, {"meaning", metric.meaning}});
  }
  all["formulas"] = nlohmann::ordered_json::array();
  for (const Generator& generator : generators()) {
    nlohmann::ordered_json keys = nlohmann::ordered_json::array();
    for (const FormulaKey& key : generator.keys) {
      keys.push_back({{"name", key.name}, {"default", key.fallback}, {"meaning", key.text}});
    }
    all["formulas"].push_back(
        {{"name", generator.name}, {"meaning", generator.text}, {"keys", keys}});
  }
  return all;
}

}  // namespace

ExitCode run_words(const std::vector<Command>& commands, Argv words, std::ostream& out) {
  check_words(words);
  ExitCode code = ExitCode::ok;
  CLI::App app(description(), installation().name);
  app.set_version_flag("--version", BELLMARK_VERSION, "print the version and exit");
  app.set_help_flag("-h,--help", "print this help and exit");
  app.require_subcommand(1);
  const std::string experiment = installation().is_lab ? "EXPERIMENT.toml" : "yasui2011";
  app.formatter(std::make_shared<HelpFormatter>(
      std::vector<std::string>{in_own_name("  bellmark list"),
                               in_own_name("  bellmark run " + experiment + " --quick")},
      exit_codes()));
  app.footer(in_own_name("Options and examples of a command: bellmark COMMAND --help"));
  for (const Command& command : commands) add_command(app, command, words, code);
  if (asks(words, "complete")) {
    for (const Candidate& candidate : complete(app, words_after_dashes(words))) {
      out << candidate.word << (candidate.text.empty() ? "" : "\t" + candidate.text) << "\n";
    }
    return code;
  }
  if (asks(words, "reference")) {
    out << reference(app).dump(2) << "\n";
    return code;
  }
  if (const std::string unknown = unknown_command(app, words); !unknown.empty()) {
    throw InputError("", unknown);
  }
  if (words.size() < 2) {
    throw InputError(
        "", "no command named; try: " + in_own_name("bellmark run " + experiment + " --quick") +
                " (see: " + installation().name + " --help)");
  }
  try {
    // CLI11 takes them from the end, without the program's name.
    app.parse(std::vector<std::string>(words.rbegin(), words.rend() - 1));
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) {
      app.exit(error, out, out);
      return ExitCode::ok;
    }
    const std::string unknown = unknown_option(app);
    throw InputError("", (unknown.empty() ? std::string(error.what()) : unknown) +
                             " (see: " + parsed_command(app) + " --help)");
  }
  return code;
}

}  // namespace bellmark::cli
