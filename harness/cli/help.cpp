#include "harness/cli/help.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <sstream>
#include <utility>

#include "base/terminal.hpp"
#include "base/text.hpp"

namespace bellmark::cli {
namespace {

constexpr std::size_t kFirstExamples = 2;

/// With a blank line before it; "" without examples.
std::string example_lines(const std::string& title, const std::vector<std::string>& examples,
                          std::size_t first, std::size_t end) {
  if (first >= end) return {};
  std::string text = "\n" + title + ":\n";
  for (std::size_t i = first; i < end; ++i) text += examples[i] + "\n";
  return text;
}

/// The noun for the value of a long option. An option means the same in all commands.
std::string noun_of(const std::string& option) {
  static const std::map<std::string, std::string> kNouns = {{"answer", "FILE"},
                                                            {"at-least", "PERCENT"},
                                                            {"axis", "KEY=VALUES"},
                                                            {"baseline", "KEY=VALUE"},
                                                            {"budget", "TIME"},
                                                            {"build", "FOLDER"},
                                                            {"chosen", "NUMBERS"},
                                                            {"cmake", "FLAG"},
                                                            {"command", "COMMAND"},
                                                            {"command-check", "CHECK"},
                                                            {"command-time", "UNIT:PATTERN"},
                                                            {"experiment", "EXPERIMENT"},
                                                            {"explain", "CLAIM"},
                                                            {"folder", "FOLDER"},
                                                            {"from", "URL"},
                                                            {"graph", "GRAPH"},
                                                            {"here", "RESULT"},
                                                            {"host", "NAME"},
                                                            {"input", "INPUT"},
                                                            {"keys", "KEYS"},
                                                            {"launcher", "COMMAND"},
                                                            {"listen", "ADDRESS"},
                                                            {"machine", "MACHINE"},
                                                            {"memory", "PLACE"},
                                                            {"output", "PATH"},
                                                            {"page", "FOLDER"},
                                                            {"placement", "PLACE"},
                                                            {"prepared", "FOLDER"},
                                                            {"program", "NAME=FOLDER"},
                                                            {"programs", "FILE"},
                                                            {"report", "FOLDER"},
                                                            {"revision", "REVISION"},
                                                            {"roads", "GRAPH"},
                                                            {"runs", "FOLDER"},
                                                            {"shard", "I/N"},
                                                            {"time", "GRAPH"},
                                                            {"variant", "VARIANT"},
                                                            {"within", "PERCENT"}};
  if (option.starts_with("export-")) return "FILE";
  const auto noun = kNouns.find(option);
  return noun == kNouns.end() ? "WORD" : noun->second;
}

/// `UINT:INT in [0 - 9]` is a number for a reader. A positional's name says enough.
std::string placeholder(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const std::string word = type.substr(0, type.find(':'));
  if (word == "UINT" || word == "INT" || word == "FLOAT") return " NUMBER";
  if (option.get_positional()) return {};
  return " " + noun_of(option.get_lnames().empty() ? "" : option.get_lnames().front());
}

std::string without_blank_ends(const std::string& text) {
  const std::size_t first = text.find_first_not_of('\n');
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of('\n') - first + 1);
}

/// The description in lines beside the name, or below a name of `indent` columns or more.
std::string described(const std::string& name, std::string description, std::size_t indent) {
  std::ranges::replace(description, '\n', ' ');
  std::string head = "  " + name;
  if (description.empty()) return head + "\n";
  std::string above;
  if (head.size() >= indent) above = std::exchange(head, "") + "\n";
  head.resize(indent, ' ');
  return above + wrapped(description, head, help_columns());
}

}  // namespace

std::size_t help_columns() { return terminal_columns(STDOUT_FILENO).value_or(kLogColumns); }

Footer parse_footer(const std::string& text) {
  Footer footer;
  bool in_example = false;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("  bellmark ")) {
      footer.examples.push_back(line);
      in_example = true;
    } else if (in_example && line.starts_with("      ")) {
      footer.examples.back() += "\n" + line;
    } else {
      in_example = false;
      footer.notes += line + "\n";
    }
  }
  footer.notes = without_blank_ends(footer.notes);
  return footer;
}

HelpFormatter::HelpFormatter(std::vector<std::string> examples, std::string exit_codes)
    : examples_(std::move(examples)), exit_codes_(std::move(exit_codes)) {
  label("Positionals", "Arguments");
  label("SUBCOMMAND", "COMMAND");
}

std::string HelpFormatter::make_help(const CLI::App* app, std::string name,
                                     CLI::AppFormatMode mode) const {
  if (mode == CLI::AppFormatMode::Sub) return make_expanded(app);
  const std::size_t first = std::min(kFirstExamples, examples_.size());
  std::string text = make_description(app) + "\n" + make_usage(app, std::move(name)) +
                     example_lines("Examples", examples_, 0, first) + make_subcommands(app, mode) +
                     make_positionals(app) + make_groups(app, mode);
  if (const std::string notes = make_footer(app); !notes.empty()) text += "\n" + notes;
  text += example_lines("More examples", examples_, first, examples_.size());
  return text + "\n" + exit_codes_ + "\n";
}

std::string HelpFormatter::make_option(const CLI::Option* option, bool is_positional) const {
  return described(make_option_name(option, is_positional) + make_option_opts(option),
                   make_option_desc(option), get_column_width());
}

std::string HelpFormatter::make_subcommand(const CLI::App* command) const {
  return described(command->get_name(), command->get_description(), get_column_width());
}

std::string HelpFormatter::make_option_opts(const CLI::Option* option) const {
  if (option->get_items_expected_max() == 0) return {};  // a flag
  return placeholder(*option) + (option->get_required() ? " (needed)" : "");
}

std::string HelpFormatter::make_option_desc(const CLI::Option* option) const {
  const std::string value = option->get_default_str();
  return option->get_description() + (value.empty() ? "" : " [" + value + "]");
}

std::string HelpFormatter::make_option_usage(const CLI::Option* option) const {
  const std::string name =
      make_option_name(option, true) + (option->get_items_expected_max() > 1 ? "..." : "");
  return option->get_required() ? name : "[" + name + "]";
}

CLI::Validator one_of(std::vector<std::string> words) {
  std::string described = "{" + join(words, ",") + "}";
  return CLI::Validator(
      [words = std::move(words)](const std::string& word) {
        const bool is_known = std::ranges::find(words, word) != words.end();
        return is_known ? std::string() : "'" + word + "' is not known; " + suggestion(word, words);
      },
      std::move(described));
}

std::vector<std::string> choices_of(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const std::size_t open = type.find('{');
  const std::size_t close = type.find('}');
  if (open == std::string::npos || close == std::string::npos) return {};
  return split(type.substr(open + 1, close - open - 1), ',');
}

}  // namespace bellmark::cli
