// Checks the figures of an experiment's file: analysis/ must be able to draw them.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "algorithms/contract/registry.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "harness/plan/axes.hpp"
#include "harness/plan/file_check.hpp"
#include "harness/plan/words.hpp"

namespace bellmark::plan {
namespace {

/// The keys of the file's variants: a figure may show them like axes.
std::vector<std::string> variant_keys(const Experiment& experiment) {
  std::vector<std::string> keys;
  for (const Json& axes : cross(experiment.axes)) {
    for (const std::string& pattern : experiment.variants) {
      try {
        const std::string filled = fill_variant(pattern, axes, experiment.axes);
        for (const Selection& selection : Registry::global().select(filled)) {
          for (const auto& [name, value] : selection.settings.entries()) add_once(keys, name);
        }
      } catch (const InputError&) {  // the command line may give what it lacks
      }
    }
  }
  return keys;
}

bool is_numeric(const AxisValue& value) {
  if (value.is_number()) return true;
  double number = 0;
  const std::string text = axis_text(value);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() && std::isfinite(number);
}

/// One figure, at `path` in the file.
class FigureCheck {
 public:
  FigureCheck(const Experiment& experiment, const StatedPoints& points, std::string path,
              const Json& figure)
      : experiment_(experiment), points_(points), path_(std::move(path)), figure_(figure) {}

  void check() {
    for (const char* key : {"metric", "title", "caption", "second_column"}) text(key);
    const std::string kind = word("kind", {"bars", "curve", "heatmap", "phases", "cumulative"});
    if (kind.empty()) throw missing("kind", "bars");
    if (text("column").empty() && (kind == "phases" || kind == "cumulative")) {
      throw missing("column", "updated_count");
    }
    word("x_scale", {"linear", "log2"});
    word("y_scale", {"linear", "log"});
    axis("series");
    const std::string x = axis("x");
    if (kind == "curve") {
      if (x.empty()) throw missing("x", "threads");
      check_numeric(x);
    }
    selector("where");
    selector("relative_to");
    if (figure_.contains("paper")) check_paper(kind);
  }

 private:
  std::string place(const std::string& below, const std::string& value = {}) const {
    return place_of(experiment_, path_ + "." + below, value);
  }

  InputError fault(const std::string& below, const std::string& what,
                   const std::string& remedy) const {
    return {place(below), "'figure." + below + "' " + what, remedy};
  }

  InputError missing(const std::string& key, const std::string& example) const {
    return {place_of(experiment_, path_), "key 'figure." + key + "' is missing",
            "add e.g. " + key + " = \"" + example + "\""};
  }

  /// The key's value; "" where it is missing.
  std::string text(const std::string& key) const {
    if (!figure_.contains(key)) return {};
    if (!figure_[key].is_string()) throw fault(key, "must be a string", "quote its value");
    return figure_[key].get<std::string>();
  }

  std::string word(const std::string& key, const std::vector<std::string>& known) const {
    std::string value = text(key);
    if (!value.empty() && !has(known, value)) {
      throw fault(key, "can't be '" + value + "'", suggestion(value, known));
    }
    return value;
  }

  bool is_axis(const std::string& name) {
    if (find_axis(points_.axes, name) != nullptr) return true;
    if (!has_variant_keys_) variant_keys_ = variant_keys(experiment_);
    has_variant_keys_ = true;
    return has(variant_keys_, name);
  }

  std::string axis(const std::string& key) {
    std::string name = text(key);
    if (!name.empty()) check_axis(key, name);
    return name;
  }

  void check_axis(const std::string& below, const std::string& name) {
    if (is_axis(name)) return;
    std::vector<std::string> known;
    for (const Axis& one : points_.axes) known.push_back(one.first);
    known.insert(known.end(), variant_keys_.begin(), variant_keys_.end());
    throw fault(below, "is '" + name + "', which is not an axis of this experiment",
                suggestion(name, known));
  }

  void check_numeric(const std::string& x) const {
    const Axis* const axis = find_axis(points_.axes, x);
    if (axis == nullptr) return;
    for (const AxisValue& value : axis->second) {
      if (is_numeric(value)) continue;
      throw fault("x", "is '" + x + "', whose value '" + axis_text(value) + "' is no number",
                  "a curve needs numbers: write kind = \"bars\"");
    }
  }

  void selector(const std::string& key) {
    if (!figure_.contains(key)) return;
    if (!figure_[key].is_object()) throw fault(key, "must be a table", "write { axis = value }");
    Selector wanted;
    for (const auto& [name, value] : figure_[key].items()) {
      check_axis(key + "." + name, name);
      // The variant knows the values of a key that is not an axis.
      if (find_axis(points_.axes, name) == nullptr) continue;
      wanted.wanted.emplace_back(name, value.is_array() ? value.get<std::vector<AxisValue>>()
                                                        : std::vector<AxisValue>{value});
    }
    check_selector(experiment_, points_, path_ + "." + key, wanted);
  }

  void check_paper(const std::string& kind) const {
    const Json& points = figure_["paper"];
    if (!points.is_array()) throw fault("paper", "must be a list", "write [{ label = ..., ... }]");
    for (std::size_t i = 0; i < points.size(); ++i) {
      check_point(points[i], "paper[" + std::to_string(i) + "]", kind);
    }
  }

  void check_point(const Json& point, const std::string& below, const std::string& kind) const {
    const auto refuse = [&](const std::string& what) {
      return fault(below, what, "write { label = \"...\", x = 2, value = 5.55 }");
    };
    const auto is_number = [](const Json& value) {
      return value.is_number() && std::isfinite(value.get<double>());
    };
    if (!point.is_object()) throw refuse("must be a table");
    if (!point.contains("label") || !point["label"].is_string()) throw refuse("needs a label");
    const bool has_x = point.contains("x");
    const bool has_where = point.contains("where") && point["where"].is_object();
    if (!has_x && (!has_where || kind == "cumulative")) throw refuse("needs an x, or a where");
    if (has_x && !has_where && kind != "cumulative" && !figure_.contains("x")) {
      throw refuse("has an x, but the figure has none");
    }
    const Json value = point.value("value", Json());
    if (value.is_array()) {
      if (!has_x || !point["x"].is_array() || point["x"].size() != value.size()) {
        throw refuse("needs as many values as x");
      }
      if (!std::ranges::all_of(value, is_number)) throw refuse("has a value that is not a number");
    } else if (!is_number(value)) {
      throw refuse("has a value that is not a number");
    }
    static const std::vector<std::string> kUnits = {"ns",    "us",  "ms",  "s",
                                                    "bytes", "KiB", "MiB", "GiB"};
    const Json unit = point.value("unit", Json("s"));
    if (!unit.is_string() || !has(kUnits, unit.get<std::string>())) {
      throw fault(below + ".unit", "is no unit", "known: " + join(kUnits, ", "));
    }
  }

  const Experiment& experiment_;
  const StatedPoints& points_;
  std::string path_;
  const Json& figure_;
  std::vector<std::string> variant_keys_;
  bool has_variant_keys_ = false;
};

}  // namespace

void check_figures(const Experiment& experiment, const StatedPoints& points) {
  const Json& figures = experiment.figure;
  if (figures.is_object()) FigureCheck(experiment, points, "figure", figures).check();
  if (!figures.is_array()) return;
  for (std::size_t i = 0; i < figures.size(); ++i) {
    FigureCheck(experiment, points, "figure[" + std::to_string(i) + "]", figures[i]).check();
  }
}

}  // namespace bellmark::plan
