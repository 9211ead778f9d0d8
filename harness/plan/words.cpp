#include "harness/plan/words.hpp"

#include <algorithm>
#include <functional>

#include "base/error.hpp"
#include "base/text.hpp"
#include "harness/plan/plan.hpp"

namespace bellmark::plan {
bool has(const std::vector<std::string>& values, const std::string& value) {
  return std::ranges::find(values, value) != values.end();
}

void add_once(std::vector<std::string>& values, const std::string& value) {
  if (!has(values, value)) values.push_back(value);
}

std::string list_text(const std::vector<std::string>& values) {
  constexpr std::size_t kShortestRange = 3;
  constexpr std::size_t kShown = 4;
  const auto is_next = [](const std::string& value, const std::string& next) {
    const auto number = parse_integer(value);
    return number && parse_integer(next) == *number + 1;
  };
  if (values.size() >= kShortestRange &&
      std::ranges::adjacent_find(values, std::not_fn(is_next)) == values.end()) {
    return values.front() + ".." + values.back();
  }
  if (values.size() <= kShown) return join(values, ", ");
  return join({values.begin(), values.begin() + kShown - 1}, ", ") + ", ... (" +
         std::to_string(values.size()) + ")";
}

std::vector<std::string> launcher_words(const std::string& launcher, std::size_t rank_count) {
  constexpr std::string_view kRanks = "{ranks}";
  std::vector<std::string> words = split(launcher, ' ');
  std::erase(words, "");
  bool counts = false;
  for (std::string& word : words) {
    for (std::size_t at; (at = word.find(kRanks)) != std::string::npos; counts = true) {
      word.replace(at, kRanks.size(), std::to_string(rank_count));
    }
  }
  if (counts) return words;
  throw InputError("launcher '" + launcher + "'", "it doesn't say how many ranks to start",
                   "write {ranks} where their number goes, e.g. 'mpirun -n {ranks}'");
}

double parse_duration(const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  const std::string unit(end);
  const double factor = unit.empty() || unit == "s" ? 1 : unit == "m" ? 60 : unit == "h" ? 3600 : 0;
  constexpr double kLongest = 1e9;  // clocks count 290 years of nanoseconds
  if (text.empty() || end == text.c_str() || factor == 0 || !(value > 0) ||
      !(value * factor <= kLongest)) {
    throw InputError("duration '" + text + "'", "not understood", "write for example 90s, 8m, 1h");
  }
  return value * factor;
}

Shard parse_shard(const std::string& text) {
  const std::size_t slash = text.find('/');
  const auto index = parse_integer(text.substr(0, slash));
  const auto count =
      slash == std::string::npos ? std::nullopt : parse_integer(text.substr(slash + 1));
  constexpr std::int64_t kMostShards = 100'000;
  if (!index || !count || *index < 1 || *index > *count || *count > kMostShards) {
    throw InputError("--shard " + text, "is not a part of a whole",
                     "write which of how many, counted from 1: --shard 2/4");
  }
  return {static_cast<std::size_t>(*index), static_cast<std::size_t>(*count)};
}

}  // namespace bellmark::plan
