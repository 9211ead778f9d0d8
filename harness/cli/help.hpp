// The layout of help, the same for every command.
#pragma once

#include <CLI/CLI.hpp>
#include <cstddef>
#include <string>
#include <vector>

namespace bellmark::cli {

/// The text below the options of a command, in its parts.
struct Footer {
  std::string notes;
  std::vector<std::string> examples;  ///< each with its further lines
};

/// Examples are the lines that begin with two blanks and `bellmark`. A line with more blanks
/// continues the example above it.
Footer parse_footer(const std::string& text);

/// The width of help: the terminal's, or that of a log.
std::size_t help_columns();

/// Description, usage, two examples, options, notes, the other examples, exit codes. A terminal
/// shows the end of a page, and a reader begins at its top.
class HelpFormatter final : public CLI::Formatter {
 public:
  HelpFormatter(std::vector<std::string> examples, std::string exit_codes);

  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override;
  /// Its names, and beside them what it does, in lines that fit the terminal.
  std::string make_option(const CLI::Option* option, bool is_positional) const override;
  std::string make_subcommand(const CLI::App* command) const override;
  std::string make_option_opts(const CLI::Option* option) const override;
  std::string make_option_desc(const CLI::Option* option) const override;
  std::string make_option_usage(const CLI::Option* option) const override;

  const std::vector<std::string>& examples() const { return examples_; }

 private:
  std::vector<std::string> examples_;
  std::string exit_codes_;
};

/// Lets an option take only these words. Another word is answered with the nearest.
CLI::Validator one_of(std::vector<std::string> words);

/// The values of an option that takes a list of words; none for other options.
std::vector<std::string> choices_of(const CLI::Option& option);

}  // namespace bellmark::cli
