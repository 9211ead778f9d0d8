#include "algorithms/contract/description.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace bellmark {

std::string Key::refuse(const std::string& value) const {
  if (!choices.empty()) {
    if (std::ranges::find(choices, value) != choices.end()) return {};
    return "'" + value + "' is not a value of key '" + name + "'; " + suggestion(value, choices);
  }
  const auto number = parse_integer(value);
  const bool is_plain = number && std::to_string(*number) == value;  // 04 names no instance
  if (is_plain && *number >= least && *number <= largest) return {};
  const std::size_t dots = value.find("..");
  const bool is_range = dots != std::string::npos && parse_integer(value.substr(0, dots)) &&
                        parse_integer(value.substr(dots + 2));
  return "'" + value + "' is not a value of key '" + name + "'; " +
         (is_range ? "make a range an axis: -a " + name + "=" + value
                   : "it takes integers " + range_text());
}

std::string Key::range_text() const {
  if (!choices.empty()) return join(choices, "|");
  return std::to_string(least) + ".." + std::to_string(largest);
}

Key word_key(std::string name, std::string default_value, std::vector<std::string> choices,
             std::string help) {
  Key key;
  key.name = std::move(name);
  key.default_value = std::move(default_value);
  key.choices = std::move(choices);
  key.help = std::move(help);
  return key;
}

Key integer_key(std::string name, std::int64_t default_value, std::int64_t least,
                std::int64_t largest, std::string help) {
  Key key;
  key.name = std::move(name);
  key.default_value = std::to_string(default_value);
  key.least = least;
  key.largest = largest;
  key.help = std::move(help);
  return key;
}

Key at_run_time(Key key, bool tunable, std::string unit) {
  key.when = Key::When::run_time;
  key.tunable = tunable;
  key.unit = std::move(unit);
  return key;
}

Key untimed_key(std::vector<std::string> choices) {
  std::string first = choices.front();
  return at_run_time(
      implied(word_key(kUntimed, std::move(first), std::move(choices),
                       "Part of the answer that is made outside the measured time")));
}

Key implied(Key key) {
  key.implied = true;
  return key;
}

Key formerly(std::string name, Key key) {
  key.former_names.push_back(std::move(name));
  return key;
}

std::string to_string(Need need) { return std::string(need.word()); }

}  // namespace bellmark
