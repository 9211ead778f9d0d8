// Settings: the key=value pairs that pick and steer one variant.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bellmark {

/// An ordered list of key=value pairs without repeats. Values are words; the typed getters parse.
class Settings {
 public:
  using Entry = std::pair<std::string, std::string>;

  Settings() = default;
  Settings(std::initializer_list<Entry> entries) : entries_(entries) {}

  /// Parses `key=value,key=value`; throws InputError on a missing `=` or a repeated key.
  static Settings parse(std::string_view text);

  bool has(std::string_view key) const { return find(key) != nullptr; }
  /// Throws InputError when the key is absent.
  const std::string& get(std::string_view key) const;
  /// Throws InputError when the value is no integer (or no number).
  std::int64_t integer(std::string_view key) const;
  double number(std::string_view key) const;
  /// Replaces the value in place, or appends.
  void set(std::string_view key, std::string_view value);

  const std::vector<Entry>& entries() const { return entries_; }
  /// `key=value,key=value` in stored order.
  std::string text() const;

  friend bool operator==(const Settings&, const Settings&) = default;

 private:
  const std::string* find(std::string_view key) const;
  std::vector<Entry> entries_;
};

/// The whole of `text` as an integer, or nothing.
std::optional<std::int64_t> parse_integer(std::string_view text);

}  // namespace bellmark
