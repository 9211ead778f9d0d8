// Results as tidy rows: flat, one value a column, with every column's unit in its name.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>

namespace bellmark::report {

using Json = nlohmann::ordered_json;

/// The kind of a row.
enum class Rows { cells, samples, comparisons, claims };

/// Passes the rows of a result to `use`, each an object of scalars. `file` is the row's `result`.
///
/// docs/guide/tidy-data.md lists the columns without a dot. Each row has all of them, in that
/// order. Columns with a dot come from a result's axes, parameters, phases, counters and so on. A
/// row has only those that it knows. Null means not measured.
void for_each_row(const Json& result, const std::string& file, Rows rows,
                  const std::function<void(const Json&)>& use);

}  // namespace bellmark::report
