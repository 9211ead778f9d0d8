// The rows of a claim: the compared cells, their values, and the ranges that they are held against.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "harness/plan/experiment.hpp"
#include "harness/verdict/measured.hpp"
#include "harness/verdict/outcome.hpp"
#include "harness/verdict/selection.hpp"

namespace bellmark::verdict {

struct Row {
  std::string text;
  Pair pair{nullptr, nullptr};      ///< both null: the result has no such cells
  std::vector<const Json*> others;  ///< beside the pair: of `over`, between a slope's ends
  std::string metric;
  bool has_own_metric = false;  ///< a statement's own metric
  Measured measured;
  Range range;
  plan::PaperValue paper;       ///< shown beside the value
  std::string bounds_reason;    ///< for bounds of the claim's own
  std::optional<double> place;  ///< argmin, crossing: the value on the claim's axis
  std::size_t group = 0;        ///< argmin, crossing: rows that differ in the axis alone
};

/// The cells that a row depends on.
std::vector<const Json*> cells_of(const Row& row);

/// The rows of a judged claim, in the order of the file. Missing cells make a row without cells,
/// with the reason in `measured.missing`.
std::vector<Row> rows_of(const plan::Claim& claim, const Json& result);

/// The number of rows of a claim over these cells (with `id` and `axes`), measured or not.
std::size_t row_count(const plan::Claim& claim, const Json& cells);

/// An effect of the paper's that has a size, and the range that its rows are held against.
struct StatedEffect {
  double value;
  Range range;
};

/// The effects of a claim's ratios of times. A range has its middle. Orders have no size.
std::vector<StatedEffect> stated_effects(const plan::Claim& claim);

/// True if any row's interval is over blocks, so that more blocks may decide it.
bool needs_blocks(const plan::Claim& claim);

/// The rows of a claim that is only shown.
std::vector<Row> shown_rows_of(const plan::Claim& claim, const Json& result);

}  // namespace bellmark::verdict
