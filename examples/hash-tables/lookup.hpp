// The problem `lookup`: the sum of the values that a table has for a list of keys. The table lacks
// some of them.
#pragma once

#include <bellmark/lab.hpp>
#include <cstdint>
#include <utility>
#include <vector>

namespace hash_tables {

struct Lookups {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> entries;  ///< key, value
  std::vector<std::uint64_t> asked;                              ///< keys
  std::uint64_t sum;                                             ///< of the values that are found
};

/// The finalizer of SplitMix64: it gives no number twice, and spreads them evenly.
inline std::uint64_t mixed(std::uint64_t z) {
  z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31U);
}

struct Lookup : bellmark::KernelProblem<Lookup, Lookups, std::uint64_t> {
  static constexpr const char* kName = "lookup";
  static constexpr const char* kSummary = "Lookups in a hash table";

  static std::vector<bellmark::Key> keys() {
    using bellmark::integer_key;
    return {integer_key("entries", 100'000, 1, 100'000'000, "Number of keys in the table"),
            integer_key("lookups", 100'000, 1, 100'000'000, "Number of keys that are looked up"),
            integer_key("hits", 90, 0, 100, "Number of lookups in a hundred that find a key")};
  }

  // Key i is mixed(i), and its value 3 i + 1: the right sum is known without any table.
  static Lookups make(const bellmark::Settings& settings) {
    const auto count = static_cast<std::uint64_t>(settings.integer("entries"));
    const auto hits = static_cast<std::uint64_t>(settings.integer("hits"));
    Lookups lookups{{}, {}, 0};
    for (std::uint64_t i = 0; i < count; ++i) lookups.entries.emplace_back(mixed(i), 3 * i + 1);
    for (std::int64_t i = 0; i < settings.integer("lookups"); ++i) {
      const std::uint64_t random = mixed(~static_cast<std::uint64_t>(i));
      const std::uint64_t place = random % count;
      const bool is_there = mixed(random) % 100 < hits;
      lookups.asked.push_back(mixed(is_there ? place : count + place));
      if (is_there) lookups.sum += 3 * place + 1;
    }
    return lookups;
  }

  static std::uint64_t expected(const Lookups& lookups) { return lookups.sum; }

  static bellmark::Work work(const Lookups& lookups) { return {.items = lookups.asked.size()}; }
};

/// A variant for each table that has the interface of std::unordered_map.
template <class Table>
class TableLookup {
 public:
  using Problem = Lookup;

  void prepare(const Lookups& lookups, bellmark::RunContext& context) {
    asked_ = &lookups.asked;
    table_.reserve(lookups.entries.size());
    for (const auto& [key, value] : lookups.entries) table_.emplace(key, value);
    context.account("keys and values", lookups.entries.size() * sizeof(lookups.entries[0]));
  }

  void run(std::span<const Lookup::Query>, bellmark::RunContext&) {
    std::uint64_t sum = 0;
    for (const std::uint64_t key : *asked_) {
      if (const auto found = table_.find(key); found != table_.end()) sum += found->second;
    }
    sum_ = sum;
  }

  void extract(std::uint64_t& answer) const { answer = sum_; }

 protected:
  Table table_;

 private:
  const std::vector<std::uint64_t>* asked_ = nullptr;
  std::uint64_t sum_ = 0;
};

}  // namespace hash_tables
