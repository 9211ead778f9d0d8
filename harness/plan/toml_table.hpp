// A TOML file's tables: typed values, and errors that name the file, the line and the key.
#pragma once

#include <toml++/toml.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "harness/plan/experiment.hpp"

namespace bellmark::plan {

/// Throws InputError with `name:line`.
toml::table parse_toml(const std::string& text, const std::string& name);

/// One table of the file: hands out typed values, and refuses keys that nobody asked for, so that
/// a misspelt key can't be silently ignored.
class Table {
 public:
  Table(const toml::table& table, std::string file, std::string path)
      : table_(table), file_(std::move(file)), path_(std::move(path)) {}

  template <class T>
  std::optional<T> optional(std::string_view key) {
    const toml::node* node = find(key);
    if (node == nullptr) return std::nullopt;
    if constexpr (std::is_same_v<T, double>) {
      if (node->is_number()) return node->value<double>();
    } else if (node->is<T>()) {
      return node->value_exact<T>();
    }
    throw InputError(where(*node),
                     "key '" + path_ + std::string(key) + "' must be " + type_name<T>(),
                     "correct its value");
  }

  template <class T>
  T required(std::string_view key) {
    if (auto value = optional<T>(key)) return *value;
    throw missing(key);
  }

  /// From 1 on.
  std::optional<std::uint64_t> count(std::string_view key);
  std::optional<double> above_zero(std::string_view key);
  std::optional<Table> table(std::string_view key);
  std::vector<Table> tables(std::string_view key);
  std::vector<std::string> strings(std::string_view key);
  std::vector<std::uint64_t> counts(std::string_view key);

  /// Every key of this table with one value or a list of values, in the file's order.
  std::vector<Axis> axes();

  /// This table as a selector over the experiment's axes; an axis that it doesn't have would
  /// silently match nothing.
  Selector selector(const std::vector<std::string>& known);
  Selector selector(std::string_view key, const std::vector<std::string>& known);

  Json json();

  /// Throws on the first key that was never asked for. Call it last.
  void finish() const;

  InputError missing(std::string_view key) const;
  std::string where(const toml::node& node) const;
  std::string where_key(std::string_view key) { return where(*find(key)); }

 private:
  const toml::node* find(std::string_view key);
  std::vector<const toml::node*> elements(std::string_view key);
  AxisValue scalar(const toml::node& node, const std::string& key) const;
  static Json to_json(const toml::node& node);

  template <class T>
  static std::string type_name() {
    if constexpr (std::is_same_v<T, std::string>) return "a string";
    if constexpr (std::is_same_v<T, std::int64_t>) return "a whole number";
    if constexpr (std::is_same_v<T, double>) return "a number";
    return "true or false";
  }

  const toml::table& table_;
  std::string file_;
  std::string path_;
  std::vector<std::string> asked_;
};

}  // namespace bellmark::plan
