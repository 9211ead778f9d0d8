// Numbers as text, and cells looked up in a result.
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

/// The disturbance of the cell's samples; "" if there was none, and in older results, which don't
/// tell.
std::string disturbed_by(const Json& cell);

/// `levels and ids`: the part of its answer that the cell makes outside the time; "" if there is
/// none.
std::string untimed_text(const Json& cell);

/// ` (levels and ids untimed)` after the cell's label; "" if the label says so or if there is none.
std::string untimed_suffix(const Json& cell);

/// wall_text() of the cell, with `, disturbed` after it if it was.
std::string time_text(const Json& cell);

/// The entry of `not_measured` for the cell with this id, or null. A cell with an entry counts as
/// not measured, whatever blocks it had before it failed.
const Json* failure_of(const Json& result, const Json& id);

/// True if the cell's times may be shown.
bool is_measured(const Json& result, const Json& cell);

/// `crash after 3 blocks: rank 1 was killed by signal 9`: why a cell was not measured.
std::string not_measured_text(const Json& result, const Json& cell);

/// The id of the cell that this one is compared with, or null. Older results have one such cell for
/// all.
Json baseline_of(const Json& result, const Json& cell);

/// The comparison of `cell` with the result's baseline, or null. Null too if one of the two failed.
const Json* against_baseline(const Json& result, const Json& cell);

/// `1.32 [1.30, 1.34] SLOWER`, `baseline`, or `-`.
std::string ratio_text(const Json& result, const Json& cell);

/// The text of a ratio that isn't in a result; `1.32 (no interval)`. UNCLEAR if there is a doubt. A
/// difference counts from `least` on.
std::string ratio_text(const measure::Ratio& ratio, const std::string& doubt = {},
                       std::optional<double> least = std::nullopt);

/// Rows of equal length as aligned columns, two blanks apart. The first row is the head.
std::string aligned(const std::vector<std::vector<std::string>>& rows);

/// The bottleneck of each variant, with reasons: lines of a result's `diagnosis`; none without one.
std::vector<std::string> diagnosis_lines(const Json& result);

}  // namespace bellmark::report
