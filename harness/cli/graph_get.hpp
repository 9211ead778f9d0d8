// `bellmark graph get`: fetches road graphs of the 9th DIMACS Implementation Challenge.
#pragma once

namespace CLI {
class App;
}

namespace bellmark::cli {

/// Registers the sub-command. Its callback throws bellmark::Error.
void add_graph_get(CLI::App& graph);

}  // namespace bellmark::cli
