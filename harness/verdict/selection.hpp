// The cells of a result that a claim is about.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/plan/experiment.hpp"

namespace bellmark::verdict {

using Json = nlohmann::ordered_json;

/// Two cells to compare, or one (no denominator) to hold against bounds.
struct Pair {
  const Json* numerator;
  const Json* denominator;
};

std::string id_of(const Json& cell);

/// A cell's values on all axes but one, as text.
std::string rest_of(const Json& cell, const std::string& axis);

/// The entries of `cells` that both selectors match.
std::vector<const Json*> select(const Json& cells, const plan::Selector& selector,
                                const plan::Selector& where);

/// True if two cells, by their axes, agree on every axis that neither selector names.
bool agree(const Json& a, const Json& b, const plan::Selector& one, const plan::Selector& other);

/// Numerators with the denominators that agree on every axis that neither selector names.
std::vector<Pair> pairs_of(const Json& cells, const plan::Selector& numerator,
                           const plan::Selector& denominator, const plan::Selector& where);

/// The cells that a statement compares: pairs, or cells alone if it has no denominator.
std::vector<Pair> compared(const Json& cells, const plan::Statement& statement,
                           const plan::Claim& claim);

/// The cells that are shown: cells alone, or pairs if there is a denominator.
std::vector<Pair> compared(const Json& cells, const plan::ShownCell& shown,
                           const plan::Claim& claim);

/// The pairs of each mean, by their values on every axis except `axis`.
std::vector<std::vector<Pair>> pairs_over(const std::vector<Pair>& pairs, const std::string& axis);

/// The pair of `statement`'s other ratio that belongs to `pair`: equal on every axis that none of
/// the four selectors names. Cells are null when there is none.
Pair other_ratio(const Json& cells, const plan::Statement& statement, const plan::Claim& claim,
                 const Pair& pair);

/// Cells that differ in one axis only, in the axis's order, one list for each setting of the rest.
std::vector<std::vector<const Json*>> along(const Json& cells, const plan::Claim& claim);

/// The cell of `group` that has the paper's value on the claim's axis, or null.
const Json* paper_cell(const std::vector<const Json*>& group, const plan::Claim& claim);

}  // namespace bellmark::verdict
