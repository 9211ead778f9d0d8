#include "harness/verdict/experiment_check.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/formula.hpp"
#include "base/text.hpp"
#include "harness/plan/axes.hpp"
#include "harness/plan/file_check.hpp"
#include "harness/verdict/selection.hpp"

namespace bellmark::verdict {
namespace {

using plan::Claim;
using plan::ClaimKind;
using plan::Selector;

std::vector<const Json*> picked(const std::vector<Json>& points, const Selector& selector,
                                const Selector& where) {
  std::vector<const Json*> found;
  for (const Json& point : points) {
    if (selector.matches(point) && where.matches(point)) found.push_back(&point);
  }
  return found;
}

bool has_pair(const std::vector<Json>& points, const Selector& numerator,
              const Selector& denominator, const Selector& where) {
  const auto denominators = picked(points, denominator, where);
  return std::ranges::any_of(picked(points, numerator, where), [&](const Json* a) {
    return std::ranges::any_of(denominators, [&](const Json* b) {
      return a != b && agree(*a, *b, numerator, denominator);
    });
  });
}

/// One claim, at `path` in the file.
class ClaimCheck {
 public:
  ClaimCheck(const plan::Experiment& experiment, const plan::StatedPoints& points, std::string path,
             const Claim& claim)
      : experiment_(experiment), points_(points), path_(std::move(path)), claim_(claim) {}

  void check() const {
    check_keys();
    check_selector(experiment_, points_, path_ + ".where", claim_.where);
    if (claim_.kind == ClaimKind::ratio || claim_.kind == ClaimKind::crossing) {
      check_pair("", claim_.numerator, "numerator", claim_.denominator, "denominator");
    }
    for (std::size_t i = 0; i + 1 < claim_.order.size(); ++i) {
      check_pair("", claim_.order[i + 1], "order[" + std::to_string(i + 1) + "]", claim_.order[i],
                 "order[" + std::to_string(i) + "]");
    }
    for (std::size_t i = 0; i < claim_.statements.size(); ++i) {
      check_statement("statements[" + std::to_string(i) + "].", claim_.statements[i]);
    }
    for (std::size_t i = 0; i < claim_.cells.size(); ++i) {
      const std::string below = "cells[" + std::to_string(i) + "].";
      const plan::ShownCell& shown = claim_.cells[i];
      check_cell(below + "where", shown.where);
      if (shown.denominator.empty()) continue;
      check_pair(below, shown.where, "where", shown.denominator, "denominator");
    }
    if (claim_.kind == ClaimKind::argmin) check_argmin();
    if (claim_.kind == ClaimKind::slope || claim_.kind == ClaimKind::crossing) check_numbers();
  }

 private:
  std::string place(const std::string& key) const {
    return place_of(experiment_, path_ + "." + key);
  }

  /// A key that the kind does not use would be ignored.
  void check_keys() const {
    const ClaimKind kind = claim_.kind;
    const bool has_statements = kind == ClaimKind::trend || kind == ClaimKind::shape;
    const bool is_pair = kind == ClaimKind::ratio || kind == ClaimKind::crossing;
    const bool is_along =
        kind == ClaimKind::argmin || kind == ClaimKind::slope || kind == ClaimKind::crossing;
    const std::pair<const char*, bool> ignored[] = {
        {"order", kind != ClaimKind::order && !claim_.order.empty()},
        {"numerator", !is_pair && !claim_.numerator.empty()},
        {"denominator", !is_pair && !claim_.denominator.empty()},
        {"along", !is_along && !claim_.along.empty()},
        {"statements", !has_statements && !claim_.statements.empty()},
        {"cells", kind != ClaimKind::absolute && !claim_.cells.empty()}};
    for (const auto& [key, is_ignored] : ignored) {
      if (!is_ignored) continue;
      throw InputError(place(key),
                       "key 'claim." + std::string(key) + "' has no part in a claim of kind '" +
                           to_string(kind) + "'",
                       "leave it out, or change the kind");
    }
  }

  void check_cell(const std::string& key, const Selector& selector) const {
    check_selector(experiment_, points_, path_ + "." + key, selector);
    for (const auto* form : {&points_.full, &points_.quick}) {
      if (!picked(*form, selector, claim_.where).empty()) return;
    }
    throw InputError(place(key), "no cell has " + selector.text() + " where " + claim_.where.text(),
                     "name values that meet in a cell");
  }

  void check_pair(const std::string& below, const Selector& numerator, const std::string& first,
                  const Selector& denominator, const std::string& second) const {
    check_cell(below + first, numerator);
    check_cell(below + second, denominator);
    for (const auto* form : {&points_.full, &points_.quick}) {
      if (has_pair(*form, numerator, denominator, claim_.where)) return;
    }
    throw InputError(place(below + first),
                     "no cells to compare: " + numerator.text() + " against " + denominator.text(),
                     "two cells are compared that agree on every axis that neither names");
  }

  void check_statement(const std::string& below, const plan::Statement& statement) const {
    if (statement.denominator.empty()) {
      check_cell(below + "numerator", statement.numerator);
      return;
    }
    check_pair(below, statement.numerator, "numerator", statement.denominator, "denominator");
    if (!statement.mean_over.empty()) check_mean(below, statement);
    if (statement.over_numerator.empty()) return;
    check_pair(below + "over.", statement.over_numerator, "numerator", statement.over_denominator,
               "denominator");
  }

  /// A mean of another number of ratios than the paper's is never judged.
  void check_mean(const std::string& below, const plan::Statement& statement) const {
    std::set<std::string> values;
    for (const Json* point : picked(points_.full, statement.numerator, claim_.where)) {
      values.insert(plan::axis_text(point->at(statement.mean_over)));
    }
    if (values.size() == statement.mean_count) return;
    throw InputError(place(below + "mean.count"),
                     "the mean is of " + std::to_string(statement.mean_count) +
                         " ratios, and the cells have " + std::to_string(values.size()) +
                         " values of axis " + statement.mean_over,
                     "let them agree: the mean is over all values that the cells have");
  }

  void check_argmin() const {
    std::vector<std::string> known;
    for (const auto* form : {&points_.full, &points_.quick}) {
      for (const Json* point : picked(*form, {}, claim_.where)) {
        const Json& value = point->at(claim_.along);
        if (value.is_number() && value.get<double>() == *claim_.paper.value) return;
        known.push_back(plan::axis_text(value));
      }
    }
    std::ranges::sort(known);
    known.erase(std::unique(known.begin(), known.end()), known.end());
    const std::string value = shortest(*claim_.paper.value);
    throw InputError(place("paper.value"), "no cell has " + claim_.along + " = " + value,
                     suggestion(value, known));
  }

  /// A slope needs two numbers above 0 on its axis. A crossing needs numbers on both sides of the
  /// paper's.
  void check_numbers() const {
    const bool is_slope = claim_.kind == ClaimKind::slope;
    for (const Selector* selector : {&claim_.numerator, &claim_.denominator}) {
      if (std::ranges::find(selector->wanted, claim_.along, &plan::Axis::first) ==
          selector->wanted.end()) {
        continue;
      }
      throw InputError(place("along"),
                       "the cells of a crossing lie along " + claim_.along + ", and one names it",
                       "leave it out of numerator and denominator");
    }
    for (const auto* form : {&points_.full, &points_.quick}) {
      std::set<double> places;
      for (const Json* point : picked(*form, {}, claim_.where)) {
        const Json& value = point->at(claim_.along);
        if (value.is_number()) places.insert(value.get<double>());
      }
      if (is_slope && places.size() > 1 && *places.begin() > 0) return;
      const double papers = claim_.paper.value.value_or(0);
      if (!is_slope && !places.empty() && *places.begin() < papers && *places.rbegin() >= papers) {
        return;
      }
    }
    throw InputError(place("along"),
                     is_slope
                         ? "a slope needs two values above 0 on axis " + claim_.along
                         : "no values of axis " + claim_.along + " on both sides of the paper's",
                     "add values to the axis");
  }

  const plan::Experiment& experiment_;
  const plan::StatedPoints& points_;
  std::string path_;
  const Claim& claim_;
};

}  // namespace

void check_experiment(const plan::Experiment& experiment, const machine::Topology& topology) {
  if (experiment.text.empty()) return;
  const plan::StatedPoints points = stated_points(experiment, topology);
  check_axes(experiment, points, topology);
  check_figures(experiment, points);
  for (std::size_t i = 0; i < experiment.claims.size(); ++i) {
    const std::string path = "claim[" + std::to_string(i) + "]";
    ClaimCheck(experiment, points, path, experiment.claims[i]).check();
  }
}

}  // namespace bellmark::verdict
