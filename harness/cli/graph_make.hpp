// The help on formulas of `bellmark graph make`: their keys, and the formula of a command with
// flags.
#pragma once

#include <string>
#include <vector>

namespace bellmark::cli {

/// All formulas with their keys and defaults, lengths and examples: the end of the help.
std::string formulas_help();

/// The formula of a name and flags: `grid` and `--rows 3` are `grid:rows=3`. Flags that the command
/// never had become keys too. `formula` may have keys already.
std::string formula_of_flags(const std::string& formula, const std::vector<std::string>& flags);

}  // namespace bellmark::cli
