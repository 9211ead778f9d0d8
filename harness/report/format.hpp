// Numbers as people read them, and cells looked up in a result.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "harness/measure/statistics.hpp"

namespace bellmark::report {

using Json = nlohmann::ordered_json;

/// `1.23 s`, `16.4 ms`, `850 ns`: three significant digits.
std::string duration_text(double ns);

/// `16.4 ms [16.2, 16.7]`; without an interval the value alone; `not measured` for null.
std::string wall_text(const Json& wall_ns);

/// What disturbed the cell's samples; "" where nothing did, and in older results, which don't tell.
std::string disturbed_by(const Json& cell);

/// `levels and ids`: what of its answer the cell makes outside the time; "" where nothing.
std::string untimed_text(const Json& cell);

/// ` (levels and ids untimed)` behind the cell's label, "" where that says so or where nothing is.
std::string untimed_suffix(const Json& cell);

/// wall_text() of the cell, with `, disturbed` behind it where it was.
std::string time_text(const Json& cell);

/// The entry of `not_measured` for the cell with this id, or null. A cell that has one counts as
/// not measured, whatever blocks it had before it failed.
const Json* failure_of(const Json& result, const Json& id);

/// True when the cell's times are to be shown.
bool is_measured(const Json& result, const Json& cell);

/// `crash after 3 blocks: rank 1 was killed by signal 9`: why a cell was not measured.
std::string not_measured_text(const Json& result, const Json& cell);

/// The id of the cell that this one is compared with, or null. Results from before every cell had
/// its own know one for all.
Json baseline_of(const Json& result, const Json& cell);

/// The comparison of `cell` against the result's baseline, or null; null too where one of the two
/// failed.
const Json* against_baseline(const Json& result, const Json& cell);

/// `1.32 [1.30, 1.34] SLOWER`, `baseline`, or `-`.
std::string ratio_text(const Json& result, const Json& cell);

/// The same of a ratio that isn't in a result; `1.32 (no interval)`. UNCLEAR where there is a
/// doubt. A difference counts from `least` on.
std::string ratio_text(const measure::Ratio& ratio, const std::string& doubt = {},
                       std::optional<double> least = std::nullopt);

/// Rows of equal length as aligned columns, two blanks apart; the first row is the head.
std::string aligned(const std::vector<std::vector<std::string>>& rows);

/// What binds each variant, and why: lines of a result's `diagnosis`; none where it has none.
std::vector<std::string> diagnosis_lines(const Json& result);

}  // namespace bellmark::report
