#include "harness/plan/toml_table.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/text.hpp"
#include "harness/plan/experiment_keys.hpp"
#include "harness/plan/first_of.hpp"

namespace bellmark::plan {

namespace {

/// The position after the string that begins at `at`.
std::size_t behind_string(std::string_view text, std::size_t at) {
  const char quote = text[at];
  const std::string three(3, quote);
  const bool has_lines = text.substr(at, 3) == three;
  const std::string_view end = has_lines ? std::string_view(three) : text.substr(at, 1);
  for (at += end.size(); at < text.size(); ++at) {
    if (text.substr(at, end.size()) == end) return at + end.size();
    if (!has_lines && text[at] == '\n') return at;
    if (quote == '"' && text[at] == '\\') ++at;
  }
  return text.size();
}

/// A dotted key makes a table of each of its parts, one inside the other, and the library recurses
/// into them. It limits only the nesting of values.
void refuse_long_keys(std::string_view text, const std::string& name) {
  constexpr std::size_t kMostParts = 16;
  std::size_t line = 1;
  std::size_t dots = 0;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == '"' || c == '\'') {
      const std::size_t end = behind_string(text, at);
      line += static_cast<std::size_t>(std::count(text.begin() + at, text.begin() + end, '\n'));
      at = end;
      continue;
    }
    if (c == '#') {
      at = std::min(text.find('\n', at), text.size());
      continue;
    }
    if (c == '.') ++dots;
    if (std::string_view("=[]{},\n").find(c) != std::string_view::npos) dots = 0;
    if (dots >= kMostParts) {
      throw InputError(name + ":" + std::to_string(line),
                       "a key has more than " + std::to_string(kMostParts) + " parts",
                       "no key of an experiment has so many dots");
    }
    if (c == '\n') ++line;
    ++at;
  }
}

}  // namespace

std::string table_of_key(const std::string& key) {
  const std::pair<const char*, const Keys*> tables[] = {
      {"run", &kRunKeys}, {"quick", &kQuickKeys}, {"workload", &kWorkloadKeys}};
  for (const auto& [name, keys] : tables) {
    if (std::ranges::find(*keys, key) != keys->end()) return name;
  }
  return {};
}

bool states(const Experiment& experiment, const std::string& path) {
  return static_cast<bool>(parse_toml(experiment.text, experiment.name).at_path(path));
}

std::string place_of(const Experiment& experiment, const std::string& path,
                     const std::string& value) {
  if (experiment.text.empty()) return "experiment '" + experiment.id + "'";
  const toml::table root = parse_toml(experiment.text, experiment.name);
  const toml::node* node = nullptr;
  for (std::string at = path; node == nullptr && !at.empty();) {
    node = root.at_path(at).node();
    const std::size_t end = at.find_last_of(".[");
    at.resize(end == std::string::npos ? 0 : end);
  }
  if (node == nullptr) node = &root;
  if (const toml::array* list = node->as_array(); list != nullptr && !value.empty()) {
    for (const toml::node& element : *list) {
      if (axis_text(Table::to_json(element)) != value) continue;
      node = &element;
      break;
    }
  }
  return Table(root, experiment.name, "").where(*node);
}

toml::table parse_toml(const std::string& text, const std::string& name) {
  refuse_long_keys(text, name);
  try {
    return toml::parse(text, name);
  } catch (const toml::parse_error& error) {
    throw InputError(name + ":" + std::to_string(error.source().begin.line),
                     "not valid TOML: " + std::string(error.description()),
                     "correct the syntax there");
  }
}

void Table::only(const std::vector<std::string>& keys) const {
  for (const auto& [key, node] : table_) {
    const std::string name(key.str());
    if (std::ranges::find(keys, name) != keys.end()) continue;
    const std::string home = nearest(name, keys).empty() ? table_of_key(name) : "";
    throw InputError(file_ + ":" + std::to_string(key.source().begin.line),
                     "unknown key '" + path_ + name + "'",
                     home.empty() ? suggestion(name, keys) : "it belongs under [" + home + "]");
  }
}

std::optional<std::uint64_t> Table::count(std::string_view key, std::uint64_t most) const {
  const auto value = optional<std::int64_t>(key);
  if (!value) return std::nullopt;
  if (*value < 1 || static_cast<std::uint64_t>(*value) > most) {
    throw InputError(where_key(key),
                     "key '" + path_ + std::string(key) + "' must be " +
                         (*value < 1 ? "1 or more" : "at most " + std::to_string(most)),
                     *value < 1 ? "raise it" : "lower it");
  }
  return static_cast<std::uint64_t>(*value);
}

std::optional<double> Table::seconds(std::string_view key) const {
  const auto value = optional<double>(key);
  if (!value || (*value > 0 && *value <= kLongestSeconds)) return value;
  throw InputError(
      where_key(key),
      "key '" + path_ + std::string(key) + "' must be " + (*value > 0 ? "at most 10^9" : "above 0"),
      *value > 0 ? "lower it" : "raise it");
}

std::optional<Table> Table::table(std::string_view key) const {
  const toml::node* node = find(key);
  if (node == nullptr) return std::nullopt;
  if (const toml::table* inner = node->as_table()) {
    return Table(*inner, file_, path_ + std::string(key) + ".");
  }
  throw InputError(where(*node), "key '" + path_ + std::string(key) + "' must be a table",
                   "write it as { key = value } or under a [heading]");
}

bool Table::is_table(std::string_view key) const {
  const toml::node* node = find(key);
  return node != nullptr && node->is_table();
}

std::vector<Table> Table::tables(std::string_view key) const {
  std::vector<Table> result;
  for (const toml::node* element : elements(key)) {
    const toml::table* inner = element->as_table();
    if (inner == nullptr) {
      throw InputError(where(*element), "'" + path_ + std::string(key) + "' must hold tables",
                       "write { axis = value }");
    }
    result.emplace_back(*inner, file_, path_ + std::string(key) + ".");
  }
  return result;
}

std::vector<Table> Table::one_or_more(std::string_view key) const {
  const toml::node* node = find(key);
  if (node != nullptr && node->is_array()) return tables(key);
  const auto alone = table(key);
  return alone ? std::vector{*alone} : std::vector<Table>{};
}

bool Table::is_string(std::string_view key) const {
  const toml::node* node = find(key);
  return node != nullptr && node->is_string();
}

std::vector<std::string> Table::strings(std::string_view key) const {
  std::vector<std::string> result;
  for (const toml::node* element : elements(key)) {
    const auto text = element->value_exact<std::string>();
    if (!text) {
      throw InputError(where(*element), "'" + path_ + std::string(key) + "' must hold strings",
                       "quote its values");
    }
    result.push_back(*text);
  }
  return result;
}

std::vector<std::uint64_t> Table::counts(std::string_view key) const {
  std::vector<std::uint64_t> result;
  for (const toml::node* element : elements(key)) {
    const auto value = element->value_exact<std::int64_t>();
    if (!value || *value < 0) {
      throw InputError(where(*element), "'" + path_ + std::string(key) + "' must hold ids",
                       "write whole numbers from 0 on");
    }
    result.push_back(static_cast<std::uint64_t>(*value));
  }
  return result;
}

std::vector<Axis> Table::axes() const {
  std::vector<std::pair<toml::source_position, Axis>> found;
  for (const auto& [key, node] : table_) {
    Axis axis{std::string(key.str()), {}};
    if (const toml::array* array = node.as_array()) {
      for (const toml::node& element : *array) axis.second.push_back(scalar(element, axis.first));
    } else {
      axis.second.push_back(scalar(node, axis.first));
    }
    if (axis.second.empty()) {
      throw InputError(where(node), "axis '" + path_ + axis.first + "' has no values",
                       "give it at least one");
    }
    found.emplace_back(key.source().begin, std::move(axis));
  }
  std::ranges::sort(found, [](const auto& a, const auto& b) {
    return std::pair(a.first.line, a.first.column) < std::pair(b.first.line, b.first.column);
  });
  std::vector<Axis> result;
  result.reserve(found.size());
  for (auto& [position, axis] : found) result.push_back(std::move(axis));
  return result;
}

Selector Table::selector(const std::vector<std::string>& known) const {
  Selector selector{axes()};
  for (const auto& [axis, values] : selector.wanted) {
    if (std::ranges::find(known, axis) != known.end()) continue;
    throw InputError(where_key(axis), "'" + path_ + axis + "' is not an axis of this experiment",
                     suggestion(axis, known));
  }
  return selector;
}

Selector Table::selector(std::string_view key, const std::vector<std::string>& known) const {
  auto inner = table(key);
  return inner ? inner->selector(known) : Selector{};
}

InputError Table::missing(std::string_view key) const {
  return InputError(where(table_), "key '" + path_ + std::string(key) + "' is missing", "add it");
}

std::string Table::where(const toml::node& node) const {
  return file_ + ":" + std::to_string(std::max<std::uint32_t>(1, node.source().begin.line));
}

double Table::finite(const toml::node& node, const std::string& name) const {
  const double value = node.value<double>().value_or(0);
  if (std::isfinite(value)) return value;
  throw InputError(where(node), "key '" + name + "' must be a finite number", "correct its value");
}

std::vector<const toml::node*> Table::elements(std::string_view key) const {
  const toml::node* node = find(key);
  if (node == nullptr) return {};
  const toml::array* array = node->as_array();
  if (array == nullptr) {
    throw InputError(where(*node), "key '" + path_ + std::string(key) + "' must be a list",
                     "write it as [ ... ]");
  }
  std::vector<const toml::node*> result;
  for (const toml::node& element : *array) result.push_back(&element);
  return result;
}

AxisValue Table::scalar(const toml::node& node, const std::string& key) const {
  if (node.is_floating_point()) return finite(node, path_ + key);
  if (key == "graph" && node.is_string()) return first_of(*node.value<std::string>(), where(node));
  if (node.is_string() || node.is_integer() || node.is_boolean()) return to_json(node);
  throw InputError(where(node), "axis '" + path_ + key + "' must hold words or numbers",
                   "write for example " + key + " = [2, 4, 8]");
}

Json Table::to_json(const toml::node& node) {
  if (const auto* table = node.as_table()) {
    Json json = Json::object();
    for (const auto& [key, value] : *table) json[std::string(key.str())] = to_json(value);
    return json;
  }
  if (const auto* array = node.as_array()) {
    Json json = Json::array();
    for (const toml::node& value : *array) json.push_back(to_json(value));
    return json;
  }
  if (const auto value = node.value_exact<std::string>()) return *value;
  if (const auto value = node.value_exact<std::int64_t>()) return *value;
  if (const auto value = node.value_exact<double>()) return *value;
  if (const auto value = node.value_exact<bool>()) return *value;
  return nullptr;
}

}  // namespace bellmark::plan
