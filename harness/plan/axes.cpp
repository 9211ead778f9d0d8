#include "harness/plan/axes.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/error.hpp"
#include "base/text.hpp"
#include "harness/machine/location.hpp"

namespace bellmark::plan {
namespace {

/// True of a pair of cores. Claims speak of its class, and a machine may lack it, so cells keep the
/// word and resolve it themselves.
bool is_pair(const std::string& word) { return word.starts_with("pair:"); }

/// True of words for places that a machine may lack. The other places go on without them.
bool may_lack(const std::string& word) {
  return word.starts_with("class:") || word.starts_with("far:") || word.starts_with("near:nic:");
}

bool mentions(const std::string& pattern, const std::string& axis) {
  return pattern.find('{' + axis + '}') != std::string::npos;
}

/// True if a value of another axis mentions it, for instance a graph's.
bool is_mentioned(const std::string& axis, const std::vector<Axis>& axes) {
  return std::ranges::any_of(axes, [&](const Axis& other) {
    return std::ranges::any_of(
        other.second, [&](const AxisValue& value) { return mentions(axis_text(value), axis); });
  });
}

/// `depth` counts the axes on the way to this pattern.
std::string fill_at(const std::string& what, const std::string& pattern, const Json& axes,
                    std::size_t depth) {
  if (depth > axes.size()) {
    throw InputError(what + " '" + pattern + "'", "it mentions itself",
                     "let axes mention each other in one direction only");
  }
  std::string text;
  for (std::size_t at = 0; at < pattern.size();) {
    if (pattern[at] != '{') {
      text += pattern[at++];
      continue;
    }
    const std::size_t end = pattern.find('}', at);
    const std::string name = pattern.substr(at + 1, end - at - 1);
    if (end == std::string::npos || !axes.contains(name)) {
      throw InputError(what + " '" + pattern + "'", "'{" + name + "}' names no axis",
                       "add it under [axes] or with -a " + name + "=...");
    }
    text += fill_at(what, axis_text(axes[name]), axes, depth + 1);
    at = end + 1;
  }
  return text;
}

AxisValue parse_value(const std::string& text) {
  if (const auto number = parse_integer(text)) return *number;
  return text;
}

constexpr std::size_t kMostValues = 10'000;

/// Whole numbers from `first` to `last`. Each is the number before plus `step`, or times it. Throws
/// `refuse`.
template <class Refuse>
void add_range(std::vector<AxisValue>& values, std::int64_t first, std::int64_t last,
               std::int64_t step, bool times, Refuse refuse) {
  if (step < (times ? 2 : 1) || first > last || (times && first < 1)) {
    throw refuse("the range would never end or is empty");
  }
  for (std::int64_t value = first;; value = times ? value * step : value + step) {
    values.emplace_back(value);
    if (values.size() > kMostValues) throw refuse("more than 10000 values");
    // Checked before the next value is made, which may not fit.
    const auto left = static_cast<std::uint64_t>(last) - static_cast<std::uint64_t>(value);
    const bool over = times ? value > last / step : left < static_cast<std::uint64_t>(step);
    if (over) return;
  }
}

/// `2..8`, the printed form of ranges.
std::optional<std::pair<std::int64_t, std::int64_t>> parse_bounds(const std::string& text) {
  const std::size_t dots = text.find("..");
  if (dots == std::string::npos) return std::nullopt;
  const auto first = parse_integer(text.substr(0, dots));
  const auto last = parse_integer(text.substr(dots + 2));
  if (!first || !last) return std::nullopt;
  return std::pair(*first, *last);
}

}  // namespace

const Axis* find_axis(const std::vector<Axis>& axes, const std::string& name) {
  const auto found = std::ranges::find(axes, name, &Axis::first);
  return found == axes.end() ? nullptr : &*found;
}

bool is_input_axis(const std::string& name) {
  return std::ranges::find(kInputAxes, name) != kInputAxes.end();
}

const Axis* find_input_axis(const std::vector<Axis>& axes) {
  const auto found =
      std::ranges::find_if(axes, [](const Axis& axis) { return is_input_axis(axis.first); });
  return found == axes.end() ? nullptr : &*found;
}

void replace_axis(std::vector<Axis>& axes, const Axis& axis) {
  const auto found = std::ranges::find(axes, axis.first, &Axis::first);
  if (found != axes.end()) {
    found->second = axis.second;
  } else {
    axes.push_back(axis);
  }
}

Axis text_axis(std::string name, const std::vector<std::string>& values) {
  return {std::move(name), std::vector<AxisValue>(values.begin(), values.end())};
}

std::vector<std::string> texts_of(const std::vector<AxisValue>& values) {
  std::vector<std::string> texts;
  texts.reserve(values.size());
  for (const AxisValue& value : values) texts.push_back(axis_text(value));
  return texts;
}

std::vector<Axis> axes_of(const Options& options) {
  std::vector<Axis> axes;
  if (!options.graphs.empty()) axes.push_back(text_axis(options.input_axis, options.graphs));
  if (!options.placements.empty()) axes.push_back(text_axis("placement", options.placements));
  for (const Axis& axis : options.axes) replace_axis(axes, axis);
  return axes;
}

void expand_placements(std::vector<Axis>& axes, const machine::Topology& topology) {
  for (Axis& axis : axes) {
    if (axis.first != "placement") continue;
    std::vector<AxisValue> values;
    for (const AxisValue& value : axis.second) {
      if (is_pair(axis_text(value))) {
        values.push_back(value);
        continue;
      }
      try {
        for (const auto& placement : machine::expand(topology, axis_text(value))) {
          const auto is_same = [&](const AxisValue& other) { return other == placement.word; };
          if (std::ranges::none_of(values, is_same)) values.emplace_back(placement.word);
        }
      } catch (const UnmetError&) {
        if (!may_lack(axis_text(value))) throw;
        values.push_back(value);  // its cell says why
      }
    }
    axis.second = values;
  }
}

bool is_of_run(const std::string& axis) {
  return is_input_axis(axis) || axis == "placement" || axis == "processes" || axis == "ranks" ||
         axis == "frequency" || axis == "pages" || axis == "memory" || axis == "start" ||
         axis == kBuildAxis;
}

std::set<std::string> mentioned_in(std::vector<std::string> patterns,
                                   const std::vector<Axis>& axes) {
  std::set<std::string> names;
  while (!patterns.empty()) {
    const std::string pattern = std::move(patterns.back());
    patterns.pop_back();
    for (const auto& [name, values] : axes) {
      if (!mentions(pattern, name) || !names.insert(name).second) continue;
      for (const AxisValue& value : values) patterns.push_back(axis_text(value));
    }
  }
  return names;
}

std::set<std::string> mentioned_by_inputs(const std::vector<Axis>& axes) {
  const Axis* const graphs = find_input_axis(axes);
  return graphs == nullptr ? std::set<std::string>() : mentioned_in(texts_of(graphs->second), axes);
}

std::string fill(const std::string& what, const std::string& pattern, const Json& axes) {
  return fill_at(what, pattern, axes, 0);
}

std::string fill_variant(const std::string& pattern, const Json& axes,
                         const std::vector<Axis>& all) {
  std::string text = fill("variant", pattern, axes);
  char separator = text.find(':') == std::string::npos ? ':' : ',';
  for (const auto& [name, value] : axes.items()) {
    if (is_of_run(name)) continue;
    if (mentions(pattern, name) || is_mentioned(name, all)) continue;
    text += separator + name + "=" + axis_text(value);
    separator = ',';
  }
  return text;
}

std::vector<Json> cross(const std::vector<Axis>& axes) {
  constexpr std::size_t kMost = 100'000;
  std::size_t count = 1;
  for (const auto& [name, values] : axes) {
    count *= values.size();
    if (count <= kMost) continue;
    throw InputError("axis '" + name + "'",
                     "makes more than " + std::to_string(kMost) + " combinations of axis values",
                     "give the axes fewer values, or make several experiments of it");
  }
  std::vector<Json> points = {Json::object()};
  for (const auto& [name, values] : axes) {
    std::vector<Json> next;
    for (const Json& point : points) {
      for (const AxisValue& value : values) {
        next.push_back(point);
        next.back()[name] = value;
      }
    }
    points = std::move(next);
  }
  return points;
}

std::string repeated_value(const std::vector<AxisValue>& values) {
  std::set<std::string> seen;
  for (const AxisValue& value : values) {
    if (!seen.insert(axis_text(value)).second) return axis_text(value);
  }
  return {};
}

Axis parse_axis(const std::string& text) {
  const std::size_t equals = text.find('=');
  const std::string name(trim(std::string_view(text).substr(0, equals)));
  const auto refuse = [&](const std::string& why) {
    return InputError(
        "axis '" + text + "'", why,
        "write key=2,4,8 or key=2..8 or key=[first:last:step] or key=[first:last:x2]");
  };
  if (equals == std::string::npos || name.empty()) throw refuse("no key=values");
  const std::string values(trim(std::string_view(text).substr(equals + 1)));
  Axis axis{name, {}};
  if (values.starts_with('[')) {
    if (!values.ends_with(']')) throw refuse("'[' without ']'");
    const auto parts = split(values.substr(1, values.size() - 2), ':');
    if (parts.size() < 2 || parts.size() > 3) throw refuse("a range has two or three parts");
    const bool times = parts.size() == 3 && parts[2].starts_with('x');
    const auto first = parse_integer(parts[0]);
    const auto last = parse_integer(parts[1]);
    const auto step = parts.size() == 3 ? parse_integer(times ? parts[2].substr(1) : parts[2])
                                        : std::optional(1L);
    if (!first || !last || !step) throw refuse("a range is made of whole numbers");
    add_range(axis.second, *first, *last, *step, times, refuse);
    return axis;
  }
  for (const std::string& value : split(values, ',')) {
    if (const auto bounds = parse_bounds(value)) {
      add_range(axis.second, bounds->first, bounds->second, 1, false, refuse);
    } else {
      axis.second.push_back(parse_value(value));
    }
  }
  if (axis.second.empty()) throw refuse("no values");
  if (const std::string twice = repeated_value(axis.second); !twice.empty()) {
    throw refuse("'" + twice + "' stands twice");
  }
  return axis;
}

}  // namespace bellmark::plan
