// Results as tidy rows: flat, one value a column, with every column's unit in its name.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>

namespace bellmark::report {

using Json = nlohmann::ordered_json;

/// What a row is of.
enum class Rows { cells, samples, comparisons, claims };

/// Hands the rows of a result to `use`, each an object of scalars. `file` is the row's `result`.
///
/// Columns without a dot are those of docs/guide/tidy-data.md; each row has all of them, in that
/// order. Columns with a dot are what a result has of axes, parameters, phases, counters and so on;
/// a row has those that it knows. Null is what was not measured.
void for_each_row(const Json& result, const std::string& file, Rows rows,
                  const std::function<void(const Json&)>& use);

}  // namespace bellmark::report
