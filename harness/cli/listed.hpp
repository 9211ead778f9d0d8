// Problems, families and the command line as JSON, for programs and for the reference pages.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "algorithms/contract/description.hpp"

namespace CLI {
class App;
}

namespace bellmark::cli {

/// The keys in a reader's order: keys with only one value come last.
std::vector<Key> typical_first(std::vector<Key> keys);

/// `problems` and `families`, with each family's facts and keys.
nlohmann::ordered_json listed_families();

/// Every command that is not hidden, with its subcommands, options and examples.
nlohmann::ordered_json listed_commands(const CLI::App& app);

}  // namespace bellmark::cli
