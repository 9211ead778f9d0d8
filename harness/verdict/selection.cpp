#include "harness/verdict/selection.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace bellmark::verdict {
namespace {

using plan::axis_text;
using plan::Claim;
using plan::Selector;

bool names_axis(const Selector& selector, const std::string& axis) {
  return std::ranges::find(selector.wanted, axis, &plan::Axis::first) != selector.wanted.end();
}

}  // namespace

std::string id_of(const Json& cell) { return cell.at("id").get<std::string>(); }

std::string rest_of(const Json& cell, const std::string& axis) {
  std::string rest;
  for (const auto& [name, value] : cell.at("axes").items()) {
    if (name != axis) rest += name + "=" + axis_text(value) + ";";
  }
  return rest;
}

std::vector<const Json*> select(const Json& cells, const Selector& selector,
                                const Selector& where) {
  std::vector<const Json*> found;
  for (const Json& cell : cells) {
    if (selector.matches(cell.at("axes")) && where.matches(cell.at("axes"))) {
      found.push_back(&cell);
    }
  }
  return found;
}

bool agree(const Json& a, const Json& b, const Selector& one, const Selector& other) {
  for (const auto& [axis, value] : a.items()) {
    if (names_axis(one, axis) || names_axis(other, axis)) continue;
    if (!b.contains(axis) || axis_text(b[axis]) != axis_text(value)) return false;
  }
  return true;
}

std::vector<Pair> pairs_of(const Json& cells, const Selector& numerator,
                           const Selector& denominator, const Selector& where) {
  std::vector<Pair> pairs;
  for (const Json* a : select(cells, numerator, where)) {
    for (const Json* b : select(cells, denominator, where)) {
      if (a != b && agree(a->at("axes"), b->at("axes"), numerator, denominator)) {
        pairs.push_back({a, b});
      }
    }
  }
  return pairs;
}

namespace {

/// Cells alone if there is no denominator.
std::vector<Pair> pairs_or_cells(const Json& cells, const Selector& numerator,
                                 const Selector& denominator, const Selector& where) {
  if (!denominator.empty()) return pairs_of(cells, numerator, denominator, where);
  std::vector<Pair> single;
  for (const Json* cell : select(cells, numerator, where)) single.push_back({cell, nullptr});
  return single;
}

}  // namespace

std::vector<Pair> compared(const Json& cells, const plan::Statement& statement,
                           const Claim& claim) {
  return pairs_or_cells(cells, statement.numerator, statement.denominator, claim.where);
}

std::vector<Pair> compared(const Json& cells, const plan::ShownCell& shown, const Claim& claim) {
  return pairs_or_cells(cells, shown.where, shown.denominator, claim.where);
}

std::vector<std::vector<Pair>> pairs_over(const std::vector<Pair>& pairs, const std::string& axis) {
  std::map<std::string, std::vector<Pair>> groups;
  for (const Pair& pair : pairs) {
    groups[rest_of(*pair.numerator, axis) + "/" + rest_of(*pair.denominator, axis)].push_back(pair);
  }
  std::vector<std::vector<Pair>> result;
  result.reserve(groups.size());
  for (auto& [rest, group] : groups) result.push_back(std::move(group));
  return result;
}

Pair other_ratio(const Json& cells, const plan::Statement& statement, const Claim& claim,
                 const Pair& pair) {
  for (const Pair& other :
       pairs_of(cells, statement.over_numerator, statement.over_denominator, claim.where)) {
    bool same = true;
    for (const auto& [axis, value] : pair.numerator->at("axes").items()) {
      bool named = false;
      for (const Selector* selector : {&statement.numerator, &statement.denominator,
                                       &statement.over_numerator, &statement.over_denominator}) {
        named = named || names_axis(*selector, axis);
      }
      same = same && (named || axis_text(other.numerator->at("axes").at(axis)) == axis_text(value));
    }
    if (same) return other;
  }
  return {nullptr, nullptr};
}

std::vector<std::vector<const Json*>> along(const Json& cells, const Claim& claim) {
  std::map<std::string, std::vector<const Json*>> groups;
  for (const Json* cell : select(cells, {}, claim.where)) {
    if (!cell->at("axes").contains(claim.along)) continue;
    groups[rest_of(*cell, claim.along)].push_back(cell);
  }
  std::vector<std::vector<const Json*>> result;
  result.reserve(groups.size());
  for (auto& [rest, group] : groups) result.push_back(std::move(group));
  return result;
}

const Json* paper_cell(const std::vector<const Json*>& group, const Claim& claim) {
  for (const Json* cell : group) {
    const Json& value = cell->at("axes").at(claim.along);
    if (value.is_number() && value.get<double>() == *claim.paper.value) return cell;
  }
  return nullptr;
}

}  // namespace bellmark::verdict
