// The objective of `bellmark tune`: the quantity that settings should make small.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "harness/tune/search.hpp"

namespace bellmark::tune {

using Json = nlohmann::ordered_json;

enum class Objective {
  time,    ///< of a query
  energy,  ///< of a query: packages of CPUs and the GPU's board, whole
  memory   ///< resident: the peak less the baseline after the input was opened
};
std::string to_string(Objective objective);
/// Throws InputError that lists the names.
Objective objective_of(std::string_view name);

/// The blocks of `cell` against those of `baseline`, two cells of a result, or why there are none.
/// Times come from the result's comparisons instead.
Reading reading_of_blocks(const Json& cell, const Json& baseline, Objective objective);

}  // namespace bellmark::tune
