// How help is laid out, the same for every command.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace bellmark::cli {

/// The text below the options of a command, taken apart.
struct Footer {
  std::string notes;
  std::vector<std::string> examples;  ///< each with the lines that it goes on in
};

/// Examples are the lines that begin with two blanks and `bellmark`. A line with more blanks goes
/// on with the example above it.
Footer parse_footer(const std::string& text);

/// Description, usage, two examples, options, notes, the other examples, exit codes: a terminal
/// shows the end of a page, and a reader begins at its top.
class HelpFormatter final : public CLI::Formatter {
 public:
  HelpFormatter(std::vector<std::string> examples, std::string exit_codes);

  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override;
  std::string make_option_opts(const CLI::Option* option) const override;
  std::string make_option_desc(const CLI::Option* option) const override;
  std::string make_option_usage(const CLI::Option* option) const override;

  const std::vector<std::string>& examples() const { return examples_; }

 private:
  std::vector<std::string> examples_;
  std::string exit_codes_;
};

/// Lets an option take these words alone; another one is answered with the nearest.
CLI::Validator one_of(std::vector<std::string> words);

/// The values that an option takes where they are a list of words; none where they are not.
std::vector<std::string> choices_of(const CLI::Option& option);

}  // namespace bellmark::cli
