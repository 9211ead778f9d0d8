#include "harness/tune/search.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/enum_names.hpp"
#include "base/error.hpp"
#include "base/text.hpp"

namespace bellmark::tune {
namespace {

constexpr std::int64_t kFewIntegers = 12;
constexpr int kRungs = 6;
constexpr int kSweeps = 2;
constexpr std::size_t kFirstQueries = 2;
constexpr std::size_t kQueryFactor = 4;
constexpr EnumNames<Strategy, 2> kStrategies = {
    {{{Strategy::ladder, "ladder"}, {Strategy::grid, "grid"}}}};

/// A set of integers within a key's range. A value beyond an end becomes that end.
class Rungs {
 public:
  explicit Rungs(const Key& key) : key_(key) {}

  /// Takes a double: a rung may exceed the range of integers.
  void add(double value) {
    if (value <= static_cast<double>(key_.least)) {
      values_.insert(key_.least);
    } else if (value >= static_cast<double>(key_.largest)) {
      values_.insert(key_.largest);
    } else {
      values_.insert(std::llround(value));
    }
  }

  std::vector<std::string> without(std::int64_t current) const {
    std::vector<std::string> texts;
    for (const std::int64_t value : values_) {
      if (value != current) texts.push_back(std::to_string(value));
    }
    return texts;
  }

 private:
  const Key& key_;
  std::set<std::int64_t> values_;
};

std::vector<std::string> words_near(const Key& key, const std::string& current) {
  std::vector<std::string> values;
  for (const std::string& choice : key.choices) {
    if (choice != current && choice != "auto") values.push_back(choice);
  }
  return values;
}

/// A candidate in the field of one key.
struct Entry {
  Settings candidate;
  std::vector<double> log_ratios;
  std::string doubt;
};

measure::Ratio ratio_of(const std::vector<double>& log_ratios, const std::vector<double>& others) {
  std::vector<double> differences;
  for (std::size_t i = 0; i < std::min(log_ratios.size(), others.size()); ++i) {
    differences.push_back(log_ratios[i] - others[i]);
  }
  return measure::ratio_over_blocks(differences);
}

measure::Outcome judge(const Entry& entry, const Entry& other) {
  if (!entry.doubt.empty() || !other.doubt.empty()) return measure::Outcome::unclear;
  return measure::judge(ratio_of(entry.log_ratios, other.log_ratios).interval);
}

class Search {
 public:
  Search(const std::vector<Key>& keys, const Settings& start, std::span<const std::size_t> counts,
         const std::function<bool(const Settings&)>& is_built, Bench& bench)
      : keys_(keys), start_(start), counts_(counts), is_built_(is_built), bench_(bench) {
    finding_.best = start;
    seen_.insert(start.text());
  }

  Finding run(Strategy strategy) {
    if (strategy == Strategy::grid) search_field(combinations());
    for (int sweep = strategy == Strategy::grid ? 1 : 0; sweep < kSweeps; ++sweep) {
      for (const Key& key : keys_) {
        if (!finding_.exhausted) search_key(key, sweep > 0);
      }
    }
    search_skipped();
    finding_.skipped_count = skipped().size();
    return finding_;
  }

 private:
  void search_key(const Key& key, bool fine) {
    std::vector<Settings> field;
    for (const std::string& value : values_near(key, finding_.best.get(key.name), fine)) {
      field.push_back(finding_.best);
      field.back().set(key.name, value);
    }
    search_field(std::move(field));
  }

  /// Candidates that were never measured. One that a sweep left out may have its turn in another.
  std::vector<Settings> skipped() const {
    std::vector<Settings> candidates;
    for (const auto& [text, candidate] : skipped_) {
      if (!seen_.contains(text)) candidates.push_back(candidate);
    }
    return candidates;
  }

  /// Expected times err on the long side, so time may be left for what was left out.
  void search_skipped() {
    for (std::size_t before = 0; before != seen_.size();) {
      before = seen_.size();
      search_field(skipped());
    }
  }

  /// Combinations of the start's values and values near them.
  std::vector<Settings> combinations() const {
    std::vector<Settings> field = {start_};
    for (const Key& key : keys_) {
      std::vector<std::string> values = values_near(key, start_.get(key.name), false);
      values.push_back(start_.get(key.name));
      if (key.choices.empty()) {
        std::ranges::sort(values, {}, [](const auto& text) { return parse_integer(text); });
      }
      // To and fro, so that every second combination forms a chessboard, not every other value of a
      // key.
      std::vector<Settings> wider;
      for (const Settings& candidate : field) {
        for (const std::string& value : values) {
          wider.push_back(candidate);
          wider.back().set(key.name, value);
        }
        std::ranges::reverse(values);
      }
      field = std::move(wider);
    }
    return field;
  }

  /// Rounds of the new candidates.
  void search_field(std::vector<Settings> field) {
    std::erase_if(field, [&](const Settings& candidate) {
      return seen_.contains(candidate.text()) || !is_built_(candidate);
    });
    std::optional<Entry> winner;
    for (const std::size_t query_count : counts_) {
      make_affordable(field, query_count, query_count == counts_.front());
      if (field.empty() || !run_round(field, query_count, winner)) break;
    }
    if (winner) finding_.best = winner->candidate;
  }

  std::size_t cell_count(std::size_t field_size) const {
    return field_size + (finding_.best == start_ ? 1 : 2);
  }

  /// Thins the field out until a run of it fits into the budget: evenly while its candidates are
  /// unknown, from the worse end once they are in order.
  void make_affordable(std::vector<Settings>& field, std::size_t query_count, bool is_first) {
    while (!field.empty() && !bench_.affords(cell_count(field.size()), query_count)) {
      std::vector<Settings> thinner;
      for (std::size_t i = 0; i < field.size(); ++i) {
        if (is_first ? i % 2 == 1 : i < field.size() / 2) {
          thinner.push_back(field[i]);
        } else if (is_first) {
          skipped_.emplace(field[i].text(), field[i]);
        } else {
          find(field[i]).fate = Fate::left_behind;
        }
      }
      field = std::move(thinner);
      if (field.empty()) finding_.exhausted = true;
    }
  }

  /// One run. Leaves the survivors in `field`, and the best candidate that beats the incumbent in
  /// `winner`. False when the budget cut the run: then it decides nothing.
  bool run_round(std::vector<Settings>& field, std::size_t query_count,
                 std::optional<Entry>& winner) {
    std::vector<Settings> candidates = field;
    if (!(finding_.best == start_)) candidates.push_back(finding_.best);
    const std::vector<Reading> readings = bench_.measure(candidates, query_count);
    ++finding_.round_count;
    for (const Settings& candidate : field) seen_.insert(candidate.text());

    std::vector<Entry> entries;
    bool whole = true;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      const Fate fate = record(candidates[i], query_count, readings[i]);
      if (fate == Fate::failed && candidates[i] == finding_.best) finding_.best = start_;
      if (fate == Fate::failed) continue;
      whole = whole && fate == Fate::kept;
      entries.push_back({candidates[i], readings[i].block_log_ratios, readings[i].doubt});
    }
    if (!whole) {
      finding_.exhausted = true;
      return false;
    }
    // The default has the ratio 1 against itself in every block.
    Entry incumbent{start_, {}, {}};
    if (!entries.empty()) incumbent.log_ratios.assign(entries.front().log_ratios.size(), 0.0);
    const auto own = std::ranges::find(entries, finding_.best, &Entry::candidate);
    if (own != entries.end()) {
      incumbent = *own;
      entries.erase(own);
    }
    select(entries, incumbent, winner);
    field.clear();
    for (const Entry& entry : entries) field.push_back(entry.candidate);
    return true;
  }

  /// Drops entries that are worse than the best, then the worse half.
  void select(std::vector<Entry>& entries, const Entry& incumbent, std::optional<Entry>& winner) {
    winner.reset();
    const auto middle = [](const Entry& entry) { return measure::median(entry.log_ratios); };
    std::ranges::stable_sort(entries, {}, middle);
    if (entries.empty()) return;
    const Entry best = middle(entries.front()) < middle(incumbent) ? entries.front() : incumbent;
    if (judge(entries.front(), incumbent) == measure::Outcome::faster) winner = entries.front();
    std::erase_if(entries, [&](const Entry& entry) {
      const bool is_worse = judge(entry, best) == measure::Outcome::slower;
      if (is_worse) find(entry.candidate).fate = Fate::worse;
      return is_worse;
    });
    const std::size_t kept = (entries.size() + 1) / 2;
    for (std::size_t i = kept; i < entries.size(); ++i) {
      find(entries[i].candidate).fate = Fate::left_behind;
    }
    entries.erase(entries.begin() + static_cast<std::ptrdiff_t>(kept), entries.end());
  }

  Tried& find(const Settings& candidate) {
    const auto found = std::ranges::find(finding_.tried, candidate, &Tried::candidate);
    if (found != finding_.tried.end()) return *found;
    finding_.tried.push_back({});
    finding_.tried.back().candidate = candidate;
    return finding_.tried.back();
  }

  Fate record(const Settings& candidate, std::size_t query_count, const Reading& reading) {
    Tried& tried = find(candidate);
    if (!reading.fault.empty()) {
      tried = {candidate, query_count, std::nullopt, Fate::failed, reading.fault, ""};
    } else if (reading.block_log_ratios.size() < measure::kBlocksForInterval) {
      tried.fate = Fate::unfinished;  // the reading of an earlier, whole round stays
      if (!tried.ratio) tried.query_count = query_count;
    } else {
      tried = {candidate,  query_count, measure::ratio_over_blocks(reading.block_log_ratios),
               Fate::kept, "",          reading.doubt};
    }
    return tried.fate;
  }

  const std::vector<Key>& keys_;
  const Settings start_;
  const std::span<const std::size_t> counts_;
  const std::function<bool(const Settings&)>& is_built_;
  Bench& bench_;
  Finding finding_;
  std::set<std::string> seen_;               ///< measured, as text
  std::map<std::string, Settings> skipped_;  ///< left out at least once because time was short
};

std::vector<std::string> integers_near(const Key& key, std::int64_t current, bool fine) {
  Rungs rungs(key);
  const double least = static_cast<double>(key.least);
  const double largest = static_cast<double>(key.largest);
  if (largest - least < kFewIntegers) {
    for (std::int64_t value = key.least; value <= key.largest; ++value) {
      rungs.add(static_cast<double>(value));
    }
    return rungs.without(current);
  }
  const double reach = std::pow(2, kRungs);
  const double magnitude = std::max(1.0, std::abs(static_cast<double>(current)));
  const bool is_short = largest <= magnitude * reach &&
                        (least * reach >= magnitude || (least <= 0 && magnitude <= reach));
  const double factor = fine ? std::sqrt(2) : is_short ? 2 : 4;
  for (int rung = 1; rung <= (fine ? 2 : kRungs); ++rung) {
    const double scale = std::pow(factor, rung);
    const auto start = static_cast<double>(current);
    // From 0 the ladder starts at 1 and -1.
    rungs.add(current == 0 ? scale / factor : start * scale);
    rungs.add(current == 0 ? -scale / factor : start / scale);
  }
  return rungs.without(current);
}

/// The choices in order. Empty when one is a word.
std::vector<std::int64_t> integer_choices(const Key& key) {
  std::vector<std::int64_t> integers;
  for (const std::string& choice : key.choices) {
    const auto value = parse_integer(choice);
    if (!value) return {};
    integers.push_back(*value);
  }
  std::ranges::sort(integers);
  return integers;
}

/// The choices nearest to the rungs, for a key of many integers, of which some were built.
std::vector<std::string> choices_near(const Key& key, const std::vector<std::int64_t>& choices,
                                      std::int64_t current, bool fine) {
  Key range = key;
  range.least = choices.front();
  range.largest = choices.back();
  Rungs rungs(range);
  for (const std::string& rung : integers_near(range, current, fine)) {
    const std::int64_t value = parse_integer(rung).value_or(current);
    rungs.add(static_cast<double>(*std::ranges::min_element(
        choices, {}, [&](std::int64_t choice) { return std::abs(choice - value); })));
  }
  return rungs.without(current);
}

}  // namespace

std::vector<std::string> values_near(const Key& key, const std::string& current, bool fine) {
  const std::int64_t number = parse_integer(current).value_or(key.least);
  if (key.choices.empty()) return integers_near(key, number, fine);
  const std::vector<std::int64_t> choices = integer_choices(key);
  if (std::ssize(choices) <= kFewIntegers) return words_near(key, current);
  return choices_near(key, choices, number, fine);
}

std::string to_string(Fate fate) {
  switch (fate) {
    case Fate::kept:
      return "kept";
    case Fate::left_behind:
      return "left behind";
    case Fate::worse:
      return "worse than the best";
    case Fate::failed:
      return "failed";
    case Fate::unfinished:
      return "not finished";
  }
  return "not finished";
}

std::vector<std::size_t> round_query_counts(std::size_t most) {
  std::vector<std::size_t> counts;
  for (std::size_t count = kFirstQueries; count < most; count *= kQueryFactor) {
    counts.push_back(count);
  }
  counts.push_back(most);
  return counts;
}

std::string to_string(Strategy strategy) { return kStrategies.name_of(strategy); }

Strategy strategy_of(std::string_view name) {
  if (const auto strategy = kStrategies.value_of(name)) return *strategy;
  throw InputError("--strategy " + std::string(name), "is none of " + join(kStrategies.all(), ", "),
                   did_you_mean(name, kStrategies.all()));
}

Finding search(const std::vector<Key>& keys, const Settings& start,
               std::span<const std::size_t> query_counts,
               const std::function<bool(const Settings&)>& is_built, Bench& bench,
               Strategy strategy) {
  return Search(keys, start, query_counts, is_built, bench).run(strategy);
}

}  // namespace bellmark::tune
