#include "harness/plan/toml_table.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/text.hpp"

namespace bellmark::plan {

namespace {

/// Where the text goes on behind the string that begins at `at`.
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

/// A dotted key makes a table of each of its parts, one in the other, and the library walks over
/// them by calling itself. It limits the nesting of values alone.
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

std::optional<std::uint64_t> Table::count(std::string_view key) {
  const auto value = optional<std::int64_t>(key);
  if (!value) return std::nullopt;
  if (*value < 1) {
    throw InputError(where(*find(key)), "key '" + path_ + std::string(key) + "' must be 1 or more",
                     "raise it");
  }
  return static_cast<std::uint64_t>(*value);
}

std::optional<double> Table::above_zero(std::string_view key) {
  const auto value = optional<double>(key);
  if (value && !(*value > 0 && std::isfinite(*value))) {
    throw InputError(where(*find(key)), "key '" + path_ + std::string(key) + "' must be above 0",
                     "raise it");
  }
  return value;
}

std::optional<Table> Table::table(std::string_view key) {
  const toml::node* node = find(key);
  if (node == nullptr) return std::nullopt;
  if (const toml::table* inner = node->as_table()) {
    return Table(*inner, file_, path_ + std::string(key) + ".");
  }
  throw InputError(where(*node), "key '" + path_ + std::string(key) + "' must be a table",
                   "write it as { key = value } or under a [heading]");
}

std::vector<Table> Table::tables(std::string_view key) {
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

std::vector<std::string> Table::strings(std::string_view key) {
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

std::vector<std::uint64_t> Table::counts(std::string_view key) {
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

std::vector<Axis> Table::axes() {
  std::vector<std::pair<toml::source_position, Axis>> found;
  for (const auto& [key, node] : table_) {
    asked_.emplace_back(key.str());
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

Selector Table::selector(const std::vector<std::string>& known) {
  Selector selector{axes()};
  for (const auto& [axis, values] : selector.wanted) {
    if (std::ranges::find(known, axis) != known.end()) continue;
    throw InputError(where_key(axis), "'" + path_ + axis + "' is no axis of this experiment",
                     suggestion(axis, known));
  }
  return selector;
}

Selector Table::selector(std::string_view key, const std::vector<std::string>& known) {
  auto inner = table(key);
  return inner ? inner->selector(known) : Selector{};
}

Json Table::json() {
  for (const auto& [key, node] : table_) asked_.emplace_back(key.str());
  return to_json(table_);
}

void Table::finish() const {
  for (const auto& [key, node] : table_) {
    const std::string name(key.str());
    if (std::ranges::find(asked_, name) == asked_.end()) {
      throw InputError(file_ + ":" + std::to_string(key.source().begin.line),
                       "unknown key '" + path_ + name + "'", suggestion(name, asked_));
    }
  }
}

InputError Table::missing(std::string_view key) const {
  return InputError(where(table_), "key '" + path_ + std::string(key) + "' is missing", "add it");
}

std::string Table::where(const toml::node& node) const {
  return file_ + ":" + std::to_string(std::max<std::uint32_t>(1, node.source().begin.line));
}

const toml::node* Table::find(std::string_view key) {
  asked_.emplace_back(key);
  return table_.get(key);
}

std::vector<const toml::node*> Table::elements(std::string_view key) {
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
  if (node.is_string() || node.is_integer() || node.is_floating_point() || node.is_boolean()) {
    return to_json(node);
  }
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
