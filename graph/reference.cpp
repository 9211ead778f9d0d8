#include "graph/reference.hpp"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <string_view>

#include "base/error.hpp"
#include "base/formula.hpp"
#include "base/text.hpp"
#include "graph/generate.hpp"
#include "graph/open.hpp"
#include "graph/order.hpp"

namespace bellmark {
namespace {

namespace fs = std::filesystem;

using Keys = std::vector<FormulaKey>;
using Parts = std::vector<std::string>;  // between the commas

/// In the sequence in which they are applied: the order of rows comes last.
constexpr std::string_view kChanges[] = {"arcs", "order", "row-order"};
constexpr std::string_view kRowOrder = "row-order";
constexpr std::string_view kRowOrderAlias = "rows";

/// The keys of a graph that is read.
const Keys& read_keys() {
  static const Keys keys = {{"lengths", FormulaKey::Kind::lengths, "", "in place of its own"},
                            {"seed", FormulaKey::Kind::count, "1", "of the lengths"}};
  return keys;
}

const Keys& keys_of(const GraphReference& reference) {
  return reference.generator != nullptr ? reference.generator->keys : read_keys();
}

/// The key of a formula for its original graph; null if it has none.
const FormulaKey* graph_key(const Generator* generator) {
  if (generator == nullptr) return nullptr;
  const auto found = std::ranges::find(generator->keys, FormulaKey::Kind::graph, &FormulaKey::kind);
  return found == generator->keys.end() ? nullptr : &*found;
}

bool is_there(const std::string& file) {
  std::error_code ignored;
  return fs::exists(file, ignored);
}

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

bool has(const Keys& keys, std::string_view key) {
  return std::ranges::find(keys, key, &FormulaKey::name) != keys.end();
}

bool is_pair(const std::string& part) { return part.find('=') != std::string::npos; }
std::string key_of(const std::string& part) { return part.substr(0, part.find('=')); }
std::string value_of(const std::string& part) { return part.substr(part.find('=') + 1); }

bool is_change(const std::string& part) {
  return is_pair(part) && std::ranges::find(kChanges, key_of(part)) != std::end(kChanges);
}

/// True for a pair that may follow the name of a graph that is read.
bool is_read_pair(const std::string& part) {
  return is_change(part) ||
         (is_pair(part) && (has(read_keys(), key_of(part)) || key_of(part) == kRowOrderAlias));
}

/// Takes the id or file off the front of `parts`. A file's name may hold commas: it is the longest
/// existing one. The name of a missing file ends where a known key begins.
std::string take_source(Parts& parts, bool (*is_key)(const std::string&)) {
  if (parts.empty()) return {};
  const auto source = [&](Parts::iterator end) { return join({parts.begin(), end}, ","); };
  auto end = parts.end();
  while (end != parts.begin() && !is_there(source(end))) --end;
  if (end == parts.begin()) {
    end = is_catalogue_id(parts.front()) ? parts.begin() + 1
                                         : std::find_if(parts.begin() + 1, parts.end(), is_key);
  }
  std::string name = source(end);
  parts.erase(parts.begin(), end);
  return name;
}

/// Takes the original graph of a formula off the front of `parts`.
std::string take_graph(const std::string& formula, Parts& parts) {
  const std::string remedy =
      "write an id or a file first, for instance tile:dimacs:USA-road-d.NY,copies=4";
  std::string name = take_source(parts, is_pair);
  if (is_there(name)) return name;
  if (find_generator(name) != nullptr) {
    throw InputError(formula, "its graph is a formula itself",
                     "make it first: bellmark graph make " + name + " -o FILE.bmg");
  }
  if (name.empty() || is_pair(name)) throw InputError(formula, "it names no graph", remedy);
  return name;
}

/// Gives the alias of `row-order` its name. In a formula with a key `rows` the first value is that
/// key's, unless it is a word of the alias. A number is never such a word.
void rename_alias(Parts& parts, const Keys& keys) {
  bool is_own = has(keys, kRowOrderAlias);
  for (std::string& part : parts) {
    if (!is_pair(part) || key_of(part) != kRowOrderAlias) continue;
    const std::string value = value_of(part);
    if (is_number(value) || (is_own && value != kByLength)) {
      is_own = false;
    } else {
      part = std::string(kRowOrder) + "=" + value;
    }
  }
}

/// Takes the changes out of `parts`.
std::vector<GraphReference::Pair> take_changes(Parts& parts) {
  std::vector<GraphReference::Pair> changes;
  for (const std::string_view key : kChanges) {
    for (const std::string& part : parts) {
      if (is_pair(part) && key_of(part) == key) changes.emplace_back(key, value_of(part));
    }
  }
  std::erase_if(parts, is_change);
  return changes;
}

/// The value of a key that isn't given. The challenge's families have lengths up to the number of
/// vertices.
std::string default_value(const FormulaKey& key, const GraphReference& reference) {
  constexpr std::string_view kScale = "scale";
  if (!key.fallback.ends_with(kScale)) return key.fallback;
  // Making the graph refuses a scale that is too large.
  constexpr std::uint64_t kMostDefault = std::numeric_limits<Length>::digits - 1;
  return key.fallback.substr(0, key.fallback.size() - kScale.size()) +
         std::to_string(std::min(reference.count(std::string(kScale)), kMostDefault));
}

/// The value in its shortest form. Throws InputError when the key doesn't allow it.
std::string shortest_value(const FormulaKey& key, const std::string& value,
                           const std::string& where) {
  switch (key.kind) {
    case FormulaKey::Kind::count:
      return std::to_string(parse_number<std::uint64_t>(value, where, "a whole number"));
    case FormulaKey::Kind::real:
      return shortest(parse_number<double>(value, where, "a number"));
    case FormulaKey::Kind::graph:
      return value;
    case FormulaKey::Kind::lengths_or_own:
      if (value == kOwnLengths) return value;
      break;
    case FormulaKey::Kind::lengths:
      break;
  }
  return to_string(parse_lengths(value));
}

/// Reads `parts`, which have no changes left, and fills in defaults.
void set_keys(GraphReference& reference, const Parts& parts) {
  const Keys& keys = keys_of(reference);
  std::vector<std::string> known;
  std::vector<std::string> needed;
  for (const FormulaKey& key : keys) {
    if (key.kind == FormulaKey::Kind::graph) continue;
    known.push_back(key.name);
    if (key.fallback.empty()) needed.push_back(key.name);
  }
  known.insert(known.end(), std::begin(kChanges), std::end(kChanges));
  const auto given = parse_keys(reference.text, join(parts, ","), known, needed);
  for (const FormulaKey& key : keys) {
    if (key.kind == FormulaKey::Kind::graph) continue;  // it was taken before
    const auto found = given.find(key.name);
    const std::string value = found == given.end() ? default_value(key, reference) : found->second;
    reference.keys[key.name] = shortest_value(key, value, reference.text + ": " + key.name);
  }
}

}  // namespace

std::uint64_t GraphReference::count(const std::string& key) const {
  return parse_number<std::uint64_t>(keys.at(key), text + ": " + key, "a whole number");
}

double GraphReference::real(const std::string& key) const {
  return parse_number<double>(keys.at(key), text + ": " + key, "a number");
}

LengthScheme GraphReference::lengths() const { return parse_lengths(keys.at("lengths")); }

GraphReference parse_reference(const std::string& text) {
  GraphReference reference;
  reference.text = text;
  reference.generator = find_generator(text);
  const bool is_formula = reference.generator != nullptr;
  Parts parts = split(is_formula ? text.substr(text.find(':') + 1) : text, ',');
  reference.source = is_formula ? reference.generator->name : take_source(parts, is_read_pair);
  if (const FormulaKey* const graph = graph_key(reference.generator)) {
    reference.keys[graph->name] = take_graph(text, parts);
  }
  rename_alias(parts, keys_of(reference));
  reference.changes = take_changes(parts);
  if (is_formula || !parts.empty()) set_keys(reference, parts);
  return reference;
}

GraphReference parse_formula(const std::string& text) {
  if (find_generator(text) == nullptr) {
    throw InputError(text, "unknown generator",
                     suggestion(text.substr(0, text.find(':')), generator_names()));
  }
  return parse_reference(text);
}

std::string to_string(const GraphReference& reference) {
  std::string text = reference.source;
  char separator = reference.generator != nullptr ? ':' : ',';
  const auto add = [&](const std::string& key, const std::string& value) {
    text += separator + (key.empty() ? "" : key + "=") + value;
    separator = ',';
  };
  for (const FormulaKey& key : keys_of(reference)) {
    if (const auto own = reference.keys.find(key.name); own != reference.keys.end()) {
      add(key.kind == FormulaKey::Kind::graph ? "" : key.name, own->second);
    }
  }
  for (const auto& [key, word] : reference.changes) add(key, word);
  return text;
}

}  // namespace bellmark
