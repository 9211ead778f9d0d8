// `bellmark graph`: look at graphs, convert, verify and make them.
#pragma once

namespace CLI {
class App;
}

namespace bellmark::cli {

/// Registers the sub-command. Its callbacks throw bellmark::Error, but for `verify`, which goes
/// through all its files and leaves the first failure's code in `exit_code`; both must outlive the
/// parsing.
void add_graph(CLI::App& parent, int& exit_code);

}  // namespace bellmark::cli
