#include "harness/sinks/cachegrind.hpp"

#include <array>
#include <bit>
#include <map>
#include <sstream>

#include "base/program.hpp"

namespace bellmark::sinks {
namespace {

/// A reading is the sum of cachegrind's events: reads and writes.
struct Sum {
  const char* name;
  std::vector<std::string> events;
};
const std::array<Sum, 4>& sums() {
  static const std::array<Sum, 4> all{
      Sum{"instructions", {"Ir"}}, Sum{"data-accesses", {"Dr", "Dw"}},
      Sum{"d1-misses", {"D1mr", "D1mw"}}, Sum{"ll-data-misses", {"DLmr", "DLmw"}}};
  return all;
}

/// The totals of an output file: its `events:` and `summary:` lines, name by name.
std::map<std::string, std::int64_t> totals(const std::string& text) {
  std::vector<std::string> names;
  std::map<std::string, std::int64_t> found;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string head;
    words >> head;
    if (head == "events:") {
      for (std::string name; words >> name;) names.push_back(name);
    } else if (head == "summary:") {
      std::int64_t value = 0;
      for (const std::string& name : names) {
        if (words >> value) found[name] = value;
      }
    }
  }
  return found;
}

/// `--D1=32768,8,64`; "" for a size whose number of sets is not a power of two.
std::string cache_word(const std::string& option, std::uint64_t bytes) {
  constexpr std::uint64_t kLine = 64;
  constexpr std::uint64_t kLeastWays = 8;
  constexpr std::uint64_t kMostWays = 32;
  for (std::uint64_t ways = kLeastWays; ways <= kMostWays; ++ways) {
    if (bytes % (kLine * ways) != 0 || !std::has_single_bit(bytes / (kLine * ways))) continue;
    return option + "=" + std::to_string(bytes) + "," + std::to_string(ways) + "," +
           std::to_string(kLine);
  }
  return {};
}

}  // namespace

Simulator cachegrind(const std::filesystem::path& output,
                     const std::vector<machine::Cache>& caches) {
  if (std::string_view(BELLMARK_FLAGS).find("-fsanitize") != std::string_view::npos) {
    return {{}, "valgrind can't run a build with sanitizers"};
  }
  std::uint64_t first_bytes = 0;
  const machine::Cache* last = nullptr;
  for (const machine::Cache& cache : caches) {
    if (cache.type == "instruction") continue;
    if (cache.level == 1 && first_bytes == 0) first_bytes = cache.size_bytes;
    if (cache.level > 1 && (last == nullptr || cache.level > last->level)) last = &cache;
  }
  const std::string program = find_program("valgrind");
  if (program.empty()) return {{}, "valgrind is not on the PATH"};
  std::vector<std::string> words{program, "--tool=cachegrind", "--cache-sim=yes",
                                 "--cachegrind-out-file=" + output.string()};
  for (const std::string& word : {cache_word("--D1", first_bytes),
                                  cache_word("--LL", last == nullptr ? 0 : last->size_bytes)}) {
    if (!word.empty()) words.push_back(word);
  }
  return {words, ""};
}

std::vector<Reading> cachegrind_readings(const std::string& run, const std::string& prepared) {
  const auto all = totals(run);
  const auto before = totals(prepared);
  std::vector<Reading> readings;
  for (const Sum& sum : sums()) {
    Reading reading{.name = sum.name, .unit = "count", .value = 0, .reason = ""};
    for (const std::string& event : sum.events) {
      if (!all.contains(event) || !before.contains(event)) {
        reading.reason = "cachegrind wrote no " + event;
      } else if (reading.reason.empty()) {
        *reading.value += all.at(event) - before.at(event);
      }
    }
    if (reading.reason.empty() && *reading.value < 0) reading.reason = "less than preparing alone";
    if (!reading.reason.empty()) reading.value = std::nullopt;
    readings.push_back(reading);
  }
  return readings;
}

std::vector<Reading> no_cachegrind_readings(const std::string& reason) {
  std::vector<Reading> readings;
  for (const Sum& sum : sums()) readings.push_back({sum.name, "count", std::nullopt, reason});
  return readings;
}

}  // namespace bellmark::sinks
