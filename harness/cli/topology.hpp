// `bellmark topology`: what this machine is made of, and which location words name its parts.
#pragma once

namespace CLI {
class App;
}

namespace bellmark::cli {

/// Adds the sub-command to `parent`; its callback sets `exit_code` and throws Error on bad input.
void add_topology(CLI::App& parent, int& exit_code);

}  // namespace bellmark::cli
