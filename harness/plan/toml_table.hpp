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

/// One table of the file, which gives typed values. After only() a misspelt key can't be ignored
/// silently.
class Table {
 public:
  Table(const toml::table& table, std::string file, std::string path)
      : table_(table), file_(std::move(file)), path_(std::move(path)) {}

  /// Throws on the first key that is not listed, with the nearest listed key or the right table.
  void only(const std::vector<std::string>& keys) const;

  template <class T>
  std::optional<T> optional(std::string_view key) const {
    const toml::node* node = find(key);
    if (node == nullptr) return std::nullopt;
    if constexpr (std::is_same_v<T, double>) {
      if (node->is_number()) return finite(*node, path_ + std::string(key));
    } else if (node->is<T>()) {
      return node->value_exact<T>();
    }
    throw InputError(where(*node),
                     "key '" + path_ + std::string(key) + "' must be " + type_name<T>(),
                     "correct its value");
  }

  template <class T>
  T required(std::string_view key) const {
    if (auto value = optional<T>(key)) return *value;
    throw missing(key);
  }

  /// From 1 to `most`.
  std::optional<std::uint64_t> count(std::string_view key, std::uint64_t most) const;
  /// Above 0, and at most kLongestSeconds.
  std::optional<double> seconds(std::string_view key) const;
  std::optional<Table> table(std::string_view key) const;
  bool is_table(std::string_view key) const;
  std::vector<Table> tables(std::string_view key) const;
  /// A table alone, or a list of them.
  std::vector<Table> one_or_more(std::string_view key) const;
  bool is_string(std::string_view key) const;
  std::vector<std::string> strings(std::string_view key) const;
  std::vector<std::uint64_t> counts(std::string_view key) const;

  /// Every key of this table with one value or a list of values, in the file's order.
  std::vector<Axis> axes() const;

  /// This table as a selector over the experiment's axes. An axis that the experiment lacks would
  /// silently match nothing.
  Selector selector(const std::vector<std::string>& known) const;
  Selector selector(std::string_view key, const std::vector<std::string>& known) const;

  Json json() const { return to_json(table_); }
  static Json to_json(const toml::node& node);

  InputError missing(std::string_view key) const;
  std::string where(const toml::node& node) const;
  std::string where_key(std::string_view key) const { return where(*find(key)); }

 private:
  const toml::node* find(std::string_view key) const { return table_.get(key); }
  std::vector<const toml::node*> elements(std::string_view key) const;
  double finite(const toml::node& node, const std::string& name) const;
  AxisValue scalar(const toml::node& node, const std::string& key) const;
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
};

}  // namespace bellmark::plan
